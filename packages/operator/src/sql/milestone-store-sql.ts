import { CARD_TYPE, type PaymentType } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import { type GatewayTables, type Milestones, isShown } from '@cofre/gateway/room'

/** The time when a store first reached each milestone, examples excluded. Reads all of its rows. */
export async function milestones(
  reader: Connection<GatewayTables>,
  merchantId: string,
): Promise<Milestones> {
  const [payments, refunds, notifications] = await Promise.all([
    paymentMilestones(reader, merchantId),
    refundMilestones(reader, merchantId),
    notificationMilestones(reader, merchantId),
  ])
  return { ...payments, ...refunds, ...notifications }
}

function paymentMilestones(reader: Connection<GatewayTables>, merchantId: string) {
  return reader
    .selectFrom('transactions')
    .where('merchant_id', '=', merchantId)
    .where('example', 'is', null)
    .where(isShown())
    .select(({ fn }) => {
      const first = (date: 'created_at' | 'paid_at', type: PaymentType) =>
        fn.min<number | null>(date).filterWhere('payment_type', '=', type)
      return [
        first('paid_at', CARD_TYPE).as('card-paid'),
        first('created_at', CARD_TYPE)
          .filterWhere('first_status', '=', 'CANCELLED')
          .as('card-declined'),
        first('created_at', 'postpay').as('boleto-created'),
        first('paid_at', 'postpay').as('boleto-paid'),
        first('created_at', 'eft').as('pix-created'),
        first('paid_at', 'eft').as('pix-paid'),
        first('paid_at', 'e-wallet').as('wallet-paid'),
      ]
    })
    .executeTakeFirstOrThrow()
}

function refundMilestones(reader: Connection<GatewayTables>, merchantId: string) {
  return reader
    .selectFrom('refunds')
    .innerJoin('transactions', 'transactions.code', 'refunds.transaction_code')
    .where('refunds.merchant_id', '=', merchantId)
    .where('transactions.example', 'is', null)
    .select(({ fn }) => [
      fn
        .min<number | null>('processed_at')
        .filterWhere('refunds.status', '=', 'PROCESSED')
        .as('refund-processed'),
      fn
        .min<number | null>('processed_at')
        .filterWhere('refunds.status', '=', 'REJECTED')
        .as('refund-rejected'),
    ])
    .executeTakeFirstOrThrow()
}

function notificationMilestones(reader: Connection<GatewayTables>, merchantId: string) {
  return reader
    .selectFrom('notifications')
    .where('merchant_id', '=', merchantId)
    .select(({ fn }) => [
      fn.min<number | null>('acknowledged_at').as('notification-acknowledged'),
      fn
        .min<number | null>('searched_at')
        .filterWhere('acknowledged_at', 'is not', null)
        .as('search-after-notification'),
    ])
    .executeTakeFirstOrThrow()
}
