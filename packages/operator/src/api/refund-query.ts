// Query parameters of the list of refunds.
import { ApiError, type Failure, REFUND_STATUSES } from '@cofre/contracts'
import {
  LIST_PARAMETERS,
  type Parameters,
  failInto,
  readListPart,
  readStatus,
  transactionCodeSchema,
} from '@cofre/gateway/room'
import { REFUND_CURSOR, type RefundQuery } from '../model/refund-lists.js'

/** The parameters of the list, by the names that requests give them. */
export const REFUND_PARAMETERS: readonly string[] = [
  ...LIST_PARAMETERS,
  'status',
  'transaction-code',
]

/** Reads what is listed. @throws ApiError with every wrong parameter */
export function readRefundQuery(parameters: Parameters): RefundQuery {
  const failures: Failure[] = []
  const fail = failInto(failures, parameters)
  const part = readListPart(parameters, REFUND_CURSOR, fail)
  const status = readStatus(parameters.status, REFUND_STATUSES, fail)
  const { 'transaction-code': codeText } = parameters
  const code = codeText === undefined ? undefined : transactionCodeSchema.safeParse(codeText)
  if (code?.success === false) fail('transaction_code_invalid', 'transaction-code')
  if (failures.length > 0) throw new ApiError(failures)
  return { ...part, status, transactionCode: code?.data }
}
