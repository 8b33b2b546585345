// Adyen Checkout v72. Requests have only documented fields, since Adyen refuses unknown ones.
// Answers may have new fields and values.
import { createHash } from 'node:crypto'
import {
  type MinorUnits,
  type ThreeDSecureResult,
  checkReference,
  minorUnits,
  paymentReference,
} from '@cofre/contracts'
import {
  type AcquirerPayment,
  type AuthorizeRequest,
  type BrandIds,
  type CheckRequest,
  type StoredCredential,
  type LinkPolicy,
  linksToSend,
  transactionLinkId,
} from '@cofre/provider-kit/card'
import { z } from 'zod'
import type { AdyenAccount } from './adyen-account.js'

const CURRENCY = 'BRL'

export interface AdyenAmount {
  readonly currency: string
  readonly value: number
}

export function adyenAmount(value: MinorUnits): AdyenAmount {
  return { currency: CURRENCY, value }
}

type Json = Readonly<Record<string, unknown>>

/** Contains the card in the clear. */
export function paymentBody(request: AuthorizeRequest, account: AdyenAccount): Json {
  const { amountMinor, installments, storedCredential } = request
  const links = linksToSend(LINKS, storedCredential)
  const { merchantAccount, softDescriptor } = account
  return {
    merchantAccount,
    reference: paymentReference(request.key),
    amount: adyenAmount(amountMinor),
    returnUrl: request.authenticationReturnUrl ?? account.returnUrl,
    paymentMethod: cardOf(request, links),
    // Captured with the authorization, unless a capture is requested later.
    ...(request.isCapturedLater === undefined && { captureDelayHours: 0 }),
    shopperInteraction: storedCredential?.use === 'later' ? 'ContAuth' : 'Ecommerce',
    ...(installments > 1 && { installments: { value: installments } }),
    ...(softDescriptor !== undefined && { shopperStatement: softDescriptor }),
    ...payerOf(request),
    ...(storedCredential !== undefined && recurrence(request, storedCredential)),
    ...additionalDataOf(request, links),
    ...(request.threeDSecure !== undefined && { mpiData: mpiData(request.threeDSecure) }),
  }
}

function additionalDataOf(
  { brand, isCapturedLater }: AuthorizeRequest,
  { transactionLinkId: linkId }: Partial<BrandIds>,
): Json {
  const additionalData = {
    ...(isCapturedLater === true && { manualCapture: 'true' }),
    ...(brand === 'mastercard' && linkId !== undefined && { transactionLinkId: linkId }),
  }
  return Object.keys(additionalData).length > 0 ? { additionalData } : {}
}

const FIRST_USE: StoredCredential = {
  use: 'first',
  isSubscription: false,
  networkTransactionId: undefined,
}

/** A payment of zero, which saves the card. Contains the card in the clear. */
export function checkBody(
  request: CheckRequest,
  { merchantAccount, returnUrl }: Pick<AdyenAccount, 'merchantAccount' | 'returnUrl'>,
): Json {
  return {
    merchantAccount,
    reference: checkReference(request.key),
    amount: adyenAmount(minorUnits(0)),
    returnUrl,
    paymentMethod: cardOf(request),
    shopperInteraction: 'Ecommerce',
    ...payerOf(request),
    ...recurrence(request, FIRST_USE),
  }
}

/** Adyen expects both ids of the agreement's first charge. */
const LINKS: LinkPolicy = { transactionLinkId: 'first', networkTransactionId: 'first' }

function payerOf({ payer: { document, email, ip } }: CheckRequest): Json {
  return {
    ...(document !== undefined && { socialSecurityNumber: document }),
    ...(email !== undefined && { shopperEmail: email }),
    ...(ip !== undefined && { shopperIP: ip }),
  }
}

