import type { Environment } from '@cofre/contracts'
import { type Connection, prepare } from '@cofre/sql'
import {
  type AccountChange,
  type AccountOrder,
  type OrderChange,
  type Route,
  type RoutedCharge,
  routeName,
} from './account.js'
import {
  ACCOUNT_COLUMNS,
  type AccountRouteRow,
  type AccountRow,
  type AccountTables,
} from './account-tables.js'

/** The accounts of an environment, as committed or within a unit of work. */
export interface AccountScope {
  readonly db: Connection<AccountTables>
  readonly environment: Environment
}

/**
 * The enabled accounts for a charge: those of the matching orders, the closest order first. An
 * order of its brand is closer than one of its installments alone.
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

type OfMethod = Pick<Route, 'merchantId' | 'method'>

/**
 * All places of a store's orders, those of disabled accounts included; the closest order first.
 * Every payment reads them.
 */
const selectPlaces = prepare(
  (db: Connection<AccountTables>, { environment, ...route }: OfEnvironment) =>
    placesOf({ db, environment }, route)
      .innerJoin('accounts', 'accounts.id', 'account_routes.account_id')
      .select(ACCOUNT_COLUMNS.map((column) => `accounts.${column}` as const))
      .select(['routes_declines', 'brand', 'from_installments']),
)

interface OfEnvironment extends OfMethod {
  readonly environment: Environment
}

/** The accounts for a charge, in order; other settings are those of the closest order. */
export interface RoutedAccounts extends Pick<AccountOrder, 'routesDeclines'> {
  /** Their secrets are sealed: see `AccountReader`. */
  readonly accounts: readonly AccountRow[]
}

/**
 * Finds the enabled accounts for a charge; undefined if the store has none for the method, not even
 * a disabled one.
 */
export type AccountsByCharge = (
  charge: Pick<RoutedCharge, 'brand' | 'installments'>,
) => RoutedAccounts | undefined

/**
 * The accounts of a store by charge, with their whole rows: one query for all of its charges.
 * Undefined if no order of the store names an account.
 */
export async function accountsByCharge(
  { db, environment }: AccountScope,
  { merchantId, method }: OfMethod,
): Promise<AccountsByCharge | undefined> {
  const { rows } = await db.run(selectPlaces({ environment, merchantId, method }))
  if (rows.length === 0) return undefined
  return ({ brand = '', installments = 1 }) => {
    const places = rows.filter((row) => row.brand === '' || row.brand === brand)
    const ofCharge = places.filter(({ from_installments: from }) => from <= installments)
    const enabled = ofCharge.filter(({ disabled_at: disabledAtMs }) => disabledAtMs === null)
    const isServed = enabled.length > 0 || rows.some(isOfGeneralOrder)
    if (!isServed) return undefined
    return {
      accounts: enabled.filter(
        ({ id }, place) => enabled.findIndex((row) => row.id === id) === place,
      ),
      routesDeclines: enabled[0]?.routes_declines === 1,
    }
  }
}

function isOfGeneralOrder(place: Pick<AccountRouteRow, 'brand' | 'from_installments'>): boolean {
  return place.brand === '' && place.from_installments === 1
}

/** Includes disabled accounts. */
export async function orderedIds(
  scope: AccountScope,
  { fromInstallments: installments, ...route }: Route,
): Promise<readonly string[]> {
  return idsOf(await routed(scope, { ...route, installments }).execute())
}

function routed(scope: AccountScope, { brand = '', installments = 1, ...route }: RoutedCharge) {
  return placesOf(scope, route)
    .select('account_routes.account_id')
    .where('account_routes.brand', 'in', ['', brand])
    .where('account_routes.from_installments', '<=', installments)
}

/** The places of a store's orders, the closest order first. */
function placesOf({ db, environment }: AccountScope, { merchantId, method }: OfMethod) {
  return db
    .selectFrom('account_routes')
    .where('account_routes.environment', '=', environment)
    .where('account_routes.merchant_id', '=', merchantId)
    .where('account_routes.method', '=', method)
    .orderBy('account_routes.brand', 'desc')
    .orderBy('account_routes.from_installments', 'desc')
    .orderBy('account_routes.position')
}

/** Each id once, at its first place. */
function idsOf(rows: readonly Pick<AccountRouteRow, 'account_id'>[]): readonly string[] {
  return [...new Set(rows.map(({ account_id }) => account_id))]
}

/** All orders of a store's accounts; a method's general order comes first. */
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
        routesDeclines: first.routes_declines === 1,
      },
    ]
  })
}

/** Places an account after a store's others. */
export async function placeAccount(
  scope: AccountScope,
  route: Pick<Route, 'merchantId' | 'method'>,
  id: string,
): Promise<void> {
  const before = await namedPlaces(scope, route)
  await setRoute(scope, route, { ...before, ids: [...before.ids, id] })
}

/** The order is undefined if a named account does not serve the method. */
export async function orderRoute(
  scope: AccountScope,
  { added = [], dropped, routesDeclines, ...route }: OrderChange,
  first: readonly string[],
): Promise<{ readonly order: readonly string[] | undefined; readonly change?: AccountChange }> {
  const { merchantId, method } = route
  const general = await orderedIds(scope, { merchantId, method })
  const known = [...general, ...(await accountsAmong(scope, merchantId, added))]
  if ([...first, ...(dropped === undefined ? [] : [dropped])].some((id) => !known.includes(id)))
    return { order: undefined }
  const before = await namedPlaces(scope, route)
  const isGeneral = route.brand === undefined && (route.fromInstallments ?? 1) === 1
  const namesNobody = first.length === 0 && routesDeclines !== undefined
  // A special order has only the named accounts; the general order follows it.
  const followers = isGeneral || namesNobody ? before.ids : []
  const ids = [...new Set([...first, ...followers])].filter((id) => id !== dropped)
  const after = { ids, routesDeclines: routesDeclines ?? before.routesDeclines }
  const [from, to] = [placesText(before), placesText(after)]
  const settings = { [routeName(route)]: { from, to } }
  const change = { merchantId, action: 'accounts-ordered', settings } as const
  if (from !== to) await setRoute(scope, route, after)
  const order = await orderedIds(scope, route)
  return { order, ...(from !== to && { change }) }
}

async function accountsAmong(
  { db, environment }: AccountScope,
  merchantId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('environment', '=', environment)
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

/** An order's own places. */
type Places = Pick<AccountOrder, 'ids' | 'routesDeclines'>

async function namedPlaces({ db, environment }: AccountScope, route: Route): Promise<Places> {
  const rows = await db
    .selectFrom('account_routes')
    .select(['account_id', 'routes_declines'])
    .where((place) => place.and(columnsOf(environment, route)))
    .orderBy('position')
    .execute()
  return {
    ids: rows.map(({ account_id }) => account_id),
    routesDeclines: rows[0]?.routes_declines === 1,
  }
}

/** `one, two (also after a decline)` */
function placesText({ ids, routesDeclines }: Places): string {
  const text = ids.join(', ')
  return routesDeclines && text !== '' ? `${text} (also after a decline)` : text
}

async function setRoute(
  { db, environment }: AccountScope,
  route: Route,
  { ids, routesDeclines }: Places,
): Promise<void> {
  const columns = columnsOf(environment, route)
  await db
    .deleteFrom('account_routes')
    .where((place) => place.and(columns))
    .execute()
  const routes_declines = routesDeclines ? 1 : 0
  const rows = ids.map(
    (account_id, index) =>
      ({
        ...columns,
        position: index + 1,
        account_id,
        routes_declines,
      }) as const,
  )
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
