import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { PaymentSubscriber } from './payment-subscriber.js'

type Db = Connection<GatewayTables>
type Codes = readonly number[]

/**
 * The work of a room that stores something of every payment, in the units of work that change
 * payments. A database is opened with all its followers: no process or command changes a payment
 * without them.
 */
export interface FollowsPayments {
  /** Leaves a row for a change. */
  readonly changed: PaymentSubscriber
  /** Waits for all that change the room's data; new ones wait until the unit of work ends. */
  readonly lock: (trx: Db) => Promise<void>
  /** Moves the room's data of payments into the archive or out, before their other rows. */
  readonly move: (from: Db, to: Db, codes: Codes) => Promise<void>
  /** Deletes the room's data of payments, in the unit of work that deletes them. */
  readonly remove: (trx: Db, codes: Codes) => Promise<void>
}

/** @throws Error if the database was opened without its followers */
export function followersOf({ attached }: Db): readonly FollowsPayments[] {
  if (attached === undefined) throw new Error('a gateway database is opened with its followers')
  return attached as readonly FollowsPayments[]
}
