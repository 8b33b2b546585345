import { type Clock, valueAt } from '@cofre/contracts'
import type { FindsPayments, FindsStores } from '../desk/sandbox-desk.js'
import { type ShownHeaders, maskHeaders } from './request-headers.js'
import { type KnownNumbers, maskJson, maskTarget } from './request-mask.js'
import type { RequestLogStore, RequestMilestone } from './request-log-sql.js'

/** A request and its answer, as they were on the wire. */
export interface Exchange {
  /** The sender that the request names. */
  readonly storeId: string
  readonly method: string
  readonly target: string
  readonly durationMs: number
  readonly statusCode: number
  /** The answer's `Location`; empty without one. */
  readonly location: string
  /** Undefined if the request had no body, one that is too large, or no store's signature. */
  readonly requestText: string | undefined
  readonly responseText: string
  readonly requestHeaders: ShownHeaders
  readonly responseHeaders: ShownHeaders
}

export interface RequestRecordingDeps {
  readonly requests: RequestLogStore
  readonly backOffice: FindsStores & FindsPayments
  readonly clock: Clock
}

const REFUSED_FROM = 400

/** Records a store's request and its answer, masked, and the integration steps that they prove. */
export async function recordExchange(
  deps: RequestRecordingDeps,
  exchange: Exchange,
): Promise<void> {
  const { storeId, method, statusCode, durationMs } = exchange
  if ((await deps.backOffice.findMerchant(storeId)) === undefined) return
  const request = parsed(exchange.requestText)
  const response = parsed(exchange.responseText)
  const transactionCode = await transactionOf(deps, exchange, { request, response })
  const known = knownNumbers(exchange, response, transactionCode)
  // PostgreSQL rejects NUL in a text; in JSON it is escaped.
  const target = maskTarget(exchange.target, known).replaceAll('\0', '')
  const atMs = deps.clock.now()
  for (const step of await milestonesOf(deps, { ...exchange, target }, request))
    await deps.requests.reach(storeId, step, atMs)
  await deps.requests.add(storeId, {
    atMs,
    method,
    target,
    statusCode,
    durationMs,
    transactionCode,
    requestBody:
      exchange.requestText === undefined ? undefined : maskJson(exchange.requestText, known),
    responseBody: maskJson(exchange.responseText, known) ?? '',
    requestHeaders: maskHeaders(exchange.requestHeaders, known),
    responseHeaders: maskHeaders(exchange.responseHeaders, known),
    errorCodes: errorCodesOf(response),
  })
}

interface Bodies {
  readonly request: unknown
  readonly response: unknown
}

/** The store's transaction in the exchange, if there is one. */
async function transactionOf(
  { backOffice }: RequestRecordingDeps,
  { storeId, target, location }: Exchange,
  { request, response }: Bodies,
): Promise<string | undefined> {
  const candidates = [
    /^\/(?:sandbox\/)?transactions\/(\d{1,15})(?:[/?]|$)/.exec(target)?.[1],
    /^\/transactions\/(\d{1,15})$/.exec(location)?.[1],
    valueAt(response, ['transaction', 'code']),
    valueAt(response, ['transaction-code']),
    valueAt(request, ['transaction-id']),
  ]
  const given = candidates.find((candidate) => candidate !== undefined)
  // An attacker's object may have its own `toString`, which is not a function.
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const code = String(given)
  return (await backOffice.findTransaction(storeId, code)) === undefined ? undefined : code
}

/** The names of the service's own numbers in a successful answer. */
const OWN_NUMBERS: readonly string[] = [
  'code',
  'transaction-code',
  'refund-id',
  'barcode-number',
  'digitable-line',
  'payment-code',
]

function knownNumbers(
  { statusCode }: Exchange,
  response: unknown,
  transactionCode: string | undefined,
): KnownNumbers {
  const known = new Set<string>(transactionCode === undefined ? [] : [transactionCode])
  if (statusCode < REFUSED_FROM) collectOwnNumbers(response, known)
  return known
}

function collectOwnNumbers(value: unknown, known: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, entry] of Object.entries(value)) {
    if (typeof entry === 'object') collectOwnNumbers(entry, known)
    else if (OWN_NUMBERS.includes(name)) known.add(String(entry))
  }
}

function errorCodesOf(response: unknown): number[] {
  const errors = valueAt(response, ['errors'])
  if (!Array.isArray(errors)) return []
  return errors
    .map((error) => Number(valueAt(error, ['code'])))
    .filter((code) => Number.isInteger(code))
}

async function milestonesOf(
  { requests }: RequestRecordingDeps,
  { storeId, method, target, statusCode }: Exchange,
  request: unknown,
): Promise<RequestMilestone[]> {
  if (statusCode >= REFUSED_FROM) return []
  const path = target.split('?', 1)[0] ?? target
  const charge = valueAt(request, ['charge'])
  const paysWithSavedCard =
    path === '/transactions' &&
    Array.isArray(charge) &&
    typeof valueAt(charge[0], ['payment-info', 'code']) === 'string'
  const steps: RequestMilestone[] = []
  if (path === '/card' || path === '/card/installments') steps.push('installments-looked-up')
  if (paysWithSavedCard) steps.push('card-saved-used')
  if (method === 'POST' && (await requests.hasRefused(storeId, { method, target: path })))
    steps.push('error-handled')
  return steps
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    // Not JSON, so nothing in it is known.
    return undefined
  }
}
