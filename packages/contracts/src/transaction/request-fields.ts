import { z } from 'zod'
import { holdsCardNumber, maskCardNumbers } from '../card/card-numbers-in-text.js'
import { DIRECT_TOKEN_FORM, DIRECT_TOKEN_LENGTH_MAX } from '../card/token-form.js'
import { type Decimal, type MinorUnits, parseAmount, parseDecimal } from '../value/money.js'
import { isCalendarDate } from '../value/text.js'
import { readIsoTime } from '../value/timestamp.js'
import type { IssueParams } from '../validation/field-table.js'
import {
  FIRST_BIRTH_YEAR,
  NAME_LENGTH_MAX,
  ONE_CENT,
  REFERENCE,
  SAVED_CODE,
  URL_LENGTH_MAX,
} from './limits.js'

/**
 * Latin letters, each with its marks in either form of Unicode, the specification's `, . & / ' -`
 * with the apostrophes and hyphens of `asciiSpelling`, and the point of Gal·la.
 */
const NAME =
  /^(?:\p{Script=Latin}[\u0300-\u036f\u1dc0-\u1dff\ufe20-\ufe2f\u1ab0-\u1aff]*|[,.&/'‘’‚‛´`ʹʻʼʽʾʿˈˊˋ′＇·‧‐‑‒–—―−﹘﹣－-]){2,50}(?: (?:\p{Script=Latin}[\u0300-\u036f\u1dc0-\u1dff\ufe20-\ufe2f\u1ab0-\u1aff]*|[,.&/'‘’‚‛´`ʹʻʼʽʾʿˈˊˋ′＇·‧‐‑‒–—―−﹘﹣－-]){1,50})* (?:\p{Script=Latin}[\u0300-\u036f\u1dc0-\u1dff\ufe20-\ufe2f\u1ab0-\u1aff]*|[,.&/'‘’‚‛´`ʹʻʼʽʾʿˈˊˋ′＇·‧‐‑‒–—―−﹘﹣－-])+$/u
