import process from 'node:process'
import { jsonOf } from './arguments.js'
import { type InterfaceVersion, SECOND_MS, mediaType } from '@cofre/contracts/shop'
import type { Machine } from './machine.js'
import type { ResponseGuard } from './response.js'
import {
  MerchantApiError,
  MerchantConnectionError,
  type SentCreation,
  readErrors,
} from './merchant-error.js'
import { type Attempt, repeated } from './repeated-request.js'
import { signMessage, signRequest } from './request-signature.js'

/** How requests are signed: in a form that makes captured ones expire, or as specified. */
export type SignatureForm = 'rfc9421' | 'specification'

/** The destination of requests, and their signer. */
export interface Channel {
  readonly origin: string
  /** The service's name of its own address. */
  readonly signedOrigin: string
  readonly storeId: string
  currentSecret(): string
  readonly signature: SignatureForm
  readonly vendor: string
  readonly language: string | undefined
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly retryBudgetMs: number
  readonly machine: Machine
}

/** One request of the API. */
export interface SignedRequest<Body> {
  readonly version: InterfaceVersion
  /** Path with its query. */
  readonly target: string
  /** Present on a POST. */
  readonly body?: unknown
  /** Names of a request that creates something, which may therefore be sent again. */
  readonly sent?: SentCreation
  /** True for a POST that is harmless when it is sent again. */
  readonly isSearch?: boolean
  readonly isExpected: ResponseGuard<Body>
}

/**
 * Sends a signed request, repeats it if that is safe, and reads the response.
 * @throws MerchantApiError if the service refuses
 * @throws MerchantConnectionError if there is no response, or none that can be read
 */
export async function send<Body>(channel: Channel, request: SignedRequest<Body>): Promise<Body> {
  const { sent, isSearch = false } = request
  const text = request.body === undefined ? undefined : jsonOf(request.body)
  const isRepeatable = text === undefined || sent !== undefined || isSearch
  const outcome = await repeated(() => attempt(channel, request, text), {
    ...channel,
    isRepeatable,
  })
  if ('body' in outcome) return outcome.body
  const { error, isInDoubt, cause = error.cause } = outcome
  if (!isInDoubt) throw error
  throw error instanceof MerchantApiError
    ? new MerchantApiError(error.status, error.errors, {
        cause,
        sent,
        isAfterDoubt: true,
        origin: channel.origin,
      })
    : new MerchantConnectionError(error.reason, { cause, sent, origin: channel.origin })
}

async function attempt<Body>(
  channel: Channel,
  request: SignedRequest<Body>,
  body: string | undefined,
): Promise<Attempt<Body>> {
  const { sent } = request
  const { origin } = channel
  const prepared = preparedRequest(channel, request, body)
  try {
    const response = await channel.fetch(origin + request.target, prepared)
    warnOf(response.headers.get('Cofre-Unknown-Fields') ?? '')
    const json = parseJson(await response.text())
    if (!response.ok) {
      const error = new MerchantApiError(response.status, readErrors(json), { sent, origin })
      return { error, retryAfterMs: retryAfterMs(response) }
    }
    if (request.isExpected(json)) return { body: json }
    const error = new MerchantConnectionError('broken-answer', { sent, origin })
    return { error, retryAfterMs: 0 }
  } catch (cause) {
    const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
    const reason = isTimeout ? 'time-out' : 'network'
    return { error: new MerchantConnectionError(reason, { cause, sent, origin }), retryAfterMs: 0 }
  }
}

const WARNINGS_MAX = 100
const warned = new Set<string>()

/** Warns once of each field that the service has not read: it may be misspelt. */
function warnOf(unknownFields: string): void {
  for (const field of unknownFields.split(/, ?/)) {
    if (field === '' || warned.has(field) || warned.size === WARNINGS_MAX) continue
    warned.add(field)
    process.emitWarning(`the service does not know the field ${field}`, 'CofreWarning')
  }
}

function preparedRequest(
  channel: Channel,
  { version, target, sent }: SignedRequest<unknown>,
  body: string | undefined,
): RequestInit {
  const { vendor, language } = channel
  const method = body === undefined ? 'GET' : 'POST'
  const message = { method, target, body, idempotencyKey: sent?.idempotencyKey }
  return {
    method,
    headers: {
      Accept: mediaType(vendor, version),
      'Content-Type': 'application/json',
      ...(language !== undefined && { 'Accept-Language': language }),
      ...(sent !== undefined && { 'Idempotency-Key': sent.idempotencyKey }),
      ...signatureOf(channel, message),
    },
    // A redirected request would no longer be the one that was signed.
    redirect: 'manual',
    signal: AbortSignal.timeout(channel.timeoutMs),
    ...(body !== undefined && { body }),
  }
}

interface Message {
  readonly method: string
  readonly target: string
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
}

/** The headers that sign a request; new for each attempt. */
export function signatureOf(
  channel: Channel,
  { target, ...message }: Message,
): Readonly<Record<string, string>> {
  const { storeId, machine } = channel
  const secret = channel.currentSecret()
  if (channel.signature === 'specification')
    return { Authorization: `${storeId}:${signRequest(secret, target, message.body)}` }
  const isPost = message.body !== undefined
  const nonce = isPost ? Buffer.from(machine.randomBytes(16)).toString('base64url') : undefined
  const createdSeconds = Math.floor(machine.nowMs() / SECOND_MS)
  const unsigned = { ...message, targetUri: channel.signedOrigin + target }
  return signMessage(secret, unsigned, { createdSeconds, keyid: storeId, nonce })
}

function retryAfterMs({ headers }: Response): number {
  const seconds = headers.get('Retry-After') ?? ''
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * SECOND_MS : 0
}

/** Undefined for a text that is no JSON, such as a proxy's page: the caller judges it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
