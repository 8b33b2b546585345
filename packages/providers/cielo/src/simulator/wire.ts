// Requests of Cielo E-commerce 3.0 for cards. Names are case-insensitive; fields that decide
// nothing here are ignored.
import { INSTALLMENTS_BY_CONTRACT_MAX } from '@cofre/contracts'
import { z } from 'zod'
import type { CieloAccount } from './book.js'
import { CieloError, type CieloErrorCode } from './cielo-error.js'

const AMOUNT_MAX = 10 ** 15 - 1
const HOLDER_LENGTH_MAX = 25
const BRANDS = [
  'Visa',
  'Master',
  'Amex',
  'Elo',
  'Aura',
  'JCB',
  'Diners',
  'Discover',
  'Hipercard',
] as const

const cardSchema = inAnyCase({
  CardNumber: z.string().regex(/^\d{13,19}$/),
  Holder: z
    .string()
    .max(HOLDER_LENGTH_MAX)
    .regex(/^[A-Za-z .']+$/),
  ExpirationDate: z.string().regex(/^(0[1-9]|1[0-2])\/20\d{2}$/),
  SecurityCode: z
    .string()
    .regex(/^\d{3,4}$/)
    .optional(),
  Brand: z.enum(BRANDS),
  SaveCard: z.boolean().optional(),
  CardOnFile: inAnyCase({
    Usage: z.enum(['First', 'Used']),
    Reason: z.enum(['Recurring', 'Unscheduled', 'Installments']).optional(),
  }).optional(),
})
const paymentSchema = inAnyCase({
  Type: z.enum(['CreditCard', 'DebitCard']),
  Amount: z.int().positive().max(AMOUNT_MAX),
  Installments: z.int().min(1).max(INSTALLMENTS_BY_CONTRACT_MAX).default(1),
  Interest: z.string().optional(),
  Capture: z.boolean().default(false),
  Recurrent: z.boolean().optional(),
  Authenticate: z.boolean().optional(),
  SoftDescriptor: z.string().optional(),
  IssuerTransactionId: z.string().optional(),
  TransactionLinkId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional(),
  ExternalAuthentication: inAnyCase({ Eci: z.string().optional() }).optional(),
  CreditCard: cardSchema.optional(),
  DebitCard: cardSchema.optional(),
})
const saleSchema = inAnyCase({
  MerchantOrderId: z.string().min(1).max(50),
  Customer: inAnyCase({ Name: z.string().optional() }).optional(),
  Payment: paymentSchema,
})

/** The brands of a Zero Auth. */
const CHECKED_BRANDS: readonly string[] = ['Visa', 'Master', 'Elo']

export type SaleRequest = z.infer<typeof saleSchema>
export type CardRequest = z.infer<typeof cardSchema>

/** Codes by field: if it is missing, and if it is wrong. */
const CODES: Readonly<Record<string, readonly [missing: CieloErrorCode, wrong: CieloErrorCode]>> = {
  MerchantOrderId: [122, 122],
  Payment: [119, 119],
  Type: [102, 173],
  Amount: [108, 108],
  Installments: [123, 123],
  CardNumber: [118, 213],
  Holder: [117, 214],
  ExpirationDate: [126, 126],
  SecurityCode: [146, 146],
  Brand: [182, 185],
}
const CARD_LENGTH_MAX = 19

/** @throws CieloError with all codes at once */
export function readSale(
  value: unknown,
  { installmentsMax }: Pick<CieloAccount, 'installmentsMax'>,
): SaleRequest {
  if (typeof value !== 'object' || value === null) throw new CieloError(400, [184])
  const result = saleSchema.safeParse(value, { reportInput: true })
  if (!result.success)
    throw new CieloError(400, [...new Set(result.error.issues.map((issue) => codeOf(issue)))])
  if (result.data.Payment.Installments > installmentsMax) throw new CieloError(400, [123])
  return result.data
}

/**
 * The card of a credit or debit sale.
 * @throws CieloError
 */
export function cardOf({ Payment }: SaleRequest): CardRequest {
  const card = Payment.Type === 'DebitCard' ? Payment.DebitCard : Payment.CreditCard
  if (card === undefined) throw new CieloError(400, [124])
  return card
}

/**
 * The card of a Zero Auth.
 * @throws CieloError with all codes at once
 */
export function readCheck(value: unknown): CardRequest {
  if (typeof value !== 'object' || value === null) throw new CieloError(400, [184])
  const result = cardSchema.safeParse(value, { reportInput: true })
  if (!result.success)
    throw new CieloError(400, [...new Set(result.error.issues.map((issue) => codeOf(issue)))])
  if (!CHECKED_BRANDS.includes(result.data.Brand)) throw new CieloError(400, [57])
  return result.data
}

function codeOf({ path, input }: z.core.$ZodIssue): CieloErrorCode {
  const field = String(path.at(-1))
  if (field === 'CardNumber' && typeof input === 'string' && input.length > CARD_LENGTH_MAX)
    return 128
  const [missing, wrong] = CODES[field] ?? [184, 184]
  return input === undefined ? missing : wrong
}

/** An object with case-insensitive names. */
function inAnyCase<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
  const rename = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    return Object.fromEntries(
      entries.map(([name, field]) => [names.get(name.toLowerCase()) ?? name, field as unknown]),
    )
  }
  return z.preprocess(rename, z.object(shape))
}
