// Adyen's standard webhooks: events of a payment, signed with the account's key.
import { createHmac } from 'node:crypto'
import type { Notice } from '@cofre/provider-kit/simulator'
import type { AdyenAccount, AdyenEvent, Payment } from './book.js'

/** Signed with the account's current key. */
export function noticeOf(account: AdyenAccount, event: AdyenEvent): Notice {
  const { merchantReference } = event
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
    additionalData: { ...event.additionalData, hmacSignature: signatureOf(account, event) },
  }
  return {
    url: account.noticeUrl,
    event: event.eventCode,
    reference: merchantReference,
    body: { live: 'false', notificationItems: [{ NotificationRequestItem: item }] },
  }
}

function signatureOf(account: AdyenAccount, event: AdyenEvent): string {
  const { amount } = event
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
