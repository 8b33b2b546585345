import {
  type Refund,
  type Transaction,
  accountOf,
  capturedSums,
  cardOf,
  dayNumberInBrasilia,
  hasBeenPaid,
  isAuthorized,
} from '@cofre/gateway/room'
import { DAY_MS, HOUR_MS, MINUTE_MS, CARD_TYPE } from '@cofre/contracts'

/**
 * The counted figures of a store's payments, each on the day of its own event.
 * `authorized` counts payments only while they are neither captured nor released. `approved` and
 * `declined` count cards, by brand; `decline` counts by reason. `paid-within` counts
 * all methods but cards, by the time until payment, on the day of creation. `acknowledged` counts
 * notifications whose first attempt the store acknowledged within five minutes.
 */
export const FIGURES = [
  'created',
  'authorized',
  'paid',
  'approved',
  'declined',
  'decline',
  'expired',
  'paid-within',
  'refunded',
  'charged-back',
  'notified',
  'acknowledged',
] as const
export type FigureName = (typeof FIGURES)[number]

/** Times that payers take, shortest first; the last has no limit. */
export const PAID_WITHIN = ['5m', '1h', '1d', '3d', 'later'] as const
const PAID_WITHIN_MS = [5 * MINUTE_MS, HOUR_MS, DAY_MS, 3 * DAY_MS, Infinity]

const PROMPT_MS = 5 * MINUTE_MS

/** A payment's contribution to the figure of a day. */
export interface FigurePart {
  readonly figure: FigureName
  /** Since 1970, in Brasília. */
  readonly day: number
  readonly method: string
  /** A brand, a reason or a span of time; empty if the figure has none. */
  readonly detail: string
  /** Empty if no account was asked. */
  readonly account: string
  readonly count: number
  /** In centavos. */
  readonly amount: number
}

/** The result of a notification. Times are in epoch milliseconds. */
export interface NotificationFate {
  readonly createdAtMs: number
  readonly attempts: number
  readonly acknowledgedAtMs: number | undefined
}

/** The events of a payment. */
export interface PaymentEvents {
  readonly transaction: Transaction
  readonly refunds: readonly Pick<Refund, 'status' | 'amountMinor' | 'processedAtMs'>[]
  readonly notifications: readonly NotificationFate[]
}

type Event = Pick<FigurePart, 'figure'> & {
  readonly atMs: number
  readonly detail?: string | undefined
  readonly amount?: number
}

/** A payment's contributions to the figures, always in the same order. */
export function paymentFigures(events: PaymentEvents): readonly FigurePart[] {
  const { transaction } = events
  const account = accountOf(transaction) ?? ''
  const parts = new Map<string, FigurePart>()
  for (const { figure, atMs, detail = '', amount = 0 } of eventsOf(events)) {
    const day = dayNumberInBrasilia(atMs)
    const key = `${figure} ${day} ${detail}`
    const { count, amount: before } = parts.get(key) ?? { count: 0, amount: 0 }
    const sum = { count: count + 1, amount: before + amount }
    parts.set(key, { figure, day, method: transaction.paymentType, detail, account, ...sum })
  }
  return [...parts.values()]
}

function eventsOf({ transaction, refunds, notifications }: PaymentEvents): readonly Event[] {
  return [
    { figure: 'created', atMs: transaction.createdAtMs, amount: transaction.amountMinor },
    ...outcomeOf(transaction),
    ...refunds.flatMap(({ status, amountMinor: amount, processedAtMs }): Event[] =>
      status === 'PROCESSED' && processedAtMs !== undefined
        ? [{ figure: 'refunded', atMs: processedAtMs, amount }]
        : [],
    ),
    ...notifications.flatMap(notificationEvents),
  ]
}

function outcomeOf(transaction: Transaction): readonly Event[] {
  const { capture, status, statusChangedAtMs: atMs, paidAtMs } = transaction
  const { amountMinor: amount } = capturedSums(transaction)
  // An authorization is approved once, also if it is released later.
  const approvedAtMs = capture?.authorizedAtMs ?? paidAtMs
  const isCard = transaction.paymentType === CARD_TYPE
  const brand = transaction.subType
  const events: Event[] = []
  if (paidAtMs !== undefined && hasBeenPaid(transaction)) {
    events.push({ figure: 'paid', atMs: paidAtMs, amount })
    if (!isCard) events.push(paidWithin(transaction, paidAtMs))
  }
  if (capture !== undefined && isAuthorized(transaction))
    events.push({ figure: 'authorized', atMs: capture.authorizedAtMs, amount })
  if (approvedAtMs !== undefined && isCard)
    events.push({
      figure: 'approved',
      atMs: approvedAtMs,
      detail: brand,
      amount: transaction.amountMinor,
    })
  if (isDeclined(transaction)) {
    events.push({ figure: 'declined', atMs, detail: brand, amount })
    events.push({ figure: 'decline', atMs, detail: reasonOf(transaction), amount })
  }
  if (status === 'EXPIRED' || status === 'NOT-PAID')
    events.push({ figure: 'expired', atMs, amount })
  if (status === 'CHARGEBACK') events.push({ figure: 'charged-back', atMs, amount })
  return events
}

function paidWithin({ createdAtMs, amountMinor }: Transaction, paidAtMs: number): Event {
  const took = PAID_WITHIN_MS.findIndex((limitMs) => paidAtMs - createdAtMs <= limitMs)
  return {
    figure: 'paid-within',
    atMs: createdAtMs,
    detail: PAID_WITHIN[took],
    amount: amountMinor,
  }
}

/** True for a card that an acquirer was asked to charge without success. */
function isDeclined({ capture, paymentType, status, paidAtMs, cardBin }: Transaction): boolean {
  const isOfCard = paymentType === CARD_TYPE && cardBin !== undefined && capture === undefined
  return isOfCard && status === 'CANCELLED' && paidAtMs === undefined
}

function reasonOf(transaction: Transaction): string {
  return cardOf(transaction)?.decline?.reason ?? 'generic'
}

function notificationEvents({
  createdAtMs: atMs,
  attempts,
  acknowledgedAtMs,
}: NotificationFate): readonly Event[] {
  const tookMs = acknowledgedAtMs === undefined ? Infinity : acknowledgedAtMs - atMs
  const isPrompt = attempts === 1 && tookMs <= PROMPT_MS
  return [
    { figure: 'notified', atMs },
    ...(isPrompt ? [{ figure: 'acknowledged', atMs } as const] : []),
  ]
}
