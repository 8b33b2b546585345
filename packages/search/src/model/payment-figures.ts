import {
  type Refund,
  type Transaction,
  accountOf,
  cardOf,
  dayNumberInBrasilia,
  hasBeenPaid,
} from '@cofre/gateway/room'
import { DAY_MS, HOUR_MS, MINUTE_MS, CARD_TYPE } from '@cofre/contracts'

/**
 * What is counted of a store's payments, each on the day of its own event.
 * `approved` and `declined` are of cards, by brand; `decline` by reason; `paid-within` of all but
 * cards, by the time it took, on the day of the creation; `acknowledged` are notifications that the
 * store took at the first attempt within five minutes.
 */
export const FIGURES = [
  'created',
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

/** How long payers take, from the shortest; the last is any longer. */
export const PAID_WITHIN = ['5m', '1h', '1d', '3d', 'later'] as const
const PAID_WITHIN_MS = [5 * MINUTE_MS, HOUR_MS, DAY_MS, 3 * DAY_MS, Infinity]

const PROMPT_MS = 5 * MINUTE_MS

/** What a payment adds to the figure of a day. */
export interface FigurePart {
  readonly figure: FigureName
  /** Since 1970, in Brasília. */
  readonly day: number
  readonly method: string
  /** A brand, a reason or a span of time; empty where the figure has none. */
  readonly detail: string
  /** Empty where no account was asked. */
  readonly account: string
  readonly count: number
  /** In centavos. */
  readonly amount: number
}

/** How a notification fared. Times in epoch milliseconds. */
export interface NotificationFate {
  readonly createdAtMs: number
  readonly attempts: number
  readonly acknowledgedAtMs: number | undefined
}

/** What happened with a payment. */
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

/** What a payment adds to the figures, in an order that is always the same. */
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
  const { status, statusChangedAtMs: atMs, paidAtMs, amountMinor: amount } = transaction
  const isCard = transaction.paymentType === CARD_TYPE
  const brand = transaction.subType
  const events: Event[] = []
  if (paidAtMs !== undefined && hasBeenPaid(transaction)) {
    events.push({ figure: 'paid', atMs: paidAtMs, amount })
    if (!isCard) events.push(paidWithin(transaction, paidAtMs))
  }
  if (paidAtMs !== undefined && isCard)
    events.push({ figure: 'approved', atMs: paidAtMs, detail: brand, amount })
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

/** A card that was asked for its money in vain. */
function isDeclined({ paymentType, status, paidAtMs, cardBin }: Transaction): boolean {
  const isOfCard = paymentType === CARD_TYPE && cardBin !== undefined
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
