import type { ConsoleGateway, ShownAccount } from '../model/console-gateway.js'

/** Display names of a store's accounts. */
export interface AccountNames {
  /** @param provider - The provider of an account that the store no longer has, if known. */
  of(id: string, provider?: string): string
  /** Accounts by their ids, as options of a select. */
  options(ids: readonly string[]): Readonly<Record<string, string>>
}

const ID_END_LENGTH = 4

export async function accountNames(
  { accounts }: Pick<ConsoleGateway, 'accounts'>,
  storeId: string,
): Promise<AccountNames> {
  return namesOf(await accounts.list(storeId))
}

/** Names each account uniquely: duplicate and missing names get the end of the id. */
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
