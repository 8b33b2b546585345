import type {
  CancellationBody,
  CaptureBody,
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
  refuseMisplaced,
  requireAmount,
  requireCode,
  requireObject,
} from './arguments.js'
import type {
  CapturePaymentRequest,
  CreateOptions,
  PaymentQuery,
  PaymentSearchRequest,
  RefundQuery,
} from './request.js'
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
   * Captures an AUTHORIZED payment once: all of it, or a part; the rest is released. It is
   * `in-process` while its acquirer has not answered. Another call for the same returns the same.
   * @throws MerchantApiError with code 90632 if it is not AUTHORIZED, 90633 if another capture or a
   * cancellation came first, 90634 if the amount is too high, 90635 if its acquirer refuses
   */
  capturePayment(
    code: string,
    capture?: CapturePaymentRequest,
    options?: CreateOptions,
  ): Promise<CaptureBody>
  /**
   * Ends a payment that waits for its payer, at its bank first, or an AUTHORIZED one, at its
   * acquirer: `in-process` while that has not answered. A paid one stays paid, and is
   * `paid-meanwhile`. Another call returns the same.
   * @throws MerchantApiError with code 90601 if it ended unpaid, 90006 if its bank has not
   * answered, 90633 if a capture is in process, 90636 if its acquirer refuses
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

const CAPTURE_FIELDS: FieldsOf<CapturePaymentRequest> = { amount: true }
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
    ...endsBy({ call, drawn }),
    listRefunds,
    async *allRefunds(query = {}) {
      const filters = filtersOf('query', REFUND_FIELDS, query)
      for await (const { refunds } of pagesOf(filters, listRefunds)) yield* refunds
    },
  }
}

/** Calls that end a payment. */
function endsBy({
  call,
  drawn,
}: PaymentCallsDeps): Pick<PaymentCalls, 'cancelPayment' | 'capturePayment'> {
  return {
    async capturePayment(code, capture = {}, options) {
      requireCode('code', code)
      requireObject('capture', capture)
      refuseMisplaced('capture', capture)
      // With a misspelt or unset amount, the whole payment would be captured.
      const body = membersOf('capture', CAPTURE_FIELDS, capture)
      if ('amount' in body) requireAmount('capture.amount', body.amount)
      const idempotencyKey = keyOf(options, drawn)
      return await call({
        target: `/payments/${encodeURIComponent(code)}/capture`,
        body,
        sent: { reference: code, idempotencyKey },
        isExpected: responses.isCapture,
      })
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
