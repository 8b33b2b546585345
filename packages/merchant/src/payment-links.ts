import type { LinkElement, LinkListBody, LinkWithTriesBody } from '@cofre/contracts'
import {
  keyOf,
  membersOf,
  queryText,
  refuseMisplaced,
  requireCode,
  requireObject,
  requireText,
  requireTime,
} from './arguments.js'
import { referenceOfKey } from './machine.js'
import type { CreateOptions, CreatePaymentLinkRequest, PaymentLinkQuery } from './request.js'
import * as responses from './response.js'
import type { ResponseGuard } from './response.js'
import type { SignedRequest } from './signed-channel.js'

/** Links to the service's own page, at which shoppers pay the store. */
export interface PaymentLinkCalls {
  /** Creates a link; the shopper pays at its `url`. */
  createPaymentLink(link: CreatePaymentLinkRequest, options?: CreateOptions): Promise<LinkElement>
  /**
   * A link with its transactions.
   * @throws MerchantApiError with status 404 if there is no such link
   */
  findPaymentLink(code: string): Promise<LinkWithTriesBody['payment-link']>
  /** One page of the links, newest first. */
  listPaymentLinks(query?: PaymentLinkQuery): Promise<LinkListBody>
  /** All links, page after page; each page is requested when it is needed. */
  allPaymentLinks(query?: PaymentLinkQuery): AsyncGenerator<LinkElement, void, undefined>
  /** Ends a link permanently; a revoked one stays as it is. */
  revokePaymentLink(code: string, options?: CreateOptions): Promise<LinkElement>
}

export type Get = <Body>(target: string, isExpected: ResponseGuard<Body>) => Promise<Body>

/** The functions that send requests. */
export interface Calls {
  readonly get: Get
  readonly create: <Body>(request: Omit<SignedRequest<Body>, 'version'>) => Promise<Body>
  /** Draws an idempotency key. */
  readonly drawn: () => string
}

const LINK_FIELDS: Readonly<Record<keyof CreatePaymentLinkRequest, true>> = {
  reference: true,
  amount: true,
  description: true,
  methods: true,
  capture: true,
  usage: true,
  installments: true,
  'expires-at': true,
  language: true,
  'success-url': true,
  'notification-url': true,
  metadata: true,
}

export function paymentLinksBy({ get, create, drawn }: Calls): PaymentLinkCalls {
  const list = async (query: PaymentLinkQuery = {}) => {
    const text = queryText(query)
    return await get(`/payment-links${text && `?${text}`}`, responses.isLinkList)
  }
  return {
    async createPaymentLink(link, options) {
      requireObject('link', link)
      refuseMisplaced('link', link)
      const members = membersOf('link', LINK_FIELDS, link)
      // Without a time, it would never expire.
      if ('expires-at' in members) requireTime('link.expires-at', members['expires-at'])
      const idempotencyKey = keyOf(options, drawn)
      const { reference = referenceOfKey(idempotencyKey) } = members
      requireText('link.reference', reference)
      const made = await create({
        target: '/payment-links',
        body: { ...members, reference },
        sent: { reference, idempotencyKey },
        isExpected: responses.isLinkBody,
      })
      return made['payment-link']
    },
    async findPaymentLink(code) {
      requireCode('code', code)
      const target = `/payment-links/${encodeURIComponent(code)}`
      return (await get(target, responses.isLinkWithTries))['payment-link']
    },
    listPaymentLinks: list,
    async *allPaymentLinks(query = {}) {
      requireObject('query', query)
      for (let page = query.page ?? 1; ; page++) {
        const found = await list({ ...query, page })
        yield* found['payment-links']
        if (found['payment-links'].length === 0 || page >= found.metadata['total-pages']) return
      }
    },
    async revokePaymentLink(code, options) {
      requireCode('code', code)
      const idempotencyKey = keyOf(options, drawn)
      const revoked = await create({
        target: `/payment-links/${encodeURIComponent(code)}/revocations`,
        body: {},
        sent: { reference: code, idempotencyKey },
        isExpected: responses.isLinkBody,
      })
      return revoked['payment-link']
    },
  }
}
