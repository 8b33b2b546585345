import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { type SignedServiceRequest, serviceAnswerText, serviceRequestText } from '@cofre/contracts'
import type { ServiceKey } from './service-key.js'

/** A request of the service port, before it is signed or after it was received. */
export interface ServiceRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: string
}

/** What the `Authorization` header of a request says. */
export interface ServiceCredential extends Pick<
  SignedServiceRequest,
  'keyId' | 'timeSeconds' | 'nonce'
> {
  /** HMAC-SHA256, base64url. */
  readonly signature: string
}

const CREDENTIAL =
  /^CofreVault (?<keyId>[A-Za-z0-9_-]{1,32}):(?<time>\d{1,12}):(?<nonce>[\w-]{22}):(?<signature>[\w-]{43})$/

/** Undefined when the header is absent or of another form. */
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
  at: Pick<SignedServiceRequest, 'timeSeconds' | 'nonce'>,
): ServiceCredential {
  const credential = { keyId: key.id, ...at }
  return { ...credential, signature: hmac(key, requestText(request, credential)) }
}

/** Compared in constant time. */
export function isRequestSignature(
  key: ServiceKey,
  request: ServiceRequest,
  credential: ServiceCredential,
): boolean {
  return equal(hmac(key, requestText(request, credential)), credential.signature)
}

/** An answer of the service port. */
export interface ServiceAnswer {
  readonly status: number
  readonly body: string
}

/** Signs the answer to the request that carried this credential. */
export function signAnswer(
  key: ServiceKey,
  credential: ServiceCredential,
  answer: ServiceAnswer,
): string {
  const { status, body } = answer
  return hmac(
    key,
    serviceAnswerText({ requestSignature: credential.signature, status, bodyDigest: digest(body) }),
  )
}

/** Whether this is the vault's unaltered answer to this request. Compared in constant time. */
export function isAnswerSignature(
  key: ServiceKey,
  credential: ServiceCredential,
  { signature, ...answer }: ServiceAnswer & { readonly signature: string | undefined },
): boolean {
  return signature !== undefined && equal(signAnswer(key, credential, answer), signature)
}

function requestText(
  { method, target, body }: ServiceRequest,
  { keyId, timeSeconds, nonce }: Omit<ServiceCredential, 'signature'>,
): string {
  return serviceRequestText({
    keyId,
    timeSeconds,
    nonce,
    method,
    target,
    bodyDigest: digest(body),
  })
}

function digest(body: string): string {
  return hash('sha256', body, 'base64url')
}

function hmac({ key }: ServiceKey, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

function equal(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}
