import {
  ApiError,
  type CardSource,
  type Charge,
  type RequestPolicy,
  Secret,
  type TransactionRequest,
  beginningOf,
  crossFieldFailures,
  dropAbsent,
  requestFacts,
  transactionRequestTables,
} from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'

const DESCRIPTION_LENGTH_MAX = 255
/** More than a body of 256 KiB can hold of right ones. */
const ELEMENTS_JUDGED_MAX = 5000

/**
 * Reads the JSON body of `POST /transactions`.
 * @throws ApiError with every failure (2101xx to 2105xx), in the order of the body.
 */
export function readTransactionRequest(
  json: unknown,
  { rules, refusesCardReferences }: Merchant,
  policy: Omit<RequestPolicy, 'refusesCardReferences'>,
): TransactionRequest {
  const body = dropAbsent(withoutSurplus(json))
  const judged = transactionRequestTables[rules].validate(
    body,
    requestFacts(body, { ...policy, refusesCardReferences }),
  )
  if (!judged.ok) throw new ApiError(judged.failures)
  const failures = crossFieldFailures(judged.value, rules)
  if (failures.length > 0) throw new ApiError(failures)
  return judged.value
}

/** Judging tens of thousands of wrong elements would block the process for seconds. */
function withoutSurplus(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  const entries = Object.entries(json).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.slice(0, ELEMENTS_JUDGED_MAX) : value,
  ])
  return Object.fromEntries(entries)
}

/** The only charge of a valid request. */
export function onlyCharge({ charge: [charge] }: TransactionRequest): Charge {
  if (charge === undefined) throw new Error('a valid request has one charge')
  return charge
}

/** The card that a valid credit-card charge names. */
export function cardSourceOf({ 'payment-info': info }: Charge): CardSource {
  const raw = info?.['credit-card']
  if (raw !== undefined) {
    const [year = '', month = ''] = raw['expiration-date'].split('-')
    return { kind: 'raw', card: new Secret({ number: raw.number, cvv: raw.cvv, month, year }) }
  }
  if (info?.code !== undefined) return { kind: 'code', code: info.code }
  if (info?.token !== undefined) return { kind: 'token', token: info.token }
  throw new Error('a valid credit-card charge names a card')
}

/** The request as it may be kept: without token, saved-card code or card. */
export function storableRequest(request: TransactionRequest): string {
  const charge = request.charge.map(({ 'payment-info': info, ...rest }) => ({
    ...rest,
    'payment-info': info && { installments: info.installments, save: info.save },
  }))
  // JSON has no bigint: the only ones are the digits of prices.
  const cart = request.cart.map(({ 'unit-price': { digits, scale }, ...rest }) => ({
    ...rest,
    'unit-price': { digits: digits.toString(), scale },
  }))
  return JSON.stringify({ ...request, charge, cart })
}

/** The cart in a line, as the search shows it. */
export function describeCart({ cart }: TransactionRequest): string {
  const line = cart.map(({ description }) => description).join(', ')
  return beginningOf(line, DESCRIPTION_LENGTH_MAX)
}
