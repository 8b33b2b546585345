import type { ConsoleGateway, ShownAccount } from '../model/console-gateway.js'

/** What the accounts of a store are called. */
export interface AccountNames {
  /** @param provider - Of one that the store no longer has, where it is known. */
  of(id: string, provider?: string): string
  /** Accounts by their ids, as a select has them. */
  options(ids: readonly string[]): Readonly<Record<string, string>>
}

const ID_END_LENGTH = 4

export async function accountNames(
  { accounts }: Pick<ConsoleGateway, 'accounts'>,
  storeId: string,
): Promise<AccountNames> {
  return namesOf(await accounts.list(storeId))
}

/** One name is one account's: two of the same name, and those without, end like their ids. */
export function namesOf(accounts: readonly ShownAccount[]): AccountNames {
  const known = new Map(accounts.map((account) => [account.id, account]))
  const named = ({ label, id }: ShownAccount): string | undefined => {
    const isShared = accounts.some((other) => other.id !== id && other.label === label)
    return label === '' || isShared ? undefined : label
  }
  const of = (id: string, provider?: string): string => {
    const account = known.get(id)
    const name = account && named(account)
    if (name !== undefined) return name
    const called = account?.label === '' ? account.company : (account?.label ?? provider)
    const end = `…${id.slice(-ID_END_LENGTH)}`
    return called === undefined ? end : `${called} ${end}`
  }
  return { of, options: (ids) => Object.fromEntries(ids.map((id) => [id, of(id)])) }
}
