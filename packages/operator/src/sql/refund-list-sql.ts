// The refunds of a store, as its API lists them.
import { type ListPage, pageOf } from '@cofre/contracts'
import {
  type GatewayTables,
  type Refund,
  archived,
  codeAfter,
  firstCodeAt,
  storedRefund,
} from '@cofre/gateway/room'
import type { Connection, Database } from '@cofre/sql'
import { REFUND_CURSOR, type RefundLists, type RefundQuery } from '../model/refund-lists.js'

type Db = Connection<GatewayTables>

export function createSqlRefundLists({ reader }: Database<GatewayTables>): RefundLists {
  return { list: (storeId, query) => list(reader, storeId, query) }
}

/** Refunds that one page reads at most: of a rare status, the rest is for the next page. */
const WINDOW = 2000

/** Refunds of one place, down to a number. */
interface Walked {
  readonly refunds: readonly Refund[]
  /** 0 when none is left. */
  readonly readTo: number
}

async function list(reader: Db, storeId: string, query: RefundQuery): Promise<ListPage<Refund>> {
  // Refunds move into the archive with their payment, and back: the third read finds those that
  // moved back meanwhile. A refund found more than once counts once.
  const walked = [
    await walk(reader, storeId, query),
    await walk(archived(reader), storeId, query),
    await walk(reader, storeId, query),
  ]
  const readTo = Math.max(...walked.map((one) => one.readTo))
  const byId = new Map(walked.flatMap(({ refunds }) => refunds).map((one) => [one.id, one]))
  const found = [...byId.values()]
    .filter(({ id }) => id >= readTo)
    .toSorted((one, other) => other.id - one.id)
  const page = pageOf(found, query.limit, REFUND_CURSOR.of)
  const isCutShort = page.next === undefined && readTo > 0
  return isCutShort ? { ...page, next: REFUND_CURSOR.of({ id: readTo }) } : page
}

async function walk(db: Db, storeId: string, query: RefundQuery): Promise<Walked> {
  const { after, fromMs, untilMs, status, transactionCode, limit } = query
  const before = REFUND_CURSOR.read(after)?.id ?? Number.MAX_SAFE_INTEGER
  const until = untilMs === undefined ? Number.MAX_SAFE_INTEGER : codeAfter(untilMs)
  const rows = await db
    .selectFrom('refunds')
    .selectAll()
    .where('merchant_id', '=', storeId)
    .where('id', '<', Math.min(before, until))
    .where('id', '>=', fromMs === undefined ? 0 : firstCodeAt(fromMs))
    .$if(transactionCode !== undefined, (of) =>
      of.where('transaction_code', '=', transactionCode ?? 0),
    )
    .orderBy('id', 'desc')
    .limit(status === undefined ? limit + 1 : WINDOW)
    .execute()
  const isWhole = status === undefined || rows.length < WINDOW
  const refunds = rows.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      // Numbers are drawn by the hundredth of a second.
      row.requested_at >= (fromMs ?? 0) &&
      row.requested_at < (untilMs ?? Number.MAX_SAFE_INTEGER),
  )
  return {
    refunds: refunds.map((row) => storedRefund.read(row)),
    readTo: isWhole ? 0 : (rows.at(-1)?.id ?? 0),
  }
}
