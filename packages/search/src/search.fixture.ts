// A test gateway with the room.
import type { PaymentListing } from '@cofre/gateway/room'
import { type GatewayParts, gatewayOf } from '../../gateway/src/create-gateway.js'
import type { TestOptions } from '../../gateway/src/gateway.fixture.js'
import { type SearchOptions, createSearch } from './index.js'
import { indexFollows } from './sql/index-follows-sql.js'

/** The options of a gateway's database whose payments the room follows. */
export const FOLLOWED = { followers: [indexFollows] } as const

/** For a gateway that serves the interfaces of the room. */
export const servesSearch = {
  roomsOn: (parts: GatewayParts) => [createSearch(parts).routesOver(gatewayOf(parts).listing)],
} satisfies TestOptions

/** The search of a test gateway's payments. */
export function searchOf(of: {
  readonly parts: SearchOptions
  readonly gateway: { readonly listing: PaymentListing }
}) {
  const { figures, finderOver, work } = createSearch(of.parts)
  return { figures, payments: finderOver(of.gateway.listing), work }
}
