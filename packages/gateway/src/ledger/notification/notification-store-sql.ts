import { type Connection, type Database, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import type { GatewayTables } from '../database/gateway-tables.js'
import { blockAllButFirsts, isUnfinished, unsearched } from '../database/outbox.js'
import { lockTransaction } from '../database/transaction-lock.js'
import type { TransactionCode } from '../../model/transaction/transaction-code.js'
import { probeAtOnce } from './failing-store-sql.js'
import { recordAttempt } from './notification-attempt-sql.js'
import { backlog, lastRefusal } from './notification-backlog-sql.js'
import { claimDue } from './notification-claim-sql.js'
import type { NotificationStore } from '../../model/notification/notification-store.js'

type Db = Connection<GatewayTables>

const findUnsearched = prepare((db: Db, { code }: { readonly code: number }) =>
  unsearched(db).where('transaction_code', '=', code),
)

export function createSqlNotificationStore(database: Database<GatewayTables>): NotificationStore {
  return {
    claimDue: (request) => claimDue(database, request),

    recordAttempt: (claimed, attempt, nextAttemptAtMs) =>
      database.transact((trx) => recordAttempt(trx, { claimed, attempt, nextAttemptAtMs })),

    recordSearch: (codes, atMs) => recordSearch(database, codes, atMs),

    async attemptsOf(code) {
      const rows = await database.reader
        .selectFrom('notification_attempts')
        .selectAll()
        .where('transaction_code', '=', code)
        .orderBy('position')
        .orderBy('attempt')
        .execute()
      return rows.map((row) => ({
        position: row.position,
        atMs: row.at,
        statusCode: row.status_code ?? undefined,
        error: row.error ?? undefined,
        durationMs: row.duration_ms,
        responseExcerpt: row.response_excerpt,
      }))
    },

    backlog: () => backlog(database.reader),

    lastRefusal: (merchantId) => lastRefusal(database.reader, merchantId),

    resend: (code, position, atMs) =>
      database.transact((trx) => resend(trx, { code, position }, atMs)),
  }
}

async function resend(
  trx: Db,
  key: { readonly code: TransactionCode; readonly position: number },
  atMs: number,
): Promise<boolean> {
  await trx.run(lockTransaction({ code: key.code }))
  const resent = await trx
    .updateTable('notifications')
    // Without its claim, a delivery that is under way says nothing about this one.
    .set({ next_attempt_at: atMs, done_at: null, acknowledged_at: null, lease_until: null })
    .where('transaction_code', '=', key.code)
    .where('position', '=', key.position)
    .returning('merchant_id')
    .executeTakeFirst()
  await trx.run(blockAllButFirsts({ code: key.code }))
  if (resent !== undefined) await probeAtOnce(trx, resent.merchant_id, atMs)
  return resent !== undefined
}

async function recordSearch(
  database: Database<GatewayTables>,
  codes: readonly TransactionCode[],
  atMs: number,
): Promise<void> {
  const [code] = codes
  if (code === undefined) return
  // Nearly every search finds nothing to record: learned without a unit of work.
  const waiting =
    codes.length === 1
      ? (await database.reader.run(findUnsearched({ code }))).rows
      : await unsearched(database.reader).where('transaction_code', 'in', codes).execute()
  if (waiting.length === 0) return
  const waitingCodes = waiting.map((row) => row.transaction_code)
  await database.transact((trx) =>
    trx
      .updateTable('notifications')
      .set({
        searched_at: atMs,
        done_at: sql<
          number | null
        >`case when acknowledged_at is null then null else cast(${atMs} as bigint) end`,
      })
      .where('transaction_code', 'in', waitingCodes)
      .where('status', '=', 'COMPLETE')
      .where(isUnfinished)
      .execute(),
  )
}
