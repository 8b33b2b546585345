// Finds payments for the people of a store, and counts them.
import type { Clock } from '@cofre/contracts'
import type { AddRoomRoutes, GatewayTables, PaymentListing } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import type { DueWork } from '@cofre/work'
import { paymentListRoutes } from './api/payment-list-routes.js'
import { createFigures } from './figures.js'
import type { PaymentFinder } from './model/payment-query.js'
import type { Figures } from './model/store-figures.js'
import { createPaymentFinder } from './payment-finder.js'
import { indexPayments } from './search-index.js'
import { storesOf } from './sql/stores-sql.js'

export { indexFollows } from './sql/index-follows-sql.js'
export { unindexPayers } from './sql/payment-index-sql.js'
export {
  type ListedPayment,
  type NamedPayer,
  PAYMENTS_A_PAGE,
  type PaymentChoices,
  type PaymentFilters,
  type PaymentFinder,
  type PaymentPage,
  type PaymentQuery,
  type PaymentSort,
  PAYMENT_SORTS,
} from './model/payment-query.js'
export type {
  ApprovalRate,
  ComparedFigures,
  Conversion,
  CountedFigure,
  DayTally,
  Figures,
  FiguresPeriod,
  StoreFigures,
  Tally,
} from './model/store-figures.js'
export { FIGURES, PAID_WITHIN, type FigureName } from './model/payment-figures.js'

export interface SearchOptions {
  /** The database of an environment's gateway, opened with {@link indexFollows}. */
  readonly database: Database<GatewayTables>
  /** The environment's time. */
  readonly clock: Clock
  readonly machineClock: Clock
}

/** Search and figures of the payments of an environment. */
export interface SearchRoom {
  /** For the people of a store. */
  readonly figures: Figures
  /** For the people of a store, over the payments that the environment's gateway lists. */
  readonly finderOver: (listing: PaymentListing) => PaymentFinder
  /** For the API of stores. */
  readonly routesOver: (listing: PaymentListing) => AddRoomRoutes
  /** For the environment's worker. */
  readonly work: readonly DueWork<'search index'>[]
}

const EVERY_MS = 250

export function createSearch({ database, clock, machineClock }: SearchOptions): SearchRoom {
  const { figures, paymentSearch, searchIndex } = storesOf(database)
  const finderOver = (listing: PaymentListing) =>
    createPaymentFinder({ clock, listing, paymentSearch, searchIndex })
  return {
    figures: createFigures({ clock, figures }),
    finderOver,
    routesOver: (listing) => paymentListRoutes({ finder: finderOver(listing), listing }),
    work: [
      {
        name: 'search index',
        everyMs: EVERY_MS,
        run: ({ signal }) => indexPayments({ clock, machineClock, searchIndex }, signal),
      },
    ],
  }
}
