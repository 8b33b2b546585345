import type { Clock, Log } from '@cofre/contracts'
import type { AddRoomRoutes, GatewayTables, RoomPayments } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { type DueWork, inLanes } from '@cofre/work'
import { createCardGate, notifyOfPauses } from './card-pauses.js'
import { createLinkActs } from './link-acts.js'
import type { PaymentLinks } from './model/payment-links.js'
import { type GivenOrder, readOrder } from './link-order.js'
import { payLink } from './link-payment.js'
import type { LinkRules, PauseReports, RandomBelow } from './model/link-rules.js'
import type { FoundTry } from './model/link-try.js'
import type { PaymentLink } from './model/payment-link.js'
import type { PaymentPage } from './model/payment-page.js'
import { endOpenTry, pollLinkTries } from './open-tries.js'
import { type LinkCalls, addPaymentLinkRoutes } from './payment-link-routes.js'
import { createPaymentPage } from './shown-page.js'
import { storesOf } from './sql/stores-sql.js'
import { createLink, findLink, listLinks, readLinkRequest, revokeLink } from './store-links.js'
import { type JudgedOrder, openTry } from './try-opening.js'

/** The dependencies of payment links. */
export interface LinksOptions {
  /** The database of an environment's gateway. */
  readonly database: Database<GatewayTables>
  /** The environment's time. */
  readonly clock: Clock
  readonly machineClock: Clock
  readonly randomBelow: RandomBelow
  readonly log: Log
  /** The payments of the same gateway. */
  readonly payments: RoomPayments
  readonly rules: LinkRules
  readonly reports: PauseReports
}

/** The payment links of an environment, and their payment page. */
export interface LinksRoom {
  /** For the people of a store. */
  readonly paymentLinks: PaymentLinks
  /** For payers. */
  readonly paymentPage: PaymentPage
  /** For the API of stores. */
  readonly routes: AddRoomRoutes
  /** For the worker. */
  readonly work: readonly DueWork<LinkWork>[]
}

type LinkWork = 'addresses at links' | 'pauses of cards' | 'tries at links'

/** Work that can wait polls the database less often. */
const EVERY_MS = 1000

export function createLinks(options: LinksOptions): LinksRoom {
  const parts = linkParts(options)
  return {
    paymentLinks: createLinkActs(parts),
    paymentPage: createPaymentPage({
      ...parts,
      pay: (linkId, order) => payLink(parts, linkId, order),
    }),
    routes(app, serving) {
      addPaymentLinkRoutes(app, serving, callsOf(parts))
    },
    work: workOf(parts),
  }
}

/** Binds the use cases that other use cases depend on, for {@link createLinks} and for tests. */
export function linkParts(options: LinksOptions) {
  const base = { ...options, ...storesOf(options.database) }
  const opening = {
    ...base,
    cardGate: createCardGate(base),
    endOpenTry: (held: FoundTry) => endOpenTry(base, held),
  }
  return {
    ...base,
    openTry: (link: PaymentLink, judged: JudgedOrder) => openTry(opening, link, judged),
    readOrder: (link: PaymentLink, order: GivenOrder) => readOrder(base, link, order),
  }
}

type LinkParts = ReturnType<typeof linkParts>

/** The actor of links that a store creates through its API. */
const BY_API = { actor: 'api' } as const

function callsOf(parts: LinkParts): LinkCalls {
  return {
    read: (json, merchant) => readLinkRequest(parts, merchant, json),
    create: (merchant, creation) => createLink(parts, merchant, { ...creation, ...BY_API }),
    list: (merchant, query) => listLinks(parts, merchant.id, query),
    find: (merchant, id) => findLink(parts, merchant.id, id),
    revoke: (merchant, revocation) => revokeLink(parts, merchant.id, { ...revocation, ...BY_API }),
  }
}

function workOf(parts: LinkParts): LinksRoom['work'] {
  const { clock, tryAddresses } = parts
  return [
    inLanes({
      name: 'tries at links',
      everyMs: EVERY_MS,
      run: (lanes) => pollLinkTries(parts, lanes),
    }),
    { name: 'pauses of cards', everyMs: EVERY_MS, run: () => notifyOfPauses(parts) },
    {
      name: 'addresses at links',
      everyMs: EVERY_MS,
      run: () => tryAddresses.forget(clock.now()),
    },
  ]
}