function cardOf(
  { card, payer }: CheckRequest,
  { networkTransactionId }: Partial<BrandIds> = {},
): Json {
  const { number, month, year, cvv } = card.reveal()
  return {
    type: 'scheme',
    number,
    expiryMonth: month,
    expiryYear: year,
    holderName: payer.name,
    ...(cvv !== undefined && { cvc: cvv }),
    ...(networkTransactionId !== undefined && { networkPaymentReference: networkTransactionId }),
  }
}

function recurrence({ key, payer }: CheckRequest, { isSubscription }: StoredCredential): Json {
  // Adyen requires a stable name for a shopper, without personal data.
  const shopper = JSON.stringify([key.installation, payer.document ?? payer.email ?? payer.name])
  return {
    recurringProcessingModel: isSubscription ? 'Subscription' : 'CardOnFile',
    shopperReference: createHash('sha256').update(shopper).digest('hex').slice(0, 32),
  }
}

/** ECI of a full authentication, and of an attempt that the brand vouches for. */
const AUTHENTICATED: readonly string[] = ['02', '05']
const ATTEMPTED: readonly string[] = ['01', '06']

function mpiData({ version, eci, cavv, directoryServerTransactionId }: ThreeDSecureResult): Json {
  const status = AUTHENTICATED.includes(eci) ? 'Y' : ATTEMPTED.includes(eci) ? 'A' : 'U'
  return {
    authenticationResponse: status,
    directoryResponse: status === 'U' ? 'U' : 'Y',
    cavv: cavv.reveal(),
    eci,
    threeDSVersion: version,
    ...(directoryServerTransactionId !== undefined && { dsTransID: directoryServerTransactionId }),
  }
}

/** Missing or invalid values are undefined: the rest of an answer still counts. */
const text = z.string().min(1).max(512).optional().catch(undefined)
const code = z
  .union([z.string(), z.number().transform(String)])
  .optional()
  .catch(undefined)
/** Ids of payments are letters and digits; others would not fit an address. */
const ADDRESS_LENGTH_MAX = 8192
const pspReference = z.string().regex(/^[A-Za-z0-9]{8,64}$/)

/** The only action that a browser handles without a script of Adyen's. */
const redirectSchema = z.looseObject({
  type: z.literal('redirect'),
  url: z.url({ protocol: /^https?$/ }).max(ADDRESS_LENGTH_MAX),
  method: z.enum(['GET', 'POST']),
  data: z.record(z.string(), z.string().max(ADDRESS_LENGTH_MAX)).default({}),
})

export const paymentAnswerSchema = z.looseObject({
  pspReference: pspReference.optional().catch(undefined),
  resultCode: z.string(),
  refusalReason: text,
  refusalReasonCode: code,
  merchantReference: text,
  action: redirectSchema.optional().catch(undefined),
  /** The classic API's place of the code. */
  authCode: text,
  amount: z.looseObject({ currency: z.string(), value: z.number() }).optional().catch(undefined),
  additionalData: z
    .looseObject({
      authCode: text,
      eci: text,
      merchantAdviceCode: text,
      networkTxReference: text,
      refusalReasonRaw: text,
      transactionLinkId,
    })
    .optional()
    .catch(undefined),
})
export type PaymentAnswer = z.output<typeof paymentAnswerSchema>

export function adyenPayment({ pspReference: paymentId, ...answer }: PaymentAnswer) {
  if (paymentId === undefined) return undefined
  const { authCode, eci, networkTxReference, transactionLinkId } = answer.additionalData ?? {}
  return {
    paymentId,
    nsu: undefined,
    authorizationCode: authCode ?? answer.authCode,
    eci,
    networkTransactionId: networkTxReference,
    transactionLinkId,
  } satisfies AcquirerPayment
}

/** For captures, refunds and cancels: accepted now, decided later. */
export const modificationAnswerSchema = z.looseObject({
  pspReference,
  status: z.literal('received'),
})

export const errorSchema = z.looseObject({
  errorCode: code,
  message: text,
  errorType: z.string(),
})
