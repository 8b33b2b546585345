import type { Environment } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import {
  type AccountChange,
  type AccountOrder,
  type Route,
  type RoutedCharge,
  routeName,
} from './account.js'
import type { AccountRouteRow, AccountTables } from './account-tables.js'

/** The accounts of an environment, as they are committed or in one unit of work. */
export interface AccountScope {
  readonly db: Connection<AccountTables>
  readonly environment: Environment
}

/**
 * The enabled accounts that a charge goes to: those of the orders that fit it, the closest order
 * first. An order of its brand is closer than one of its installments alone.
 */
export async function routedIds(
  scope: AccountScope,
  charge: RoutedCharge,
): Promise<readonly string[]> {
  const rows = await routed(scope, charge)
    .innerJoin('accounts', 'accounts.id', 'account_routes.account_id')
    .where('accounts.disabled_at', 'is', null)
    .execute()
  return idsOf(rows)
}

/** Also those that are disabled. */
export async function orderedIds(
  scope: AccountScope,
  { fromInstallments: installments, ...route }: Route,
): Promise<readonly string[]> {
  return idsOf(await routed(scope, { ...route, installments }).execute())
}

function routed(
  { db, environment }: AccountScope,
  { merchantId, method, brand = '', installments = 1 }: RoutedCharge,
) {
  return db
    .selectFrom('account_routes')
    .select('account_routes.account_id')
    .where('account_routes.environment', '=', environment)
    .where('account_routes.merchant_id', '=', merchantId)
    .where('account_routes.method', '=', method)
    .where('account_routes.brand', 'in', ['', brand])
    .where('account_routes.from_installments', '<=', installments)
    .orderBy('account_routes.brand', 'desc')
    .orderBy('account_routes.from_installments', 'desc')
    .orderBy('account_routes.position')
}

/** Each where it stands first. */
function idsOf(rows: readonly Pick<AccountRouteRow, 'account_id'>[]): readonly string[] {
  return [...new Set(rows.map(({ account_id }) => account_id))]
}

/** All orders of a store's accounts, the general one of a method first. */
export async function orders(
  { db, environment }: AccountScope,
  merchantId: string,
): Promise<readonly AccountOrder[]> {
  const rows = await db
    .selectFrom('account_routes')
    .selectAll()
    .where('environment', '=', environment)
    .where('merchant_id', '=', merchantId)
    .orderBy('method')
    .orderBy('brand')
    .orderBy('from_installments')
    .orderBy('position')
    .execute()
  const keyOf = ({ method, brand, from_installments }: AccountRouteRow): string =>
    [method, brand, from_installments].join(' ')
  return [...Map.groupBy(rows, keyOf).values()].flatMap((places) => {
    const [first] = places
    if (first === undefined) return []
    const { method, brand, from_installments: from } = first
    const ids = idsOf(places)
    return [
      {
        merchantId,
        method,
        brand: brand === '' ? undefined : brand,
        fromInstallments: from === 1 ? undefined : from,
        ids,
      },
    ]
  })
}

/** Places an account behind a store's others. */
export async function placeAccount(
  scope: AccountScope,
  route: Pick<Route, 'merchantId' | 'method'>,
  id: string,
): Promise<void> {
  await setRoute(scope, route, [...(await orderedIds(scope, route)), id])
}

/** The order is undefined when one that is named does not serve the method. */
export async function orderRoute(
  scope: AccountScope,
  route: Route,
  first: readonly string[],
): Promise<{ readonly order: readonly string[] | undefined; readonly change?: AccountChange }> {
  const { merchantId, method } = route
  const general = await orderedIds(scope, { merchantId, method })
  if (first.some((id) => !general.includes(id))) return { order: undefined }
  const before = await namedIds(scope, route)
  const isGeneral = route.brand === undefined && (route.fromInstallments ?? 1) === 1
  // A special order names some alone: the general one follows it.
  const after = [...new Set([...first, ...(isGeneral ? before : [])])]
  const [from, to] = [before.join(', '), after.join(', ')]
  const settings = { [routeName(route)]: { from, to } }
  const change = { merchantId, action: 'accounts-ordered', settings } as const
  if (from !== to) await setRoute(scope, route, after)
  const order = await orderedIds(scope, route)
  return { order, ...(from !== to && { change }) }
}

/** Those that this order itself names. */
async function namedIds(
  { db, environment }: AccountScope,
  route: Route,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('account_routes')
    .select('account_id')
    .where((place) => place.and(columnsOf(environment, route)))
    .orderBy('position')
    .execute()
  return rows.map(({ account_id }) => account_id)
}

async function setRoute(
  { db, environment }: AccountScope,
  route: Route,
  ids: readonly string[],
): Promise<void> {
  const columns = columnsOf(environment, route)
  await db
    .deleteFrom('account_routes')
    .where((place) => place.and(columns))
    .execute()
  const rows = ids.map((id, index) => ({ ...columns, position: index + 1, account_id: id }))
  if (rows.length > 0) await db.insertInto('account_routes').values(rows).execute()
}

function columnsOf(
  environment: Environment,
  { merchantId, method, brand = '', fromInstallments = 1 }: Route,
) {
  return {
    environment,
    merchant_id: merchantId,
    method,
    brand,
    from_installments: fromInstallments,
  }
}
