import type { AccountRow, AccountsByCharge, ProviderAccount } from '@cofre/provider-kit/account'
import { SECOND_MS } from '@cofre/contracts'
import { oncePerTurn } from '@cofre/sql'
import {
  type CaptureDaysOf,
  type InstallmentsOf,
  cardAccountsByCharge,
  createVaultAccountReader,
} from './account/account-service.js'
import type { AcquirerNotices, Acquirer } from '@cofre/provider-kit/card'
import type { RoutedAccount } from './authorization/card-charge.js'
import type { ChargingDeps } from './authorization/charging-deps.js'
import type { OrderToRoute, StoreOfCharges } from './authorization/charging.js'
import type { SealingDeps } from './data-key/data-key-service.js'
import type { VaultConnection } from './database/vault-database.js'
import type { NoticeDeps } from './notice/notice-service.js'

export interface AccountConnection {
  readonly acquirer: Acquirer
  readonly notices: AcquirerNotices
}

/** Connects an account of any kind, disabled or not. */
export type ConnectionOfAccount = (account: ProviderAccount) => Promise<AccountConnection>

export interface ChargingAccounts
  extends
    Pick<ChargingDeps, 'accountsOf' | 'acquirerOf'>,
    Pick<NoticeDeps, 'noticesOf' | 'noticeSecretOf' | 'accountsNamed'> {
  /**
   * The most installments of all accounts that a store orders for the brand; undefined if one has
   * no bound.
   */
  readonly installmentsFor: (
    order: StoreOfCharges & Pick<OrderToRoute, 'brand'>,
  ) => Promise<number | undefined>
}

/** Each provider's terms for charges at an account. */
export interface ProviderTerms {
  /** The bounds of installments; without it, there are none. */
  readonly installmentsOf?: InstallmentsOf
  /** Without it, no account captures later. */
  readonly captureDaysOf?: CaptureDaysOf
}

const unstated = () => Promise.resolve(undefined)

/** How long a store without an account is remembered as such. */
const NO_ACCOUNT_MS = 5 * SECOND_MS
const REMEMBERED_MAX = 1000
/** More than any order of accounts names. */
const INSTALLMENTS_OF_EVERY_ORDER = 1000

/** The vault's accounts, as charges need them. */
export function createChargingAccounts(
  deps: SealingDeps,
  connectionOf: ConnectionOfAccount,
  { installmentsOf = unstated, captureDaysOf = unstated }: ProviderTerms = {},
): ChargingAccounts {
  const reader = createVaultAccountReader(deps)
  const connectionTo = oncePerTurn(async (accountId: string) => {
    const account = await reader.find(accountId)
    if (account === undefined) throw new Error(`there is no account ${accountId}`)
    return await connectionOf(account)
  })
  // Charges of one turn of the event loop have found the same row.
  const connectionBy = oncePerTurn(async (row: AccountRow) => connectionOf(await reader.open(row)))
  const routed = (row: AccountRow): RoutedAccount => ({
    id: row.id,
    provider: row.provider,
    acquirer: async () => (await connectionBy(row)).acquirer,
  })
  const read = oncePerTurn((store: StoreOfCharges) => cardAccountsByCharge(deps, store), keyOf)
  const byChargeOf = rememberingAbsence(deps, read)
  const boundsOf = (accounts: readonly AccountRow[], brand: string) =>
    Promise.all(accounts.map((account) => installmentsOf(account, brand)))
  const routeFor = async (byCharge: AccountsByCharge, order: OrderToRoute) => {
    const found = byCharge(order)
    if (found === undefined) return undefined
    const bounds = await boundsOf(found.accounts, order.brand)
    const accounts = found.accounts.filter(
      (_, place) => order.installments <= (bounds[place] ?? Infinity),
    )
    if (order.isCapturedLater !== true) return { ...found, accounts: accounts.map(routed) }
    const able = accounts.map(async (row) =>
      withCaptureDays(routed(row), await captureDaysOf(row, order.brand)),
    )
    return { ...found, accounts: await Promise.all(able) }
  }
  return {
    async accountsOf(store) {
      const byCharge = await byChargeOf(store)
      return byCharge === undefined ? unstated : (order) => routeFor(byCharge, order)
    },
    async installmentsFor({ brand, ...store }) {
      const byCharge = await read(store)
      const found = byCharge?.({ brand, installments: INSTALLMENTS_OF_EVERY_ORDER })
      if (found === undefined || found.accounts.length === 0) return undefined
      const bounds = await boundsOf(found.accounts, brand)
      const known = bounds.filter((bound) => bound !== undefined)
      return known.length < bounds.length ? undefined : Math.max(...known)
    },
    acquirerOf: async (accountId) => (await connectionTo(accountId)).acquirer,
    noticesOf: async (accountId) => (await connectionTo(accountId)).notices,
    noticeSecretOf: async (accountId) => (await reader.find(accountId))?.secrets.noticeSecret,
    accountsNamed: (accountId, name) => accountsNamed(deps.database.reader, accountId, name),
  }
}

/**
 * The absence of a store's accounts is remembered briefly, so that orders of a store without
 * accounts cost no query.
 */
function rememberingAbsence({ clock }: SealingDeps, read: ReadAccounts): ReadAccounts {
  const unservedUntilMs = new Map<string, number>()
  return async (store) => {
    const nowMs = clock.now()
    const key = keyOf(store)
    const untilMs = unservedUntilMs.get(key) ?? 0
    if (nowMs < untilMs && untilMs <= nowMs + NO_ACCOUNT_MS) return undefined
    const found = await read(store)
    if (found !== undefined) return found
    if (unservedUntilMs.size >= REMEMBERED_MAX) unservedUntilMs.clear()
    unservedUntilMs.set(key, nowMs + NO_ACCOUNT_MS)
    return undefined
  }
}

type ReadAccounts = (store: StoreOfCharges) => Promise<AccountsByCharge | undefined>

async function withCaptureDays(
  account: RoutedAccount,
  captureDays: number | undefined,
): Promise<RoutedAccount> {
  if (captureDays === undefined) return account
  // One that cannot be connected at the moment is tried, and proves that it charged nothing.
  const isAble = await account.acquirer().then(
    ({ capture }) => capture !== undefined,
    () => true,
  )
  return isAble ? { ...account, captureDays } : account
}

async function accountsNamed(
  reader: VaultConnection,
  accountId: string,
  name: string,
): Promise<readonly string[]> {
  const others = await reader
    .selectFrom('accounts')
    .select(['id', 'settings'])
    .where('id', '!=', accountId)
    .where('provider', '=', (of) =>
      of.selectFrom('accounts').select('provider').where('id', '=', accountId),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return others
    .filter(({ settings }) =>
      Object.values(JSON.parse(settings) as ProviderAccount['settings']).includes(name),
    )
    .map(({ id }) => id)
}

function keyOf({ environment, merchantId }: StoreOfCharges): string {
  return JSON.stringify([environment, merchantId])
}
