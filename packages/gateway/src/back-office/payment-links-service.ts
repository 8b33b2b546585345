import { ApiError, type Failure } from '@cofre/contracts'
import type { Page, PageQuery } from '../model/back-office/back-office.js'
import type { FoundLink, LinkState } from '../model/payment-link/payment-link.js'
import type { GatewayDeps } from '../payment/gateway-deps.js'
import {
  type LinkWithTries,
  createLink,
  findStoreLink,
  readLinkRequest,
  revokeLink,
} from '../payment/payment-link-service.js'

/** What the people of a store do with its payment links, and nothing of another store. */
export type PaymentLinks = ReturnType<typeof createPaymentLinks>

/** A link as somebody asks for it. */
export interface LinkOrder {
  /** As the body of `POST /payment-links`. */
  readonly body: unknown
  /** Who asks for it: `person:…`. */
  readonly actor: string
}

/** What came of it: the failures are those that the API would answer. */
export type LinkResult =
  { readonly link: FoundLink['link'] } | { readonly failures: readonly Failure[] }

export function createPaymentLinks(deps: GatewayDeps) {
  const { clock, paymentLinks } = deps
  return {
    /** Makes a link, as the store's API would. The same one, made again by the same, is there. */
    create: (storeId: string, order: LinkOrder) => create(deps, storeId, order),

    /** Newest first. */
    list: (
      storeId: string,
      query: PageQuery & { readonly state?: LinkState | undefined },
    ): Promise<Page<FoundLink>> =>
      paymentLinks.list(storeId, { state: undefined, ...query, nowMs: clock.now() }),

    /** With its newest tries; undefined when the store has none such. */
    find: (storeId: string, id: string): Promise<LinkWithTries | undefined> =>
      findStoreLink(deps, storeId, id),

    /** Ends a link; one that is revoked stays as it is. */
    async revoke(storeId: string, id: string, actor: string): Promise<'revoked' | 'not-found'> {
      if ((await findStoreLink(deps, storeId, id)) === undefined) return 'not-found'
      await revokeLink(deps, storeId, { id, actor })
      return 'revoked'
    },
  }
}

async function create(
  deps: GatewayDeps,
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
