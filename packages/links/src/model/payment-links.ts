import type { Failure, ListPage, ListQuery } from '@cofre/contracts'
import type { NotifiedPause } from './card-pause.js'
import type { FoundTry } from './link-try.js'
import type { FoundLink, LinkState, ListedLink, PaymentLink } from './payment-link.js'

/** A link with its newest tries. */
export interface LinkWithTries extends FoundLink {
  readonly tries: readonly FoundTry[]
}

/** A request for a link. */
export interface LinkOrder {
  /** The body of `POST /payment-links`. */
  readonly body: unknown
  /** The requesting actor: `person:…`. */
  readonly actor: string
}

/** The created link, or the failures that the API would answer. */
export type LinkResult =
  | { readonly link: FoundLink['link'] }
  | { readonly failures: readonly Failure[] }

export interface LinksQuery extends ListQuery {
  readonly states?: readonly LinkState[] | undefined
}

/** Creates links, like the store's API. */
export interface LinkOrders {
  /** A repeated creation by the same actor returns the existing link. */
  create(storeId: string, order: LinkOrder): Promise<LinkResult>
  /** The methods that may pay the store's links. */
  methods(storeId: string): Promise<readonly string[]>
}

/** Lists the links of a store, and the pauses of cards. */
export interface LinkLists {
  /** Newest first. */
  list(storeId: string, query: LinksQuery): Promise<ListPage<ListedLink>>
  /** All of them, page by page. */
  all(storeId: string, query: Omit<LinksQuery, 'limit'>): AsyncGenerator<ListedLink, void>
  /** A link with its newest tries; undefined if the store has no such link. */
  find(storeId: string, id: string): Promise<LinkWithTries | undefined>
  /** The link through which a payment of the store was made. */
  ofPayment(storeId: string, code: string): Promise<PaymentLink | undefined>
  /** The running pauses of cards under test, newest first. */
  pauses(storeId: string): Promise<readonly NotifiedPause[]>
  /** Lets cards pay a link again, or {@link ALL_LINKS}; false if they are not paused. */
  liftPause(storeId: string, linkId: string): Promise<boolean>
}

/** The links of a store, for its staff; other stores' links are out of reach. */
export interface PaymentLinks extends LinkOrders, LinkLists {
  /** Ends a link. A revoked link stays as it is. */
  revoke(storeId: string, id: string, actor: string): Promise<'revoked' | 'not-found'>
}
