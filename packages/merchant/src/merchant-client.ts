import type {
  BinBody,
  InstallmentBody,
  InterestBody,
  SearchBody,
  SearchElement,
  TransactionBody,
} from '@cofre/contracts'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts/shop'
import {
  ORDER_PLACES,
  keyOf,
  membersOf,
  queryText,
  refuse,
  refuseMisplaced,
  requireAmount,
  requireChoice,
  requireCode,
  requireHeaderText,
  requireKnown,
  requireNumber,
  requireObject,
  requireText,
  requireTime,
} from './arguments.js'
import { MACHINE, type Machine, drawName, referenceOfKey } from './machine.js'
import { MerchantApiError } from './merchant-error.js'
import { type EventCalls, eventsBy } from './events.js'
import { type Calls, type Get, type PaymentLinkCalls, paymentLinksBy } from './payment-links.js'
import { type PaymentCalls, paymentsBy } from './payments.js'
import { type SavedCardCalls, savedCardsBy } from './saved-cards.js'
import type {
  CardLookupQuery,
  ChangeInterestRequest,
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
const NOT_FOUND = {
  code: 20614,
  description: 'transaction_not_found',
  message: 'The store doesn’t have this transaction in this environment.',
}
const SIGNATURE_FORMS: readonly SignatureForm[] = ['rfc9421', 'specification']
/** The API's values of `Accept-Language`, and the short name of English. */
const LANGUAGES = ['en', 'pt-BR', 'en-US', 'pt-PT', 'es-ES', 'tr-TR'] as const
const OPTIONS: Readonly<Record<keyof MerchantClientOptions, true>> = {
  baseUrl: true,
  storeId: true,
  secret: true,
  signature: true,
  signedOrigin: true,
  vendor: true,
  fetch: true,
  language: true,
  timeoutMs: true,
  retryBudgetMs: true,
  machine: true,
}

/** The service's address, and the store that calls it. */
export interface MerchantClientOptions {
  /** Origin of the production or sandbox API, without a path: `https://api.example.com`. */
  readonly baseUrl: string
  readonly storeId: string
  /**
   * Signs requests and never leaves this process. A function is called before each request, so that
   * a rotated secret is used immediately.
   */
  readonly secret: string | (() => string)
  /**
   * Default `rfc9421`: a captured request expires after five minutes, and a creation counts once.
   * Gateways of release 0.2.0 and earlier know only `specification`.
   */
  readonly signature?: SignatureForm
  /**
   * The service's own origin, which is signed, if it differs from that of `baseUrl`. For a
   * shop that reaches the service by an address inside its network.
   */
  readonly signedOrigin?: string
  /** The media type's vendor segment; default `cofre`. */
  readonly vendor?: string
  readonly fetch?: typeof globalThis.fetch
  /** Language of the errors' messages: English for `en` and `en-US`, Portuguese for the others. */
  readonly language?: (typeof LANGUAGES)[number]
  /** For each attempt; default 30,000. */
  readonly timeoutMs?: number
  /**
   * Lookups, searches and creations are attempted again without a response, or if the service is
   * temporarily unavailable. No attempt begins later than this after the first; default 60,000.
   */
  readonly retryBudgetMs?: number
  readonly machine?: Machine
}

/**
 * The service's API, signed in a store's name. Every method throws a `MerchantError`:
 * `MerchantApiError` if the service refuses, `MerchantConnectionError` without a response. For a
 * creation, check with `isOutcomeUnknown` whether its outcome is unknown.
 */
export interface MerchantClient extends EventCalls, PaymentCalls, PaymentLinkCalls, SavedCardCalls {
  createTransaction(
    order: CreateTransactionRequest,
    options?: CreateOptions,
  ): Promise<TransactionBody>
  /** @throws MerchantApiError with status 404 if there is no such transaction */
  findTransaction(code: string): Promise<SearchElement>
  /** The transaction with the shop's own reference. */
  findByReference(reference: string): Promise<SearchElement | undefined>
  /** One page of a search. */
  searchTransactions(query: SearchQuery): Promise<SearchBody>
  /**
   * All matches, page after page; each page is requested when it is needed. A transaction that
   * changes meanwhile may change its place: a shop that follows changes lets its searches overlap.
   */
  allTransactions(query: SearchQuery): AsyncGenerator<SearchElement, void, undefined>
  /** Brand and installments of a card, by its first six to twelve digits. */
  cardLookup(query: CardLookupQuery): Promise<responses.CardLookupBody>
  /** @param bin - First six to twelve digits. */
  binLookup(bin: string): Promise<BinBody>
  installments(query: InstallmentsQuery): Promise<readonly InstallmentBody[]>
  /** The cost of installments: the usual terms, and the store's own changes in their order. */
  findInterest(): Promise<InterestBody['interest']>
  /** Applies immediately, or from a given time; a shown price stays valid for another hour. */
  changeInterest(
    change: ChangeInterestRequest,
    options?: CreateOptions,
  ): Promise<InterestBody['interest']>
  /** Resolves with the refund's id; its outcome comes by notification. */
  createRefund(refund: CreateRefundRequest, options?: CreateOptions): Promise<string>
}

const REFUND_FIELDS: Readonly<Record<keyof CreateRefundRequest, true>> = {
  'transaction-id': true,
  'notify-url': true,
  amount: true,
  'test-mode': true,
  metadata: true,
  reference: true,
}

const CHANGE_FIELDS = {
  brand: true,
  from: true,
  'monthly-rate-percent': true,
  'interest-free': true,
  usual: true,
} as const satisfies Readonly<Record<FieldOf<ChangeInterestRequest>, true>>
/** The fields of each member of a union. */
type FieldOf<Request> = Request extends unknown ? keyof Request : never

/** @throws TypeError that names the missing or wrong option */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const channel = channelOf(options)
  const get = <Body>(target: string, isExpected: ResponseGuard<Body>) =>
    send(channel, { version: 'v1', target, isExpected })
  const call = <Body>(request: Omit<SignedRequest<Body>, 'version'>) =>
    send(channel, { version: 'v2', ...request })
  const create = call
  const drawn = () => drawName(channel.machine)
  return {
    ...searchesBy(get),
    ...paymentsBy({ call, drawn }),
    ...eventsBy({ call, drawn }),
    ...savedCardsBy({ call, drawn }),
    ...paymentLinksBy({ get, create, drawn }),
    ...interestBy({ get, create, drawn }),
    async createTransaction(order, options) {
      requireObject('order', order)
      requireObject('order.transaction', order.transaction)
      refuseMisplaced('order', order, ORDER_PLACES)
      const idempotencyKey = keyOf(options, drawn)
      const { reference = referenceOfKey(idempotencyKey) } = order.transaction
      requireText('order.transaction.reference', reference)
      return await create({
        target: '/transactions',
        body: { ...order, transaction: { ...order.transaction, reference } },
        sent: { reference, idempotencyKey },
        isExpected: responses.isTransactionBody,
      })
    },
    async createRefund(refund, options) {
      requireObject('refund', refund)
      refuseMisplaced('refund', refund)
      // With a misspelt or unset amount, the whole payment would be refunded.
      const members = membersOf('refund', REFUND_FIELDS, refund)
      if ('amount' in members) requireAmount('refund.amount', members.amount)
      const idempotencyKey = keyOf(options, drawn)
      const { reference = referenceOfKey(idempotencyKey) } = members
      requireText('refund.reference', reference)
      const created = await create({
        target: '/refunds',
        body: { ...members, reference },
        sent: { reference, idempotencyKey },
        isExpected: responses.isRefundBody,
      })
      return String(created['refund-id'])
    },
    async cardLookup(query) {
      return await get(`/card?${lookupText('bin', query)}`, responses.isCardLookup)
    },
    async binLookup(bin) {
      requireCode('bin', bin)
      return (await get(`/card/bin/${encodeURIComponent(bin)}`, responses.isBin)).bin
    },
    async installments(query) {
      const target = `/card/installments?${lookupText('brand', query)}`
      return (await get(target, responses.isInstallments)).installments
    },
  }
}

