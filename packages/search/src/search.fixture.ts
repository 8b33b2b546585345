// A test gateway with the room.
import type { PaymentListing } from '@cofre/gateway/room'
import { type SearchOptions, createSearch } from './index.js'
import { indexFollows } from './sql/index-follows-sql.js'

/** The options of a gateway's database whose payments the room follows. */
export const FOLLOWED = { followers: [indexFollows] } as const

/** The search of a test gateway's payments. */
export function searchOf(of: {
  readonly parts: SearchOptions
  readonly gateway: { readonly listing: PaymentListing }
}) {
  const { figures, finderOver, work } = createSearch(of.parts)
  return { figures, payments: finderOver(of.gateway.listing), work }
}
