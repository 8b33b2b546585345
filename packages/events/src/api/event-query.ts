// Query parameters of the list of events.
import { ApiError, EVENT_TYPES, type EventType, type Failure } from '@cofre/contracts'
import {
  LIST_PARAMETERS,
  type Parameters,
  failInto,
  readListPart,
  transactionCodeSchema,
} from '@cofre/gateway/room'
import { EVENT_CURSOR, type EventQuery } from '../model/event-query.js'

/** The parameters of the list, by the names that requests give them. */
export const EVENT_PARAMETERS: readonly string[] = [...LIST_PARAMETERS, 'type', 'transaction-code']

/** Reads what is listed. @throws ApiError with every wrong parameter */
export function readEventQuery(parameters: Parameters): EventQuery {
  const failures: Failure[] = []
  const fail = failInto(failures, parameters)
  const part = readListPart(parameters, EVENT_CURSOR, fail)
  const { type: typeText, 'transaction-code': codeText } = parameters
  const type = EVENT_TYPES.find((one): one is EventType => one === typeText)
  if (typeText !== undefined && type === undefined)
    fail('event_type_invalid', 'type', { allowed: EVENT_TYPES })
  const code = codeText === undefined ? undefined : transactionCodeSchema.safeParse(codeText)
  if (code?.success === false) fail('transaction_code_invalid', 'transaction-code')
  if (failures.length > 0) throw new ApiError(failures)
  const subject = code?.data === undefined ? undefined : String(code.data)
  return { ...part, type, subject }
}
