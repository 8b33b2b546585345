import type { Connection, Statement } from '@cofre/sql'
import { numbered } from '../database/numbered-statements.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { PAYMENT_SUBSCRIBERS } from '../payment-subscribers.js'
import type { PaymentChange } from './payment-subscriber.js'

/** Leaves a row of a change for each subscriber, in the unit of work that changes the payment. */
export async function paymentChanged(
  trx: Connection<GatewayTables>,
  change: PaymentChange,
): Promise<void> {
  await trx.runInOrder(changing(change))
}

/** The same as statements, for a commit. */
export function changing(change: PaymentChange): Readonly<Record<string, Statement>> {
  return numbered(
    'changed',
    PAYMENT_SUBSCRIBERS.flatMap((subscriber) => subscriber(change)),
  )
}
