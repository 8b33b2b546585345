import { minorUnits } from '@cofre/contracts'
import type { RefundRow } from '../database/gateway-tables.js'
import type { TransactionCode } from '../../model/transaction/transaction-code.js'
import type { Refund, RefundId } from '../../model/refund/refund.js'

export function rowOf(refund: Refund): RefundRow {
  return {
    id: refund.id,
    transaction_code: refund.transactionCode,
    merchant_id: refund.merchantId,
    status: refund.status,
    amount: refund.amountMinor,
    reference: refund.reference ?? null,
    notify_url: refund.notifyUrl,
    requested_at: refund.requestedAtMs,
    next_ask_at: 0,
    asks: 0,
    processed_at: refund.processedAtMs ?? null,
  }
}

export function refundOf(row: RefundRow): Refund {
  return {
    id: row.id as RefundId,
    transactionCode: row.transaction_code as TransactionCode,
    merchantId: row.merchant_id,
    status: row.status,
    amountMinor: minorUnits(row.amount),
    reference: row.reference ?? undefined,
    notifyUrl: row.notify_url,
    requestedAtMs: row.requested_at,
    processedAtMs: row.processed_at ?? undefined,
  }
}
