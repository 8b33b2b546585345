import type {
  BinBody,
  InstallmentBody,
  SearchBody,
  SearchElement,
  TransactionBody,
} from '@cofre/contracts'
import { SECOND_MS } from '@cofre/contracts/shop'
import * as answers from './answer.js'
import type { CardLookupQuery, InstallmentsQuery } from './lookup-query.js'
import { MerchantApiError } from './merchant-error.js'
import type { CreateRefundRequest } from './refund-request.js'
import type { SearchQuery } from './search-query.js'
import { type ChannelOptions, send } from './signed-channel.js'
import type { CreateTransactionRequest } from './transaction-request.js'

/** Long enough for an acquirer's own time-out, so that an answer is rarely missed. */
const TIMEOUT_MS = 30 * SECOND_MS
const NOT_FOUND_STATUS = 404

/** How to reach the service, and as whom. */
export interface MerchantClientOptions {
  /** Origin of the production or sandbox API, without a path: `https://api.example.com`. */
  readonly baseUrl: string
  readonly storeId: string
  /**
   * Never leaves this process: requests carry a signature made with it. A function is asked before each request, so
   * that a rotated secret is used at once.
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
  /** Sent again within 24 hours with the same body, the request is answered as the first time. */
  readonly idempotencyKey?: string
}

/**
 * The service's API, signed in a store's name. Every method throws `MerchantApiError` when the service refuses and
 * `MerchantConnectionError` when there is no answer; after the latter, a creation's outcome is unknown.
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
  cardLookup(query: CardLookupQuery): Promise<answers.CardLookupBody>
  /** @param bin - First six digits. */
  binLookup(bin: string): Promise<BinBody>
  installments(query: InstallmentsQuery): Promise<readonly InstallmentBody[]>
  /** Resolves with the refund's id; its outcome comes by notification. */
  createRefund(body: CreateRefundRequest, options?: CreateOptions): Promise<string>
}

/** @throws TypeError when `baseUrl` is not an http or https origin */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const channel = channelOf(options)
  return { ...transactionMethods(channel), ...lookupMethods(channel) }
}

/** @throws TypeError when `baseUrl` is not an http or https origin */
export function channelOf(options: MerchantClientOptions): ChannelOptions {
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

function transactionMethods(
  channel: ChannelOptions,
): Pick<
  MerchantClient,
  'createTransaction' | 'findTransaction' | 'searchTransactions' | 'createRefund'
> {
  return {
    createTransaction(body, { idempotencyKey } = {}) {
      const isAnswer = answers.isTransactionBody
      return send(channel, {
        version: 'v2',
        target: '/transactions',
        body,
        idempotencyKey,
        isAnswer,
      })
    },
    async findTransaction(code) {
      const target = `/transactions/${encodeURIComponent(code)}`
      const answer = await send(channel, { version: 'v1', target, isAnswer: answers.isSearchBody })
      const [transaction] = answer['transaction-result'].transactions
      if (transaction === undefined) throw new MerchantApiError(NOT_FOUND_STATUS, [])
      return transaction
    },
    searchTransactions(query) {
      const target = `/transactions?${queryText(query)}`
      return send(channel, { version: 'v1', target, isAnswer: answers.isSearchBody })
    },
    async createRefund(body, { idempotencyKey } = {}) {
      const isAnswer = answers.isRefundBody
      const answer = await send(channel, {
        version: 'v2',
        target: '/refunds',
        body,
        idempotencyKey,
        isAnswer,
      })
      return String(answer['refund-id'])
    },
  }
}

function lookupMethods(
  channel: ChannelOptions,
): Pick<MerchantClient, 'cardLookup' | 'binLookup' | 'installments'> {
  return {
    cardLookup({ bin, amount, country = 'BR', currency = 'BRL' }) {
      const target = `/card?${queryText({ bin, country, amount, currency })}`
      return send(channel, { version: 'v1', target, isAnswer: answers.isCardLookupBody })
    },
    async binLookup(bin) {
      const target = `/card/bin/${encodeURIComponent(bin)}`
      return (await send(channel, { version: 'v1', target, isAnswer: answers.isBinAnswer })).bin
    },
    async installments({ brand, amount, country = 'BR', currency = 'BRL' }) {
      const target = `/card/installments?${queryText({ brand, country, amount, currency })}`
      const isAnswer = answers.isInstallmentsAnswer
      return (await send(channel, { version: 'v1', target, isAnswer })).installments
    },
  }
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url?.href !== `${url?.origin ?? ''}/` || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be an http or https origin without a path')
  return url.origin
}

function queryText(query: object): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value instanceof Date) parameters.set(name, value.toISOString())
    else if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.toString()
}
