import { z } from 'zod'
import { TRANSACTION_STATUSES } from '../transaction/status.js'
import { type FieldRules, compileFieldTable } from '../validation/field-table.js'

/** Longest step of the test clock: a leap year. */
export const ADVANCE_MAX_SECONDS = 366 * 24 * 60 * 60

const rules = new Map<z.core.$ZodType, FieldRules<undefined>>()

function field<Schema extends z.ZodType>(schema: Schema): Schema {
  const name = 'sandbox_request_invalid'
  rules.set(schema, { missing: name, invalid: name, isShown: true })
  return schema
}

/** Body of the sandbox's `POST /sandbox/clock/advance`: time to advance. */
export const advanceRequestTable = compileFieldTable(
  field(z.object({ seconds: field(z.int().min(1).max(ADVANCE_MAX_SECONDS)) })),
  rules,
)

/**
 * Body of the sandbox's `POST /sandbox/transactions/{code}/status`: status that the bank reports.
 */
export const statusRequestTable = compileFieldTable(
  field(z.object({ status: field(z.enum(TRANSACTION_STATUSES)) })),
  rules,
)

/** Body of the sandbox's `POST /sandbox/refunds/{id}/status`: end of the refund. */
export const refundOutcomeRequestTable = compileFieldTable(
  field(z.object({ status: field(z.enum(['PROCESSED', 'REJECTED'])) })),
  rules,
)
