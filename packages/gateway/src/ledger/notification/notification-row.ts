import type { NotificationRow } from '../database/gateway-tables.js'
import type { RefundId } from '../../model/refund/refund.js'
import type { TransactionCode } from '../../model/transaction/transaction-code.js'
import type { Notification } from '../../model/notification/notification.js'

export function notificationOf(row: NotificationRow): Notification {
  return {
    transactionCode: row.transaction_code as TransactionCode,
    position: row.position,
    merchantId: row.merchant_id,
    url: row.url,
    refundId: row.refund_id === null ? undefined : (row.refund_id as RefundId),
    status: row.status,
    createdAtMs: row.created_at,
    attempts: row.attempts,
  }
}
