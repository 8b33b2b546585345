import { hash, timingSafeEqual } from 'node:crypto'
import {
  ApiError,
  type Clock,
  type Environment,
  type ReceivedSignature,
  SECOND_MS,
  SIGNATURE_WINDOW_SECONDS,
  type Secret,
  type SignedComponent,
  componentList,
  readSignature,
  sha256Of,
  signatureBase,
  signedComponents,
} from '@cofre/contracts'
import { hmacBy } from './hmac.js'
import { badFormat, diagnoseMessage } from './signature-diagnosis.js'
import { type Merchant, liveSecrets } from '../model/merchant/merchant.js'
import type { RequestNonce } from '../model/merchant/request-nonce.js'
import { drawPublicId } from '../model/transaction/transaction.js'
import type { MerchantStore, RandomBelow } from './ports.js'

/** A request as received, before its sender is known. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query exactly as received: `/transactions?page=2`. */
  readonly target: string
  readonly body: Uint8Array
  /** A header's text; undefined if it was not sent. */
  readonly header: (name: string) => string | undefined
}

/** The signer of a request. */
export interface Signer {
  readonly merchant: Merchant
  /** The request's first commit must record it. */
  readonly nonce?: RequestNonce | undefined
}

const WINDOW_MS = SIGNATURE_WINDOW_SECONDS * SECOND_MS

export interface MessageSignatureDeps {
  readonly environment: Environment
  readonly machineClock: Clock
  readonly origins: readonly string[]
  readonly randomBelow: RandomBelow
  readonly merchants: MerchantStore
}

/**
 * The store that signed by RFC 9421. Only a sender with its secret learns what else is wrong.
 * @throws ApiError header_authorization_bad_format, header_authorization_invalid, signature_expired
 */
export async function signerOfMessage(
  { environment, merchants, machineClock, origins, randomBelow }: MessageSignatureDeps,
  request: ReceivedRequest,
): Promise<Signer> {
  const { header, method, body } = request
  const signature = readSignature(header('signature-input') ?? '', header('signature') ?? '')
  if (signature === undefined) throw badFormat('form')
  const { storeId, createdSeconds, nonce } = signature
  const contentDigest = body.length === 0 ? undefined : (header('content-digest') ?? '')
  const messages = messagesOf(request, contentDigest, origins)
  // Origins differ only in values.
  const components = componentList(messages[0] ?? [])
  if (components !== signature.components) throw badFormat('components', { components })
  if (method === 'POST' && nonce === undefined) throw badFormat('nonce')
  const machineNowMs = machineClock.now()
  const merchant = await merchants.find(storeId)
  const secrets = merchant?.enabled === true ? liveSecrets(merchant, machineNowMs) : []
  if (merchant === undefined || !isSigned(signature, messages, secrets)) {
    if (environment === 'production') throw new ApiError('header_authorization_invalid')
    const [origin = ''] = origins
    const asked = { method, uri: origin + request.target }
    throw new ApiError([diagnoseMessage({ merchantId: storeId, merchant }, asked)])
  }
  const createdMs = createdSeconds * SECOND_MS
  if (Math.abs(machineNowMs - createdMs) > WINDOW_MS) throw new ApiError('signature_expired')
  if (contentDigest !== undefined && sha256Of(contentDigest) !== hash('sha256', body, 'base64'))
    throw new ApiError([{ name: 'header_authorization_invalid', cause: 'content-digest' }])
  if (method !== 'POST' || nonce === undefined) return { merchant }
  const requestId = drawPublicId(randomBelow)
  return {
    merchant,
    // Another process's clock may be behind the one that forgets it.
    nonce: { merchantId: storeId, nonce, requestId, untilMs: createdMs + 2 * WINDOW_MS },
  }
}

/** The messages that may have been signed: the request at each of its possible addresses. */
function messagesOf(
  { method, target, header }: ReceivedRequest,
  contentDigest: string | undefined,
  origins: readonly string[],
): readonly (readonly SignedComponent[])[] {
  const idempotencyKey = header('idempotency-key')
  return origins.map((origin) =>
    signedComponents({ method, targetUri: origin + target, contentDigest, idempotencyKey }),
  )
}

/** Compares in constant time. */
function isSigned(
  { parameters, signatureBase64 }: ReceivedSignature,
  messages: readonly (readonly SignedComponent[])[],
  secrets: readonly Secret<string>[],
): boolean {
  const given = Buffer.from(signatureBase64, 'base64')
  return secrets.some((secret) =>
    messages.some((components) =>
      timingSafeEqual(hmacBy(secret, signatureBase(components, parameters)), given),
    ),
  )
}
