import { TRANSACTION_CODE } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type {
  GatewayTables,
  NotificationAttemptRow,
  NotificationRow,
} from '../database/gateway-tables.js'
import { notifyOfStatus } from '../transaction/status-change.js'
import { isProbed, probeAtOnce } from '../notification/failing-store-sql.js'
import type { DeliveryAttempt } from '../../model/notification/notification.js'
import { notificationOf } from '../notification/notification-row.js'
import { refundOf } from '../refund/refund-row.js'
import { transactionOf } from '../transaction/transaction-row.js'
import type {
  NotificationDetails,
  PageQuery,
  TransactionListQuery,
} from '../../model/back-office/back-office.js'
import type { BackOfficeStore } from '../../model/back-office/back-office-store.js'
import { milestones } from './milestone-store-sql.js'
import { deleteTransactions } from './transaction-deletion-store-sql.js'

type Reader = Connection<GatewayTables>

export function createSqlBackOfficeStore(database: Database<GatewayTables>): BackOfficeStore {
  const { reader } = database
  return {
    listTransactions: (merchantId, query) => listTransactions(reader, merchantId, query),

    async firstStatusOf(code) {
      const row = await reader
        .selectFrom('transactions')
        .select('first_status')
        .where('code', '=', code)
        .executeTakeFirst()
      return row?.first_status ?? undefined
    },

    async notificationsOf(code) {
      const rows = await reader
        .selectFrom('notifications')
        .selectAll()
        .where('transaction_code', '=', code)
        .orderBy('position')
        .execute()
      return await withAttempts(reader, rows)
    },

    listNotifications: (merchantId, page) => listNotifications(reader, merchantId, page),

    notifyAgain: (code, status, atMs) =>
      database.transact(async (trx) => {
        const row = await trx
          .selectFrom('transactions')
          .selectAll()
          .where('code', '=', code)
          .where('status', '=', status)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return false
        await notifyOfStatus(trx, { ...row, status_changed_at: atMs })
        await probeAtOnce(trx, row.merchant_id, atMs)
        return true
      }),

    async findRefund(merchantId, id) {
      const row = await reader
        .selectFrom('refunds')
        .selectAll()
        .where('transaction_code', '=', (keys) =>
          keys.selectFrom('refund_keys').select('transaction_code').where('id', '=', id),
        )
        .where('id', '=', id)
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst()
      return row && refundOf(row)
    },

    milestones: (merchantId) => milestones(reader, merchantId),
    revision: (merchantId) => revision(reader, merchantId),
    deleteTransactions: (merchantId) => deleteTransactions(database, merchantId),
  }
}

