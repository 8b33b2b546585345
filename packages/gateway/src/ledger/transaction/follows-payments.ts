import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { PaymentSubscriber } from './payment-subscriber.js'

type Db = Connection<GatewayTables>
type Codes = readonly number[]

/**
 * What a room that keeps something of every payment does in the units of work that change payments.
 * A database is opened with all its followers: no process or command changes a payment past them.
 */
export interface FollowsPayments {
  /** Leaves a row of a change. */
  readonly changed: PaymentSubscriber
  /** Waits for all that change what the room keeps; they wait until the unit of work ends. */
  readonly lock: (trx: Db) => Promise<void>
  /** Moves what the room keeps of payments into the archive or out, before their other rows. */
  readonly move: (from: Db, to: Db, codes: Codes) => Promise<void>
  /** Deletes what the room keeps of payments, in the unit of work that deletes them. */
  readonly remove: (trx: Db, codes: Codes) => Promise<void>
}

/** @throws Error for a database that was opened without naming them */
export function followersOf({ attached }: Db): readonly FollowsPayments[] {
  if (attached === undefined) throw new Error('a gateway database is opened with its followers')
  return attached as readonly FollowsPayments[]
}
