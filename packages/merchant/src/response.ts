import type {
  BinBody,
  CancellationBody,
  CaptureBody,
  EndpointBody,
  EndpointListBody,
  EndpointSecretBody,
  EventBody,
  EventListBody,
  InstallmentBody,
  InterestBody,
  LinkBody,
  LinkListBody,
  LinkWithTriesBody,
  PaymentBody,
  PaymentListBody,
  RefundListBody,
  SavedCardBody,
  SavedCardCheckBody,
  SavedCardListBody,
  RefundStatus,
  SearchBody,
  TransactionBody,
  TransactionStatus,
} from '@cofre/contracts'

/** Body of `GET /card`. */
export interface CardLookupBody {
  readonly bin: BinBody
  readonly installments: readonly InstallmentBody[]
}

/** Body of `201 Created` of `POST /refunds`. */
export interface RefundBody {
  readonly 'refund-id': string | number
}

/** The sandbox's time. */
export interface SandboxTimeBody {
  /** ISO 8601, in UTC. */
  readonly now: string
  /** Seconds by which the sandbox is ahead of its machine. */
  readonly 'ahead-seconds': number
}

/** The sandbox's work for the store while some time passes. */
export interface SandboxPreviewBody extends SandboxTimeBody {
  /** The time after that. ISO 8601, in UTC. */
  readonly then: string
  readonly due: {
    /** Unpaid payments that would lapse. */
    readonly expiries: number
    /** Notifications that are sent for the first time, or again. */
    readonly notifications: number
    /** Reports of the bank. */
    readonly reports: number
  }
}

/** The bank's report on a transaction. */
export interface SandboxStatusBody {
  readonly 'transaction-code': string
  readonly status: TransactionStatus
}

/** How a refund may end. */
export type RefundOutcome = Exclude<RefundStatus, 'PROCESSING'>

/** How a refund has ended. */
export interface SandboxRefundBody {
  readonly 'refund-id': string
  readonly 'transaction-code': string
  readonly status: RefundOutcome
}

/** True if a body is the expected response. Any other is refused as a whole, never half-used. */
export type ResponseGuard<Body> = (body: unknown) => body is Body

type FieldType = 'array' | 'null' | 'number' | 'object' | 'string'

/** A guard that checks the types of some fields, by their paths in the body. */
function guard<Body>(
  fields: Readonly<Record<string, FieldType | readonly FieldType[]>>,
): ResponseGuard<Body> {
  return (body): body is Body =>
    Object.entries(fields).every(([path, types]) =>
      [types].flat().includes(typeOf(path.split('.').reduce(property, body))),
    )
}

function typeOf(value: unknown): FieldType {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : (typeof value as FieldType)
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

export const isTransactionBody = guard<TransactionBody>({
  'transaction.code': 'string',
  'transaction.status': 'string',
})
export const isSearchBody = guard<SearchBody>({
  'transaction-result.transactions': 'array',
  metadata: 'object',
})
export const isRefundBody = guard<RefundBody>({ 'refund-id': ['number', 'string'] })
const LINK = { 'payment-link.code': 'string', 'payment-link.status': 'string' } as const
export const isLinkBody = guard<LinkBody>({ ...LINK, 'payment-link.url': 'string' })
export const isLinkWithTries = guard<LinkWithTriesBody>({ ...LINK, 'payment-link.tries': 'array' })
export const isLinkList = guard<LinkListBody>({ 'payment-links': 'array', metadata: 'object' })
export const isPayment = guard<PaymentBody>({
  'payment.code': 'string',
  'payment.status': 'string',
  'payment.refunds': 'array',
})
// Without a cursor, the first page would be read again and again.
const NEXT = { 'next-cursor': ['string', 'null'] } as const
export const isPaymentList = guard<PaymentListBody>({ payments: 'array', ...NEXT })
export const isRefundList = guard<RefundListBody>({ refunds: 'array', ...NEXT })
export const isEventList = guard<EventListBody>({ events: 'array', ...NEXT })
export const isEvent = guard<EventBody>({ 'event.code': 'string', 'event.deliveries': 'array' })
export const isEventEndpoint = guard<EndpointBody>({ 'event-endpoint.code': 'string' })
export const isEventEndpointList = guard<EndpointListBody>({ 'event-endpoints': 'array' })
export const isEventEndpointWithSecret = guard<EndpointSecretBody>({
  'event-endpoint.code': 'string',
  secret: ['string', 'null'],
})
export const isCancellation = guard<CancellationBody>({
  cancellation: 'string',
  'payment.code': 'string',
  'payment.status': 'string',
})
export const isCapture = guard<CaptureBody>({
  capture: 'string',
  'payment.code': 'string',
  'payment.status': 'string',
})
export const isSavedCard = guard<SavedCardBody>({
  'saved-card.code': 'string',
  'saved-card.brand': 'string',
})
export const isSavedCardCheck = guard<SavedCardCheckBody>({ 'saved-card': ['object', 'null'] })
export const isSavedCardList = guard<SavedCardListBody>({ 'saved-cards': 'array', ...NEXT })
export const isInterest = guard<InterestBody>({
  'interest.usual': 'object',
  'interest.changes': 'array',
})
export const isBin = guard<Pick<CardLookupBody, 'bin'>>({ 'bin.brand': 'string' })
export const isInstallments = guard<Pick<CardLookupBody, 'installments'>>({ installments: 'array' })
export const isCardLookup = guard<CardLookupBody>({ 'bin.brand': 'string', installments: 'array' })
export const isSandboxTime = guard<SandboxTimeBody>({ now: 'string', 'ahead-seconds': 'number' })
export const isSandboxPreview = guard<SandboxPreviewBody>({
  now: 'string',
  then: 'string',
  'due.expiries': 'number',
  'due.notifications': 'number',
  'due.reports': 'number',
})
export const isSandboxReceiver = guard<{ readonly 'notification-url': string }>({
  'notification-url': 'string',
})
export const isSandboxStatus = guard<SandboxStatusBody>({
  'transaction-code': 'string',
  status: 'string',
})
export const isSandboxRefund = guard<SandboxRefundBody>({
  'refund-id': 'string',
  'transaction-code': 'string',
  status: 'string',
})
