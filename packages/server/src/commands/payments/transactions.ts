import { formatAmount } from '@cofre/contracts'
import type { CardDispute, PaymentPurpose } from '@cofre/gateway'
import { type SurplusPayment, createOperatorView } from '@cofre/operator'
import { DATABASES } from '../../installation/databases.js'
import {
  type CommandContext,
  type InEnvironment,
  type Shown,
  gatewayConfig,
  table,
  timeOrNull,
  timeText,
} from '../line/command.js'

/** A person reads at most a page of text. */
const LISTED_MAX = 100

/** `cofre transactions`: those that need an operator. */
export const transactionsCommands = {
  'transactions surplus': listSurplus,
  'transactions disputes': listDisputes,
}

interface OfStore extends InEnvironment {
  readonly store?: string
}

async function listSurplus(
  context: CommandContext,
  { store, environment }: OfStore,
): Promise<Shown> {
  const config = await gatewayConfig(context)
  const found = await DATABASES[environment].use(config, (database) =>
    createOperatorView(database).surpluses(LISTED_MAX, store),
  )
  const surplus = found.map(shownSurplus)
  const headings = ['Code', 'Store', 'Reference', 'Status', 'Amount', 'Paid', 'Is', 'And']
  const rows = surplus.map((payment) => [
    payment.code,
    payment.store,
    payment.reference,
    payment.status,
    payment.amount,
    payment.paid ?? 'at an unknown time',
    MEANINGS[payment.purpose],
    payment.state,
  ])
  const text =
    rows.length === 0
      ? `No money without an order was received${storeSuffix(store)} in ${environment}.\n`
      : `${table(headings, rows)}\n`
  return { data: { environment, surplus }, text }
}

function storeSuffix(store: string | undefined): string {
  return store === undefined ? '' : ` of the store ${store}`
}

/** Meaning of the payment. */
const MEANINGS: Readonly<Record<PaymentPurpose, string>> = {
  order: 'the order',
  'other-amount': 'another amount',
  'second-payment': 'a second payment',
  'after-the-end': 'too late',
}
/** State of the money. */
const STATES = {
  PROCESSING: 'goes back',
  PROCESSED: 'went back',
  REJECTED: 'was not refunded by the bank',
  KEPT: 'is kept',
} as const

function shownSurplus(payment: SurplusPayment) {
  const { code, merchantId, reference, status, amountMinor, purpose, refundStatus } = payment
  return {
    code: String(code),
    store: merchantId,
    reference,
    status,
    amount: formatAmount(amountMinor),
    paid: timeOrNull(payment.paidAtMs),
    endToEndId: payment.endToEndId,
    purpose,
    state: refundStatus === undefined ? 'is kept' : STATES[refundStatus],
    settled: timeOrNull(payment.refundedAtMs),
  }
}

async function listDisputes(
  context: CommandContext,
  { store, environment }: OfStore,
): Promise<Shown> {
  const config = await gatewayConfig(context)
  const found = await DATABASES[environment].use(config, (database) =>
    createOperatorView(database).disputes(LISTED_MAX, store),
  )
  const disputes = found.map(shownDispute)
  const headings = ['Code', 'Store', 'Reference', 'Status', 'Amount', 'At', 'Is', 'Acquirer']
  const rows = disputes.map((dispute) => [
    dispute.code,
    dispute.store,
    dispute.reference,
    dispute.status,
    dispute.amount ?? 'all',
    dispute.at,
    DISPUTES[dispute.kind] ?? dispute.kind,
    dispute.detail ?? '',
  ])
  const text =
    rows.length === 0
      ? `No card payment${storeSuffix(store)} was disputed in ${environment}.\n`
      : `${table(headings, rows)}\n`
  return { data: { environment, disputes }, text }
}

/** Reports of acquirers. */
const DISPUTES: Readonly<Record<string, string>> = {
  capture_failed: 'taken back',
  dispute_announced: 'a dispute, no money has moved yet',
  charged_back: 'charged back',
  chargeback_reversed: 'a chargeback reversed',
}

function shownDispute(dispute: CardDispute) {
  const { transactionCode, merchantId, reference, status, amountMinor, kind, atMs } = dispute
  return {
    code: String(transactionCode),
    store: merchantId,
    reference,
    status,
    amount: amountMinor === undefined ? null : formatAmount(amountMinor),
    at: timeText(atMs),
    kind,
    detail: dispute.detail ?? null,
  }
}
