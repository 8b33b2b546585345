// Requests of Checkout v72 for cards. As at Adyen, an unknown field is an error. Fields that decide
// nothing here are known only by name.
import { z } from 'zod'
import { ServiceError, type ServiceErrorName } from './service-error.js'

const REFERENCE_LENGTH_MAX = 80

const unread = z.unknown().optional()
const referenceSchema = z.string().min(1).max(REFERENCE_LENGTH_MAX)
const amountSchema = z.strictObject({
  currency: z.string().length(3),
  value: z.int().positive(),
})
/** An amount of zero checks the card. */
const chargedAmountSchema = z.strictObject({
  currency: z.string().length(3),
  value: z.int().nonnegative(),
})
const cardSchema = z.strictObject({
  type: z.enum(['scheme', 'card', 'networkToken']).default('scheme'),
  number: z.string(),
  expiryMonth: z.string(),
  expiryYear: z.string(),
  cvc: z.string().optional(),
  holderName: z.string().optional(),
  brand: z.string().optional(),
  fundingSource: z.enum(['credit', 'debit', 'prepaid']).optional(),
  networkPaymentReference: z.string().optional(),
  checkoutAttemptId: unread,
  threeDS2SdkVersion: unread,
})
const threeDSecureSchema = z.strictObject({
  authenticationResponse: z.enum(['Y', 'N', 'U', 'A']).optional(),
  directoryResponse: z.enum(['A', 'C', 'D', 'I', 'N', 'R', 'U', 'Y']).optional(),
  cavv: z.base64().optional(),
  cavvAlgorithm: z.string().optional(),
  challengeCancel: z.string().optional(),
  dsTransID: z.string().optional(),
  eci: z.string().optional(),
  riskScore: z.string().optional(),
  threeDSVersion: z.string().optional(),
  tokenAuthenticationVerificationValue: z.base64().optional(),
  transStatusReason: z.string().optional(),
  xid: z.base64().optional(),
})
const paymentSchema = z.strictObject({
  merchantAccount: z.string(),
  reference: referenceSchema,
  amount: chargedAmountSchema,
  returnUrl: z.string().min(1).max(1024),
  paymentMethod: cardSchema,
  installments: z.strictObject({ value: z.int().min(1), plan: unread, extra: unread }).optional(),
  captureDelayHours: z.int().min(0).max(672).optional(),
  shopperInteraction: z.enum(['Ecommerce', 'ContAuth', 'Moto', 'POS']).optional(),
  recurringProcessingModel: z
    .enum(['CardOnFile', 'Subscription', 'UnscheduledCardOnFile'])
    .optional(),
  shopperReference: z.string().min(3).max(256).optional(),
  shopperStatement: z.string().max(10_000).optional(),
  mpiData: threeDSecureSchema.optional(),
  additionalData: z.record(z.string(), z.string()).optional(),
  ...unreadFields(
    ...(['accountInfo', 'applicationInfo', 'authenticationData', 'billingAddress'] as const),
    ...(['browserInfo', 'channel', 'company', 'countryCode', 'dateOfBirth'] as const),
    ...(['deliveryAddress', 'deviceFingerprint', 'fraudOffset', 'lineItems', 'mcc'] as const),
    ...(['localizedShopperStatement', 'merchantOrderReference', 'metadata'] as const),
    ...(['merchantRiskIndicator', 'origin', 'riskData', 'shopperEmail', 'shopperIP'] as const),
    ...(['shopperLocale', 'shopperName', 'shopperTaxInfo', 'socialSecurityNumber'] as const),
    ...(['store', 'storePaymentMethod', 'telephoneNumber', 'threeDS2RequestData'] as const),
  ),
})
const detailsSchema = z.strictObject({
  details: z.strictObject({ redirectResult: z.string().min(1).max(20_000) }),
  paymentData: unread,
  authenticationData: unread,
})
const modification = {
  merchantAccount: z.string(),
  reference: referenceSchema.optional(),
  applicationInfo: unread,
}
const money = { ...modification, amount: amountSchema, lineItems: unread }
const captureSchema = z.strictObject({ ...money, enhancedSchemeData: unread })
const refundSchema = z.strictObject({
  ...money,
  capturePspReference: unread,
  enhancedSchemeData: unread,
  store: unread,
  merchantRefundReason: z
    .enum(['FRAUD', 'CUSTOMER REQUEST', 'RETURN', 'DUPLICATE', 'OTHER'])
    .nullish(),
})
const cancelSchema = z.strictObject(modification)
const cancelByReferenceSchema = z.strictObject({
  ...modification,
  paymentReference: referenceSchema,
})

export type Amount = z.infer<typeof amountSchema>
export type PaymentRequest = z.infer<typeof paymentSchema>

/**
 * Each parses a merchant's request.
 * @throws ServiceError that names the field
 */
export const readPayment = reader(paymentSchema)
export const readDetails = reader(detailsSchema)
export const readCapture = reader(captureSchema)
export const readRefund = reader(refundSchema)
export const readCancel = reader(cancelSchema)
export const readCancelByReference = reader(cancelByReferenceSchema)

function unreadFields<Name extends string>(...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, unread])) as Record<Name, typeof unread>
}

function reader<Schema extends z.ZodType>(schema: Schema) {
  return (value: unknown): z.infer<Schema> => {
    const result = schema.safeParse(value, { reportInput: true })
    if (result.success) return result.data
    const [issue] = result.error.issues
    throw issue === undefined ? new ServiceError('field') : errorOf(issue)
  }
}

function errorOf(issue: z.core.$ZodIssue): ServiceError {
  const field = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return new ServiceError('field', `Unknown fields: ${issue.keys.join(', ')}`)
  const isMissing = issue.input === undefined
  if (field.startsWith('amount')) return new ServiceError('amount')
  const name: ServiceErrorName = isMissing ? 'missing' : 'field'
  const text = isMissing
    ? `Required field '${field}' is not provided.`
    : `The '${field}' field is invalid.`
  return new ServiceError(name, text)
}
