import { type SqlBool, expressionBuilder, sql } from 'kysely'
import type { GatewayTables } from '../database/gateway-tables.js'

const of = expressionBuilder<GatewayTables, 'transactions'>()

/** True if a transaction and all that belongs to it have ended, and nothing is newer. */
export function isArchivable(beforeMs: number) {
  return of.and([
    of('open', '=', 0),
    of('status', 'not in', ['PENDING', 'UNDER-REVIEW']),
    of('activate_at', 'is', null),
    of('created_at', '<', beforeMs),
    of('status_changed_at', '<', beforeMs),
    isBefore('paid_at', beforeMs),
    of.exists(searchFacts()),
    of.not(of.exists(indexRequests())),
    of.not(of.exists(unfinishedRefund(beforeMs))),
    of.not(of.exists(unfinishedNotification(beforeMs))),
    of.not(of.exists(unfinishedCharge())),
    of.not(of.exists(unfinishedPayment(beforeMs))),
    of.not(of.exists(recentChange(beforeMs))),
    of.not(of.exists(openTry())),
  ])
}

function isBefore(column: string, beforeMs: number) {
  return sql<SqlBool>`coalesce(${sql.ref(column)}, 0) < ${beforeMs}`
}

function searchFacts() {
  return of
    .selectFrom('payment_facts as own')
    .select('own.code')
    .whereRef('own.code', '=', 'transactions.code')
}

function indexRequests() {
  return of
    .selectFrom('index_requests as own')
    .select('own.code')
    .whereRef('own.code', '=', 'transactions.code')
}

function unfinishedRefund(beforeMs: number) {
  return of
    .selectFrom('refunds as own')
    .select('own.id')
    .whereRef('own.transaction_code', '=', 'transactions.code')
    .where((own) =>
      own.or([
        own('own.status', '=', 'PROCESSING'),
        own('own.requested_at', '>=', beforeMs),
        own('own.processed_at', '>=', beforeMs),
      ]),
    )
}

function unfinishedNotification(beforeMs: number) {
  return of
    .selectFrom('notifications as own')
    .select('own.position')
    .whereRef('own.transaction_code', '=', 'transactions.code')
    .where((own) => own.or([own('own.done_at', 'is', null), own('own.created_at', '>=', beforeMs)]))
}

function unfinishedCharge() {
  return of
    .selectFrom('bank_charges as own')
    .select('own.txid')
    .whereRef('own.transaction_code', '=', 'transactions.code')
    .where((own) =>
      own.or([own('own.state', '<>', 'closed'), own('own.next_look_at', 'is not', null)]),
    )
}

/** A surplus that the store keeps is finished; one on its way back is not. */
function unfinishedPayment(beforeMs: number) {
  return of
    .selectFrom('bank_payments as own')
    .select('own.end_to_end_id')
    .whereRef('own.transaction_code', '=', 'transactions.code')
    .where((own) =>
      own.or([
        own('own.next_ask_at', 'is not', null),
        own('own.refund_status', '=', 'PROCESSING'),
        own.and([own('own.purpose', '<>', 'order'), own('own.refund_status', 'is', null)]),
        own('own.found_at', '>=', beforeMs),
        own('own.refunded_at', '>=', beforeMs),
      ]),
    )
}

function recentChange(beforeMs: number) {
  return of
    .selectFrom('card_changes as own')
    .select('own.id')
    .whereRef('own.transaction_code', '=', 'transactions.code')
    .where('own.at', '>=', beforeMs)
}

function openTry() {
  return of
    .selectFrom('payment_link_tries as own')
    .select('own.id')
    .whereRef('own.transaction_code', '=', 'transactions.code')
    .where('own.open', '=', 1)
}
