import {
  type CancellationReason,
  type EventData,
  type EventElement,
  type EventType,
  type RefundSummary,
  EVENT_CODE,
  methodOfType,
  minorUnits,
} from '@cofre/contracts'
import {
  type PaymentNews,
  type Refund,
  type Transaction,
  captureBeforeMsOf,
  capturedSums,
  cardOf,
  formatTimestamp,
  isAuthorizationExpired,
  jsonAmount,
  paymentStatusOf,
  refundSummary,
} from '@cofre/gateway/room'

/** An event's place: the position among those of one payment or card of a store. */
export interface EventKey {
  readonly storeId: string
  readonly subject: string
  readonly position: number
}

export interface StoreEvent extends EventKey {
  readonly type: EventType
  /** JSON of {@link EventData}, exactly as it is sent. */
  readonly data: string
  readonly createdAtMs: number
}

/** An event that is still to get its position. */
export interface NewEvent extends Omit<StoreEvent, 'position'> {
  /** When it is first sent. */
  readonly dueAtMs: number
}

export function eventCode({ subject, position }: Pick<EventKey, 'subject' | 'position'>): string {
  return `evt_${subject}_${position}`
}

/** Undefined for a text that is no event's code. */
export function readEventCode(text: string): Pick<EventKey, 'subject' | 'position'> | undefined {
  const { subject, position } = EVENT_CODE.exec(text)?.groups ?? {}
  return subject === undefined ? undefined : { subject, position: Number(position) }
}

/** The event of a change; undefined for a change that is none. */
export function eventOf(news: PaymentNews): NewEvent | undefined {
  const { dueAtMs } = news
  if (news.kind === 'refund-ended') {
    const { refund } = news
    const { transactionCode, merchantId: storeId, status } = refund
    return {
      storeId,
      subject: String(transactionCode),
      type: status === 'PROCESSED' ? 'refund.processed' : 'refund.rejected',
      data: JSON.stringify(refundData(refund)),
      createdAtMs: dueAtMs,
      dueAtMs,
    }
  }
  const { transaction } = news
  const type = typeOfNews(news)
  if (type === undefined) return undefined
  const data =
    news.kind === 'moved' && type === 'payment.cancelled'
      ? cancelledData(transaction, reasonOf(news))
      : { payment: eventPayment(transaction) }
  return {
    storeId: transaction.merchantId,
    subject: String(transaction.code),
    type,
    data: JSON.stringify(data),
    createdAtMs: happenedAtMs(news),
    dueAtMs,
  }
}

type OfTransaction = Exclude<PaymentNews, { readonly kind: 'refund-ended' }>
type Move = Extract<PaymentNews, { readonly kind: 'moved' }>

function typeOfNews(news: OfTransaction): EventType | undefined {
  switch (news.kind) {
    case 'authorized':
      return 'payment.authorized'
    case 'capture-due':
      return 'payment.capture-due'
    case 'moved':
      return typeOfMove(news)
  }
}

function happenedAtMs({ dueAtMs, kind, transaction }: OfTransaction): number {
  switch (kind) {
    case 'authorized':
      // An authorized payment keeps its status and the time of that.
      return transaction.capture?.authorizedAtMs ?? dueAtMs
    case 'capture-due':
      return dueAtMs
    case 'moved':
      return transaction.statusChangedAtMs
  }
}

function typeOfMove({ by, transaction: { status } }: Move): EventType | undefined {
  if (by === 'chargeback_reversed') return 'chargeback.reversed'
  switch (status) {
    case 'UNDER-REVIEW':
      return 'payment.under-review'
    case 'COMPLETE':
      return 'payment.completed'
    case 'CANCELLED':
    case 'EXPIRED':
    case 'NOT-PAID':
      return 'payment.cancelled'
    case 'CHARGEBACK':
      return 'chargeback.opened'
    // The creation's answer has reported the first, and an event of its own the refund.
    case 'PENDING':
    case 'REFUNDED':
      return undefined
  }
}

function reasonOf({ by, transaction }: Move): CancellationReason {
  if (by === 'capture_failed') return 'capture-failed'
  if (transaction.status === 'EXPIRED') return 'expired'
  if (transaction.status === 'NOT-PAID') return 'not-paid'
  if (isAuthorizationExpired(transaction)) return 'authorization-expired'
  if (transaction.capture?.state === 'released') return 'voided'
  return cardOf(transaction)?.decline === undefined ? 'cancelled' : 'declined'
}

function cancelledData(
  transaction: Transaction,
  reason: CancellationReason,
): EventData<'payment.cancelled'> {
  return {
    payment: eventPayment(transaction),
    reason,
    'decline-reason': cardOf(transaction)?.decline?.reason ?? null,
  }
}

function eventPayment(transaction: Transaction): EventData<'payment.completed'>['payment'] {
  const { amountMinor } = transaction.capture ?? {}
  const beforeMs = captureBeforeMsOf(transaction)
  return {
    code: String(transaction.code),
    reference: transaction.reference,
    status: paymentStatusOf(transaction),
    method: methodOfType(transaction.paymentType),
    'method-name': transaction.subType ?? null,
    currency: 'BRL',
    amount: jsonAmount(transaction.amountMinor),
    'charged-amount': jsonAmount(capturedSums(transaction).chargedMinor),
    ...(amountMinor !== undefined && { 'captured-amount': jsonAmount(amountMinor) }),
    installments: transaction.installments,
    'date-created': formatTimestamp(transaction.createdAtMs),
    'date-changed': formatTimestamp(transaction.statusChangedAtMs),
    ...(beforeMs !== undefined && { 'capture-before': formatTimestamp(beforeMs) }),
  }
}

function refundData(refund: Refund): EventData<'refund.processed'> {
  const summary: Partial<RefundSummary> & EventData<'refund.processed'>['refund'] =
    refundSummary(refund)
  delete summary.metadata
  return { refund: summary }
}

/** The event of a card that its store has deleted. */
export function cardDeletion(storeId: string, code: string, atMs: number): NewEvent {
  const data: EventData<'saved-card.deleted'> = { 'saved-card': { code } }
  return {
    storeId,
    subject: code,
    type: 'saved-card.deleted',
    data: JSON.stringify(data),
    createdAtMs: atMs,
    dueAtMs: atMs,
  }
}

/** The data, with amounts as they are written: `100.00`. */
export function shownData(data: string): EventElement['data'] {
  return JSON.parse(data, (key, value: unknown) =>
    typeof value === 'number' && key.endsWith('amount')
      ? jsonAmount(minorUnits(Math.round(value * 100)))
      : value,
  ) as EventElement['data']
}
