// The stores of links, their tries and paused cards.
import type { ListPage, ListQuery } from '@cofre/contracts'
import type { InLane, IntentPart, Page, RequestNonce, TransactionCode } from '@cofre/gateway/room'
import type { CardPause, CardCapacity, PauseSubject } from './card-pause.js'
import type { FoundTry, LinkTry } from './link-try.js'
import type { FoundLink, LinkConflict, LinkState, LinkTries, PaymentLink } from './payment-link.js'

/** Selects among a store's links. */
export interface LinkFilter {
  readonly reference?: string | undefined
  /** Undefined: links in any state. */
  readonly states?: readonly LinkState[] | undefined
  readonly nowMs: number
}

/** A page by its number, from 1. */
export interface NumberedLinks extends LinkFilter {
  readonly page: number
  readonly pageSize: number
}

/** The actor and time of a revocation. */
export interface Revocation {
  readonly actor: string
  readonly atMs: number
  /** From this time on, a worker reads its open tries; by the machine's clock. */
  readonly machineNowMs: number
  /** The request's nonce, unless it is recorded already. */
  readonly nonce?: RequestNonce | undefined
}

export interface PaymentLinkStore {
  /**
   * Commits a link, unless its reference belongs to another link or a transaction. Of concurrent
   * links with one reference, exactly one is inserted.
   */
  insert(link: PaymentLink, nonce?: RequestNonce): Promise<'inserted' | LinkConflict>
  /** Finds a link of any store. */
  find(id: string, nowMs: number): Promise<FoundLink | undefined>
  findOfStore(storeId: string, id: string, nowMs: number): Promise<FoundLink | undefined>
  findByReference(storeId: string, reference: string, nowMs: number): Promise<FoundLink | undefined>
  /** Newest first, by pages that have numbers. */
  list(storeId: string, query: NumberedLinks): Promise<Page<FoundLink>>
  /** Newest first. */
  listAfter(storeId: string, query: LinkFilter & ListQuery): Promise<ListPage<FoundLink>>
  /**
   * Ends a link: afterwards it opens no try. A revoked link stays as it is. A worker then ends the
   * charges of its open tries.
   */
  revoke(
    storeId: string,
    id: string,
    revocation: Revocation,
  ): Promise<'revoked' | 'not-found' | 'nonce_used'>
}

export interface LinkLookup {
  /** The counts of tries, by the links' ids. */
  triesOf(ids: readonly string[]): Promise<ReadonlyMap<string, LinkTries>>
  /** The link through which a payment was made. */
  findByTransaction(storeId: string, code: TransactionCode): Promise<PaymentLink | undefined>
}

/** A try to be opened. */
export interface NewTry extends Pick<
  LinkTry,
  'id' | 'linkId' | 'formId' | 'method' | 'createdAtMs' | 'pollAtMs'
> {
  /** The shopper's address, as counted by the limits. */
  readonly address: string
}

/**
 * The result of opening. `held`: the link is for one payment, and another try is open.
 * `too-many-cards`: too many of the cards in progress may be declined.
 */
export type OpenedTry =
  | { readonly kind: 'opened'; readonly linkTry: LinkTry }
  | { readonly kind: 'same-form'; readonly tryId: string }
  | { readonly kind: 'held'; readonly by: FoundTry }
  | { readonly kind: 'not-payable'; readonly state: LinkState }
  | { readonly kind: 'not-found' | 'too-many-tries' | 'too-many-open' }
  | { readonly kind: 'too-many-cards' }

/** A worker's request for tries. Times are by the machine's clock. */
export interface TryClaim {
  readonly machineNowMs: number
  readonly limit: number
  /** Accounts whose bank is already being waited for; they are skipped. */
  readonly busy?: readonly string[]
}

export interface LinkTryStore {
  /**
   * Commits a try under the next number of its link, unless a limit forbids it. A link for one
   * payment has at most one open try, and one form opens one try. Both hold, like the limits, for
   * concurrent calls.
   * @param places - For a limited card: the link's places, and those of all links of its store.
   */
  open(order: NewTry, places: readonly CardCapacity[]): Promise<OpenedTry>
  /** Records an intent in its try, with its commit: at most one, while the try is open. */
  intentPart(id: string): IntentPart
  find(linkId: string, id: string): Promise<FoundTry | undefined>
  findByForm(linkId: string, formId: string): Promise<FoundTry | undefined>
  /** The open try of a link for one payment. */
  findHolding(linkId: string): Promise<FoundTry | undefined>
  /** Newest first. */
  ofLink(linkId: string, limit: number): Promise<readonly FoundTry[]>
  /**
   * Ends a try whose transaction has ended, is gone or never existed; no transaction can follow.
   * False, and nothing changed, for any other.
   */
  close(id: string): Promise<boolean>
  /** Claims open tries whose look is due, each for exactly one caller. */
  claim(wanted: TryClaim): Promise<readonly InLane<LinkTry>[]>
}

export interface TryAddresses {
  /** Erases the addresses of ended tries that no limit counts any more, in batches. */
  forget(nowMs: number): Promise<void>
}

export interface CardPauseStore {
  /** The last pause of each subject of a store, running or over. */
  ofStore(storeId: string): Promise<readonly CardPause[]>
  /** The last pause of a link, and the last one of all links of its store. */
  ofLink(subject: PauseSubject): Promise<readonly CardPause[]>
  /**
   * Begins a pause unless one is running; of concurrent callers, exactly one does. Its store is to
   * be notified, unless a notified pause ended lately.
   */
  begin(pause: CardPause, machineNowMs: number): Promise<boolean>
  /** Ends a running pause; false without one. */
  lift(of: PauseSubject, nowMs: number): Promise<boolean>
  /** Claims pauses whose stores are to be notified, each for exactly one caller. */
  claimUnnotified(machineNowMs: number, limit: number): Promise<readonly CardPause[]>
  /** Records that the store was notified. */
  markNotified(pause: CardPause): Promise<void>
}

/** The counted subject: a link, or all links of a store. */
export interface CountedCards extends PauseSubject {
  readonly sinceMs: number
}

/** A payer as named in a request. */
export interface PayingPayer {
  readonly storeId: string
  readonly document: string
  readonly email: string
  readonly paidBeforeMs: number
}

/** Counts the answers to cards at links. */
export interface CardCounts {
  countDeclines(of: CountedCards): Promise<number>
  /** True if at least this number of cards was approved. */
  hasApprovals(of: CountedCards, count: number): Promise<boolean>
  /** True if a payer with that document and e-mail paid the store before a time. */
  hasPaid(payer: PayingPayer): Promise<boolean>
}
