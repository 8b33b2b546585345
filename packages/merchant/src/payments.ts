import type {
  CancellationBody,
  PaymentElement,
  PaymentListBody,
  PaymentSummary,
  RefundListBody,
  RefundSummary,
} from '@cofre/contracts'
import {
  givenOf,
  keyOf,
  membersOf,
  queryText,
  requireAmount,
  requireCode,
  requireObject,
} from './arguments.js'
import type { CreateOptions, PaymentQuery, PaymentSearchRequest, RefundQuery } from './request.js'
import * as responses from './response.js'
import type { SignedRequest } from './signed-channel.js'

/** Whole payments, and lists of payments and refunds: the calls of a shop's own back office. */
export interface PaymentCalls {
  /**
   * A payment with its charge, refunds, notifications, disputes and settlement lines.
   * @throws MerchantApiError with status 404 and code 20614 if there is no such payment
   */
  findPayment(code: string): Promise<PaymentElement>
  /** One page of the payments, newest first. */
  listPayments(query?: PaymentQuery): Promise<PaymentListBody>
  /** All payments, page after page; each page is requested when it is needed. */
  allPayments(query?: PaymentQuery): AsyncGenerator<PaymentSummary, void, undefined>
  /** One page of a payer's payments. The payer is in the body: logs contain addresses. */
  searchPayments(search: PaymentSearchRequest): Promise<PaymentListBody>
  /** All payments of a payer, page after page; each page is requested when it is needed. */
  allPaymentsOfPayer(search: PaymentSearchRequest): AsyncGenerator<PaymentSummary, void, undefined>
  /**
   * Ends a payment that waits for its payer, at its bank first. A paid one stays paid, and is
   * `paid-meanwhile`. Another call returns the same.
   * @throws MerchantApiError with code 90601 if it ended unpaid, 90006 if its bank has not answered
   */
  cancelPayment(code: string, options?: CreateOptions): Promise<CancellationBody>
  /** One page of the refunds, newest first. */
  listRefunds(query?: RefundQuery): Promise<RefundListBody>
  /** All refunds, page after page; each page is requested when it is needed. */
  allRefunds(query?: RefundQuery): AsyncGenerator<RefundSummary, void, undefined>
}

/** The functions that send requests. */
export interface PaymentCallsDeps {
  readonly call: <Body>(request: Omit<SignedRequest<Body>, 'version'>) => Promise<Body>
  /** Draws an idempotency key. */
  readonly drawn: () => string
}

export type FieldsOf<Request> = Readonly<Record<keyof Request & string, true>>

const REFUND_FIELDS: FieldsOf<RefundQuery> = {
  status: true,
  'transaction-code': true,
  'created-from': true,
  'created-until': true,
  limit: true,
  cursor: true,
}
const PAYMENT_FIELDS: FieldsOf<PaymentQuery> = {
  status: true,
  method: true,
  reference: true,
  amount: true,
  'created-from': true,
  'created-until': true,
  limit: true,
  cursor: true,
}
const SEARCH_FIELDS: FieldsOf<PaymentSearchRequest> = {
  'payer-email': true,
  'payer-document': true,
  metadata: true,
  ...PAYMENT_FIELDS,
}

export function paymentsBy({ call, drawn }: PaymentCallsDeps): PaymentCalls {
  const listPayments = async (query: PaymentQuery = {}): Promise<PaymentListBody> => {
    const target = targetOf('/payments', filtersOf('query', PAYMENT_FIELDS, query))
    return await call({ target, isExpected: responses.isPaymentList })
  }
  const searchPayments = async (search: PaymentSearchRequest): Promise<PaymentListBody> =>
    await call({
      target: '/payments/searches',
      body: Object.fromEntries(givenOf('search', filtersOf('search', SEARCH_FIELDS, search))),
      isSearch: true,
      isExpected: responses.isPaymentList,
    })
  const listRefunds = async (query: RefundQuery = {}): Promise<RefundListBody> => {
    const target = targetOf('/refunds', filtersOf('query', REFUND_FIELDS, query))
    return await call({ target, isExpected: responses.isRefundList })
  }
  return {
    async findPayment(code) {
      requireCode('code', code)
      const target = `/payments/${encodeURIComponent(code)}`
      return (await call({ target, isExpected: responses.isPayment })).payment
    },
    listPayments,
    async *allPayments(query = {}) {
      const filters = filtersOf('query', PAYMENT_FIELDS, query)
      for await (const { payments } of pagesOf(filters, listPayments)) yield* payments
    },
    searchPayments,
    async *allPaymentsOfPayer(search) {
      const filters = filtersOf('search', SEARCH_FIELDS, search)
      for await (const { payments } of pagesOf(filters, searchPayments)) yield* payments
    },
    async cancelPayment(code, options) {
      requireCode('code', code)
      const idempotencyKey = keyOf(options, drawn)
      return await call({
        target: `/payments/${encodeURIComponent(code)}/cancellation`,
        body: {},
        sent: { reference: code, idempotencyKey },
        isExpected: responses.isCancellation,
      })
    },
    listRefunds,
    async *allRefunds(query = {}) {
      const filters = filtersOf('query', REFUND_FIELDS, query)
      for await (const { refunds } of pagesOf(filters, listRefunds)) yield* refunds
    },
  }
}

/** @throws TypeError for an unknown filter: with a misspelt one, a list would have everything */
export function filtersOf<Query extends object>(
  name: string,
  known: FieldsOf<Query>,
  query: Query,
): Query {
  requireObject(name, query)
  const filters = membersOf(name, known, query)
  const amount: unknown = Reflect.get(filters, 'amount')
  if (amount !== undefined) requireAmount(`${name}.amount`, amount)
  return filters
}

export function targetOf(path: string, filters: object): string {
  const text = queryText(filters)
  return text === '' ? path : `${path}?${text}`
}

/** An empty page may lead on: the end is a cursor that is null. */
export async function* pagesOf<
  Query extends { readonly cursor?: string },
  Page extends { readonly 'next-cursor': string | null },
>(filters: Query, list: (query: Query) => Promise<Page>): AsyncGenerator<Page, void, undefined> {
  let page = await list(filters)
  yield page
  while (page['next-cursor'] !== null) {
    page = await list({ ...filters, cursor: page['next-cursor'] })
    yield page
  }
}
