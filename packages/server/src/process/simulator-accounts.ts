import type { AccountMethod, AccountStore, ProviderAccount } from '@cofre/accounts'
import type { Environment, Log } from '@cofre/contracts'
import { SetupError } from '../config/errors.js'

type Accounts = Pick<AccountStore, 'list' | 'create'>

/**
 * Gives the test store an account at a provider that this process plays. One that a person has
 * disabled stays so, with a warning in the log. Resolves to whether it was made.
 */
export async function prepareSimulatorAccount(
  { accounts, log }: { readonly accounts: Accounts; readonly log: Log },
  account: ProviderAccount,
  method: AccountMethod,
): Promise<boolean> {
  const known = await accounts.list(account.merchantId)
  const played = known.find(
    ({ kind, provider }) => kind === 'simulator' && provider === account.provider,
  )
  if (played?.disabledAtMs !== undefined)
    log.warn(
      { account: played.id, provider: played.provider },
      `an account at a simulated provider is disabled; to use it, run cofre account enable ${played.id}`,
    )
  return played === undefined && (await accounts.create(account, [method], 'start'))
}

/** @throws SetupError */
export async function refuseSimulatorAccounts(
  accounts: Pick<Accounts, 'list'>,
  environment: Environment,
): Promise<void> {
  const simulated = (await accounts.list()).find(
    ({ kind, disabledAtMs }) => kind === 'simulator' && disabledAtMs === undefined,
  )
  if (simulated === undefined) return
  const { id, label, merchantId } = simulated
  const sandbox = environment === 'sandbox' ? ' --sandbox' : ''
  throw new SetupError(
    `An account of the store ${merchantId} is a simulator's, which moves no money and which npm start alone plays: run cofre account disable ${id}${sandbox}, then start again`,
    `${label} in ${environment}`,
  )
}
