import { z } from 'zod'
import { type FieldRules, compileFieldTable } from '../validation/field-table.js'
import { ONE_CENT, REFERENCE_LENGTH_MAX, TRANSACTION_CODE } from './limits.js'
import { metadataSchema } from './metadata.js'
import * as fields from './request-fields.js'

/** Status of a refund in answers. */
export const REFUND_STATUSES = ['PROCESSING', 'PROCESSED', 'REJECTED'] as const
export type RefundStatus = (typeof REFUND_STATUSES)[number]

const rules = new Map<z.core.$ZodType, FieldRules<fields.StorePolicy>>()

/** Every failure of a refund's body has one code (specification, section 7.6). */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Pick<
    FieldRules<fields.StorePolicy>,
    'acceptedWhen' | 'requiredWhen' | 'isShown'
  > = {},
): Schema {
  rules.set(schema, { missing: 'refund_invalid', invalid: 'refund_invalid', ...conditions })
  return schema
}

const transactionIdSchema = z
  .union([z.int(), z.string()])
  .transform((id) => String(id))
  .pipe(z.string().regex(TRANSACTION_CODE))

const refundRequestSchema = field(
  z.object({
    'transaction-id': field(transactionIdSchema),
    'notify-url': field(fields.urlSchema.clone().optional(), {
      acceptedWhen: fields.isNotificationUrl,
      requiredWhen: fields.namesNoAddress,
    }),
    amount: field(fields.amountSchema(ONE_CENT), { isShown: true }).optional(),
    'test-mode': field(z.literal([0, 1]), { isShown: true }).optional(),
    reference: field(fields.text(1, REFERENCE_LENGTH_MAX), {
      acceptedWhen: fields.isReferenceOfStore,
    }).optional(),
    metadata: field(metadataSchema()).optional(),
  }),
)

/** Validated body of `POST /refunds`: amount in centavos, transaction as decimal text. */
export type RefundRequest = z.output<typeof refundRequestSchema>

/** Every field of `POST /refunds` (specification, section 2.7). */
export const refundRequestTable = compileFieldTable(refundRequestSchema, rules)

/**
 * Reasons for which a bank returns a PIX by itself: the special mechanism of returns (MED), API Pix
 * 2.9.0.
 */
export const MED_NATURES = ['MED_OPERACIONAL', 'MED_FRAUDE', 'MED_PIX_AUTOMATICO'] as const
export type MedNature = (typeof MED_NATURES)[number]
