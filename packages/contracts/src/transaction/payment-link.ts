import { z } from 'zod'
import { type FieldRules, compileFieldTable, valueAt } from '../validation/field-table.js'
import { type MinorUnits, minorUnits, parseAmount } from '../value/money.js'
import { readIsoTime } from '../value/timestamp.js'
import { transactionLanguageSchema } from './language.js'
import {
  AMOUNT_MIN,
  CARD_TYPE,
  INSTALLMENTS_MAX,
  LINK_REFERENCE,
  ONE_CENT,
  PAGE_RESULTS_MAX,
  type PaymentType,
} from './limits.js'
import { metadataElementSchema, metadataSchema } from './metadata.js'
import * as fields from './request-fields.js'
import { decimalDigits, timestamp } from './response.js'
import { TRANSACTION_STATUSES } from './status.js'

/** How often a link may be paid. */
export const LINK_USAGES = ['once', 'many'] as const
export type LinkUsage = (typeof LINK_USAGES)[number]

/** Methods of a link, beside wallets. */
const METHOD_TYPES: Readonly<Record<string, PaymentType>> = {
  'credit-card': 'credit-card',
  pix: 'eft',
  boleto: 'postpay',
}

/** The API's type of a link's method; an unknown name is a wallet's. */
export function paymentTypeOf(method: string): PaymentType {
  return METHOD_TYPES[method] ?? 'e-wallet'
}

/** Facts that decide on a link, beside its fields. */
export interface LinkPolicy extends fields.StorePolicy {
  readonly wallets: readonly string[]
  readonly nowMs: number
  /** The latest time at which a link may end. */
  readonly expiryMaxMs: number
  /** The largest purchase. */
  readonly amountMaxMinor: MinorUnits
}

/** The policy, with facts from the body. */
interface LinkFacts extends LinkPolicy {
  readonly amountMinor: MinorUnits | undefined
  readonly isCapturedLater: boolean
  /** The largest of its methods' minimums. */
  readonly amountMinMinor: MinorUnits
}

/** Reads the facts from a body of any shape. */
export function linkFacts(body: unknown, policy: LinkPolicy): LinkFacts {
  const amount = valueAt(body, ['amount'])
  const isCapturedLater = valueAt(body, ['capture']) === false
  const sent: unknown = valueAt(body, ['methods']) ?? (isCapturedLater ? [CARD_TYPE] : undefined)
  const known = Array.isArray(sent) ? linkMethods(policy).filter((one) => sent.includes(one)) : []
  return {
    ...policy,
    isCapturedLater,
    amountMinor:
      typeof amount === 'number' || typeof amount === 'string' ? parseAmount(amount) : undefined,
    amountMinMinor: minorUnits(
      Math.max(ONE_CENT, ...known.map((method) => AMOUNT_MIN[paymentTypeOf(method)])),
    ),
  }
}

/** All methods that a link may have. */
export const linkMethods = ({ wallets }: Pick<LinkPolicy, 'wallets'>): readonly string[] => [
  ...Object.keys(METHOD_TYPES),
  ...wallets,
]

const rules = new Map<z.core.$ZodType, FieldRules<LinkFacts>>()

/** Every failure of a link's body has one code. */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Partial<FieldRules<LinkFacts>> = {},
): Schema {
  const name = 'payment_link_invalid'
  rules.set(schema, { missing: name, invalid: name, ...conditions })
  return schema
}

const SHOWN = { isShown: true } as const
function areMethods(value: unknown, facts: LinkFacts): boolean {
  const known = linkMethods(facts)
  return (
    Array.isArray(value) &&
    new Set(value).size === value.length &&
    value.every((method) => known.some((one) => one === method))
  )
}

const isTooLarge = ({ amountMinor, amountMaxMinor }: LinkFacts): boolean =>
  amountMinor !== undefined && amountMinor > amountMaxMinor

function isAhead(value: unknown, { nowMs, expiryMaxMs }: LinkFacts): boolean {
  const timeMs = readIsoTime(value)
  return timeMs !== undefined && timeMs > nowMs && timeMs <= expiryMaxMs
}

