import {
  type LinkBody,
  type LinkElement,
  type LinkListBody,
  type LinkTryElement,
  type LinkWithTriesBody,
  linkRequestTable,
} from '@cofre/contracts'
import type { Hono } from 'hono'
import { formatTimestamp } from '../../model/calendar/brazilian-calendar.js'
import { LINK_PARAMETERS, LINK_STATUS } from '../../model/payment-link/link-query.js'
import type { FoundTry } from '../../model/payment-link/link-try.js'
import { type FoundLink, linkPath } from '../../model/payment-link/payment-link.js'
import type { LinkPage, LinkWithTries } from '../../payment/payment-link-service.js'
import type { RouteDeps } from '../gateway-api.js'
import { jsonAmount, jsonResponse } from '../request/json-response.js'
import { type GatewayEnv, readJson, signedInterface } from '../request/signed-request.js'

export function addPaymentLinkRoutes(app: Hono<GatewayEnv>, deps: RouteDeps): void {
  const { api, publicUrl } = deps
  const creation = signedInterface(deps, {
    version: 'v2',
    checks: ['content-type'],
    body: linkRequestTable,
  })
  const lookUp = { version: 'v1', checks: ['accept-language'] } as const

  app.post('/payment-links', creation, async (context) => {
    const merchant = context.get('merchant')
    const json = await readJson(context, 'payment_link_invalid')
    const found = await api.createLink(merchant, {
      request: api.readLinkRequest(json, merchant),
      isRetry: context.get('isRetry'),
      nonce: context.get('nonce'),
    })
    const headers = { Location: `/payment-links/${found.link.id}` }
    return jsonResponse(context, linkBody(found, publicUrl), { status: 201, headers })
  })

  const list = signedInterface(deps, { ...lookUp, query: LINK_PARAMETERS })
  app.get('/payment-links', list, async (context) => {
    const page = await api.listLinks(context.get('merchant'), context.req.query())
    return jsonResponse(context, listBody(page, publicUrl))
  })

  app.get('/payment-links/:code', signedInterface(deps, lookUp), async (context) => {
    const found = await api.findLink(context.get('merchant'), context.req.param('code'))
    return jsonResponse(context, linkWithTriesBody(found, publicUrl))
  })

  // Not DELETE: the signature of the specification does not cover the method.
  const revocation = signedInterface(deps, { version: 'v2', checks: [] })
  app.post('/payment-links/:code/revocations', revocation, async (context) => {
    const found = await api.revokeLink(context.get('merchant'), {
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
  const { expiresAtMs, revokedAtMs, successUrl } = link
  return {
    code: link.id,
    url: publicUrl + linkPath(link.id),
    reference: link.reference,
    amount: jsonAmount(link.amountMinor),
    currency: 'BRL',
    description: link.description,
    methods: [...link.methods],
    usage: link.usage,
    installments: link.installments,
    language: link.language,
    ...(successUrl !== undefined && { 'success-url': successUrl }),
    'notification-url': link.notificationUrl,
    status: LINK_STATUS[state],
    'expires-at': expiresAtMs === undefined ? null : formatTimestamp(expiresAtMs),
    'date-created': formatTimestamp(link.createdAtMs),
    'date-revoked': revokedAtMs === undefined ? null : formatTimestamp(revokedAtMs),
  }
}

/** Of a try that came to nothing, a shop has nothing to look up. */
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
