import { ApiError, type Failure, type ListPage, type ListQuery, pages } from '@cofre/contracts'
import type { ToldPause } from '../model/payment-link/card-pause.js'
import type {
  FoundLink,
  LinkState,
  LinkTries,
  ListedLink,
  PaymentLink,
} from '../model/payment-link/payment-link.js'
import { transactionCodeSchema } from '../model/transaction/transaction.js'
import { type RunningPausesDeps, runningPauses } from '../payment/card-pause-service.js'
import {
  type ReadLinkRequestDeps,
  type CreateLinkDeps,
  type FindLinkDeps,
  type FindStoreLinkDeps,
  type LinkWithTries,
  createLink,
  findStoreLink,
  methodsOfStore,
  readLinkRequest,
  revokeLink,
} from '../payment/payment-link-service.js'
import type { LinkLookup, MerchantStore } from '../payment/ports.js'

/** What the people of a store do with its payment links, and nothing of another store. */
export type PaymentLinks = ReturnType<typeof createLinkOrders> &
  ReturnType<typeof createLinkLists> &
  ReturnType<typeof createLinkEnds>

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

/** In an export, of one page. */
const EXPORTED_AT_ONCE = 500

const UNTRIED: LinkTries = { tries: 0, paid: 0 }

export interface PaymentLinksDeps extends CreateLinkDeps, ReadLinkRequestDeps {
  readonly merchants: MerchantStore
}

/** Makes links, as the store's API would. */
export function createLinkOrders(deps: PaymentLinksDeps) {
  return {
    /** The same one, made again by the same, is there. */
    create: (storeId: string, order: LinkOrder) => create(deps, storeId, order),

    /** What the store's links may be paid by. */
    methods: (storeId: string) => methodsOfStore(deps, storeId),
  }
}

export interface CreateLinkListsDeps extends FindStoreLinkDeps, RunningPausesDeps {
  readonly linkLookup: LinkLookup
}

/** Shows the links of a store, and where cards pay them. */
export function createLinkLists(deps: CreateLinkListsDeps) {
  const { cardPauses, clock } = deps
  return {
    /** Newest first. */
    list: (storeId: string, query: LinksQuery) => list(deps, storeId, query),

    /** All of them, page by page. */
    all: (storeId: string, query: Omit<LinksQuery, 'limit'>) =>
      pages(
        (after) => list(deps, storeId, { ...query, after, limit: EXPORTED_AT_ONCE }),
        query.after,
      ),

    /** With its newest tries; undefined when the store has none such. */
    find: (storeId: string, id: string): Promise<LinkWithTries | undefined> =>
      findStoreLink(deps, storeId, id),

    /** The link by which a payment of the store was made. */
    async ofPayment(storeId: string, code: string): Promise<PaymentLink | undefined> {
      const { data } = transactionCodeSchema.safeParse(code)
      return data && (await deps.linkLookup.findByTransaction(storeId, data))
    },

    /** Where cards are paused now, because they are being tested; the newest first. */
    pauses: (storeId: string): Promise<readonly ToldPause[]> => runningPauses(deps, storeId),

    /** Lets cards pay a link again, or {@link ALL_LINKS}; false where they are not paused. */
    liftPause: (storeId: string, linkId: string): Promise<boolean> =>
      cardPauses.lift({ storeId, linkId }, clock.now()),
  }
}

/** Ends the links of a store. */
export function createLinkEnds(deps: FindLinkDeps) {
  return {
    /** One that is revoked stays as it is. */
    async revoke(storeId: string, id: string, actor: string): Promise<'revoked' | 'not-found'> {
      if ((await findStoreLink(deps, storeId, id)) === undefined) return 'not-found'
      await revokeLink(deps, storeId, { id, actor })
      return 'revoked'
    },
  }
}

async function list(
  { clock, linkLookup, paymentLinks }: CreateLinkListsDeps,
  storeId: string,
  query: LinksQuery,
): Promise<ListPage<ListedLink>> {
  const { items, next } = await paymentLinks.listAfter(storeId, { ...query, nowMs: clock.now() })
  const tries = await linkLookup.triesOf(items.map(({ link }) => link.id))
  return { items: items.map((one) => ({ ...UNTRIED, ...tries.get(one.link.id), ...one })), next }
}

async function create(
  deps: PaymentLinksDeps,
  storeId: string,
  { body, actor }: LinkOrder,
): Promise<LinkResult> {
  const merchant = await deps.merchants.find(storeId)
  try {
    if (merchant === undefined) throw new ApiError('payment_link_not_found')
    const request = readLinkRequest(deps, merchant, body)
    return await createLink(deps, merchant, { request, actor, isRetry: true })
  } catch (error) {
    if (error instanceof ApiError) return { failures: error.failures }
    throw error
  }
}
