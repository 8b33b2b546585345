// Body of `POST /payments/searches`: a payer is named in no address, since addresses are logged.
import { z } from 'zod'
import { isCnpj, isCpf } from '../value/document.js'
import { type FieldRules, compileFieldTable, valueAt } from '../validation/field-table.js'
import { LIST_LIMIT_MAX, METADATA_SEARCH_KEYS_MAX, ONE_CENT, REFERENCE } from './limits.js'
import { metadataSchema } from './metadata.js'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from './payment.js'
import * as fields from './request-fields.js'

/** The facts that decide on the fields of a search. */
interface SearchFacts {
  /** True if the body names neither a payer nor metadata. */
  readonly needsPayer: boolean
  readonly isCursor: (text: string) => boolean
}

/** Reads those facts from a body of any shape. @param isCursor - Judges cursors. */
export function paymentSearchFacts(
  body: unknown,
  isCursor: (text: string) => boolean,
): SearchFacts {
  const named = ['payer-email', 'payer-document'].some(
    (name) => valueAt(body, [name]) !== undefined,
  )
  const metadata = valueAt(body, ['metadata'])
  const isEmpty = typeof metadata === 'object' && Object.keys(metadata ?? {}).length === 0
  return { needsPayer: !named && (metadata === undefined || isEmpty), isCursor }
}

const rules = new Map<z.core.$ZodType, FieldRules<SearchFacts>>()

/** Every failure of a search has one code. */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Partial<FieldRules<SearchFacts>> = {},
): Schema {
  const name = 'payment_search_invalid'
  rules.set(schema, { missing: name, invalid: name, ...conditions })
  return schema
}

const SHOWN = { isShown: true } as const

const isDocument = (value: unknown): boolean =>
  typeof value === 'string' && (isCpf(value) || isCnpj(value))

const paymentSearchSchema = field(
  z.object({
    'payer-email': field(fields.payerEmailSchema.clone().optional(), {
      requiredWhen: ({ needsPayer }) => needsPayer,
    }),
    'payer-document': field(z.string().optional(), { acceptedWhen: isDocument }),
    metadata: field(metadataSchema(METADATA_SEARCH_KEYS_MAX)).optional(),
    status: field(z.enum(PAYMENT_STATUSES).optional(), SHOWN),
    method: field(z.enum(PAYMENT_METHODS).optional(), SHOWN),
    reference: field(z.string().regex(REFERENCE).optional()),
    amount: field(fields.amountSchema(ONE_CENT).optional(), SHOWN),
    'created-from': field(fields.isoTimeSchema.clone().optional(), SHOWN),
    'created-until': field(fields.isoTimeSchema.clone().optional(), SHOWN),
    limit: field(fields.countSchema(LIST_LIMIT_MAX).optional(), SHOWN),
    cursor: field(z.string().optional(), {
      acceptedWhen: (value, { isCursor }) => typeof value === 'string' && isCursor(value),
    }),
  }),
)

/** Every field of `POST /payments/searches`. */
export const paymentSearchTable = compileFieldTable(paymentSearchSchema, rules)

/** Its body after validation: amount in centavos, times in milliseconds. */
export type PaymentSearchRequest = z.output<typeof paymentSearchSchema>
