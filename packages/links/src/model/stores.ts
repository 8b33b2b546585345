// What is kept of links, their tries and paused cards, and how it is read.
import type { ListPage, ListQuery } from '@cofre/contracts'
import type { InLane, IntentPart, Page, RequestNonce, TransactionCode } from '@cofre/gateway/room'
import type { CardPause, CardPlaces, PauseSubject } from './card-pause.js'
import type { FoundTry, LinkTry } from './link-try.js'
import type { FoundLink, LinkConflict, LinkState, LinkTries, PaymentLink } from './payment-link.js'

/** Which of a store's links. */
export interface LinkFilter {
  readonly reference?: string | undefined
  readonly state?: LinkState | undefined
  readonly nowMs: number
}

/** A page by its number, from 1. */
export interface NumberedLinks extends LinkFilter {
  readonly page: number
  readonly pageSize: number
}

/** Who revokes a link, and when. */
export interface Revocation {
  readonly actor: string
  readonly atMs: number
  /** A worker looks at its open tries from then on; by the machine's clock. */
  readonly machineNowMs: number
  /** Of the request, unless it is kept already. */
  readonly nonce?: RequestNonce | undefined
}

export interface PaymentLinkStore {
  /**
   * Commits a link, unless its reference is another link's or a transaction's. Of concurrent ones
   * with one reference exactly one is inserted.
   */
  insert(link: PaymentLink, nonce?: RequestNonce): Promise<'inserted' | LinkConflict>
  /** Of any store. */
  find(id: string, nowMs: number): Promise<FoundLink | undefined>
  findOfStore(storeId: string, id: string, nowMs: number): Promise<FoundLink | undefined>
  findByReference(storeId: string, reference: string, nowMs: number): Promise<FoundLink | undefined>
  /** Newest first, by pages that have numbers. */
  list(storeId: string, query: NumberedLinks): Promise<Page<FoundLink>>
  /** Newest first. */
  listAfter(storeId: string, query: LinkFilter & ListQuery): Promise<ListPage<FoundLink>>
  /**
   * Ends a link: from then on it opens no try. One that is revoked stays as it is. A worker ends
   * what its open tries wait for.
   */
  revoke(
    storeId: string,
    id: string,
    revocation: Revocation,
  ): Promise<'revoked' | 'not-found' | 'nonce_used'>
}

export interface LinkLookup {
  /** By the links' ids. */
  triesOf(ids: readonly string[]): Promise<ReadonlyMap<string, LinkTries>>
  /** The link by which a payment was made. */
  findByTransaction(storeId: string, code: TransactionCode): Promise<PaymentLink | undefined>
}

/** A try that is to be opened. */
export interface NewTry extends Pick<
  LinkTry,
  'id' | 'linkId' | 'formId' | 'method' | 'createdAtMs' | 'lookAtMs'
> {
  /** The shopper's, as limits count it. */
  readonly address: string
}

/**
 * What came of it. `held`: the link is used once, and another try is open. `too-many-cards`: of
 * those under way, too many may be declined.
 */
export type OpenedTry =
  | { readonly kind: 'opened'; readonly linkTry: LinkTry }
  | { readonly kind: 'same-form'; readonly tryId: string }
  | { readonly kind: 'held'; readonly by: FoundTry }
  | { readonly kind: 'not-payable'; readonly state: LinkState }
  | { readonly kind: 'not-found' | 'too-many-tries' | 'too-many-open' }
  | { readonly kind: 'too-many-cards' }

/** What a worker that looks at tries wants; times by the machine's clock. */
export interface TryClaim {
  readonly machineNowMs: number
  readonly limit: number
  /** Accounts whose bank is waited for already: none of theirs. */
  readonly busy?: readonly string[]
}

export interface LinkTryStore {
  /**
   * Commits a try under the next number of its link, unless something stands in its way. Of
   * concurrent tries at one link that is used once, at most one is open; the limits hold, however
   * many are opened at once; and one form opens one try.
   * @param places - Of a card that is limited: of its link, and of all links of its store.
   */
  open(order: NewTry, places: readonly CardPlaces[]): Promise<OpenedTry>
  /** Notes an intent in the try, with its commit: at most one, while the try is open. */
  intentPart(id: string): IntentPart
  find(linkId: string, id: string): Promise<FoundTry | undefined>
  findByForm(linkId: string, formId: string): Promise<FoundTry | undefined>
  /** The open try of a link that is used once. */
  findHolding(linkId: string): Promise<FoundTry | undefined>
  /** Newest first. */
  ofLink(linkId: string, limit: number): Promise<readonly FoundTry[]>
  /**
   * Ends a try whose transaction has ended, is gone, or was never there: then no transaction comes
   * of it any more. False, and nothing changed, for any other.
   */
  close(id: string): Promise<boolean>
  /** Takes open tries that are due to be looked at, each given to exactly one caller. */
  claim(wanted: TryClaim): Promise<readonly InLane<LinkTry>[]>
}

export interface TryAddresses {
  /** Forgets the addresses of ended tries that do not count any more, some at a time. */
  forget(nowMs: number): Promise<void>
}

export interface CardPauseStore {
  /** The last pause of each subject of a store, whether it is over or not. */
  ofStore(storeId: string): Promise<readonly CardPause[]>
  /** The last one of a link, and the last one of all links of its store. */
  ofLink(subject: PauseSubject): Promise<readonly CardPause[]>
  /**
   * Begins a pause where none goes on; of concurrent callers exactly one does. Its store is to be
   * told, unless it was told of one that ended lately.
   */
  begin(pause: CardPause, machineNowMs: number): Promise<boolean>
  /** Ends a pause that goes on; false where none does. */
  lift(of: PauseSubject, nowMs: number): Promise<boolean>
  /** Takes pauses that their stores are to be told of, each given to exactly one caller. */
  claimUntold(machineNowMs: number, limit: number): Promise<readonly CardPause[]>
  /** Notes that the store was told. */
  told(pause: CardPause): Promise<void>
}

/** What is counted of a link, or of all links of a store. */
export interface CountedCards extends PauseSubject {
  readonly sinceMs: number
}

/** A payer as a request names one. */
export interface PayingPayer {
  readonly storeId: string
  readonly document: string
  readonly email: string
  readonly paidBeforeMs: number
}

/** How cards were answered at links. */
export interface CardCounts {
  countDeclines(of: CountedCards): Promise<number>
  /** Whether so many cards were approved. */
  hasApprovals(of: CountedCards, count: number): Promise<boolean>
  /** Whether somebody of that document and e-mail paid the store before a time. */
  hasPaid(payer: PayingPayer): Promise<boolean>
}
