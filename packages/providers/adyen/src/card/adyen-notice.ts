import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Decline, type MinorUnits, minorUnits } from '@cofre/contracts'
import { redacted } from '@cofre/provider-kit/outbound'
import type {
  AcquirerChange,
  AcquirerEvent,
  AcquirerNotices,
  EventFit,
  HeldPayment,
  NoticeReading,
} from '@cofre/provider-kit/card'
import { z } from 'zod'
import type { AdyenAccount } from './adyen-account.js'
import { adyenNoticeDecline } from './adyen-refusal.js'

const ITEMS_MAX = 100
const noticeSchema = z.looseObject({
  live: z.string(),
  notificationItems: z.array(z.unknown()).max(ITEMS_MAX),
})
/** No colon: it separates the signed values, so that one value could pass for two. */
const signed = z
  .string()
  .max(256)
  .regex(/^[^:]*$/)
const optionalText = z.string().optional().catch(undefined)
const itemSchema = z.looseObject({
  NotificationRequestItem: z.looseObject({
    pspReference: signed.min(1),
    originalReference: signed.nullish().transform((value) => value ?? ''),
    merchantAccountCode: signed,
    merchantReference: signed,
    amount: z.looseObject({ value: z.int().nonnegative(), currency: signed }),
    eventCode: signed,
    success: z.enum(['true', 'false']),
    eventDate: z.string().max(64),
    reason: optionalText,
    paymentMethod: optionalText,
    // Absent if Adyen has no key to sign with. A malformed signature is a wrong one.
    additionalData: z
      .looseObject({
        hmacSignature: z.string().max(128).catch(''),
        refusalReasonRaw: optionalText,
        merchantAdviceCode: optionalText,
      })
      .catch({ hmacSignature: '' }),
  }),
})
type Item = z.output<typeof itemSchema>['NotificationRequestItem']

type Changes = readonly [success: AcquirerChange | undefined, failure: AcquirerChange | undefined]

/** The events that change a payment; others are ignored. */
const CHANGES: ReadonlyMap<string, Changes> = new Map<string, Changes>([
  ['AUTHORISATION', ['approved', 'declined']],
  ['CAPTURE', ['captured', 'capture_refused']],
  ['CAPTURE_FAILED', ['capture_failed', undefined]],
  ['REFUND', ['refunded', 'refund_failed']],
  ['REFUND_FAILED', ['refund_failed', undefined]],
  ['REFUNDED_REVERSED', ['refund_failed', undefined]],
  ['CANCELLATION', ['cancelled', 'cancel_failed']],
  ['CANCEL_OR_REFUND', ['cancelled', 'cancel_failed']],
  ['TECHNICAL_CANCEL', ['cancelled', 'cancel_failed']],
  ['EXPIRE', ['expired', undefined]],
  ['NOTIFICATION_OF_CHARGEBACK', ['dispute_announced', undefined]],
  ['REQUEST_FOR_INFORMATION', ['dispute_announced', undefined]],
  ['NOTIFICATION_OF_FRAUD', ['dispute_announced', undefined]],
  ['PREARBITRATION_OPEN', ['dispute_announced', undefined]],
  ['PREARBITRATION_WON', ['dispute_announced', undefined]],
  ['PREARBITRATION_LOST', ['dispute_announced', undefined]],
  ['PREARBITRATION_ACCEPTED', ['dispute_announced', undefined]],
  ['PREARBITRATION_DECLINED', ['dispute_announced', undefined]],
  ['PREARBITRATION_ISSUER_WITHDRAWN', ['dispute_announced', undefined]],
  ['CHARGEBACK', ['charged_back', undefined]],
  ['SECOND_CHARGEBACK', ['charged_back', undefined]],
  ['CHARGEBACK_REVERSED', ['chargeback_reversed', undefined]],
])

/** Accepts notices with a valid signature, our account and our currency. */
export function createAdyenNotices(account: AdyenAccount): AcquirerNotices {
  return { read: (body) => readAdyenNotice(body, account), fit: fitOf }
}

function readAdyenNotice(body: unknown, account: AdyenAccount): NoticeReading {
  const notice = noticeSchema.safeParse(body).data
  if (notice === undefined) return { kind: 'none' }
  const isForeign = account.isLive !== undefined && notice.live !== String(account.isLive)
  const { notificationItems: items } = notice
  const read = items.flatMap(
    (item) => itemSchema.safeParse(item).data?.NotificationRequestItem ?? [],
  )
  // `live` is not signed, so it may only reject a notice.
  if (isForeign)
    return {
      kind: 'events',
      events: [],
      refused: read.length,
      damaged: items.length - read.length,
      elsewhere: [],
    }
  const isOurs = ({ merchantAccountCode }: Item) => merchantAccountCode === account.merchantAccount
  const own = read.filter(isOurs)
  const believed = own.filter((item) => isSigned(item, account))
  // Reports have other currencies.
  const ours = believed.filter(({ amount }) => amount.currency === 'BRL')
  return {
    kind: 'events',
    events: ours.flatMap((item) => eventOf(item) ?? []),
    refused: own.length - believed.length,
    damaged: items.length - read.length,
    elsewhere: read
      .filter((item) => !isOurs(item))
      .map((item) => ({
        account: item.merchantAccountCode,
        isSigned: isSigned(item, account),
        notice: { live: notice.live, notificationItems: [{ NotificationRequestItem: item }] },
      })),
  }
}

