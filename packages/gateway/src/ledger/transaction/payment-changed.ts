import type { Connection, Statement } from '@cofre/sql'
import { numbered } from '../database/numbered-statements.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { followersOf } from './follows-payments.js'
import type { PaymentChange } from './payment-subscriber.js'

/** Leaves a row for each follower, in the unit of work that changes the payment. */
export async function paymentChanged(
  trx: Connection<GatewayTables>,
  change: PaymentChange,
): Promise<void> {
  await trx.runInOrder(changing(trx, change))
}

/** The same as statements, for a commit. */
export function changing(
  db: Connection<GatewayTables>,
  change: PaymentChange,
): Readonly<Record<string, Statement>> {
  return numbered(
    'changed',
    followersOf(db).flatMap(({ changed }) => changed(change)),
  )
}
