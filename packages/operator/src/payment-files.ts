import {
  type RefundId,
  type ShownPayments,
  type Transaction,
  payerNameOf,
  transactionCodeSchema,
} from '@cofre/gateway/room'
import {
  type PaymentNotifications,
  type TransactionDetails,
  historyOf,
} from './model/payment-file.js'
import type { DeskStore } from './sql/desk-store-sql.js'

export interface PaymentFileDeps {
  readonly payments: ShownPayments
  readonly notifications: Pick<PaymentNotifications, 'ofPayment'>
}

/** A store's transaction; undefined if the store has none with that code. */
export async function findOwn(
  { payments }: Pick<PaymentFileDeps, 'payments'>,
  merchantId: string,
  codeText: string,
): Promise<Transaction | undefined> {
  const code = transactionCodeSchema.safeParse(codeText)
  return code.success ? await payments.find(merchantId, code.data) : undefined
}

/** A refund of the store; undefined if the store has none with that number. */
export async function findRefund(
  { store }: { readonly store: DeskStore },
  merchantId: string,
  refundId: string,
) {
  const id = transactionCodeSchema.safeParse(refundId)
  return id.success ? await store.findRefund(merchantId, id.data as number as RefundId) : undefined
}

/** A transaction with its whole history. */
export async function detailsOf(
  deps: PaymentFileDeps,
  transaction: Transaction,
): Promise<TransactionDetails> {
  const { code } = transaction
  const [refunds, refundNotes, notifications, parts] = await Promise.all([
    deps.payments.refundsOf(code),
    deps.payments.refundNotesOf(code),
    deps.notifications.ofPayment(code),
    deps.payments.partsOf(transaction),
  ])
  const notified = notifications.map(({ notification }) => notification)
  return {
    transaction,
    payerName: payerNameOf(transaction),
    history: historyOf(transaction, notified),
    refunds,
    refundNotes,
    notifications,
    ...parts,
  }
}