function isSigned(item: Item, { hmacKeys }: AdyenAccount): boolean {
  const given = Buffer.from(item.additionalData.hmacSignature, 'base64')
  return hmacKeys.some((key) => {
    const right = Buffer.from(signatureOf(item, key.reveal()), 'base64')
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

export type SignedFields = Pick<
  Item,
  | 'pspReference'
  | 'originalReference'
  | 'merchantAccountCode'
  | 'merchantReference'
  | 'amount'
  | 'eventCode'
  | 'success'
>

/** @param key - Hexadecimal. */
export function signatureOf(item: SignedFields, key: string): string {
  const { pspReference, originalReference, merchantAccountCode, merchantReference } = item
  const { value, currency } = item.amount
  const text = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    value,
    currency,
    item.eventCode,
    item.success,
  ].join(':')
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64')
}

/** Changes that never have the payment's own pspReference. */
const MODIFICATIONS: readonly AcquirerChange[] = [
  'captured',
  'capture_refused',
  'capture_failed',
  'refunded',
  'refund_failed',
  'cancelled',
  'cancel_failed',
]

function eventOf(item: Item): AcquirerEvent | undefined {
  const [success, failure] = CHANGES.get(item.eventCode) ?? []
  const change = item.success === 'true' ? success : failure
  const atMs = Date.parse(item.eventDate)
  if (change === undefined || Number.isNaN(atMs)) return undefined
  const isAboutAnother = item.originalReference !== '' || MODIFICATIONS.includes(change)
  return {
    id: `${item.eventCode}:${item.pspReference}`,
    change,
    reference: item.merchantReference,
    paymentId: isAboutAnother ? item.originalReference || undefined : item.pspReference,
    returnId: isAboutAnother ? item.pspReference : undefined,
    amountMinor: minorUnits(item.amount.value),
    atMs,
    // The reason of an approval contains the card's last digits.
    detail: change === 'approved' || !item.reason ? undefined : redacted(item.reason),
    ...(change === 'declined' && {
      decline: declineIn(item),
    }),
  }
}

function declineIn({ reason, paymentMethod, additionalData }: Item): Decline {
  const { merchantAdviceCode, refusalReasonRaw } = additionalData
  return adyenNoticeDecline({ reason, paymentMethod, merchantAdviceCode, refusalReasonRaw })
}

const CONTRADICTION: EventFit = { kind: 'contradiction' }

function fitOf(event: AcquirerEvent, held: HeldPayment): EventFit {
  // Adyen's ids are the same everywhere; before its answer arrives, only our reference is known.
  if (held.paymentId !== undefined && event.paymentId !== held.paymentId) return CONTRADICTION
  switch (event.change) {
    case 'captured':
    case 'capture_refused':
    case 'capture_failed':
      return fitOfCapture(event, held)
    case 'refunded':
    case 'refund_failed':
      return fitOfRefund(event, held)
    case 'dispute_announced':
    case 'charged_back':
    case 'chargeback_reversed':
      return paymentFit(event, held, event.amountMinor <= held.chargedMinor)
    case 'cancel_failed':
      // Adyen found nothing under our reference, so there is no amount either.
      return event.paymentId === undefined
        ? paymentFit(event, held, event.amountMinor === 0)
        : paymentFit(event, held, event.amountMinor === held.chargedMinor)
    case 'approved':
    case 'declined':
    case 'cancelled':
    case 'expired':
      return paymentFit(event, held, event.amountMinor === held.chargedMinor)
  }
}

function paymentFit(event: AcquirerEvent, held: HeldPayment, isAmount: boolean): EventFit {
  return event.reference === held.reference && isAmount ? { kind: 'payment' } : CONTRADICTION
}

/** A payment that is captured at once has no capture of its own. */
function fitOfCapture(event: AcquirerEvent, held: HeldPayment): EventFit {
  if (held.captures === undefined)
    return paymentFit(event, held, event.amountMinor === held.chargedMinor)
  const captures = held.captures.map(({ captureId: id, ...rest }) => ({ id, ...rest }))
  const capture = partOf(event, captures)
  if (capture !== undefined)
    return isFit(event, capture) ? { kind: 'capture', reference: capture.reference } : CONTRADICTION
  return event.change === 'captured' && isPart(event, held)
    ? { kind: 'foreign_capture' }
    : CONTRADICTION
}

function fitOfRefund(event: AcquirerEvent, held: HeldPayment): EventFit {
  const refunds = held.refunds.map(({ returnId: id, ...rest }) => ({ id, ...rest }))
  const refund = partOf(event, refunds)
  if (refund !== undefined)
    return isFit(event, refund) ? { kind: 'refund', reference: refund.reference } : CONTRADICTION
  return event.change === 'refunded' && isPart(event, held)
    ? { kind: 'foreign_refund' }
    : CONTRADICTION
}

/** A stored capture or refund. */
interface Part {
  readonly reference: string
  /** Undefined if its answer has not arrived. */
  readonly id: string | undefined
  readonly amountMinor: MinorUnits
}

function partOf(event: AcquirerEvent, parts: readonly Part[]): Part | undefined {
  return (
    parts.find(({ id }) => id !== undefined && id === event.returnId) ??
    parts.find(({ reference }) => reference === event.reference)
  )
}

function isFit(event: AcquirerEvent, { id, amountMinor }: Part): boolean {
  return (id === undefined || id === event.returnId) && amountMinor === event.amountMinor
}

function isPart({ reference, amountMinor }: AcquirerEvent, held: HeldPayment): boolean {
  return reference === held.reference && amountMinor <= held.chargedMinor
}
