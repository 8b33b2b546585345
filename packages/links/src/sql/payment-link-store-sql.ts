import { type ListPage, type ListQuery, cursorBy, pageOf } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { type ExpressionBuilder, expressionBuilder, sql } from 'kysely'
import {
  type Page,
  type RequestNonce,
  PAID_STATUSES,
  isAuthorizedRow,
  useNonce,
} from '@cofre/gateway/room'
import type { LinkFilter, NumberedLinks, PaymentLinkStore, Revocation } from '../model/stores.js'
import { type PaymentLinkRow, type RoomTables, storedLink } from './link-tables.js'
import {
  type FoundLink,
  type LinkConflict,
  type LinkState,
  type PaymentLink,
  linkStateOf,
} from '../model/payment-link.js'

type Db = Connection<RoomTables>
type OfLinks = ExpressionBuilder<RoomTables, 'payment_links'>

export function createSqlPaymentLinkStore(database: Database<RoomTables>): PaymentLinkStore {
  const { reader } = database
  return {
    insert: (link, nonce) => database.transact((trx) => insert(trx, link, nonce)),
    find: (id, nowMs) => findLink(reader, { id }, nowMs),
    findOfStore: (storeId, id, nowMs) => findLink(reader, { id, merchant_id: storeId }, nowMs),
    findByReference: (storeId, reference, nowMs) =>
      findLink(reader, { merchant_id: storeId, reference }, nowMs),
    list: (storeId, query) => list(reader, storeId, query),
    listAfter: (storeId, query) => listAfter(reader, storeId, query),
    revoke: (storeId, id, revocation) =>
      database.transact((trx) => revoke(trx, { id, merchant_id: storeId }, revocation)),
  }
}

