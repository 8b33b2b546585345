import type { AccountDescription, AccountStore, ProviderAccount } from '@cofre/provider-kit/account'
import { SetupError } from '../config/errors.js'
import { profileOf } from '../installation/accounts.js'
import { type Contract, contractNamed } from './account-entry.js'
import { type CommandContext, type InEnvironment, sandboxOption } from './command.js'

export interface AccountOptions extends InEnvironment {
  readonly id: string
}

export function unknownAccount({ id, environment }: AccountOptions): SetupError {
  const option = sandboxOption(environment)
  return new SetupError(
    `There is no account ${id} in ${environment}`,
    `see cofre account list${option}`,
  )
}

/** @throws SetupError when there is none, and an error when its secrets do not open */
export async function knownAccount(
  accounts: AccountStore,
  options: AccountOptions,
): Promise<ProviderAccount> {
  const account = await accounts.find(options.id)
  if (account === undefined) throw unknownAccount(options)
  return account
}

/** With whom an account is. @throws SetupError for one that `npm start` plays */
export async function contractOf(
  context: CommandContext,
  account: AccountDescription,
): Promise<Contract> {
  const { id, kind, provider } = account
  if (kind === 'simulator')
    throw new SetupError(
      `npm start alone plays the bank or acquirer of the account ${id}`,
      'it gives the account its credentials, too',
    )
  return { ...(await contractNamed(context, { provider, profile: profileOf(account) })), kind }
}