async function listTransactions(
  reader: Reader,
  merchantId: string,
  query: TransactionListQuery,
): ReturnType<BackOfficeStore['listTransactions']> {
  const matching = matchingTransactions(reader, merchantId, query)
  const { found } = await matching
    .select((select) => select.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('code', 'desc')
    .limit(query.pageSize)
    .offset((query.page - 1) * query.pageSize)
    .execute()
  return { items: rows.map(transactionOf), found }
}

function matchingTransactions(
  reader: Reader,
  merchantId: string,
  { status, paymentType, fromMs, untilMs, text }: TransactionListQuery,
): SelectQueryBuilder<GatewayTables, 'transactions', unknown> {
  // The store comes first: its index bounds what a part of a text is looked for in.
  let matching: SelectQueryBuilder<GatewayTables, 'transactions', unknown> = reader
    .selectFrom('transactions')
    .where('merchant_id', '=', merchantId)
  if (status !== undefined) matching = matching.where('status', '=', status)
  if (paymentType !== undefined) matching = matching.where('payment_type', '=', paymentType)
  if (fromMs !== undefined) matching = matching.where('created_at', '>=', fromMs)
  if (untilMs !== undefined) matching = matching.where('created_at', '<', untilMs)
  return text === undefined || text === '' ? matching : matching.where(containsText(text))
}

function containsText(text: string) {
  // No column holds a NUL, and PostgreSQL takes none.
  const pattern = `%${text.replaceAll('\0', '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return (when: ExpressionBuilder<GatewayTables, 'transactions'>) =>
    when.or([
      ...(['reference', 'payer_email', 'description'] as const).map(
        (column) => sql<boolean>`lower(${when.ref(column)}) like lower(${pattern}) escape '\\'`,
      ),
      ...(TRANSACTION_CODE.test(text) ? [when('code', '=', Number(text))] : []),
    ])
}

async function listNotifications(
  reader: Reader,
  merchantId: string,
  { page, pageSize }: PageQuery,
): ReturnType<BackOfficeStore['listNotifications']> {
  const own = reader.selectFrom('notifications').where('merchant_id', '=', merchantId)
  const { found } = await own
    .select((select) => select.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('transaction_code', 'desc')
    .orderBy('position', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items: await withAttempts(reader, rows), found }
}

async function withAttempts(
  reader: Reader,
  rows: readonly NotificationRow[],
): Promise<readonly NotificationDetails[]> {
  const attempts =
    rows.length === 0
      ? []
      : await reader
          .selectFrom('notification_attempts')
          .selectAll()
          .where(
            'transaction_code',
            'in',
            rows.map((row) => row.transaction_code),
          )
          .orderBy('attempt')
          .execute()
  const byKey = Map.groupBy(attempts, keyOf)
  // All are of one store.
  const isHeld = rows[0] !== undefined && (await isProbed(reader, rows[0].merchant_id))
  return rows.map((row) => {
    const state = stateOf(row, isHeld)
    return {
      notification: notificationOf(row),
      state,
      nextAttemptAtMs: state === 'done' || isHeld ? undefined : row.next_attempt_at,
      attempts: (byKey.get(keyOf(row)) ?? []).map(attemptOf),
    }
  })
}

function stateOf(row: NotificationRow, isHeld: boolean): NotificationDetails['state'] {
  if (row.done_at !== null) return 'done'
  if (row.acknowledged_at !== null) return 'waiting-for-search'
  return isHeld ? 'held' : 'waiting'
}

function keyOf(row: Pick<NotificationRow, 'transaction_code' | 'position'>): string {
  return `${row.transaction_code}-${row.position}`
}

function attemptOf(row: NotificationAttemptRow): DeliveryAttempt {
  return {
    atMs: row.at,
    statusCode: row.status_code ?? undefined,
    error: row.error ?? undefined,
    durationMs: row.duration_ms,
    responseExcerpt: row.response_excerpt,
  }
}

/** The last change of each kind, and a sum over the backlog: every attempt changes one of them. */
async function revision(reader: Reader, merchantId: string): Promise<string> {
  const transactions = reader.selectFrom('transactions').where('merchant_id', '=', merchantId)
  const notifications = reader.selectFrom('notifications').where('merchant_id', '=', merchantId)
  const parts = await Promise.all([
    transactions
      .select(['created_at', 'code'])
      .orderBy('created_at', 'desc')
      .orderBy('code', 'desc')
      .limit(1)
      .executeTakeFirst(),
    transactions
      .select(['status_changed_at', 'code', 'status'])
      .orderBy('status_changed_at', 'desc')
      .orderBy('code', 'desc')
      .limit(1)
      .executeTakeFirst(),
    reader
      .selectFrom('refunds')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
    notifications
      .select(['created_at', 'transaction_code', 'position'])
      .orderBy('created_at', 'desc')
      .orderBy('transaction_code', 'desc')
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst(),
    notifications
      .select((select) => [
        select.fn.countAll<number>().as('waiting'),
        select.fn.sum<number | string | null>('attempts').as('attempts'),
        select.fn.sum<number | string | null>('next_attempt_at').as('next'),
      ])
      .where('done_at', 'is', null)
      .executeTakeFirst(),
  ])
  return parts.flatMap((part) => Object.values(part ?? {}).map(String)).join('-')
}
