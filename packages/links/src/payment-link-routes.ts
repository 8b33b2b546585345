import {
  type LinkBody,
  type LinkElement,
  type LinkListBody,
  type LinkRequest,
  type LinkTryElement,
  type LinkWithTriesBody,
  linkRequestTable,
} from '@cofre/contracts'
import type { Hono } from 'hono'
import {
  type GatewayEnv,
  type Merchant,
  type Parameters,
  type RoomServing,
  formatTimestamp,
  jsonAmount,
  jsonResponse,
  readJson,
  timestampOrNull,
} from '@cofre/gateway/room'
import { LINK_PARAMETERS, LINK_STATUS } from './model/link-query.js'
import type { FoundTry } from './model/link-try.js'
import { type FoundLink, linkPath } from './model/payment-link.js'
import type { LinkWithTries } from './model/payment-links.js'
import type { LinkCreation, LinkPage, LinkRevocation } from './store-links.js'

/** The operations of a store's API on its links. Each throws ApiError for a refusal. */
export interface LinkCalls {
  read(json: unknown, merchant: Merchant): LinkRequest
  create(merchant: Merchant, creation: Omit<LinkCreation, 'actor'>): Promise<FoundLink>
  list(merchant: Merchant, query: Parameters): Promise<LinkPage>
  find(merchant: Merchant, id: string): Promise<LinkWithTries>
  revoke(merchant: Merchant, revocation: Omit<LinkRevocation, 'actor'>): Promise<FoundLink>
}

/** `/payment-links`, as the API of a store serves it. */
export function addPaymentLinkRoutes(
  app: Hono<GatewayEnv>,
  { publicUrl, signed }: RoomServing,
  links: LinkCalls,
): void {
  const creation = signed({
    scope: 'configure',
    version: 'v2',
    checks: ['content-type'],
    body: linkRequestTable,
  })
  const lookUp = { scope: 'read', version: 'v1', checks: ['accept-language'] } as const

  app.post('/payment-links', creation, async (context) => {
    const merchant = context.get('merchant')
    const json = await readJson(context, 'payment_link_invalid')
    const found = await links.create(merchant, {
      request: links.read(json, merchant),
      isRetry: context.get('isRetry'),
      nonce: context.get('nonce'),
    })
    const headers = { Location: `/payment-links/${found.link.id}` }
    return jsonResponse(context, linkBody(found, publicUrl), { status: 201, headers })
  })

  const list = signed({ ...lookUp, query: LINK_PARAMETERS })
  app.get('/payment-links', list, async (context) => {
    const page = await links.list(context.get('merchant'), context.req.query())
    return jsonResponse(context, listBody(page, publicUrl))
  })

  app.get('/payment-links/:code', signed(lookUp), async (context) => {
    const found = await links.find(context.get('merchant'), context.req.param('code'))
    return jsonResponse(context, linkWithTriesBody(found, publicUrl))
  })

  // Not DELETE: the signature of the specification does not cover the method.
  const revocation = signed({ scope: 'configure', version: 'v2', checks: [] })
  app.post('/payment-links/:code/revocations', revocation, async (context) => {
    const found = await links.revoke(context.get('merchant'), {
      id: context.req.param('code'),
      nonce: context.get('nonce'),
    })
    return jsonResponse(context, linkBody(found, publicUrl))
  })
}

function linkBody(found: FoundLink, publicUrl: string): LinkBody {
  return { 'payment-link': linkElement(found, publicUrl) }
}

function linkWithTriesBody(found: LinkWithTries, publicUrl: string): LinkWithTriesBody {
  const tries = found.tries.flatMap((one) => tryElement(one) ?? [])
  return { 'payment-link': { ...linkElement(found, publicUrl), tries } }
}

function listBody({ items, found, page, pageSize }: LinkPage, publicUrl: string): LinkListBody {
  return {
    'payment-links': items.map((item) => linkElement(item, publicUrl)),
    metadata: {
      found: String(found),
      'page-results': items.length,
      'current-page': page,
      'total-pages': Math.ceil(found / pageSize),
    },
  }
}

/** @param publicUrl - Origin at which payers reach this environment. */
function linkElement({ link, state }: FoundLink, publicUrl: string): LinkElement {
  const { expiresAtMs, isCapturedLater, metadata, revokedAtMs, successUrl } = link
  return {
    code: link.id,
    url: publicUrl + linkPath(link.id),
    reference: link.reference,
    amount: jsonAmount(link.amountMinor),
    currency: 'BRL',
    description: link.description,
    methods: [...link.methods],
    ...(isCapturedLater && { capture: false as const }),
    usage: link.usage,
    installments: link.installments,
    language: link.language,
    ...(successUrl !== undefined && { 'success-url': successUrl }),
    'notification-url': link.notificationUrl,
    ...(metadata !== undefined && { metadata: { ...metadata } }),
    status: LINK_STATUS[state],
    'expires-at': timestampOrNull(expiresAtMs),
    'date-created': formatTimestamp(link.createdAtMs),
    'date-revoked': timestampOrNull(revokedAtMs),
  }
}

/** A try without a transaction has nothing for the shop to look up. */
function tryElement({ linkTry, transaction }: FoundTry): LinkTryElement | undefined {
  if (transaction === undefined) return undefined
  return {
    'transaction-code': String(transaction.code),
    reference: linkTry.reference,
    method: linkTry.method,
    status: transaction.status,
    'date-created': formatTimestamp(transaction.createdAtMs),
  }
}