const linkRequestSchema = (installmentsMax: number) =>
  field(
    z.object({
      reference: field(z.string().regex(LINK_REFERENCE), {
        acceptedWhen: fields.isReferenceOfStore,
      }),
      amount: field(fields.amountSchema(ONE_CENT), {
        ...SHOWN,
        acceptedWhen: (_, facts) =>
          (facts.amountMinor ?? 0) >= facts.amountMinMinor && !isTooLarge(facts),
        boundsWhen: (facts) =>
          isTooLarge(facts)
            ? { maximum: facts.amountMaxMinor / 100 }
            : { minimum: facts.amountMinMinor / 100 },
      }),
      description: field(fields.freeText(1, 200)),
      methods: field(z.array(z.string()).min(1).optional(), {
        requiredWhen: ({ isCapturedLater }) => !isCapturedLater,
        acceptedWhen: areMethods,
        boundsWhen: (facts) => ({ allowed: linkMethods(facts) }),
      }),
      capture: field(z.boolean().optional(), SHOWN),
      usage: field(z.enum(LINK_USAGES).optional(), SHOWN),
      installments: field(fields.countSchema(installmentsMax).optional(), SHOWN),
      'expires-at': field(fields.isoTimeSchema.optional(), { ...SHOWN, acceptedWhen: isAhead }),
      language: field(transactionLanguageSchema.clone().optional(), SHOWN),
      'success-url': field(fields.urlSchema.clone()).optional(),
      'notification-url': field(fields.urlSchema.clone().optional(), {
        acceptedWhen: fields.isNotificationUrl,
        requiredWhen: fields.namesNoAddress,
      }),
      metadata: field(metadataSchema()).optional(),
    }),
  )

/** Validated body of `POST /payment-links`: amount in centavos, times in milliseconds. */
export type LinkRequest = z.output<ReturnType<typeof linkRequestSchema>>

/** Every field of `POST /payment-links`. */
export const linkRequestTable = tableOf(INSTALLMENTS_MAX)

function tableOf(installmentsMax: number) {
  return compileFieldTable(linkRequestSchema(installmentsMax), rules)
}

const tablesByContract = new Map<number, ReturnType<typeof tableOf>>()

/** The table of a store, which may offer more installments than others. */
export function linkTableOf(installmentsMax: number | undefined): ReturnType<typeof tableOf> {
  if (installmentsMax === undefined) return linkRequestTable
  const table = tablesByContract.get(installmentsMax) ?? tableOf(installmentsMax)
  tablesByContract.set(installmentsMax, table)
  return table
}

/** Status of a link in responses. */
export const LINK_STATUSES = ['PAYABLE', 'PAID', 'EXPIRED', 'REVOKED'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

const linkElementSchema = z.strictObject({
  code: z.string(),
  url: z.string(),
  reference: z.string(),
  amount: z.number(),
  currency: z.literal('BRL'),
  description: z.string(),
  methods: z.array(z.string()),
  /** Absent if cards are charged at once. */
  capture: z.literal(false).optional(),
  usage: z.enum(LINK_USAGES),
  installments: z.int(),
  language: z.string(),
  'success-url': z.string().optional(),
  'notification-url': z.string(),
  /** Absent without keys. */
  metadata: metadataElementSchema.optional(),
  status: z.enum(LINK_STATUSES),
  'expires-at': timestamp.nullable(),
  'date-created': timestamp,
  'date-revoked': timestamp.nullable(),
})
export type LinkElement = z.output<typeof linkElementSchema>

/** Body of `201 Created` of `POST /payment-links`, and of the response to a revocation. */
export const linkBodySchema = z.strictObject({ 'payment-link': linkElementSchema })
export type LinkBody = z.output<typeof linkBodySchema>

const linkTrySchema = z.strictObject({
  'transaction-code': decimalDigits,
  reference: z.string(),
  method: z.string(),
  status: z.enum(TRANSACTION_STATUSES),
  'date-created': timestamp,
})
export type LinkTryElement = z.output<typeof linkTrySchema>

/** Body of `200 OK` of `GET /payment-links/{code}`. */
export const linkWithTriesSchema = z.strictObject({
  'payment-link': z.strictObject({
    ...linkElementSchema.shape,
    tries: z.array(linkTrySchema),
  }),
})
export type LinkWithTriesBody = z.output<typeof linkWithTriesSchema>

/** Body of `200 OK` of `GET /payment-links`. */
export const linkListSchema = z.strictObject({
  'payment-links': z.array(linkElementSchema),
  metadata: z.strictObject({
    found: z.string().regex(/^\d+$/),
    'page-results': z.int().min(0).max(PAGE_RESULTS_MAX),
    'current-page': z.int().min(1),
    'total-pages': z.int().min(0),
  }),
})
export type LinkListBody = z.output<typeof linkListSchema>
