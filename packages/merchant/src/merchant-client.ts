import type {
  BinBody,
  InstallmentBody,
  SearchBody,
  SearchElement,
  TransactionBody,
} from '@cofre/contracts'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts/shop'
import { MACHINE, type Machine, drawName, referenceOfKey } from './machine.js'
import { MerchantApiError } from './merchant-error.js'
import { type Get, type PaymentLinkCalls, paymentLinksBy } from './payment-links.js'
import { queryText } from './query-text.js'
import type {
  CardLookupQuery,
  CreateOptions,
  CreateRefundRequest,
  CreateTransactionRequest,
  InstallmentsQuery,
  SearchQuery,
} from './request.js'
import * as responses from './response.js'
import type { ResponseGuard } from './response.js'
import { type Channel, type SignatureForm, type SignedRequest, send } from './signed-channel.js'

/** Long enough for an acquirer's own time-out, so that a response is rarely missed. */
const TIMEOUT_MS = 30 * SECOND_MS
const RETRY_BUDGET_MS = MINUTE_MS
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
  /**
   * Default `rfc9421`: a captured request expires after five minutes, and a creation counts once.
   * Gateways before 0.3 know only `specification`.
   */
  readonly signature?: SignatureForm
  /**
   * The origin that the service calls its own, which is signed, where it is not that of `baseUrl`:
   * for a shop that reaches it by an address inside its network.
   */
  readonly signedOrigin?: string
  /** The media type's vendor segment; default `cofre`. */
  readonly vendor?: string
  readonly fetch?: typeof globalThis.fetch
  /** Of what the errors say to people. */
  readonly language?: 'pt-BR' | 'en'
  /** For each attempt; default 30,000. */
  readonly timeoutMs?: number
  /**
   * Lookups, searches and creations are attempted again when there is no answer, or the service
   * cannot answer for now. No attempt begins later than this after the first; default 60,000.
   */
  readonly retryBudgetMs?: number
  readonly machine?: Machine
}

/**
 * The service's API, signed in a store's name. Every method throws a `MerchantError`:
 * `MerchantApiError` when the service refuses, `MerchantConnectionError` when there is no response.
 * Of a creation, ask `isOutcomeUnknown` whether nobody knows what became of it.
 */
export interface MerchantClient extends PaymentLinkCalls {
  createTransaction(
    body: CreateTransactionRequest,
    options?: CreateOptions,
  ): Promise<TransactionBody>
  /** @throws MerchantApiError with status 404 when there is no such transaction */
  findTransaction(code: string): Promise<SearchElement>
  /** The transaction that the shop calls so. */
  findByReference(reference: string): Promise<SearchElement | undefined>
  /** One page of a search. */
  searchTransactions(query: SearchQuery): Promise<SearchBody>
  /**
   * Everything that is found, page after page, each asked for when it is needed. What changes
   * meanwhile may change its place: a shop that follows changes lets its searches overlap.
   */
  allTransactions(query: SearchQuery): AsyncGenerator<SearchElement, void, undefined>
  /** Brand and installments of a card, by its first six to twelve digits. */
  cardLookup(query: CardLookupQuery): Promise<responses.CardLookupBody>
  /** @param bin - First six to twelve digits. */
  binLookup(bin: string): Promise<BinBody>
  installments(query: InstallmentsQuery): Promise<readonly InstallmentBody[]>
  /** Resolves with the refund's id; its outcome comes by notification. */
  createRefund(body: CreateRefundRequest, options?: CreateOptions): Promise<string>
}

/** @throws TypeError when `baseUrl` or `signedOrigin` is not an http or https origin */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const channel = channelOf(options)
  const get = <Body>(target: string, isExpected: ResponseGuard<Body>) =>
    send(channel, { version: 'v1', target, isExpected })
  const create = <Body>(request: Omit<SignedRequest<Body>, 'version'>) =>
    send(channel, { version: 'v2', ...request })
  const drawn = () => drawName(channel.machine)
  return {
    ...searchesBy(get),
    ...paymentLinksBy({ get, create, drawn }),
    createTransaction(order, { idempotencyKey = drawn() } = {}) {
      const reference = order.transaction.reference ?? referenceOfKey(idempotencyKey)
      return create({
        target: '/transactions',
        body: { ...order, transaction: { ...order.transaction, reference } },
        sent: { reference, idempotencyKey },
        isExpected: responses.isTransactionBody,
      })
    },
    async createRefund(body, { idempotencyKey = drawn() } = {}) {
      const reference = body.reference ?? referenceOfKey(idempotencyKey)
      const refund = await create({
        target: '/refunds',
        body: { ...body, reference },
        sent: { reference, idempotencyKey },
        isExpected: responses.isRefundBody,
      })
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

function searchesBy(
  get: Get,
): Pick<
  MerchantClient,
  'findTransaction' | 'findByReference' | 'searchTransactions' | 'allTransactions'
> {
  const search = (query: object): Promise<SearchBody> =>
    get(`/transactions?${queryText(query)}`, responses.isSearchBody)
  return {
    async findTransaction(code) {
      const target = `/transactions/${encodeURIComponent(code)}`
      const found = await get(target, responses.isSearchBody)
      const [transaction] = found['transaction-result'].transactions
      if (transaction === undefined) throw new MerchantApiError(NOT_FOUND_STATUS, [])
      return transaction
    },
    async findByReference(reference) {
      return (await search({ reference }))['transaction-result'].transactions[0]
    },
    searchTransactions: search,
    async *allTransactions(query) {
      for (let page = query.page ?? 1; ; page++) {
        const found = await search({ ...query, page })
        const { transactions } = found['transaction-result']
        yield* transactions
        if (transactions.length === 0 || page >= found.metadata['total-pages']) return
      }
    },
  }
}

/** @throws TypeError when `baseUrl` or `signedOrigin` is not an http or https origin */
export function channelOf(options: MerchantClientOptions): Channel {
  const { secret } = options
  const origin = originOf('baseUrl', options.baseUrl)
  return {
    origin,
    signedOrigin:
      options.signedOrigin === undefined ? origin : originOf('signedOrigin', options.signedOrigin),
    storeId: options.storeId,
    currentSecret: typeof secret === 'string' ? () => secret : secret,
    signature: options.signature ?? 'rfc9421',
    vendor: options.vendor ?? 'cofre',
    language: options.language,
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retryBudgetMs: options.retryBudgetMs ?? RETRY_BUDGET_MS,
    machine: options.machine ?? MACHINE,
  }
}

function originOf(name: string, text: string): string {
  const url = /^\S+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url?.href !== `${url?.origin ?? ''}/` || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${name} must be an http or https origin without a path`)
  return url.origin
}

function lookupText(query: CardLookupQuery | InstallmentsQuery): string {
  const { amount, country = 'BR', currency = 'BRL', ...by } = query
  return queryText({ ...by, country, amount, currency })
}
