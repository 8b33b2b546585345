import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { ServiceKey } from './service-key.js'

// HMAC-SHA256 covers texts whose parts are free of line breaks, so no two messages have the same
// text. The first line keeps a request from passing as an answer.

/** Header that carries an answer's signature. */
export const ANSWER_SIGNATURE_HEADER = 'Cofre-Signature'

/** How far a gateway's clock may be from its vault's. */
export const SERVICE_CLOCK_TOLERANCE_SECONDS = 120

/** A request of the service port, before it is signed or after it was received. */
export interface ServiceRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: string
}

/** The content of a request's `Authorization` header. */
export interface ServiceCredential {
  readonly keyId: string
  /** Whole seconds since 1970, by the sender's clock. */
  readonly timeSeconds: number
  /** 128 random bits in base64url. A request is accepted once. */
  readonly nonce: string
  /** HMAC-SHA256, base64url. */
  readonly signature: string
}

const CREDENTIAL =
  /^CofreVault (?<keyId>[A-Za-z0-9_-]{1,32}):(?<time>\d{1,12}):(?<nonce>[\w-]{22}):(?<signature>[\w-]{43})$/

/** Undefined if the header is absent or of another form. */
export function readCredential(header: string | undefined): ServiceCredential | undefined {
  const { keyId, time, nonce, signature } = CREDENTIAL.exec(header ?? '')?.groups ?? {}
  if (keyId === undefined || time === undefined) return undefined
  if (nonce === undefined || signature === undefined) return undefined
  return { keyId, timeSeconds: Number(time), nonce, signature }
}

export function writeCredential(credential: ServiceCredential): string {
  const { keyId, timeSeconds, nonce, signature } = credential
  return `CofreVault ${keyId}:${timeSeconds}:${nonce}:${signature}`
}

export function signRequest(
  key: ServiceKey,
  request: ServiceRequest,
  at: Pick<ServiceCredential, 'timeSeconds' | 'nonce'>,
): ServiceCredential {
  const unsigned = { keyId: key.id, ...at }
  return { ...unsigned, signature: requestSignature(key, request, unsigned) }
}

/** Compared in constant time. */
export function isRequestSignature(
  key: ServiceKey,
  request: ServiceRequest,
  credential: ServiceCredential,
): boolean {
  return equal(requestSignature(key, request, credential), credential.signature)
}

export interface ServiceAnswer {
  readonly status: number
  readonly body: string
}

/** Signs the answer to the request that carried this credential, and to no other. */
export function signAnswer(
  key: ServiceKey,
  { signature }: ServiceCredential,
  { status, body }: ServiceAnswer,
): string {
  return hmac(key, ['cofre-vault-answer-1', signature, status, digest(body)])
}

/** True for the vault's unaltered answer to this request. Compared in constant time. */
export function isAnswerSignature(
  key: ServiceKey,
  credential: ServiceCredential,
  { signature, ...answer }: ServiceAnswer & { readonly signature: string | undefined },
): boolean {
  return signature !== undefined && equal(signAnswer(key, credential, answer), signature)
}

function requestSignature(
  key: ServiceKey,
  { method, target, body }: ServiceRequest,
  { keyId, timeSeconds, nonce }: Omit<ServiceCredential, 'signature'>,
): string {
  const parts = [keyId, timeSeconds, nonce, method, target, digest(body)]
  return hmac(key, ['cofre-vault-request-1', ...parts])
}

function digest(body: string): string {
  return hash('sha256', body, 'base64url')
}

function hmac({ key }: ServiceKey, lines: readonly (string | number)[]): string {
  return createHmac('sha256', key).update(lines.join('\n')).digest('base64url')
}

function equal(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
