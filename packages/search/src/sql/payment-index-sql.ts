// Writes the index of payments and their daily figures together.
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { type Connection, type Database, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import type { FigurePart, NotificationFate, PaymentEvents } from '../model/payment-figures.js'
import { NO_FACTS, type PaymentFacts, paymentFacts } from '../model/payment-facts.js'
import {
  type ErasesPayer,
  type GatewayTables,
  type PaymentSubscriber,
  mayBeWithdrawn,
  storedRefund,
  storedTransaction,
} from '@cofre/gateway/room'
import {
  type DailyFigureRow,
  type PaymentFactsRow,
  type PaymentTermRow,
  ownTables,
} from './search-tables.js'
import type { IndexTime } from '../model/stores.js'
import { PAYER_TERMS, type PaymentTerm, type TermKind } from '../model/payment-terms.js'

type Db = Connection<GatewayTables>
type Codes = readonly number[]

/** Small enough that SQLite's other writers wait only a few milliseconds. */
const INDEXED_AT_ONCE = { sqlite: 50, postgres: 200 } as const
/** The number of passes, each with its row. */
const PASSES = 3
export const REQUEST_PAUSE_MAX_MS: number = MINUTE_MS

/** The number of payments that are indexed in one unit of work. */
export function indexedAtOnce({ dialect }: Database<GatewayTables>): number {
  return INDEXED_AT_ONCE[dialect.engine]
}

/**
 * Updates the index of these payments. A payment that may still be withdrawn is not indexed, and is
 * read again soon. False, and nothing changed, while another process changes the index.
 */
export function indexPayments(
  database: Database<GatewayTables>,
  codes: Codes,
  time: IndexTime,
): Promise<boolean> {
  return database.transact(async (trx) => {
    const locked = await progressRows(trx).forUpdate().skipLocked().execute()
    if (locked.length < PASSES) return false
    await reindex(trx, codes, time)
    return true
  })
}

/** Removes payments from the index and the figures, in the unit of work that deletes them. */
export async function unindexPayments(trx: Db, codes: Codes): Promise<void> {
  await lockIndex(trx)
  const known = [...(await knownFacts(trx, codes)).values()]
  await write(
    trx,
    known.map((before) => ({ ...before, facts: NO_FACTS })),
  )
  await forgetRequests(trx, codes)
}

/** Removes the payers of payments from the index, in the unit of work that erases their data. */
export const unindexPayers: ErasesPayer = async (trx, codes) => {
  await lockIndex(trx)
  const known = [...(await knownFacts(trx, codes)).values()]
  const changed = known.map((before) => {
    const { terms, figures } = readFacts(before.stored)
    const facts = { terms: terms.filter(({ kind }) => !PAYER_TERMS.includes(kind)), figures }
    return { ...before, facts }
  })
  await write(trx, changed)
}

const requestSoon = prepare((db: Db, { code }: { readonly code: number }) =>
  requesting(db, [{ code, next_at: 0 }]),
)

/** New payments and notifications need no request: the index finds them itself. */
export const requestIndexing: PaymentSubscriber = ({ code, isFoundAnyway }) =>
  isFoundAnyway ? [] : [requestSoon({ code })]

function progressRows(trx: Db) {
  return ownTables(trx).selectFrom('index_progress').select(['name', 'position']).orderBy('name')
}

/** Serializes changes of the index. */
export async function lockIndex(trx: Db): Promise<void> {
  await progressRows(trx).forUpdate().execute()
}

async function reindex(trx: Db, codes: Codes, { nowMs, machineNowMs }: IndexTime): Promise<void> {
  // Deleted before the payments are read: a change that is committed later requests them again.
  await forgetRequests(trx, codes)
  const known = await knownFacts(trx, codes)
  const found = await eventsOf(trx, codes)
  const early = found.filter(({ transaction }) => mayBeWithdrawn(transaction))
  await request(
    trx,
    early.map(({ transaction: { code, createdAtMs } }) => {
      const pauseMs = Math.min(Math.max(nowMs - createdAtMs, SECOND_MS), REQUEST_PAUSE_MAX_MS)
      return { code, next_at: machineNowMs + pauseMs }
    }),
  )
  const settled = new Map(
    found.filter((events) => !early.includes(events)).map((of) => [of.transaction.code, of]),
  )
  const changes = codes.flatMap((code): IndexChange[] => {
    const events = settled.get(code as PaymentEvents['transaction']['code'])
    const before = known.get(code)
    if (events === undefined) return before === undefined ? [] : [{ ...before, facts: NO_FACTS }]
    const { merchantId } = events.transaction
    return [{ code, merchantId, stored: before?.stored, facts: paymentFacts(events) }]
  })
  await write(trx, changes)
}

async function forgetRequests(trx: Db, codes: Codes): Promise<void> {
  await trx.deleteFrom('index_requests').where('code', 'in', codes).execute()
}

type IndexRequests = readonly GatewayTables['index_requests'][]

async function request(trx: Db, rows: IndexRequests): Promise<void> {
  if (rows.length > 0) await requesting(trx, rows).execute()
}

function requesting(db: Db, rows: IndexRequests) {
  return db
    .insertInto('index_requests')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet((row) => ({ next_at: row.ref('excluded.next_at') })),
    )
}

