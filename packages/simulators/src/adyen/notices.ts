// Adyen's standard webhooks: what is told of a payment, signed with the account's key.
import { createHmac } from 'node:crypto'
import type { Notice } from '../card-acquirer/notice-line.js'
import type { AdyenAccount, Payment } from './book.js'
import type { Amount } from './wire.js'

export type EventCode =
  | 'AUTHORISATION'
  | 'CAPTURE'
  | 'CAPTURE_FAILED'
  | 'REFUND'
  | 'REFUND_FAILED'
  | 'REFUNDED_REVERSED'
  | 'CANCELLATION'
  | 'TECHNICAL_CANCEL'
  | 'CANCEL_OR_REFUND'
  | 'CHARGEBACK'
  | 'CHARGEBACK_REVERSED'

export interface AdyenEvent {
  readonly account: AdyenAccount
  readonly eventCode: EventCode
  readonly pspReference: string
  /** The payment that this changes; undefined for the payment itself. */
  readonly originalReference?: string | undefined
  readonly merchantReference: string
  readonly amount: Amount
  readonly success: boolean
  readonly reason?: string
  readonly paymentMethod?: string
  readonly timeMs: number
  readonly operations?: readonly string[]
  readonly additionalData?: Readonly<Record<string, string>>
}

/** Signed with the key that the account has now. */
export function noticeOf(event: AdyenEvent): Notice {
  const { account, merchantReference } = event
  const item = {
    eventCode: event.eventCode,
    eventDate: new Date(event.timeMs).toISOString(),
    merchantAccountCode: account.merchantAccount,
    merchantReference,
    pspReference: event.pspReference,
    ...(event.originalReference !== undefined && { originalReference: event.originalReference }),
    amount: event.amount,
    success: String(event.success),
    reason: event.reason ?? '',
    ...(event.paymentMethod !== undefined && { paymentMethod: event.paymentMethod }),
    ...(event.operations !== undefined && { operations: event.operations }),
    additionalData: { ...event.additionalData, hmacSignature: signatureOf(event) },
  }
  return {
    url: account.noticeUrl,
    event: event.eventCode,
    reference: merchantReference,
    body: { live: 'false', notificationItems: [{ NotificationRequestItem: item }] },
  }
}

function signatureOf(event: AdyenEvent): string {
  const { account, amount } = event
  const signed = [
    event.pspReference,
    event.originalReference ?? '',
    account.merchantAccount,
    event.merchantReference,
    amount.value,
    amount.currency,
    event.eventCode,
    event.success,
  ].join(':')
  const key = Buffer.from(account.hmacKey.reveal(), 'hex')
  return createHmac('sha256', key).update(signed).digest('base64')
}

const PAYMENT_METHODS: Readonly<Record<string, string>> = { mastercard: 'mc' }

/** Adyen's name of a card's brand. */
export function paymentMethodOf({ card: { brand } }: Payment): string {
  return PAYMENT_METHODS[brand] ?? (brand === '' ? 'unknowncard' : brand)
}
