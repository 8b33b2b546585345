import type { AccountDescription, AccountStore, ProviderAccount } from '@cofre/provider-kit/account'
import { SetupError } from '../../config/errors.js'
import { profileOf } from '../../installation/accounts.js'
import { type Contract, contractNamed } from './account-entry.js'
import { type CommandContext, type InEnvironment, sandboxOption } from '../line/command.js'

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

/** @throws SetupError if the account is unknown, and an error if its secrets can't be opened */
export async function knownAccount(
  accounts: AccountStore,
  options: AccountOptions,
): Promise<ProviderAccount> {
  const account = await accounts.find(options.id)
  if (account === undefined) throw unknownAccount(options)
  return account
}

/** Contract of an account. @throws SetupError for an account that `npm start` simulates */
export async function contractOf(
  context: CommandContext,
  account: AccountDescription,
): Promise<Contract> {
  const { id, kind, provider } = account
  if (kind === 'simulator')
    throw new SetupError(
      `npm start alone plays the bank or acquirer of the account ${id}`,
      'it also gives the account its credentials',
    )
  return { ...(await contractNamed(context, { provider, profile: profileOf(account) })), kind }
}