interface IndexedPayment {
  readonly code: number
  readonly merchantId: string
}

interface KnownPayment extends IndexedPayment {
  /** The stored facts of the payment. */
  readonly stored: StoredFacts
}

interface IndexChange extends IndexedPayment {
  readonly stored: StoredFacts | undefined
  /** The new facts of the payment. */
  readonly facts: PaymentFacts
}

export async function knownFacts(
  trx: Db,
  codes: Codes,
): Promise<ReadonlyMap<number, KnownPayment>> {
  const rows = await trx
    .selectFrom('payment_facts')
    .select(['code', 'merchant_id', 'terms', 'figures'])
    .where('code', 'in', codes)
    .execute()
  return new Map(
    rows.map(({ code, merchant_id: merchantId, ...stored }) => [
      code,
      { code, merchantId, stored },
    ]),
  )
}

type StoredFacts = Pick<PaymentFactsRow, 'terms' | 'figures'>
type StoredTerm = readonly [kind: PaymentTerm['kind'], term: string]
type StoredPart = readonly [
  figure: FigurePart['figure'],
  day: number,
  method: string,
  detail: string,
  account: string,
  count: number,
  amount: number,
]

function storedFacts({ terms, figures }: PaymentFacts): StoredFacts {
  return {
    terms: JSON.stringify(terms.map(({ kind, term }): StoredTerm => [kind, term])),
    figures: JSON.stringify(
      figures.map(({ figure, day, method, detail, account, count, amount }): StoredPart => [
        figure,
        day,
        method,
        detail,
        account,
        count,
        amount,
      ]),
    ),
  }
}

export function readFacts({ terms, figures }: StoredFacts): PaymentFacts {
  return {
    terms: (JSON.parse(terms) as readonly StoredTerm[]).map(([kind, term]) => ({ kind, term })),
    figures: (JSON.parse(figures) as readonly StoredPart[]).map(
      ([figure, day, method, detail, account, count, amount]) => {
        return { figure, day, method, detail, account, count, amount }
      },
    ),
  }
}

/** The events of those payments that exist. */
async function eventsOf(trx: Db, codes: Codes): Promise<readonly PaymentEvents[]> {
  const transactions = await trx
    .selectFrom('transactions')
    .select(storedTransaction.columns)
    .where('code', 'in', codes)
    .execute()
  const refunds = await trx
    .selectFrom('refunds')
    .select(storedRefund.columns)
    .where('transaction_code', 'in', codes)
    .orderBy('id')
    .execute()
  const notifications = await trx
    .selectFrom('notifications')
    .select(['transaction_code', 'created_at', 'attempts', 'acknowledged_at'])
    .where('transaction_code', 'in', codes)
    .orderBy('transaction_code')
    .orderBy('position')
    .execute()
  const refundsByCode = Map.groupBy(refunds.map(storedRefund.read), (of) => of.transactionCode)
  const fatesByCode = Map.groupBy(notifications, (row) => row.transaction_code)
  return transactions.map(storedTransaction.read).map((transaction) => ({
    transaction,
    refunds: refundsByCode.get(transaction.code) ?? [],
    notifications: (fatesByCode.get(transaction.code) ?? []).map((row): NotificationFate => ({
      createdAtMs: row.created_at,
      attempts: row.attempts,
      acknowledgedAtMs: row.acknowledged_at ?? undefined,
    })),
  }))
}

interface FactsChange extends IndexedPayment {
  readonly known: PaymentFacts
  readonly facts: PaymentFacts
}

async function write(trx: Db, changes: readonly IndexChange[]): Promise<void> {
  const changed = changes.flatMap(({ stored, ...change }): FactsChange[] => {
    if (stored === undefined) return [{ ...change, known: NO_FACTS }]
    return isSame(stored, storedFacts(change.facts))
      ? []
      : [{ ...change, known: readFacts(stored) }]
  })
  if (changed.length === 0) return
  for (const row of changed.flatMap((change) => termRows(change, change.known, change.facts)))
    await trx.run(deleteTerm(row))
  const added = changed.flatMap((change) => termRows(change, change.facts, change.known))
  await addTerms(trx, added)
  await addFigures(trx, changed)
  await keepFacts(trx, changed)
}