function interestBy({
  get,
  create,
  drawn,
}: Calls): Pick<MerchantClient, 'findInterest' | 'changeInterest'> {
  return {
    async findInterest() {
      return (await get('/interest', responses.isInterest)).interest
    },
    async changeInterest(change, options) {
      requireObject('change', change)
      refuseMisplaced('change', change)
      // With a misspelt or unset brand, the terms would be those of all brands.
      const members: Partial<Record<FieldOf<ChangeInterestRequest>, unknown>> = membersOf(
        'change',
        CHANGE_FIELDS,
        change,
      )
      if ('brand' in members) requireText('change.brand', members.brand)
      // Without a time, it would apply immediately.
      if ('from' in members) requireTime('change.from', members.from)
      if ('interest-free' in members)
        requireNumber('change.interest-free', members['interest-free'])
      const idempotencyKey = keyOf(options, drawn)
      const changed = await create({
        target: '/interest/changes',
        body: members,
        sent: { reference: 'interest', idempotencyKey },
        isExpected: responses.isInterest,
      })
      return changed.interest
    },
  }
}

function searchesBy(
  get: Get,
): Pick<
  MerchantClient,
  'findTransaction' | 'findByReference' | 'searchTransactions' | 'allTransactions'
> {
  const search = async (query: object): Promise<SearchBody> =>
    await get(`/transactions?${queryText(query)}`, responses.isSearchBody)
  return {
    async findTransaction(code) {
      requireCode('code', code)
      const target = `/transactions/${encodeURIComponent(code)}`
      const found = await get(target, responses.isSearchBody)
      const [transaction] = found['transaction-result'].transactions
      if (transaction === undefined) throw new MerchantApiError(NOT_FOUND_STATUS, [NOT_FOUND])
      return transaction
    },
    async findByReference(reference) {
      requireText('reference', reference)
      return (await search({ reference }))['transaction-result'].transactions[0]
    },
    searchTransactions: search,
    async *allTransactions(query) {
      requireObject('query', query)
      for (let page = query.page ?? 1; ; page++) {
        const found = await search({ ...query, page })
        const { transactions } = found['transaction-result']
        yield* transactions
        if (transactions.length === 0 || page >= found.metadata['total-pages']) return
      }
    },
  }
}

