// Selects the payments that the index must read.
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { dueFirst } from '@cofre/work'
import type { IndexTime, SearchIndexStore } from '../model/stores.js'
import { type GatewayTables, firstCodeAt, timeOfCode } from '@cofre/gateway/room'
import { type IndexProgressRow, ownTables } from './search-tables.js'
import { indexPayments, indexedAtOnce, REQUEST_PAUSE_MAX_MS } from './payment-index-sql.js'

type Db = Connection<GatewayTables>
type Pass = IndexProgressRow['name']
type Positions = Readonly<Record<Pass, number>>

/** Most rows are committed within this time of their creation, in any order. */
const COMMITTED_AFTER_MS = SECOND_MS
/**
 * The delay after which changes are read once more: for late commits, and for notifications
 * acknowledged meanwhile.
 */
const AGAIN_AFTER_MS = 5 * MINUTE_MS
/** The span of changes that are read at once; ten times as long if a minute of them is unread. */
const WINDOW_MS = SECOND_MS
/** Most are indexed by then, because a payment changes within a second. */
const NEW_AT_ONCE = 500
/** Codes are drawn in steps, and a window ends with one. */
const STEP_MS = 10

/** The next batch of a pass, earliest first. */
interface Unread {
  readonly pass: Pass
  /** May contain duplicates. */
  readonly codes: readonly number[]
  /** The position of the pass after this batch. */
  readonly position: number
  /** The time of the first one. */
  readonly sinceMs: number
}

export function createSqlSearchIndexStore(database: Database<GatewayTables>): SearchIndexStore {
  const { reader } = database
  return {
    round: (time, rest) => round(database, time, rest),

    async ageMs(nowMs) {
      const positions = await positionsOf(reader)
      const unread = await Promise.all([
        positions.new === 0 ? undefined : newPayments(reader, positions, nowMs),
        positions.changes === 0 ? undefined : changes(reader, positions, nowMs),
      ])
      return ageOf(unread, nowMs)
    },
  }
}

async function round(
  database: Database<GatewayTables>,
  time: IndexTime,
  rest: Parameters<SearchIndexStore['round']>[1],
): Promise<boolean> {
  const { reader } = database
  const { nowMs, machineNowMs } = time
  const positions = await positionsOf(reader)
  if (await begin(database, positions, nowMs)) return true
  const untilMs = nowMs - COMMITTED_AFTER_MS
  const atOnce = indexedAtOnce(database)
  const [requested, reread, ...first] = await Promise.all([
    dueRequests(reader, machineNowMs, atOnce),
    again(reader, positions, nowMs - AGAIN_AFTER_MS),
    newPayments(reader, positions, untilMs),
    changes(reader, positions, untilMs),
  ])
  const ageMs = ageOf(first, nowMs)
  const unread = [...first, reread].filter((pass) => pass !== undefined)
  const codes = new Set([...requested, ...unread.flatMap((pass) => pass.codes)])
  const sorted = [...codes].toSorted((one, other) => one - other)
  for (const batch of inBatches(sorted, atOnce)) {
    if (!(await indexPayments(database, batch, time))) return false
    await rest(ageMs)
  }
  await advance(
    database,
    unread.map(({ pass, position }) => ({ pass, from: positions[pass], to: position })),
  )
  return unread.length > 0
}

function ageOf(unread: readonly (Unread | undefined)[], nowMs: number): number {
  return Math.max(0, ...unread.map((of) => (of === undefined ? 0 : nowMs - of.sinceMs)))
}

function inBatches(codes: readonly number[], size: number): (readonly number[])[] {
  const count = Math.ceil(codes.length / size)
  return Array.from({ length: count }, (_, i) => codes.slice(i * size, (i + 1) * size))
}

async function positionsOf(reader: Db): Promise<Positions> {
  const progress = ownTables(reader).selectFrom('index_progress').select(['name', 'position'])
  const rows = await reader.poll(progress)
  const positions = Object.fromEntries(rows.map(({ name, position }) => [name, position]))
  return { new: 0, changes: 0, again: 0, ...positions }
}

/**
 * Starts the passes of a new index, which reads old payments as new ones and skips their earlier
 * changes. After a clock was set back, starts again instead of waiting. Returns true if it did
 * either.
 */
async function begin(
  database: Database<GatewayTables>,
  positions: Positions,
  nowMs: number,
): Promise<boolean> {
  const startMs = stepOf(nowMs - AGAIN_AFTER_MS)
  const isOff = (ms: number): boolean => ms === 0 || ms > nowMs + AGAIN_AFTER_MS
  const isAhead = positions.new > firstCodeAt(nowMs + AGAIN_AFTER_MS)
  const advances: Advance[] = [
    ...(['changes', 'again'] as const)
      .filter((pass) => isOff(positions[pass]))
      .map((pass) => ({ pass, from: positions[pass], to: startMs })),
    ...(isAhead ? [{ pass: 'new', from: positions.new, to: firstCodeAt(startMs) } as const] : []),
  ]
  await advance(database, advances)
  return advances.length > 0
}

interface Advance {
  readonly pass: Pass
  readonly from: number
  readonly to: number
}

