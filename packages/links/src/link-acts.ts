import { ApiError, type ListPage, pages } from '@cofre/contracts'
import { type RoomPayments, transactionCodeSchema } from '@cofre/gateway/room'
import type { LinkTries, ListedLink } from './model/payment-link.js'
import { type RunningPausesDeps, runningPauses } from './card-pauses.js'
import {
  type ReadLinkRequestDeps,
  type CreateLinkDeps,
  type FindLinkDeps,
  type FindStoreLinkDeps,
  createLink,
  findStoreLink,
  methodsOfStore,
  readLinkRequest,
  revokeLink,
} from './store-links.js'
import type { LinkOrder, LinkResult, LinksQuery, PaymentLinks } from './model/payment-links.js'
import type { CardPauseStore, LinkLookup } from './model/stores.js'

/** The page size of an export. */
const EXPORTED_AT_ONCE = 500

const UNTRIED: LinkTries = { tries: 0, paid: 0 }

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
