import { type PaymentType, type SavedCardSummary, minorUnits } from '@cofre/contracts'
import type { TransactionRow } from '../database/gateway-tables.js'
import type { PaymentDetails } from '../../model/transaction/payment-details.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import type { TransactionCode } from '../../model/transaction/transaction-code.js'

// The database holds only what these functions wrote, so what they read back needs no second
// validation.

export function rowOf(transaction: Transaction): TransactionRow {
  return {
    code: transaction.code,
    merchant_id: transaction.merchantId,
    reference: transaction.reference,
    status: transaction.status,
    first_status: null,
    open: Number(transaction.open),
    payment_type: transaction.paymentType,
    sub_type: transaction.subType ?? null,
    amount: transaction.amountMinor,
    charged: transaction.chargedMinor,
    installments: transaction.installments,
    payer_email: transaction.payerEmail,
    payer_document: transaction.payerDocument,
    description: transaction.description,
    notification_url: transaction.notificationUrl,
    saved_card: jsonText(transaction.savedCard),
    card_bin: transaction.cardBin ?? null,
    card_last_four: transaction.cardLastFour ?? null,
    public_id: transaction.publicId,
    payment_details: jsonText(transaction.paymentDetails),
    request: transaction.requestJson,
    created_at: transaction.createdAtMs,
    paid_at: transaction.paidAtMs ?? null,
    expires_at: transaction.expiresAtMs ?? null,
    next_ask_at: transaction.nextAskAtMs ?? null,
    activate_at: transaction.activateAtMs ?? null,
    status_changed_at: transaction.statusChangedAtMs,
  }
}

export function transactionOf(row: TransactionRow): Transaction {
  return {
    code: row.code as TransactionCode,
    merchantId: row.merchant_id,
    reference: row.reference,
    status: row.status,
    open: row.open === 1,
    paymentType: row.payment_type as PaymentType,
    subType: row.sub_type ?? undefined,
    amountMinor: minorUnits(row.amount),
    chargedMinor: minorUnits(row.charged),
    installments: row.installments,
    payerEmail: row.payer_email,
    payerDocument: row.payer_document,
    description: row.description,
    notificationUrl: row.notification_url,
    savedCard:
      row.saved_card === null ? undefined : (JSON.parse(row.saved_card) as SavedCardSummary),
    cardBin: row.card_bin ?? undefined,
    cardLastFour: row.card_last_four ?? undefined,
    publicId: row.public_id,
    paymentDetails:
      row.payment_details === null
        ? undefined
        : (JSON.parse(row.payment_details) as PaymentDetails),
    requestJson: row.request,
    createdAtMs: row.created_at,
    paidAtMs: row.paid_at ?? undefined,
    expiresAtMs: row.expires_at ?? undefined,
    nextAskAtMs: row.next_ask_at ?? undefined,
    activateAtMs: row.activate_at ?? undefined,
    statusChangedAtMs: row.status_changed_at,
  }
}

export function jsonText(value: SavedCardSummary | PaymentDetails | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