/** @throws TypeError that names the missing or wrong option */
export function channelOf(options: MerchantClientOptions): Channel {
  requireObject('options', options)
  requireKnown('options', OPTIONS, options)
  const origin = originOf('baseUrl', options.baseUrl)
  requireHeaderText('storeId', options.storeId)
  const { signature = 'rfc9421', fetch = globalThis.fetch } = options
  requireChoice('signature', SIGNATURE_FORMS, signature)
  if (options.language !== undefined) requireChoice('language', LANGUAGES, options.language)
  if (typeof fetch !== 'function') refuse('fetch', 'a function', fetch)
  return {
    origin,
    signedOrigin:
      options.signedOrigin === undefined ? origin : originOf('signedOrigin', options.signedOrigin),
    storeId: options.storeId,
    currentSecret: readerOf(options.secret),
    signature,
    vendor: textOption('vendor', options.vendor) ?? 'cofre',
    language: options.language,
    fetch,
    timeoutMs: numberOption('timeoutMs', options.timeoutMs) ?? TIMEOUT_MS,
    retryBudgetMs: numberOption('retryBudgetMs', options.retryBudgetMs) ?? RETRY_BUDGET_MS,
    machine: options.machine ?? MACHINE,
  }
}

/** A function is called before each request, and may return something other than a secret. */
function readerOf(secret: MerchantClientOptions['secret']): () => string {
  if (typeof secret !== 'function') {
    requireText('secret', secret)
    return () => secret
  }
  return () => {
    const current = secret()
    requireText('secret()', current)
    return current
  }
}

function textOption(name: string, value: string | undefined): string | undefined {
  if (value !== undefined) requireText(name, value)
  return value
}

function numberOption(name: string, value: number | undefined): number | undefined {
  if (value !== undefined) requireNumber(name, value)
  return value
}

function originOf(name: string, text: string): string {
  const url = /^\S+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (url?.href !== `${url?.origin ?? ''}/` || !/^https?:$/.test(url.protocol))
    throw new TypeError(`${name} must be an http or https origin without a path`)
  return url.origin
}

function lookupText(by: 'bin' | 'brand', query: CardLookupQuery | InstallmentsQuery): string {
  requireObject('query', query)
  requireCode(`query.${by}`, Reflect.get(query, by))
  requireNumber('query.amount', query.amount)
  const { amount, country = 'BR', currency = 'BRL', ...rest } = query
  return queryText({ ...rest, country, amount, currency })
}
