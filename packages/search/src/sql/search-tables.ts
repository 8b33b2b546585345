import type { GatewayTables } from '@cofre/gateway/room'
import type { Connection } from '@cofre/sql'
import type { FigureName } from '../model/payment-figures.js'
import type { TermKind } from '../model/payment-terms.js'

/** A store's payments of a day, counted. Holds no person. */
export interface DailyFigureRow {
  merchant_id: string
  figure: FigureName
  /** Since 1970, in Brasília. */
  day: number
  method: string
  /** A brand, a reason or a span of time; empty where the figure has none. */
  detail: string
  /** Empty where no account was asked. */
  account_id: string
  count: number
  /** In centavos. */
  amount: number
}

/** How far the index has come. Who changes the index has locked all rows. */
export interface IndexProgressRow {
  /**
   * `new`: payments by their codes. `changes`: by their notifications. `again`: both, some minutes
   * later.
   */
  name: 'new' | 'changes' | 'again'
  /** A transaction's code for `new`, else a time of the environment's clock. */
  position: number
}

/** Its other tables have their types in the core, whose archive moves and asks them. */
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

/** The same, with the room's own tables: they are in one database, and the gateway migrates it. */
export function ownTables(db: Connection<GatewayTables>): Connection<RoomTables> {
  return db
}
