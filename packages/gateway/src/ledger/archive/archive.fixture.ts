import { DAY_MS, HOUR_MS } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { TestEngine } from '@cofre/sql/testing'
import { sql } from 'kysely'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  type TestOptions,
  cardRequest,
  openTestGateway,
} from '../../gateway.fixture.js'
import { ARCHIVED_AFTER_MS } from '../../model/transaction/archive-age.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import { claimNotifications, deliver } from '../../../../notifications/src/notification-delivery.js'
import { deliveriesOf } from '../../../../notifications/src/notifications.fixture.js'
import { expireUnpaid } from '../../payment/expiry-service.js'
import { processRefunds } from '../../payment/refund-service.js'
import { ARCHIVED, type ArchivedTable, archiveName } from '../database/archive.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { readAll } from '../../../../search/src/sql/search-index.fixture.js'
import { archiveTransactions } from './archive-store-sql.js'
import { FOLLOWED } from '../../../../search/src/search.fixture.js'

/** At this time, events until three days after the tests' time may be archived. */
export const LATER_MS = NOW_MS + ARCHIVED_AFTER_MS + 3 * DAY_MS

type Opened = Pick<TestGateway, 'send' | 'parts' | 'database'>

/** Creates a transaction as the store would. */
export async function create(
  { send, parts }: Opened,
  body: { readonly transaction: { readonly reference: string } },
): Promise<Transaction> {
  const { text } = await send('POST', '/transactions', { body })
  const { reference } = body.transaction
  const found = await parts.transactions.findByReference(MERCHANT.id, reference)
  if (found === undefined) throw new Error(text)
  return found
}

/** Delivers, searches and reads until no work is left. */
export async function finish({ send, parts, database }: Opened): Promise<void> {
  await processRefunds(parts)
  await expireUnpaid(parts)
  const deliveries = deliveriesOf(parts)
  for (let claimed = 1; claimed > 0;) {
    const notifications = await claimNotifications(deliveries, 20)
    for (const notification of notifications) await deliver(deliveries, notification)
    const rows = await database.reader.selectFrom('transactions').select('code').execute()
    for (const { code } of rows) await send('GET', `/transactions/${code}`)
    claimed = notifications.length
  }
  await readAll(database, parts.clock.now() + HOUR_MS)
}

/** A gateway with a time that the test can move. */
export async function openAgingGateway(engine: TestEngine, over: TestOptions = {}) {
  const time = { nowMs: NOW_MS }
  const clock = { now: () => time.nowMs }
  const times = { clock, machineClock: clock }
  const test = await openTestGateway(engine, { ...FOLLOWED, ...times, ...over })
  return {
    ...test,
    test,
    time,
    send: (...asked: Parameters<TestGateway['send']>) => test.send(...asked),
    close: () => test.close(),
  }
}

/** A gateway with one finished paid order, at its later time. */
export async function openWithOldOrder(engine: TestEngine) {
  const old = await openAgingGateway(engine)
  const paid = await create(old, cardRequest('order-1'))
  await finish(old)
  old.time.nowMs = LATER_MS
  return { ...old, paid }
}

export function archiveAll(database: Database<GatewayTables>, nowMs = LATER_MS) {
  return archiveTransactions(database, { nowMs, olderThanMs: ARCHIVED_AFTER_MS })
}

/** The number of rows of each table, in the archive or outside. */
export async function rowsOf({ reader }: Database<GatewayTables>, place: 'archive' | 'outside') {
  const counts: Partial<Record<ArchivedTable, number>> = {}
  for (const table of Object.keys(ARCHIVED) as ArchivedTable[]) {
    const name = place === 'archive' ? archiveName(table) : table
    const { rows } = await sql<{
      rows: number
    }>`select count(*) as rows from ${sql.table(name)}`.execute(reader)
    counts[table] = Number(rows[0]?.rows)
  }
  return counts
}

export const NO_ROWS = Object.fromEntries(Object.keys(ARCHIVED).map((table) => [table, 0]))
