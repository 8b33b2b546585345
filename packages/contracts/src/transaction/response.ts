// Shapes of responses (specification, sections 2.3, 2.6). The types, the API document and the
// contract test derive from these schemas.
import { z } from 'zod'
import { DECLINE_REASONS } from './decline.js'
import { DECIMAL_CODE, PAGE_RESULTS_MAX, REFERENCE_LENGTH_MAX, SAVED_CODE } from './limits.js'
import { MED_NATURES, REFUND_STATUSES } from './refund.js'
import { TRANSACTION_STATUSES } from './status.js'

export const timestamp = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}-03:00$/)
const decimalText = z.string().regex(/^\d+\.\d{2}$/)
export const decimalDigits = z.string().regex(DECIMAL_CODE)

/** A saved card in responses. */
export const paymentMethodSchema = z.strictObject({
  code: z.string().regex(SAVED_CODE),
  'credit-card': z.strictObject({
    brand: z.string(),
    'masked-number': z.string().regex(/^\*+\d{4}$/),
    'expiration-date': z.string().regex(/^\d{4}-\d{2}$/),
  }),
  'date-created': timestamp,
})
export type PaymentMethodBody = z.output<typeof paymentMethodSchema>

/** Reason of a decline. Our addition: the specification has none. */
export const declineBodySchema = z.strictObject({
  reason: z.enum(DECLINE_REASONS),
  code: z.string().optional(),
  'retry-allowed': z.boolean(),
  'retry-date': timestamp.optional(),
})
export type DeclineBody = z.output<typeof declineBodySchema>

/** Codes for the payer, by method; a boleto has those that its bank has returned so far. */
export const payerCodes = {
  'barcode-number': z
    .string()
    .regex(/^\d{44}$/)
    .optional(),
  'digitable-line': z
    .string()
    .regex(/^\d{47}$/)
    .optional(),
  'payment-url': z.string().optional(),
  'payment-code': z.string().max(250).optional(),
  'qrcode-image': z.string().max(64).optional(),
}

/** Body of `201 Created` of `POST /transactions`. */
export const transactionBodySchema = z.strictObject({
  transaction: z.strictObject({
    code: decimalDigits,
    reference: z.string().max(REFERENCE_LENGTH_MAX),
    amount: z.number(),
    status: z.enum(['PAID', 'PENDING', 'REJECTED']),
    currency: z.literal('BRL'),
    country: z.literal('BR'),
    'payer-email': z.string().max(60),
    'date-created': timestamp,
    ...payerCodes,
    'authentication-url': z.string().max(64).optional(),
    'capture-before': timestamp.optional(),
    decline: declineBodySchema.optional(),
  }),
  'payment-methods': z.array(paymentMethodSchema).optional(),
})
export type TransactionBody = z.output<typeof transactionBodySchema>

/** A refund inside a search result. */
export const refundElementSchema = z.strictObject({
  'refund-id': decimalDigits,
  'refund-status': z.enum(REFUND_STATUSES),
  'refund-amount': decimalText,
  'refund-date': timestamp,
  'refund-processing-date': timestamp.nullable(),
  'refund-reference': z.string().nullable(),
  'refund-origin': z.enum(['store', 'provider']),
  'refund-nature': z.enum(MED_NATURES).optional(),
  'refund-earliest-date': timestamp.optional(),
})
export type RefundElement = z.output<typeof refundElementSchema>

/** Why a payment ended CANCELLED at its acquirer. Our addition: the specification has none. */
const CANCELLATION_REASONS = ['capture_failed', 'authorization_expired'] as const

/** One transaction of a search result. */
export const searchElementSchema = z.strictObject({
  'transaction-code': decimalDigits,
  'order-id': z.string(),
  'order-description': z.string(),
  status: z.enum(TRANSACTION_STATUSES),
  currency: z.literal('BRL'),
  amount: decimalText,
  'customer-email': z.string(),
  'customer-country': z.string().length(2),
  'notify-url': z.string(),
  'payment-country': z.literal('BR'),
  'payment-id': z.string(),
  'payment-name': z.string(),
  'order-date': timestamp,
  'payment-date': timestamp.nullable(),
  'last-status-change-date': timestamp,
  'chargeback-date': z.null(),
  refundable: z.boolean(),
  refunds: z.array(refundElementSchema),
  'refunded-amount': decimalText,
  'payment-methods': z.array(paymentMethodSchema),
  ...payerCodes,
  decline: declineBodySchema.optional(),
  'cancellation-reason': z.enum(CANCELLATION_REASONS).optional(),
})
export type SearchElement = z.output<typeof searchElementSchema>

/** Body of `200 OK` of `GET /transactions` and `GET /transactions/{code}`. */
export const searchBodySchema = z.strictObject({
  'transaction-result': z.strictObject({
    'store-id': z.string(),
    transactions: z.array(searchElementSchema),
  }),
  metadata: z.strictObject({
    found: z.string().regex(/^\d+$/),
    'page-results': z.int().min(0).max(PAGE_RESULTS_MAX),
    'current-page': z.int().min(1),
    'total-pages': z.int().min(0),
  }),
})
export type SearchBody = z.output<typeof searchBodySchema>

/** Body of `201 Created` of `POST /refunds`. */
export const refundBodySchema = z.strictObject({ 'refund-id': decimalDigits })
export type RefundBody = z.output<typeof refundBodySchema>
