import type { Database } from '@cofre/sql'
import { type Kysely, sql } from 'kysely'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { TransactionCode } from '../transaction/transaction-code.js'
import {
  type DeliveryAttempt,
  type Notification,
  acknowledges,
  awaitsSearch,
} from './notification.js'
import { claimDue } from './notification-claim-store-sql.js'
import { notificationOf } from './notification-row.js'
import type { NotificationBacklog, NotificationStore } from './notification-store.js'

type Unit = Kysely<GatewayTables>

export function createSqlNotificationStore(database: Database<GatewayTables>): NotificationStore {
  return {
    async claimDue(request) {
      return (await claimDue(database, request)).map(notificationOf)
    },

    recordAttempt: (notification, attempt, nextAttemptAtMs) =>
      database.transact((unit) => recordAttempt(unit, notification, { attempt, nextAttemptAtMs })),

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

    resend: (code, position, atMs) =>
      database.transact(async (unit) => {
        const { numUpdatedRows } = await unit
          .updateTable('notifications')
          .set({ next_attempt_at: atMs, done_at: null, acknowledged_at: null })
          .where('transaction_code', '=', code)
          .where('position', '=', position)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
  }
}

async function backlog(reader: Unit): Promise<readonly NotificationBacklog[]> {
  const rows = await reader
    .selectFrom('notifications')
    .select((select) => [
      'merchant_id',
      select.fn.countAll<number>().as('waiting'),
      select.fn
        .min<number | null>('created_at')
        .filterWhere('attempts', '>', 0)
        .as('refused_since'),
    ])
    .where('done_at', 'is', null)
    .where('acknowledged_at', 'is', null)
    .groupBy('merchant_id')
    .orderBy('merchant_id')
    .execute()
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    waiting: row.waiting,
    refusedSinceMs: row.refused_since ?? undefined,
  }))
}

async function recordAttempt(
  unit: Unit,
  notification: Notification,
  {
    attempt,
    nextAttemptAtMs,
  }: { readonly attempt: DeliveryAttempt; readonly nextAttemptAtMs: number },
): Promise<void> {
  const { transactionCode: code, position, attempts } = notification
  const isAcknowledged = acknowledges(attempt)
  const rests = awaitsSearch(notification)
    ? sql<
        number | null
      >`case when searched_at is null then null else cast(${attempt.atMs} as bigint) end`
    : attempt.atMs
  const { numUpdatedRows } = await unit
    .updateTable('notifications')
    .set({
      attempts: attempts + 1,
      lease_until: null,
      next_attempt_at: nextAttemptAtMs,
      ...(isAcknowledged && { acknowledged_at: attempt.atMs, done_at: rests }),
    })
    .where('transaction_code', '=', code)
    .where('position', '=', position)
    .executeTakeFirst()
  // Its transaction was deleted while it was under way.
  if (numUpdatedRows === 0n) return
  await unit
    .insertInto('notification_attempts')
    .values({
      transaction_code: code,
      position,
      attempt: attempts + 1,
      at: attempt.atMs,
      status_code: attempt.statusCode ?? null,
      error: attempt.error ?? null,
      duration_ms: attempt.durationMs,
      response_excerpt: attempt.responseExcerpt,
    })
    // The attempt of a worker whose lease ended and that answered late.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function recordSearch(
  database: Database<GatewayTables>,
  codes: readonly TransactionCode[],
  atMs: number,
): Promise<void> {
  if (codes.length === 0) return
  // Nearly every search finds nothing to record: found out without a unit of work.
  const waiting = await database.reader
    .selectFrom('notifications')
    .select('transaction_code')
    .where('transaction_code', 'in', codes)
    .where('done_at', 'is', null)
    .where('searched_at', 'is', null)
    .where('status', '=', 'COMPLETE')
    .execute()
  if (waiting.length === 0) return
  const waitingCodes = waiting.map((row) => row.transaction_code)
  await database.transact((unit) =>
    unit
      .updateTable('notifications')
      .set({
        searched_at: atMs,
        done_at: sql<
          number | null
        >`case when acknowledged_at is null then null else cast(${atMs} as bigint) end`,
      })
      .where('transaction_code', 'in', waitingCodes)
      .where('status', '=', 'COMPLETE')
      .where('done_at', 'is', null)
      .execute(),
  )
}
