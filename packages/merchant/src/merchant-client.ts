import type {
  BinBody,
  InstallmentBody,
  SearchBody,
  SearchElement,
  TransactionBody,
} from '@cofre/contracts'
import { SECOND_MS } from '@cofre/contracts/shop'
import { MerchantApiError } from './merchant-error.js'
import type {
  CardLookupQuery,
  CreateRefundRequest,
  CreateTransactionRequest,
  InstallmentsQuery,
  SearchQuery,
} from './request.js'
import * as responses from './response.js'
import type { ResponseGuard } from './response.js'
import { type Channel, type SignedRequest, send } from './signed-channel.js'

/** Long enough for an acquirer's own time-out, so that a response is rarely missed. */
const TIMEOUT_MS = 30 * SECOND_MS
const NOT_FOUND_STATUS = 404

/** How to reach the service, and as whom. */
export interface MerchantClientOptions {
  /** Origin of the production or sandbox API, without a path: `https://api.example.com`. */
  readonly baseUrl: string
  readonly storeId: string
  /**
   * Signs requests and never leaves this process. A function is called before each request, so that
   * a rotated secret is used at once.
   */
  readonly secret: string | (() => string)
  /** The media type's vendor segment; default `cofre`. */
  readonly vendor?: string
  readonly fetch?: typeof globalThis.fetch
  /** For the whole exchange; default 30,000. */
  readonly timeoutMs?: number
}

/** What to add to a request that creates something. */
export interface CreateOptions {
  /** The same request again within 24 hours returns the first response. */
  readonly idempotencyKey?: string
}

/**
 * The service's API, signed in a store's name. Every method throws `MerchantApiError` when the
 * service refuses and `MerchantConnectionError` when there is no response; after the latter, a
 * creation's outcome is unknown.
 */
export interface MerchantClient {
  createTransaction(
    body: CreateTransactionRequest,
    options?: CreateOptions,
  ): Promise<TransactionBody>
  /** @throws MerchantApiError with status 404 when there is no such transaction */
  findTransaction(code: string): Promise<SearchElement>
  searchTransactions(query: SearchQuery): Promise<SearchBody>
  /** Brand and installments of a card, by its first six digits. */
  cardLookup(query: CardLookupQuery): Promise<responses.CardLookupBody>
  /** @param bin - First six digits. */
  binLookup(bin: string): Promise<BinBody>
  installments(query: InstallmentsQuery): Promise<readonly InstallmentBody[]>
  /** Resolves with the refund's id; its outcome comes by notification. */
  createRefund(body: CreateRefundRequest, options?: CreateOptions): Promise<string>
}

/** @throws TypeError when `baseUrl` is not an http or https origin */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const channel = channelOf(options)
  const get = <Body>(target: string, isExpected: ResponseGuard<Body>) =>
    send(channel, { version: 'v1', target, isExpected })
  const create = <Body>(request: Omit<SignedRequest<Body>, 'version'>) =>
    send(channel, { version: 'v2', ...request })
  return {
    createTransaction: (body, { idempotencyKey } = {}) => {
      const isExpected = responses.isTransactionBody
      return create({ target: '/transactions', body, idempotencyKey, isExpected })
    },
    async findTransaction(code) {
      const target = `/transactions/${encodeURIComponent(code)}`
      const found = await get(target, responses.isSearchBody)
      const [transaction] = found['transaction-result'].transactions
      if (transaction === undefined) throw new MerchantApiError(NOT_FOUND_STATUS, [])
      return transaction
    },
    searchTransactions: (query) => get(`/transactions?${queryText(query)}`, responses.isSearchBody),
    async createRefund(body, { idempotencyKey } = {}) {
      const isExpected = responses.isRefundBody
      const refund = await create({ target: '/refunds', body, idempotencyKey, isExpected })
      return String(refund['refund-id'])
    },
    cardLookup: (query) => get(`/card?${lookupText(query)}`, responses.isCardLookup),
    async binLookup(bin) {
      return (await get(`/card/bin/${encodeURIComponent(bin)}`, responses.isBin)).bin
    },
    async installments(query) {
      const target = `/card/installments?${lookupText(query)}`
      return (await get(target, responses.isInstallments)).installments
    },
  }
}

/** @throws TypeError when `baseUrl` is not an http or https origin */
export function channelOf(options: MerchantClientOptions): Channel {
  const { secret } = options
  return {
    origin: originOf(options.baseUrl),
    storeId: options.storeId,
    currentSecret: typeof secret === 'string' ? () => secret : secret,
    vendor: options.vendor ?? 'cofre',
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  }
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.href !== `${url?.origin ?? ''}/` || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be an http or https origin without a path')
  return url.origin
}

function lookupText(query: CardLookupQuery | InstallmentsQuery): string {
  const { amount, country = 'BR', currency = 'BRL', ...by } = query
  return queryText({ ...by, country, amount, currency })
}

function queryText(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value instanceof Date) parameters.set(name, value.toISOString())
    else if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.toString()
}
