import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import {
  ApiError,
  type Clock,
  SAVED_CODE_LENGTH,
  TOKEN_FIELDS,
  decodedTarget,
  holdsCardNumber,
  maskCardNumbers,
  maskSecurityCodes,
  namesSecurityCode,
} from '@cofre/contracts'
import { isOrderOf, orderFingerprint } from '../model/transaction/order-fingerprint.js'
import type { RequestNonce } from '../model/merchant/request-nonce.js'
import {
  type ClaimedOrder,
  type IdempotencyClaim,
  type StoredResponse,
  isIdempotencyKey,
} from '../model/idempotency/idempotency.js'
import type { IdempotencyStore, KeyDigests } from './ports.js'

/** A request that carries an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly merchantId: string
  readonly key: string
  readonly target: string
  readonly body: Uint8Array
  readonly nonce?: RequestNonce | undefined
}

/** The response to a request. */
export interface FirstResponse {
  readonly response: StoredResponse
  /** In place of the response's body, if that must not be stored. */
  readonly keptBody?: string
  /** False if the request failed midway: sent again, it continues from there. */
  readonly isFinal: boolean
}

export interface IdempotencyDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly idempotency: IdempotencyStore
  readonly keyDigests: KeyDigests
}

/**
 * Responds to a request once per key. A first successful response is stored and replayed for 24
 * hours; a refusal frees the key. After a response that is not final, the next request with the key
 * is immediately a retry.
 * @param respond - Responds to the request; it learns whether an earlier one with the same key
 * ended without a response.
 * @throws ApiError idempotency_key_invalid, idempotency_key_reused, idempotency_key_in_progress,
 * signature_nonce_used
 */
export async function respondOnce(
  { idempotency, clock, keyDigests, machineClock }: IdempotencyDeps,
  request: KeyedRequest,
  respond: (isRetry: boolean) => Promise<FirstResponse>,
) {
  if (!isIdempotencyKey(request.key)) throw new ApiError('idempotency_key_invalid')
  const fingerprint = await fingerprintOf(request)
  await turnAfter(request.body)
  const order = orderOf(request)
  await turnAfter(request.body)
  const claim: IdempotencyClaim = {
    merchantId: request.merchantId,
    key: await keyDigests.of(request.merchantId, request.key),
    plainKey: request.key,
    fingerprint,
    order,
    atMs: clock.now(),
    machineAtMs: machineClock.now(),
    nonce: request.nonce,
  }
  const found = await idempotency.claim(claim)
  switch (found.kind) {
    case 'replay':
      return { response: found.response, isReplay: true }
    case 'other_request':
      throw new ApiError('idempotency_key_reused')
    case 'nonce_used':
      throw new ApiError('signature_nonce_used')
    case 'in_progress':
      throw new ApiError('idempotency_key_in_progress')
    case 'run': {
      const { response, keptBody: body = response.body, isFinal } = await respond(found.isRetry)
      if (!isFinal) await idempotency.abandon(claim)
      else if (response.status < 300) await idempotency.keepResponse(claim, { ...response, body })
      else await idempotency.release(claim)
      return { response, isReplay: false }
    }
  }
}

const ORDERS = /^\/transactions\/?(?:\?|$)/

/** Undefined for other requests, and for an order that will be refused. */
function orderOf({ target, body }: KeyedRequest): ClaimedOrder | undefined {
  if (!ORDERS.test(target)) return undefined
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(body))
    return {
      fingerprint: orderFingerprint(json),
      isOf: (fingerprint) => isOrderOf(json, fingerprint) === true,
    }
  } catch {
    return undefined
  }
}

/** Fields that no fingerprint covers. */
const CARD_FIELDS: readonly string[] = ['credit-card', 'cavv']

/** One search for cards in this number of bytes takes a millisecond. */
const TURN_BYTES = 16 * 1024

