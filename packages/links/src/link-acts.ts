import { ApiError, type Failure, type ListPage, type ListQuery, pages } from '@cofre/contracts'
import { type RoomPayments, transactionCodeSchema } from '@cofre/gateway/room'
import type { ToldPause } from './model/card-pause.js'
import type {
  FoundLink,
  LinkState,
  LinkTries,
  ListedLink,
  PaymentLink,
} from './model/payment-link.js'
import { type RunningPausesDeps, runningPauses } from './card-pauses.js'
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
} from './store-links.js'
import type { CardPauseStore, LinkLookup } from './model/stores.js'

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

/** Makes links, as the store's API would. */
interface LinkOrders {
  /** The same one, made again by the same, is there. */
  create(storeId: string, order: LinkOrder): Promise<LinkResult>
  /** What the store's links may be paid by. */
  methods(storeId: string): Promise<readonly string[]>
}

/** Shows the links of a store, and where cards pay them. */
interface LinkLists {
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

interface LinkOrdersDeps extends CreateLinkDeps, ReadLinkRequestDeps {
  readonly payments: RoomPayments
}

interface LinkListsDeps extends FindStoreLinkDeps, RunningPausesDeps {
  readonly linkLookup: LinkLookup
  readonly cardPauses: CardPauseStore
}

export interface LinkActsDeps extends LinkOrdersDeps, LinkListsDeps, FindLinkDeps {}

export function createLinkActs(deps: LinkActsDeps): PaymentLinks {
  const { cardPauses, clock } = deps
  return {
    create: (storeId, order) => create(deps, storeId, order),
    methods: (storeId) => methodsOfStore(deps, storeId),
    list: (storeId, query) => list(deps, storeId, query),
    all: (storeId, query) =>
      pages(
        (after) => list(deps, storeId, { ...query, after, limit: EXPORTED_AT_ONCE }),
        query.after,
      ),
    find: (storeId, id) => findStoreLink(deps, storeId, id),
    async ofPayment(storeId, code) {
      const { data } = transactionCodeSchema.safeParse(code)
      return data && (await deps.linkLookup.findByTransaction(storeId, data))
    },
    pauses: (storeId) => runningPauses(deps, storeId),
    liftPause: (storeId, linkId) => cardPauses.lift({ storeId, linkId }, clock.now()),
    async revoke(storeId, id, actor) {
      if ((await findStoreLink(deps, storeId, id)) === undefined) return 'not-found'
      await revokeLink(deps, storeId, { id, actor })
      return 'revoked'
    },
  }
}

async function list(
  { clock, linkLookup, paymentLinks }: LinkListsDeps,
  storeId: string,
  query: LinksQuery,
): Promise<ListPage<ListedLink>> {
  const { items, next } = await paymentLinks.listAfter(storeId, { ...query, nowMs: clock.now() })
  const tries = await linkLookup.triesOf(items.map(({ link }) => link.id))
  return { items: items.map((one) => ({ ...UNTRIED, ...tries.get(one.link.id), ...one })), next }
}

async function create(
  deps: LinkOrdersDeps,
  storeId: string,
  { body, actor }: LinkOrder,
): Promise<LinkResult> {
  const merchant = await deps.payments.findStore(storeId)
  try {
    if (merchant === undefined) throw new ApiError('payment_link_not_found')
    const request = readLinkRequest(deps, merchant, body)
    return await createLink(deps, merchant, { request, actor, isRetry: true })
  } catch (error) {
    if (error instanceof ApiError) return { failures: error.failures }
    throw error
  }
}
