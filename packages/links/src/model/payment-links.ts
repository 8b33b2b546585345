import type { Failure, ListPage, ListQuery } from '@cofre/contracts'
import type { ToldPause } from './card-pause.js'
import type { FoundTry } from './link-try.js'
import type { FoundLink, LinkState, ListedLink, PaymentLink } from './payment-link.js'

/** A link with its newest tries. */
export interface LinkWithTries extends FoundLink {
  readonly tries: readonly FoundTry[]
}

/** A link as somebody asks for it. */
export interface LinkOrder {
  /** As the body of `POST /payment-links`. */
  readonly body: unknown
  /** Who asks for it: `person:…`. */
  readonly actor: string
}

/** What came of it: the failures are those that the API would answer. */
export type LinkResult =
  | { readonly link: FoundLink['link'] }
  | { readonly failures: readonly Failure[] }

export interface LinksQuery extends ListQuery {
  readonly state?: LinkState | undefined
}

/** Makes links, as the store's API would. */
export interface LinkOrders {
  /** The same one, made again by the same, is there. */
  create(storeId: string, order: LinkOrder): Promise<LinkResult>
  /** What the store's links may be paid by. */
  methods(storeId: string): Promise<readonly string[]>
}

/** Shows the links of a store, and where cards pay them. */
export interface LinkLists {
  /** Newest first. */
  list(storeId: string, query: LinksQuery): Promise<ListPage<ListedLink>>
  /** All of them, page by page. */
  all(storeId: string, query: Omit<LinksQuery, 'limit'>): AsyncGenerator<ListedLink, void>
  /** With its newest tries; undefined when the store has none such. */
  find(storeId: string, id: string): Promise<LinkWithTries | undefined>
  /** The link by which a payment of the store was made. */
  ofPayment(storeId: string, code: string): Promise<PaymentLink | undefined>
  /** Where cards are paused now, because they are being tested; the newest first. */
  pauses(storeId: string): Promise<readonly ToldPause[]>
  /** Lets cards pay a link again, or {@link ALL_LINKS}; false where they are not paused. */
  liftPause(storeId: string, linkId: string): Promise<boolean>
}

/** What the people of a store do with its payment links, and nothing of another store. */
export interface PaymentLinks extends LinkOrders, LinkLists {
  /** Ends a link. One that is revoked stays as it is. */
  revoke(storeId: string, id: string, actor: string): Promise<'revoked' | 'not-found'>
}