/** Lets the event loop turn after a scan of a whole long body. */
async function turnAfter({ length }: Pick<Uint8Array, 'length'>): Promise<void> {
  if (length > TURN_BYTES) await turn()
}

/** Without cards, because a number could be found from its digest by trial. */
async function fingerprintOf({ target, body }: KeyedRequest): Promise<string> {
  const text = await withoutCards(new TextDecoder().decode(body))
  const decoded = decodedTarget(target)
  const shown = holdsCardNumber(decoded) ? maskCardNumbers(decoded) : target
  return createHash('sha256').update(`${shown}\n${text}`).digest('base64url')
}

/** A text without a card stays unchanged, byte for byte. */
async function withoutCards(text: string): Promise<string> {
  try {
    const json: unknown = JSON.parse(text)
    // The text has all its values, even both of a field that is there twice.
    const written = unescaped(text)
    const namesCode = namesSecurityCode(written)
    const holdsCard =
      CARD_FIELDS.some((name) => written.includes(name)) ||
      TOO_SHORT.test(written) ||
      holdsCardNumber(written) ||
      (namesCode && maskSecurityCodes('', written) !== written)
    if (!holdsCard && !UNUSUAL_NUMBER.test(text) && !namesCode) return text
    await turnAfter(text)
    const masked = JSON.stringify(json, withoutCard)
    await turnAfter(text)
    return holdsCard || masked !== JSON.stringify(json) ? masked : text
  } catch {
    // Not JSON: it is refused, and nothing of it is worth storing.
    return ''
  }
}

/** A number whose digits differ from those of its value. */
const UNUSUAL_NUMBER = /\d[eE]|\d{13}/

const ESCAPES = /\\(?:u([0-9a-f]{4})|(.))/gi

/** Line breaks and tabs separate words, as a space does. */
function unescaped(json: string): string {
  return json.replaceAll(ESCAPES, (_, hex: string | undefined, letter: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16))
    return /[bfnrt]/.test(letter) ? ' ' : letter
  })
}

/** The fields of tokens and of a saved card's code. */
const LONG_FIELDS: readonly string[] = [...TOKEN_FIELDS, 'code']
/** A text with fewer than 32 characters in their place may be a security code. */
const TOO_SHORT = /"(?:token|security-code-token|code)"\s*:\s*(?!\s|"[^"]{32})/

function isTooShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length < SAVED_CODE_LENGTH
}

/** The objects whose tokens and codes are a card's: others give such names to what they like. */
const isOfCard = (key: string): boolean => key === '' || key === 'payment-info'

/** From here on, a number has as many digits as a card's. */
const CARD_FROM = 1e12

/** A reference is stored as it is, and distinguishes orders. */
function withoutCard(key: string, value: unknown): unknown {
  if (CARD_FIELDS.includes(key)) return null
  if (typeof value === 'string') {
    if (key === 'reference') return value
    // The digits of an encrypted text are no security code, whatever its field is named.
    return maskCardNumbers(maskSecurityCodes(LONG_FIELDS.includes(key) ? '' : key, value))
  }
  if (typeof value === 'number') {
    const written = String(value)
    return isLikeCard(value) || maskSecurityCodes(key, written) !== written ? null : value
  }
  if (typeof value !== 'object' || value === null) return value
  // Its elements have names of their own.
  if (namesSecurityCode(key)) return null
  if (Array.isArray(value)) return value
  const shown = Object.entries(value).map(([name, each]): readonly [string, unknown] => {
    const isNoToken = isOfCard(key) && LONG_FIELDS.includes(name) && isTooShort(each)
    return [shownName(name), isNoToken ? null : each]
  })
  return Object.fromEntries(shown)
}

const shownName = (name: string): string => maskCardNumbers(maskSecurityCodes(name, name))

/** A longer number has lost digits, so it may have been a card's. */
function isLikeCard(number: number): boolean {
  if (Math.abs(number) < CARD_FROM) return false
  return !Number.isSafeInteger(number) || holdsCardNumber(String(number))
}