/** Compared in stored form: most payments that are read again have not changed. */
function isSame(one: StoredFacts, other: StoredFacts): boolean {
  return one.terms === other.terms && one.figures === other.figures
}

const insertTerm = prepare((db: Db, row: PaymentTermRow) =>
  db
    .insertInto('payment_terms')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
)

/** Any number of rows, as a JSON array of arrays: one statement, planned once. */
const insertTermsOnPostgres = prepare((db: Db, { rows }: { readonly rows: string }) =>
  db
    .insertInto('payment_terms')
    .columns(['merchant_id', 'kind', 'term', 'code'])
    .expression((of) =>
      of
        .selectFrom(
          sql<{ readonly value: unknown }>`json_array_elements(cast(${rows} as json))`.as('row'),
        )
        .select([
          sql<string>`value->>0`.as('merchant_id'),
          sql<TermKind>`value->>1`.as('kind'),
          sql<string>`value->>2`.as('term'),
          sql<number>`cast(value->>3 as bigint)`.as('code'),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Existing terms stay unchanged. SQLite inserts them one by one in half the time of one statement
 * for all; PostgreSQL would need a message for each.
 */
export async function addTerms(db: Db, terms: readonly PaymentTermRow[]): Promise<void> {
  if (terms.length === 0) return
  if (db.engine === 'sqlite') {
    for (const term of terms) await db.run(insertTerm(term))
    return
  }
  const rows = terms.map(({ merchant_id, kind, term, code }) => {
    // PostgreSQL rejects half a character in JSON.
    return [merchant_id, kind, term.toWellFormed(), code]
  })
  await db.run(insertTermsOnPostgres({ rows: JSON.stringify(rows) }))
}

export const deleteTerm = prepare((db: Db, row: PaymentTermRow) =>
  db
    .deleteFrom('payment_terms')
    .where('merchant_id', '=', row.merchant_id)
    .where('kind', '=', row.kind)
    .where('term', '=', row.term)
    .where('code', '=', row.code),
)

/** The rows of one payment's terms that the other facts lack. */
export function termRows(
  { code, merchantId }: IndexedPayment,
  { terms }: PaymentFacts,
  without: PaymentFacts,
): PaymentTermRow[] {
  const others = new Set(without.terms.map(({ kind, term }) => `${kind} ${term}`))
  return terms
    .filter(({ kind, term }) => !others.has(`${kind} ${term}`))
    .map(({ kind, term }) => ({ merchant_id: merchantId, kind, term, code }))
}

async function addFigures(trx: Db, changed: readonly FactsChange[]): Promise<void> {
  const sums = new Map<string, DailyFigureRow>()
  const add = (merchantId: string, part: FigurePart, sign: 1 | -1): void => {
    const { figure, day, method, detail, account } = part
    const key = JSON.stringify([merchantId, figure, day, method, detail, account])
    const { count, amount } = sums.get(key) ?? { count: 0, amount: 0 }
    sums.set(key, {
      merchant_id: merchantId,
      figure,
      day,
      method,
      detail,
      account_id: account,
      count: count + sign * part.count,
      amount: amount + sign * part.amount,
    })
  }
  for (const { merchantId, known, facts } of changed) {
    for (const part of known.figures) add(merchantId, part, -1)
    for (const part of facts.figures) add(merchantId, part, 1)
  }
  const rows = [...sums.values()].filter(({ count, amount }) => count !== 0 || amount !== 0)
  if (rows.length === 0) return
  await ownTables(trx)
    .insertInto('daily_figures')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'figure', 'day', 'method', 'detail', 'account_id'])
        .doUpdateSet((row) => ({
          count: row('daily_figures.count', '+', row.ref('excluded.count')),
          amount: row('daily_figures.amount', '+', row.ref('excluded.amount')),
        })),
    )
    .execute()
}

async function keepFacts(trx: Db, changed: readonly FactsChange[]): Promise<void> {
  const gone = changed.filter(({ facts }) => facts === NO_FACTS).map(({ code }) => code)
  if (gone.length > 0) await trx.deleteFrom('payment_facts').where('code', 'in', gone).execute()
  const kept = changed.filter(({ facts }) => facts !== NO_FACTS)
  if (kept.length === 0) return
  await trx
    .insertInto('payment_facts')
    .values(
      kept.map(({ code, merchantId, facts }) => ({
        code,
        merchant_id: merchantId,
        ...storedFacts(facts),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet((row) => ({
        terms: row.ref('excluded.terms'),
        figures: row.ref('excluded.figures'),
      })),
    )
    .execute()
}
