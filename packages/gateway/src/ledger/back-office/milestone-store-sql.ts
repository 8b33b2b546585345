import type { PaymentType } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { Milestones } from '../../model/back-office/back-office.js'

/** When a store's transactions, refunds and notifications first came so far. Reads all of the store's rows. */
export async function milestones(
  reader: Connection<GatewayTables>,
  merchantId: string,
): Promise<Milestones> {
  const [payments, refunds, notifications] = await Promise.all([
    paymentMilestones(reader, merchantId),
    refundMilestones(reader, merchantId),
    notificationMilestones(reader, merchantId),
  ])
  const reached = Object.entries({ ...payments, ...refunds, ...notifications })
  return Object.fromEntries(reached.map(([name, atMs]) => [name, atMs ?? undefined])) as {
    [Name in keyof Milestones]: number | undefined
  }
}

function paymentMilestones(reader: Connection<GatewayTables>, merchantId: string) {
  return reader
    .selectFrom('transactions')
    .where('merchant_id', '=', merchantId)
    .select(({ fn }) => {
      const first = (date: 'created_at' | 'paid_at', type: PaymentType) =>
        fn.min<number | null>(date).filterWhere('payment_type', '=', type)
      return [
        first('paid_at', 'credit-card').as('cardPaid'),
        first('created_at', 'credit-card')
          .filterWhere('first_status', '=', 'CANCELLED')
          .as('cardDeclined'),
        first('created_at', 'postpay').as('boletoCreated'),
        first('paid_at', 'postpay').as('boletoPaid'),
        first('created_at', 'eft').as('pixCreated'),
        first('paid_at', 'eft').as('pixPaid'),
        first('paid_at', 'e-wallet').as('walletPaid'),
      ]
    })
    .executeTakeFirstOrThrow()
}

function refundMilestones(reader: Connection<GatewayTables>, merchantId: string) {
  return reader
    .selectFrom('refunds')
    .where('merchant_id', '=', merchantId)
    .select(({ fn }) => [
      fn
        .min<number | null>('processed_at')
        .filterWhere('status', '=', 'PROCESSED')
        .as('refundProcessed'),
      fn
        .min<number | null>('processed_at')
        .filterWhere('status', '=', 'REJECTED')
        .as('refundRejected'),
    ])
    .executeTakeFirstOrThrow()
}

function notificationMilestones(reader: Connection<GatewayTables>, merchantId: string) {
  return reader
    .selectFrom('notifications')
    .where('merchant_id', '=', merchantId)
    .select(({ fn }) => [
      fn.min<number | null>('acknowledged_at').as('notificationAcknowledged'),
      fn
        .min<number | null>('searched_at')
        .filterWhere('acknowledged_at', 'is not', null)
        .as('searchedAfterNotification'),
    ])
    .executeTakeFirstOrThrow()
}
