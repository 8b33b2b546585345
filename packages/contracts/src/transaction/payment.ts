// A payment with all that belongs to it, and lists of payments and refunds: what a shop's own back
// office reads. Ours: the specification's search stays as it is.
import { z } from 'zod'
import { type PaymentType, SAVED_CODE } from './limits.js'
import { declineBodySchema, decimalDigits, payerCodes, timestamp } from './response.js'
import { metadataElementSchema } from './metadata.js'
import { MED_NATURES, REFUND_STATUSES } from './refund.js'
import { TRANSACTION_STATUSES } from './status.js'

/** Status of a payment in `GET /payments`. AUTHORIZED: it waits for its capture. */
export const PAYMENT_STATUSES = [...TRANSACTION_STATUSES, 'AUTHORIZED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** Names of payment methods in lists and searches. */
export const PAYMENT_METHODS = ['credit-card', 'pix', 'boleto', 'e-wallet'] as const
export type PaymentMethodName = (typeof PAYMENT_METHODS)[number]

const METHOD_OF_TYPE: Readonly<Record<PaymentType, PaymentMethodName>> = {
  'credit-card': 'credit-card',
  eft: 'pix',
  postpay: 'boleto',
  'e-wallet': 'e-wallet',
}

export function methodOfType(type: PaymentType): PaymentMethodName {
  return METHOD_OF_TYPE[type]
}

const TYPE_OF_METHOD: Readonly<Record<PaymentMethodName, PaymentType>> = {
  'credit-card': 'credit-card',
  pix: 'eft',
  boleto: 'postpay',
  'e-wallet': 'e-wallet',
}

export function typeOfMethod(method: PaymentMethodName): PaymentType {
  return TYPE_OF_METHOD[method]
}

/** A payment's fields in lists. */
const summary = {
  code: decimalDigits,
  reference: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  method: z.enum(PAYMENT_METHODS),
  /** The brand of a card, or the wallet. */
  'method-name': z.string().nullable(),
  currency: z.literal('BRL'),
  amount: z.number(),
  'charged-amount': z.number(),
  /** `null` unless it was authorized first, and captured. */
  'captured-amount': z.number().nullable(),
  'refunded-amount': z.number(),
  installments: z.int(),
  description: z.string(),
  'payer-email': z.string().nullable(),
  'date-created': timestamp,
  'date-paid': timestamp.nullable(),
  'date-changed': timestamp,
  'expires-at': timestamp.nullable(),
  /** When the store's rule acts on an AUTHORIZED payment; `null` for others. */
  'capture-before': timestamp.nullable(),
  metadata: metadataElementSchema,
}

const paymentSummarySchema = z.strictObject(summary)
export type PaymentSummary = z.output<typeof paymentSummarySchema>

/** An account with a provider, as its store calls it. */
const accountSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
})

const acquirerSchema = z.strictObject({
  name: z.string(),
  /** The company's, for fiscal documents; `null` if it is unknown. */
  cnpj: z.string().nullable(),
  account: accountSchema,
  'payment-id': z.string().nullable(),
  nsu: z.string().nullable(),
  'authorization-code': z.string().nullable(),
})

const cardSchema = z.strictObject({
  brand: z.string().nullable(),
  bin: z.string().nullable(),
  'last-four': z.string().nullable(),
  /** The code of the card that this payment saved. */
  'saved-card': z.string().regex(SAVED_CODE).nullable(),
  'interest-amount': z.number(),
  acquirer: acquirerSchema.nullable(),
  /** True if the issuer is liable for fraud; `null` without 3-D Secure. */
  'liability-shift': z.boolean().nullable(),
  /** `05`, by the brand's table; `null` without 3-D Secure. */
  eci: z.string().nullable(),
  /** True if later charges can name this one to the brand; `null` if that is unknown. */
  'has-network-ids': z.boolean().nullable(),
  decline: declineBodySchema.nullable(),
})

/** How far the money of a surplus is on its way back; `KEPT` where it stays. */
const SURPLUS_STATUSES = ['PROCESSING', 'PROCESSED', 'REJECTED', 'KEPT'] as const

