// The filters of a list of payments, from a query or from the body of a search.
import {
  ApiError,
  type ErrorName,
  type Failure,
  LIST_LIMIT_USUAL,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  type PaymentSearchRequest,
  dropAbsent,
  parseAmount,
  paymentSearchFacts,
  paymentSearchTable,
  typeOfMethod,
} from '@cofre/contracts'
import {
  LIST_PARAMETERS,
  type Merchant,
  type Parameters,
  accepted,
  failInto,
  readListPart,
  readReference,
  readStatus,
  refusedFields,
} from '@cofre/gateway/room'
import { PAYMENT_CURSOR, type PaymentQuery } from '../model/payment-query.js'

/** The parameters of the list, by the names that requests give them. */
export const PAYMENT_PARAMETERS: readonly string[] = [
  ...LIST_PARAMETERS,
  'status',
  'method',
  'reference',
  'amount',
]

/** Reads what is listed. @throws ApiError with every wrong parameter */
export function readPaymentQuery(parameters: Parameters): PaymentQuery {
  const failures: Failure[] = []
  const fail = failInto(failures, parameters)
  const part = readListPart(parameters, PAYMENT_CURSOR, fail)
  const status = readStatus(parameters.status, PAYMENT_STATUSES, fail)
  const reference = readReference(parameters.reference, fail)
  const refuse = (name: ErrorName, property: string, allowed?: readonly string[]) => {
    fail(name, property, allowed && { allowed })
  }
  const { amount, method: methodText } = parameters
  const amountMinor = amount === undefined ? undefined : parseAmount(amount)
  if (amount !== undefined && amountMinor === undefined) refuse('amount_invalid', 'amount')
  const method = PAYMENT_METHODS.find((one) => one === methodText)
  if (methodText !== undefined && method === undefined)
    refuse('method_invalid', 'method', PAYMENT_METHODS)
  if (failures.length > 0) throw new ApiError(failures)
  return { ...part, status, reference, amountMinor, method: method && typeOfMethod(method) }
}

/** Reads the JSON body of a search. @throws ApiError with every failure (90602) */
export function readPaymentSearch(merchant: Merchant, json: unknown): PaymentQuery {
  const body = dropAbsent(json)
  const isCursor = (text: string) => PAYMENT_CURSOR.read(text) !== undefined
  const judged = paymentSearchTable.validate(body, paymentSearchFacts(body, isCursor))
  return queryOf(accepted(judged, refusedFields(paymentSearchTable, merchant, body)))
}

function queryOf(request: PaymentSearchRequest): PaymentQuery {
  const { amount, cursor, limit, method, reference, status } = request
  return {
    email: request['payer-email'],
    document: request['payer-document']?.toUpperCase(),
    metadata: request.metadata,
    status,
    reference,
    amountMinor: amount,
    method: method && typeOfMethod(method),
    fromMs: request['created-from'],
    untilMs: request['created-until'],
    after: cursor,
    limit: limit ?? LIST_LIMIT_USUAL,
  }
}
