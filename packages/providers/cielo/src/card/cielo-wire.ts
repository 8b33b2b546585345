// Cielo E-commerce 3.0. Answers are parsed case-insensitively, and may have new fields.
import {
  type MinorUnits,
  isCpf,
  latin1Spelling,
  minorUnits,
  paymentReference,
} from '@cofre/contracts'
import {
  type AuthorizeRequest,
  type CheckRequest,
  type StoredCredential,
  type LinkPolicy,
  linksToSend,
  transactionLinkId,
  plainLetters,
} from '@cofre/provider-kit/card'
import { z } from 'zod'
import type { CieloAccount } from './cielo-account.js'

const HOLDER_LENGTH_MAX = 25
/** For a name without Latin letters. */
const HOLDER_WITHOUT_LETTERS = 'PORTADOR'

const BRANDS: ReadonlyMap<string, string> = new Map([
  ['visa', 'Visa'],
  ['mastercard', 'Master'],
  ['amex', 'Amex'],
  ['elo', 'Elo'],
  ['hipercard', 'Hipercard'],
  ['diners', 'Diners'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['aura', 'Aura'],
])

type Json = Readonly<Record<string, unknown>>

/** Contains the card in the clear. */
export function saleBody(
  request: AuthorizeRequest,
  { softDescriptor }: Pick<CieloAccount, 'softDescriptor'>,
): Json {
  const { brand, isFromLink, payer, storedCredential, threeDSecure } = request
  return {
    MerchantOrderId: paymentReference(request.key),
    Customer: {
      Name: latin1Spelling(payer.name),
      ...(payer.document !== undefined && {
        Identity: payer.document,
        IdentityType: isCpf(payer.document) ? 'CPF' : 'CNPJ',
      }),
      ...(payer.email !== undefined && { Email: payer.email }),
    },
    Payment: {
      Type: 'CreditCard',
      Amount: request.amountMinor,
      Currency: 'BRL',
      Installments: request.installments,
      Interest: 'ByMerchant',
      Capture: request.isCapturedLater !== true,
      // Elo requires it; for other brands it has no meaning.
      ...(isFromLink === true && brand === 'elo' && { SolutionType: 'ExternalLinkPay' }),
      ...(softDescriptor !== undefined && { SoftDescriptor: softDescriptor }),
      ...(storedCredential !== undefined && recurrence(request, storedCredential)),
      ...(threeDSecure !== undefined && {
        Authenticate: true,
        ExternalAuthentication: {
          Cavv: threeDSecure.cavv.reveal(),
          Eci: threeDSecure.eci,
          Version: threeDSecure.version,
          ...(threeDSecure.directoryServerTransactionId !== undefined && {
            ReferenceId: threeDSecure.directoryServerTransactionId,
          }),
        },
      }),
      CreditCard: { ...cardOf(request, storedCredential), SaveCard: false },
    },
  }
}

/** The brands that Cielo checks without a charge. */
const CHECKED_BRANDS: readonly string[] = ['visa', 'mastercard', 'elo']

/** A Zero Auth. Contains the card in the clear; undefined for a brand that Cielo does not check. */
export function checkBody(request: CheckRequest): Json | undefined {
  if (!CHECKED_BRANDS.includes(request.brand)) return undefined
  return { CardType: 'CreditCard', ...cardOf(request, FIRST_USE) }
}

const FIRST_USE = { use: 'first', isSubscription: false } as const

function cardOf(
  { card, brand, payer }: CheckRequest,
  storedCredential: Pick<StoredCredential, 'use' | 'isSubscription'> | undefined,
): Json {
  const { number, month, year, cvv } = card.reveal()
  const holder = plainLetters(payer.name.replace(/\d/g, ''), HOLDER_LENGTH_MAX).toUpperCase()
  return {
    CardNumber: number,
    Holder: holder === '' ? HOLDER_WITHOUT_LETTERS : holder,
    ExpirationDate: `${month}/${year}`,
    ...(cvv !== undefined && { SecurityCode: cvv }),
    Brand: BRANDS.get(brand) ?? brand,
    ...(storedCredential !== undefined && {
      CardOnFile: {
        Usage: storedCredential.use === 'first' ? 'First' : 'Used',
        Reason: storedCredential.isSubscription ? 'Recurring' : 'Unscheduled',
      },
    }),
  }
}

/**
 * Cielo expects the TLID of the holder's first charge (by its changelog; an English page has the
 * newest), and the issuer's id of the most recent one.
 */
const LINKS: LinkPolicy = { transactionLinkId: 'first', networkTransactionId: 'newest' }

function recurrence({ brand }: AuthorizeRequest, credential: StoredCredential): Json {
  const { use, isSubscription } = credential
  const isLater = use === 'later'
  const { networkTransactionId, transactionLinkId } = linksToSend(LINKS, credential)
  return {
    Recurrent: isSubscription,
    ...(networkTransactionId !== undefined && { IssuerTransactionId: networkTransactionId }),
    ...(brand === 'mastercard' &&
      transactionLinkId !== undefined && { TransactionLinkId: transactionLinkId }),
    // Mastercard's code for the initiator: the shopper (C1), or the store by agreement (M1).
    ...(brand === 'mastercard' && {
      InitiatedTransactionIndicator: {
        Category: isLater && isSubscription ? 'M1' : 'C1',
        Subcategory: isSubscription ? 'Subscription' : 'CredentialsOnFile',
      },
    }),
  }
}

const NAMES_DEPTH_MAX = 8

/** The same value with field names in lower case; too deep fields are dropped. */
export function inLowerCase(value: unknown, depth = 0): unknown {
  if (depth > NAMES_DEPTH_MAX) return undefined
  if (Array.isArray(value)) return value.map((item) => inLowerCase(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  return Object.fromEntries(
    fields.map(([name, field]) => [name.toLowerCase(), inLowerCase(field, depth + 1)]),
  )
}

const text = z
  .union([z.string().max(512), z.number().transform(String)])
  .transform((value) => (value === '' ? undefined : value))
  .optional()
  .catch(undefined)
const whole = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
const amount = whole.pipe(z.int().nonnegative()).transform(minorUnits)
const maybeAmount = amount.optional().catch(undefined)
/** Zero until a capture, also where that has not reached the queries. */
const capturedAmount = maybeAmount.transform((value) => (value === 0 ? undefined : value))
const paymentId = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)

const dispute = z.looseObject({
  amount,
  casenumber: text,
  reasonmessage: text,
  status: text,
})

export const saleSchema = z.looseObject({
  merchantorderid: z.string(),
  payment: z.looseObject({
    paymentid: paymentId,
    status: whole,
    amount,
    capturedamount: capturedAmount,
    voidedamount: maybeAmount,
    returncode: text,
    returnmessage: text,
    merchantadvicecode: text,
    proofofsale: text,
    authorizationcode: text,
    eci: text,
    issuertransactionid: text,
    transactionlinkid: transactionLinkId,
    chargebacks: z.array(dispute).optional().catch(undefined),
  }),
})
export type Sale = z.output<typeof saleSchema>

/** The answer to a Zero Auth; its message may be the issuer's. */
export const checkSchema = z.looseObject({
  valid: z.boolean(),
  returncode: text,
  returnmessage: text,
  merchantadvicecode: text,
  issuertransactionid: text,
  transactionlinkid: transactionLinkId,
})

/** The answer to a capture, a cancel or a refund. */
export const changeSchema = z.looseObject({ status: whole, returncode: text })

const saleNames = z.array(z.looseObject({ paymentid: paymentId }))
/** The ids of payments under a MerchantOrderId. */
export const salesSchema = z
  .union([
    z.looseObject({ payments: saleNames }).transform(({ payments }) => payments),
    z.looseObject({ payment: saleNames }).transform(({ payment }) => payment),
  ])
  .transform((names) => names.map(({ paymentid }) => paymentid))

const errorSchema = z.looseObject({
  code: whole,
  message: z.string().optional().catch(undefined),
})
export const errorsSchema = z.array(errorSchema).min(1)
/** For a Zero Auth that is not carried out, the manual has one error alone. */
export const checkErrorsSchema = z.union([errorsSchema, errorSchema.transform((one) => [one])])

export type CieloStatus =
  | 'not_finished'
  | 'authorized'
  | 'confirmed'
  | 'denied'
  | 'returned'
  | 'pending'

const STATUSES: ReadonlyMap<number, CieloStatus> = new Map<number, CieloStatus>([
  [0, 'not_finished'],
  [1, 'authorized'],
  [2, 'confirmed'],
  [3, 'denied'],
  [10, 'returned'],
  [11, 'returned'],
  [12, 'pending'],
  [13, 'denied'],
  [20, 'pending'],
])

/** An unknown status counts as pending: ask again. */
export function cieloStatus(status: number): CieloStatus {
  return STATUSES.get(status) ?? 'pending'
}

/** The returned part of a payment; the status of a full return needs no amount. */
export function returnedOf({ payment }: Sale): MinorUnits {
  const isWhole = cieloStatus(payment.status) === 'returned'
  const whole = payment.capturedamount ?? payment.amount
  return payment.voidedamount ?? (isWhole ? whole : minorUnits(0))
}

/** The captured part of a payment; undefined while it has no result. */
export function capturedOf({ payment }: Sale): MinorUnits | undefined {
  switch (cieloStatus(payment.status)) {
    case 'confirmed':
      return payment.capturedamount ?? payment.amount
    case 'returned':
      return payment.capturedamount ?? minorUnits(0)
    case 'authorized':
    case 'denied':
      return minorUnits(0)
    case 'not_finished':
    case 'pending':
      return undefined
  }
}
