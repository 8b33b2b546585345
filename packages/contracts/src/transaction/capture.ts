import { z } from 'zod'
import { type FieldRules, compileFieldTable } from '../validation/field-table.js'
import { ONE_CENT } from './limits.js'
import * as fields from './request-fields.js'

const rules = new Map<z.core.$ZodType, FieldRules<object>>()

/** Every failure of a capture's body has one code. */
function field<Schema extends z.ZodType>(
  schema: Schema,
  conditions: Pick<FieldRules<object>, 'isShown'> = {},
): Schema {
  rules.set(schema, { missing: 'capture_invalid', invalid: 'capture_invalid', ...conditions })
  return schema
}

const captureRequestSchema = field(
  z.object({ amount: field(fields.amountSchema(ONE_CENT), { isShown: true }).optional() }),
)

/** Validated body of `POST /payments/{code}/capture`: amount in centavos; without it, all. */
export type CaptureRequest = z.output<typeof captureRequestSchema>

/** Every field of `POST /payments/{code}/capture`. */
export const captureRequestTable = compileFieldTable(captureRequestSchema, rules)
