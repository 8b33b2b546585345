import { randomBytes, randomUUID } from 'node:crypto'
import type { AccountDescription, AccountStore } from '@cofre/provider-kit/account'
import { type Environment, type Log, Secret } from '@cofre/contracts'
import { PROVIDERS } from '@cofre/providers'
import { SetupError } from '../../config/errors.js'

type Accounts = Pick<AccountStore, 'list' | 'create' | 'order' | 'orders'>

interface TestStore {
  readonly accounts: Accounts
  readonly storeId: string
  readonly log: Log
  readonly nowMs: number
}

/**
 * Gives the test store an account at each simulated provider of a zone, which issues its
 * credentials at the start. A disabled account stays disabled, with a warning in the log.
 */
export async function prepareSimulatorAccounts(
  zone: 'bank' | 'card',
  { accounts, storeId, log, nowMs }: TestStore,
): Promise<void> {
  const known = await accounts.list(storeId)
  for (const [index, row] of PROVIDERS.entries()) {
    const load = row[zone]
    if (load === undefined || row.simulator === undefined) continue
    const simulated = known.find(
      ({ kind, provider }) => kind === 'simulator' && provider === row.name,
    )
    if (simulated?.disabledAtMs !== undefined) warnOfDisabled(log, simulated)
    if (simulated !== undefined) continue
    const [{ methods }, { testAccount }] = await Promise.all([load(), row.simulator()])
    const { brand, label, settings } = testAccount
    const account = newAccount(storeId, nowMs + index)
    const at = { provider: row.name, label, settings: settings(account.id) }
    const [method] = methods
    await accounts.create({ ...account, ...at }, [method], 'start')
    if (brand === undefined) continue
    // A person's order stays.
    const orders = await accounts.orders(storeId)
    if (orders.some((order) => order.method === method && order.brand === brand)) continue
    await accounts.order({ merchantId: storeId, method, brand }, [account.id], 'start')
  }
}

function warnOfDisabled(log: Log, { id, provider }: AccountDescription): void {
  log.warn(
    { account: id, provider },
    `an account at a simulated provider is disabled; to use it, run cofre account enable ${id}`,
  )
}

function newAccount(merchantId: string, createdAtMs: number) {
  return {
    id: randomUUID(),
    merchantId,
    kind: 'simulator',
    secrets: {
      credentials: new Secret(''),
      noticeSecret: new Secret(randomBytes(16).toString('base64url')),
    },
    certificateUntilMs: undefined,
    lastTest: undefined,
    disabledAtMs: undefined,
    createdAtMs,
  } as const
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