/** Advances positions, unless another worker has. */
async function advance(
  database: Database<GatewayTables>,
  advances: readonly Advance[],
): Promise<void> {
  if (advances.length === 0) return
  await database.transact(async (trx) => {
    for (const { pass, from, to } of advances)
      await ownTables(trx)
        .updateTable('index_progress')
        .set({ position: to })
        .where('name', '=', pass)
        .where('position', '=', from)
        .execute()
  })
}

/** Payments that are not in the index: a change may already have added them. */
async function newPayments(
  reader: Db,
  { new: position }: Positions,
  untilMs: number,
): Promise<Unread | undefined> {
  const rows = await reader
    .selectFrom('transactions')
    .leftJoin('payment_facts', (join) =>
      join
        .onRef('payment_facts.code', '=', 'transactions.code')
        // Otherwise PostgreSQL also reads all facts before the position, if many payments are
        // unread.
        .on('payment_facts.code', '>', position),
    )
    .select(['transactions.code', 'payment_facts.code as known'])
    .where('transactions.code', '>', position)
    .where('transactions.code', '<', firstCodeAt(untilMs))
    .orderBy('transactions.code')
    .limit(NEW_AT_ONCE)
    .execute()
  const last = rows.at(-1)?.code
  if (last === undefined) return undefined
  const codes = rows.filter(({ known }) => known === null).map(({ code }) => code)
  const [first] = codes
  const readToMs = rows.length < NEW_AT_ONCE ? untilMs : timeOfCode(last)
  const sinceMs = first === undefined ? readToMs : timeOfCode(first)
  return { pass: 'new', codes, position: last, sinceMs }
}

/** Every change of a status writes a notification, and so does every end of a refund. */
async function changes(
  reader: Db,
  { changes: fromMs }: Positions,
  limitMs: number,
): Promise<Unread | undefined> {
  const sinceMs = await firstNotificationMs(reader, fromMs)
  if (sinceMs === undefined || sinceMs >= limitMs) return undefined
  const untilMs = Math.min(limitMs, sinceMs + windowMs(limitMs - sinceMs))
  const codes = await notifiedWithin(reader, sinceMs, untilMs)
  return { pass: 'changes', codes, position: untilMs, sinceMs }
}

async function again(
  reader: Db,
  { again: fromMs }: Positions,
  nowMs: number,
): Promise<Unread | undefined> {
  const limitMs = stepOf(nowMs)
  const [notifiedMs, payment] = await Promise.all([
    firstNotificationMs(reader, fromMs),
    reader
      .selectFrom('transactions')
      .select('code')
      .where('code', '>=', firstCodeAt(fromMs))
      .orderBy('code')
      .limit(1)
      .executeTakeFirst(),
  ])
  const createdMs = payment === undefined ? Infinity : timeOfCode(payment.code)
  const sinceMs = Math.min(notifiedMs ?? Infinity, createdMs)
  if (sinceMs >= limitMs) return undefined
  const untilMs = Math.min(limitMs, stepOf(sinceMs + windowMs(limitMs - sinceMs)))
  const [notified, created] = await Promise.all([
    notifiedWithin(reader, sinceMs, untilMs),
    reader
      .selectFrom('transactions')
      .select('code')
      .where('code', '>=', firstCodeAt(sinceMs))
      .where('code', '<', firstCodeAt(untilMs))
      .execute(),
  ])
  const codes = [...notified, ...created.map(({ code }) => code)]
  return { pass: 'again', codes, position: untilMs, sinceMs }
}

/** Each window is a round: after a day without reading, one-second windows would be too many. */
function windowMs(unreadMs: number): number {
  return unreadMs > MINUTE_MS ? 10 * WINDOW_MS : WINDOW_MS
}

/** The first notification of any store. */
async function firstNotificationMs(reader: Db, fromMs: number): Promise<number | undefined> {
  const firstOfStores = reader
    .selectFrom('merchants')
    .select((of) =>
      of
        .selectFrom('notifications')
        .select('created_at')
        .whereRef('merchant_id', '=', 'merchants.id')
        .where('created_at', '>=', fromMs)
        .orderBy('created_at')
        .limit(1)
        .as('first'),
    )
  const rows = await reader.poll(firstOfStores)
  const times = rows.flatMap(({ first }) => (first === null ? [] : [first]))
  return times.length === 0 ? undefined : Math.min(...times)
}

async function notifiedWithin(
  reader: Db,
  fromMs: number,
  untilMs: number,
): Promise<readonly number[]> {
  const stores = await reader.selectFrom('merchants').select('id').execute()
  const rows = await reader
    .selectFrom('notifications')
    .select('transaction_code')
    .distinct()
    .where(
      'merchant_id',
      'in',
      stores.map(({ id }) => id),
    )
    .where('created_at', '>=', fromMs)
    .where('created_at', '<', untilMs)
    .orderBy('transaction_code')
    .execute()
  return rows.map((row) => row.transaction_code)
}

async function dueRequests(
  reader: Db,
  machineNowMs: number,
  limit: number,
): Promise<readonly number[]> {
  // Not claimed, because one worker at a time changes the index, and read requests are deleted.
  const due = dueFirst(reader.selectFrom('index_requests').select('code'), {
    at: 'next_at',
    longestMs: REQUEST_PAUSE_MAX_MS,
    nowMs: machineNowMs,
    limit,
  })
  const rows = await reader.poll(due)
  return rows.map(({ code }) => code)
}

function stepOf(timeMs: number): number {
  return Math.floor(timeMs / STEP_MS) * STEP_MS
}