const bankPaymentSchema = z.strictObject({
  'end-to-end-id': z.string(),
  amount: z.number(),
  'date-paid': timestamp,
  way: z.enum(['pix', 'line', 'elsewhere']),
  purpose: z.enum(['order', 'other-amount', 'second-payment', 'after-the-end']),
  'surplus-status': z.enum(SURPLUS_STATUSES).nullable(),
})

const bankChargeSchema = z.strictObject({
  account: accountSchema,
  /** The txid of a PIX, or our name of a boleto. */
  name: z.string(),
  'our-number': z.string().nullable(),
  'due-date': z.string().nullable(),
  'date-issued': timestamp.nullable(),
  payments: z.array(bankPaymentSchema),
})

/** A refund in lists. */
export const refundSchema = z.strictObject({
  'refund-id': decimalDigits,
  'transaction-code': decimalDigits,
  status: z.enum(REFUND_STATUSES),
  amount: z.number(),
  /** The refunded part of the charge, with its share of the interest. */
  'charged-amount': z.number(),
  reference: z.string().nullable(),
  origin: z.enum(['store', 'provider']),
  nature: z.enum(MED_NATURES).nullable(),
  'date-created': timestamp,
  'date-ended': timestamp.nullable(),
  metadata: metadataElementSchema,
})
export type RefundSummary = z.output<typeof refundSchema>

const notificationSchema = z.strictObject({
  status: z.enum(TRANSACTION_STATUSES),
  'refund-id': decimalDigits.nullable(),
  state: z.enum(['waiting', 'waiting-for-search', 'held', 'done']),
  attempts: z.int(),
  'date-created': timestamp,
  'date-last-attempt': timestamp.nullable(),
})

const disputeSchema = z.strictObject({
  kind: z.enum(['announced', 'charged-back', 'reversed', 'capture-failed']),
  amount: z.number().nullable(),
  /** As the acquirer words it. */
  reason: z.string().nullable(),
  date: timestamp,
})

const settlementSchema = z.strictObject({
  kind: z.string(),
  result: z.string(),
  installment: z.int().nullable(),
  gross: z.number(),
  fee: z.number(),
  net: z.number(),
  /** `YYYY-MM-DD`. */
  'date-paid-out': z.string(),
})

const paymentSchema = z.strictObject({
  ...summary,
  payer: z.strictObject({ name: z.string(), document: z.string(), email: z.string() }).nullable(),
  'notification-url': z.string(),
  ...payerCodes,
  card: cardSchema.nullable(),
  'bank-charge': bankChargeSchema.nullable(),
  refunds: z.array(refundSchema),
  notifications: z.array(notificationSchema),
  disputes: z.array(disputeSchema),
  settlements: z.array(settlementSchema),
})
export type PaymentElement = z.output<typeof paymentSchema>

/** Body of `200 OK` of `GET /payments/{code}`. */
export const paymentBodySchema = z.strictObject({ payment: paymentSchema })
export type PaymentBody = z.output<typeof paymentBodySchema>

/** The results of a cancellation. */
const CANCELLATION_RESULTS = ['cancelled', 'paid-meanwhile', 'in-process'] as const

/** Body of `200 OK` of `POST /payments/{code}/cancellation`. */
export const cancellationBodySchema = z.strictObject({
  cancellation: z.enum(CANCELLATION_RESULTS),
  payment: paymentSummarySchema,
})
export type CancellationBody = z.output<typeof cancellationBodySchema>

/** Body of `200 OK` of `POST /payments/{code}/capture`. */
export const captureBodySchema = z.strictObject({
  capture: z.enum(['captured', 'in-process']),
  payment: paymentSummarySchema,
})
export type CaptureBody = z.output<typeof captureBodySchema>

const nextCursor = { 'next-cursor': z.string().nullable() }

/** Body of `200 OK` of `GET /payments` and `POST /payments/searches`. */
export const paymentListSchema = z.strictObject({
  payments: z.array(paymentSummarySchema),
  ...nextCursor,
})
export type PaymentListBody = z.output<typeof paymentListSchema>

/** Body of `200 OK` of `GET /refunds`. */
export const refundListSchema = z.strictObject({ refunds: z.array(refundSchema), ...nextCursor })
export type RefundListBody = z.output<typeof refundListSchema>
