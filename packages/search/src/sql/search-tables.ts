import type { GatewayTables } from '@cofre/gateway/room'
import type { Connection } from '@cofre/sql'
import type { FigureName } from '../model/payment-figures.js'
import type { TermKind } from '../model/payment-terms.js'

/** A count of a store's payments on a day. Contains no personal data. */
export interface DailyFigureRow {
  merchant_id: string
  figure: FigureName
  /** Since 1970, in Brasília. */
  day: number
  method: string
  /** A brand, a reason or a span of time; empty if the figure has none. */
  detail: string
  /** Empty if no account was asked. */
  account_id: string
  count: number
  /** In centavos. */
  amount: number
}

/** The progress of the index. A process that changes the index has locked all rows. */
export interface IndexProgressRow {
  /**
   * `new`: payments by their codes. `changes`: payments by their notifications. `again`: both, some
   * minutes later.
   */
  name: 'new' | 'changes' | 'again'
  /** A transaction's code for `new`; otherwise a time of the environment's clock. */
  position: number
}

/**
 * The core has the types of its other tables, because the core's archive moves and queries them.
 */
export type PaymentFactsRow = GatewayTables['payment_facts']
export interface PaymentTermRow {
  merchant_id: string
  kind: TermKind
  term: string
  code: number
}

type RoomTables = GatewayTables & {
  readonly daily_figures: DailyFigureRow
  readonly index_progress: IndexProgressRow
}

/**
 * The same connection with the room's own tables: they are in one database, which the gateway
 * migrates.
 */
export function ownTables(db: Connection<GatewayTables>): Connection<RoomTables> {
  return db
}