async function insert(
  trx: Db,
  link: PaymentLink,
  nonce: RequestNonce | undefined,
): Promise<'inserted' | LinkConflict> {
  if (!(await useNonce(trx, nonce))) return 'nonce_used'
  if (await isTransaction(trx, link)) return 'reference_used'
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('payment_links')
    .values(storedLink.rowOf(link))
    .onConflict((conflicting) => conflicting.columns(['merchant_id', 'reference']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n ? 'inserted' : 'reference_used'
}

/** True if the store has a transaction with a reference. */
export async function isTransaction(
  trx: Db,
  { storeId, reference }: Pick<PaymentLink, 'storeId' | 'reference'>,
): Promise<boolean> {
  const used = await trx
    .selectFrom('transaction_keys')
    .select('transaction_code')
    .where('merchant_id', '=', storeId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return used !== undefined
}

/** True if a link for one payment has been paid. */
function isPaid(of: OfLinks) {
  const paidIn = (table: 'transactions' | 'archived_transactions') =>
    of
      .selectFrom('payment_link_tries')
      .innerJoin(`${table} as paid`, 'paid.code', 'transaction_code')
      .select('paid.code')
      .whereRef('link_id', '=', 'payment_links.id')
      .where('paid.status', 'in', PAID_STATUSES)
  return of.and([
    of('usage', '=', 'once'),
    of.or([of.exists(paidIn('transactions')), of.exists(paidIn('archived_transactions'))]),
  ])
}

/** True if a link for one payment has an authorized one; the archive has none of these. */
function isReserved(of: OfLinks) {
  const authorized = of
    .selectFrom('payment_link_tries')
    .innerJoin('transactions', 'transactions.code', 'transaction_code')
    .select('transactions.code')
    .whereRef('link_id', '=', 'payment_links.id')
    .where(isAuthorizedRow())
    .limit(1)
  return of.and([
    of('captured_later', '=', 1),
    of('usage', '=', 'once'),
    // Not `exists`, for which PostgreSQL reads the authorized payments of all stores.
    of(authorized, 'is not', null),
  ])
}

/** The columns from which {@link linkStateOf} has what happened to a link's payments. */
const paymentFacts = (of: OfLinks) => [isPaid(of).as('is_paid'), isReserved(of).as('is_reserved')]

/** A link with its state. */
export async function findLink(
  db: Db,
  key: Partial<PaymentLinkRow>,
  nowMs: number,
): Promise<FoundLink | undefined> {
  const row = await db
    .selectFrom('payment_links')
    .selectAll()
    .select(paymentFacts)
    .where((of) => of.and(key))
    .executeTakeFirst()
  return row && foundLink(row, nowMs)
}

interface FoundRow extends PaymentLinkRow {
  readonly is_paid: unknown
  readonly is_reserved: unknown
}

function foundLink(row: FoundRow, nowMs: number): FoundLink {
  const link = storedLink.read(row)
  const [isPaid, isReserved] = [Boolean(row.is_paid), Boolean(row.is_reserved)]
  return { link, state: linkStateOf(link, { isPaid, isReserved, nowMs }) }
}

/** {@link linkStateOf}, as a condition in SQL. */
function isInState(of: OfLinks, state: LinkState, nowMs: number) {
  const isRevoked = of('revoked_at', 'is not', null)
  const isExpired = of('expires_at', '<=', nowMs)
  const isUnpaid = of.not(of.or([isPaid(of), isReserved(of)]))
  const isUnrevoked = of('revoked_at', 'is', null)
  switch (state) {
    case 'paid':
      return isPaid(of)
    case 'reserved':
      return of.and([isReserved(of), of.not(isPaid(of))])
    case 'revoked':
      return of.and([isRevoked, isUnpaid])
    case 'expired':
      return of.and([isUnrevoked, isExpired, isUnpaid])
    case 'payable': {
      const isGood = of.or([of('expires_at', 'is', null), of('expires_at', '>', nowMs)])
      return of.and([isUnrevoked, isGood, isUnpaid])
    }
  }
}

/** Bounds the cost of a list. Older links are found by their reference. */
const LISTED_MAX = 10_000

/** The links of a list. */
async function listed(reader: Db, storeId: string, { nowMs, reference, states }: LinkFilter) {
  const all = reader.selectFrom('payment_links').where('merchant_id', '=', storeId)
  const named = reference === undefined ? all : all.where('reference', '=', reference)
  const oldest = await named
    .select('created_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .offset(LISTED_MAX - 1)
    .executeTakeFirst()
  const found = named.where('created_at', '>=', oldest?.created_at ?? 0)
  return states === undefined
    ? found
    : found.where((of) => of.or(states.map((state) => isInState(of, state, nowMs))))
}

function newestFirst(links: Awaited<ReturnType<typeof listed>>) {
  return links.selectAll().select(paymentFacts).orderBy('created_at', 'desc').orderBy('id', 'desc')
}

async function list(
  reader: Db,
  storeId: string,
  { page, pageSize, ...filter }: NumberedLinks,
): Promise<Page<FoundLink>> {
  const chosen = await listed(reader, storeId, filter)
  const { found } = await chosen
    .select((select) => select.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  const rows = await newestFirst(chosen)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items: rows.map((row) => foundLink(row, filter.nowMs)), found }
}

const CURSOR = cursorBy({ createdAtMs: 'bigint', id: 'text' })

async function listAfter(
  reader: Db,
  storeId: string,
  { after, limit, ...filter }: LinkFilter & ListQuery,
): Promise<ListPage<FoundLink>> {
  const place = CURSOR.read(after)
  const rows = await newestFirst(await listed(reader, storeId, filter))
    .$if(place !== undefined, (of) =>
      of.where((when) =>
        when(
          when.refTuple('created_at', 'id'),
          '<',
          when.tuple(place?.createdAtMs ?? 0, place?.id ?? ''),
        ),
      ),
    )
    .limit(limit + 1)
    .execute()
  const found = rows.map((row) => foundLink(row, filter.nowMs))
  return pageOf(found, limit, ({ link }) => CURSOR.of(link))
}

async function revoke(
  trx: Db,
  key: Pick<PaymentLinkRow, 'id' | 'merchant_id'>,
  { actor, atMs, machineNowMs, nonce }: Revocation,
): Promise<'revoked' | 'not-found' | 'nonce_used'> {
  if (!(await useNonce(trx, nonce))) return 'nonce_used'
  const changed = await trx
    .updateTable('payment_links')
    .set({ revoked_at: atMs, revoked_by: actor })
    .where((of) => of.and(key))
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (changed.numUpdatedRows > 0n) {
    await trx
      .updateTable('payment_link_tries')
      .set({ next_look_at: machineNowMs })
      .where('link_id', '=', key.id)
      .where('open', '=', sql.lit(1))
      // A try without a transaction keeps its time for a request.
      .where('transaction_code', 'is not', null)
      .execute()
    return 'revoked'
  }
  const of = expressionBuilder<RoomTables, 'payment_links'>()
  const found = await trx
    .selectFrom('payment_links')
    .select('id')
    .where(of.and(key))
    .executeTakeFirst()
  return found === undefined ? 'not-found' : 'revoked'
}
