import { hash } from 'node:crypto'
import {
  ApiError,
  type Clock,
  type Environment,
  type ReceivedSignature,
  SECOND_MS,
  SIGNATURE_WINDOW_SECONDS,
  type SignatureAlgorithm,
  type SignedComponent,
  componentList,
  readSignature,
  sha256Of,
  signatureBase,
  signedComponents,
  storeKeyOf,
} from '@cofre/contracts'
import { isSignedBy } from './hmac.js'
import { badFormat, diagnoseMessage } from './signature-diagnosis.js'
import { type Merchant, liveKeys } from '../model/merchant/merchant.js'
import type { RequestNonce } from '../model/merchant/request-nonce.js'
import { type SigningKey, keyThatSigned } from '../model/merchant/store-key.js'
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
  /** The key of the store that signed it. */
  readonly key: SigningKey
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

/** A request with a signature by RFC 9421, of which only the form has been checked. */
export interface SignedMessage {
  readonly signature: ReceivedSignature
  /** The texts that may have been signed: one for each address of the gateway. */
  readonly bases: readonly string[]
  readonly bytes: Uint8Array
}

interface MessageRules {
  readonly origins: readonly string[]
  readonly algorithm: SignatureAlgorithm
}

/** @throws ApiError header_authorization_bad_format */
export function readMessage(request: ReceivedRequest, rules: MessageRules): SignedMessage {
  const { header, method, body } = request
  const [input = '', sent = ''] = [header('signature-input'), header('signature')]
  const signature = readSignature(input, sent, rules.algorithm)
  if (signature === undefined) throw badFormat('form')
  const contentDigest = body.length === 0 ? undefined : (header('content-digest') ?? '')
  const messages = messagesOf(request, contentDigest, rules.origins)
  // Origins differ only in values.
  const components = componentList(messages[0] ?? [])
  if (components !== signature.components) throw badFormat('components', { components })
  if (method === 'POST' && signature.nonce === undefined) throw badFormat('nonce')
  return {
    signature,
    bases: messages.map((message) => signatureBase(message, signature.parameters)),
    bytes: Buffer.from(signature.signatureBase64, 'base64'),
  }
}

/**
 * Only a signer learns what else is wrong. @throws ApiError signature_expired,
 * header_authorization_invalid
 */
export function requireFresh(
  { signature: { createdSeconds } }: SignedMessage,
  { body, header }: ReceivedRequest,
  machineNowMs: number,
): void {
  if (Math.abs(machineNowMs - createdSeconds * SECOND_MS) > WINDOW_MS)
    throw new ApiError('signature_expired')
  const digest = sha256Of(header('content-digest') ?? '')
  if (body.length > 0 && digest !== hash('sha256', body, 'base64'))
    throw new ApiError([{ name: 'header_authorization_invalid', cause: 'content-digest' }])
}

/** A nonce that the request's first commit must record. @param senderId - Who uses it once. */
export function nonceOf(
  { signature: { createdSeconds, nonce } }: SignedMessage,
  senderId: string,
  randomBelow: RandomBelow,
): RequestNonce | undefined {
  if (nonce === undefined) return undefined
  return {
    merchantId: senderId,
    nonce,
    requestId: drawPublicId(randomBelow),
    // Another process's clock may be behind the one that forgets it.
    untilMs: createdSeconds * SECOND_MS + 2 * WINDOW_MS,
  }
}

/**
 * The store that signed by RFC 9421, with the key that `keyid` names, or with any of its keys.
 * @throws ApiError header_authorization_bad_format, header_authorization_invalid, signature_expired
 */
export async function signerOfMessage(
  { environment, merchants, machineClock, origins, randomBelow }: MessageSignatureDeps,
  request: ReceivedRequest,
): Promise<Signer> {
  const message = readMessage(request, { origins, algorithm: 'hmac-sha256' })
  const { storeId, keyId } = storeKeyOf(message.signature.keyid)
  const machineNowMs = machineClock.now()
  const merchant = await merchants.find(storeId)
  const live = merchant?.enabled === true ? liveKeys(merchant, machineNowMs) : []
  const keys = keyId === undefined ? live : live.filter(({ id }) => id === keyId)
  const key = keyThatSigned(keys, (secret) => isSignedBy(secret, message.bases, message.bytes))
  if (merchant === undefined || key === undefined) {
    if (environment === 'production') throw new ApiError('header_authorization_invalid')
    const [origin = ''] = origins
    const asked = { method: request.method, uri: origin + request.target }
    throw new ApiError([diagnoseMessage({ merchantId: storeId, merchant }, asked)])
  }
  requireFresh(message, request, machineNowMs)
  const nonce = request.method === 'POST' ? nonceOf(message, storeId, randomBelow) : undefined
  return { merchant, key, nonce }
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
