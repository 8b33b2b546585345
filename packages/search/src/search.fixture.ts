// A gateway of tests with the room on it.
import type { PaymentListing } from '@cofre/gateway/room'
import { type SearchOptions, createSearch } from './index.js'
import { indexFollows } from './sql/index-follows-sql.js'

/** How the database of a gateway is opened whose payments the room follows. */
export const FOLLOWED = { followers: [indexFollows] } as const

/** What people see of the payments of a gateway of tests. */
export function searchOf(of: {
  readonly parts: SearchOptions
  readonly gateway: { readonly listing: PaymentListing }
}) {
  const { figures, finderOver, work } = createSearch(of.parts)
  return { figures, payments: finderOver(of.gateway.listing), work }
}
