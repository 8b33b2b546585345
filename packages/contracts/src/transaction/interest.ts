import { z } from 'zod'
import { CARD_BRANDS, isAccepted } from '../card/brand.js'
import { type FieldRules, compileFieldTable, valueAt } from '../validation/field-table.js'
import { parseDecimal } from '../value/money.js'
import { readIsoTime } from '../value/timestamp.js'
import { INSTALLMENTS_BY_CONTRACT_MAX } from './limits.js'
import * as fields from './request-fields.js'
import { timestamp } from './response.js'

/** Facts that decide on a change of interest, beside its fields. */
interface InterestFacts {
  /** By the machine's clock, which starts changes. */
  readonly nowMs: number
  /**
   * True unless the change ends the store's own terms. A body that is no object has no other
   * failure.
   */
  readonly needsTerms: boolean
  readonly hasTerms: boolean
}

/** Reads the facts from a body of any shape. */
export function interestFacts(body: unknown, nowMs: number): InterestFacts {
  const terms = ['monthly-rate-percent', 'interest-free']
  return {
    nowMs,
    needsTerms: typeof body === 'object' && body !== null && valueAt(body, ['usual']) !== true,
    hasTerms: terms.some((name) => valueAt(body, [name]) !== undefined),
  }
}

const rules = new Map<z.core.$ZodType, FieldRules<InterestFacts>>()

/** Every failure of a change has one code. */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Partial<FieldRules<InterestFacts>> = {},
): Schema {
  const name = 'interest_invalid'
  rules.set(schema, { missing: name, invalid: name, isShown: true, ...conditions })
  return schema
}

const RATE_PERCENT_MAX = 100
const RATE_DECIMALS_MAX = 4

/** Monthly rate, as a fraction. */
const monthlyRateSchema = z
  .union([z.number(), z.string()])
  .transform((value, context) => {
    const percent = parseDecimal(value) === undefined ? Number.NaN : Number(value)
    const isExact = Number(percent.toFixed(RATE_DECIMALS_MAX)) === percent
    if (isExact && percent >= 0 && percent <= RATE_PERCENT_MAX)
      return Number((percent / 100).toFixed(RATE_DECIMALS_MAX + 2))
    context.addIssue({ code: 'custom' })
    return z.NEVER
  })
  .meta({ minimum: 0, maximum: RATE_PERCENT_MAX })

function isFuture(value: unknown, { nowMs }: InterestFacts): boolean {
  const timeMs = readIsoTime(value)
  return timeMs !== undefined && timeMs >= nowMs
}

const brandSchema = z.enum(CARD_BRANDS.filter(isAccepted).map(({ name }) => name))

const interestChangeSchema = field(
  z.object({
    brand: field(brandSchema.optional()),
    'monthly-rate-percent': field(monthlyRateSchema.optional(), {
      requiredWhen: ({ needsTerms }) => needsTerms,
    }),
    'interest-free': field(fields.countSchema(INSTALLMENTS_BY_CONTRACT_MAX).optional()),
    usual: field(z.boolean().optional(), {
      acceptedWhen: (value, { hasTerms }) => value !== true || !hasTerms,
    }),
    from: field(fields.isoTimeSchema.optional(), { acceptedWhen: isFuture }),
  }),
  { isShown: false },
)

/** Every field of `POST /interest/changes`. */
export const interestChangeTable = compileFieldTable(interestChangeSchema, rules)

/** The validated body: the rate as a fraction, the time in milliseconds. */
export type InterestChangeRequest = z.output<typeof interestChangeSchema>

const termsShape = {
  'monthly-rate-percent': z.number(),
  'interest-free': z.int().min(1),
}

/** Terms of a brand, or of all others, from a time on; null for the usual terms. */
const interestElementSchema = z.strictObject({
  brand: z.string().nullable(),
  'monthly-rate-percent': termsShape['monthly-rate-percent'].nullable(),
  'interest-free': termsShape['interest-free'].nullable(),
  from: timestamp,
})
export type InterestElement = z.output<typeof interestElementSchema>

/** Body of `200 OK` of `GET /interest` and of `201 Created` of `POST /interest/changes`. */
export const interestBodySchema = z.strictObject({
  interest: z.strictObject({
    usual: z.strictObject(termsShape),
    changes: z.array(interestElementSchema),
  }),
})
export type InterestBody = z.output<typeof interestBodySchema>