/** A company's name may be one word and contain digits. */
const PERSON_OR_COMPANY_NAME =
  /^(?:\p{Script=Latin}[\u0300-\u036f\u1dc0-\u1dff\ufe20-\ufe2f\u1ab0-\u1aff]*|[0-9,.&/'‘’‚‛´`ʹʻʼʽʾʿˈˊˋ′＇·‧‐‑‒–—―−﹘﹣－-]){2,}(?: (?:\p{Script=Latin}[\u0300-\u036f\u1dc0-\u1dff\ufe20-\ufe2f\u1ab0-\u1aff]*|[0-9,.&/'‘’‚‛´`ʹʻʼʽʾʿˈˊˋ′＇·‧‐‑‒–—―−﹘﹣－-])+)*$/u
const EMAIL = /^[A-Za-z0-9+._-]+@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/
const BRAZILIAN_PHONE = /^\+55(?:1[1-9]|[2-9]\d)(?:\d{8}|9\d{8})$/
/** ITU-T E.164. */
const FOREIGN_PHONE = /^\+(?!55)[1-9]\d{7,14}$/

/** A text that is too long gets no further checks. */
const AT_MOST = { abort: true } as const

/** Any text without a NUL, which PostgreSQL does not store. */
export const text = (min: number, max: number): z.ZodString =>
  z
    .string()
    .min(min)
    .max(max, AT_MOST)
    .refine((value) => !value.includes('\0'))

/** Free text. Masks card numbers, so that they are neither stored nor returned. */
export const freeText = (min: number, max: number): z.ZodString =>
  text(min, max).overwrite(maskCardNumbers)

export const referenceSchema: z.ZodString = z.string().regex(REFERENCE)
/** Decisions of a store and its gateway on payments and refunds. */
export interface StorePolicy {
  /** True if notifications may be sent to the URL. */
  readonly acceptsNotificationUrl: (url: string) => boolean
  /** True if the store allows no card number as a reference; by default one is allowed. */
  readonly refusesCardReferences?: boolean
  /** The store's own address, for payment links and refunds that name none. */
  readonly notificationUrl?: string | undefined
}
/** False for a card number as an order's or a refund's reference, if the store allows none. */
export const isReferenceOfStore = (value: unknown, policy: StorePolicy): boolean =>
  policy.refusesCardReferences !== true || typeof value !== 'string' || !holdsCardNumber(value)
export const isNotificationUrl = (value: unknown, policy: StorePolicy): boolean =>
  typeof value !== 'string' || policy.acceptsNotificationUrl(value)
/** True if a request must name an address, because the store has none. */
export const namesNoAddress = ({ notificationUrl }: StorePolicy): boolean =>
  notificationUrl === undefined
/** True if a text may be a store's own address for notifications. */
export const isNotificationAddress = (text: string, policy: StorePolicy): boolean =>
  urlSchema.safeParse(text).success && isNotificationUrl(text, policy)
export const payerNameSchema: z.ZodString = z.string().max(NAME_LENGTH_MAX, AT_MOST).regex(NAME)
/** Names of people or companies; a person's must also match {@link payerNameSchema}. */
export const personOrCompanyNameSchema: z.ZodString = z
  .string()
  .max(NAME_LENGTH_MAX, AT_MOST)
  .regex(PERSON_OR_COMPANY_NAME)
  .refine((name) => !holdsCardNumber(name))
export const payerEmailSchema: z.ZodString = z
  .string()
  .max(60, AT_MOST)
  .regex(EMAIL)
  .refine((email) => !holdsCardNumber(email))
export const savedCodeSchema: z.ZodString = z.string().regex(SAVED_CODE)
export const encryptedTokenSchema: z.ZodString = z
  .string()
  .max(DIRECT_TOKEN_LENGTH_MAX)
  .regex(DIRECT_TOKEN_FORM)
/** A ZIP code of any country; in Brazil eight digits. */
export const zipCodeSchema: z.ZodString = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,10}[A-Za-z0-9])?$/)
export const phoneSchema = z.union([
  z.string().regex(BRAZILIAN_PHONE),
  z.string().regex(FOREIGN_PHONE),
])
export const ipSchema = z.union([z.ipv4(), z.ipv6()])

export const projectNumberSchema = z.int().refine((number) => !holdsCardNumber(String(number)))

export const birthDateSchema = z
  .string()
  .refine((date) => isCalendarDate(date) && date >= FIRST_BIRTH_YEAR)
  .meta({ format: 'date' })

/** In either case; the result is in capitals. */
export const documentTypeSchema = z
  .string()
  .transform((type) => type.toUpperCase())
  .pipe(z.enum(['CPF', 'CNPJ']))
  .meta({ enum: ['CPF', 'CNPJ', 'cpf', 'cnpj'] })

export const expirationDateSchema: z.ZodString = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)

// The result of a 3-D Secure server (EMV 3-D Secure, version 2).
export const threeDSecureVersionSchema: z.ZodString = z.string().regex(/^2\.\d(?:\.\d)?$/)
export const eciSchema: z.ZodString = z.string().regex(/^0[0-7]$/)
/** 20 bytes in Base64. */
export const cavvSchema: z.ZodString = z.string().regex(/^[A-Za-z0-9+/]{27}=$/)

/** An absolute http or https URL without credentials and without a card number. */
export const urlSchema = z
  .string()
  .max(URL_LENGTH_MAX, AT_MOST)
  .refine((value) => {
    if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) || !URL.canParse(value)) return false
    const { username, password } = new URL(value)
    return username + password === '' && !holdsCardNumber(decoded(value))
  })

/** Decodes digits, and characters between them, that percent-encoding would hide. */
function decoded(url: string): string {
  return url
    .replaceAll('+', ' ')
    .replaceAll(/%([2-5][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

const numberOrText = z.union([z.number(), z.string()])

/** A price of any number of decimals, exact and at least 0.01. */
export const unitPriceSchema = numberOrText
  .transform((value, context) => {
    const price = parseDecimal(value)
    if (price !== undefined && !isBelow(price, ONE_CENT)) return price
    context.addIssue(amountIssue(price, ONE_CENT))
    return z.NEVER
  })
  .meta({ minimum: ONE_CENT / 100 })

/** An amount of at most two decimals, in centavos. */
export function amountSchema(minimum: MinorUnits) {
  return numberOrText
    .transform((value, context) => {
      const amount = parseAmount(value)
      if (amount !== undefined && amount >= minimum) return amount
      context.addIssue(amountIssue(parseDecimal(value), minimum))
      return z.NEVER
    })
    .meta({ minimum: minimum / 100 })
}

function isBelow({ digits, scale }: Decimal, minimum: MinorUnits): boolean {
  return digits * 100n < BigInt(minimum) * 10n ** BigInt(scale)
}

/** A number that is too small gets the minimum reported, whatever its decimals. */
function amountIssue(number: Decimal | undefined, minimum: MinorUnits) {
  const isTooSmall = number !== undefined && isBelow(number, minimum)
  const params: IssueParams = isTooSmall ? { minimum: minimum / 100 } : {}
  return { code: 'custom' as const, params: { ...params } }
}

/** A count of at least one. Shops also send it as a numeric string, with zero decimals. */
export function countSchema(max: number) {
  return numberOrText
    .transform((value) =>
      typeof value === 'string' && /^\d{1,9}(?:\.0+)?$/.test(value) ? Number(value) : value,
    )
    .pipe(z.int().min(1).max(max))
}

/** A time in one of our fields; parsed to epoch milliseconds. */
export const isoTimeSchema = z.string().transform((text, context) => {
  const timeMs = readIsoTime(text)
  if (timeMs !== undefined) return timeMs
  context.addIssue({ code: 'custom' })
  return z.NEVER
})
