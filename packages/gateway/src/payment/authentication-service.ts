import { type KeyObject, createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import {
  ApiError,
  type Secret,
  digestFormOf,
  signedMessage,
  spellBodyDigest,
} from '@cofre/contracts'
import type { GatewayDeps, SignatureDigestRule } from './gateway-deps.js'
import { diagnoseSignature, isContentMd5 } from './signature-diagnosis.js'
import { type Merchant, liveSecrets } from '../model/merchant/merchant.js'

/** The parts of a request that are signed, exactly as received. */
export interface SignedRequest {
  /** Path and query: `/transactions?page=2`. */
  readonly target: string
  readonly body: Uint8Array
  /** The `Content-MD5` header; empty where there is none. */
  readonly contentMd5?: string | undefined
}

const AUTHORIZATION = /^(?<merchantId>[^:\s]+):(?<hmacHex>[0-9a-f]{64})$/

/**
 * The store that signed the request.
 * @param authorization - The header: `<store id>:<hex hmac>`.
 * @throws ApiError header_authorization_missing, _bad_format, _invalid
 */
export async function authenticate(
  { environment, merchants, machineClock, signatureDigest: rule }: GatewayDeps,
  authorization: string | undefined,
  request: SignedRequest,
): Promise<Merchant> {
  if (authorization === undefined || authorization === '')
    throw new ApiError('header_authorization_missing')
  const { merchantId, hmacHex } = AUTHORIZATION.exec(authorization)?.groups ?? {}
  if (merchantId === undefined || hmacHex === undefined)
    throw new ApiError('header_authorization_bad_format')
  const merchant = await merchants.find(merchantId)
  const secrets = merchant?.enabled === true ? liveSecrets(merchant, machineClock.now()) : []
  if (
    merchant === undefined ||
    !secrets.some((secret) => isSignatureOf(request, hmacHex, { secret, rule }))
  ) {
    // Strangers may ask production as often as they like.
    if (environment === 'production') throw new ApiError('header_authorization_invalid')
    throw new ApiError([diagnoseSignature({ ...request, merchantId, merchant })])
  }
  return merchant
}

/** Whether the HMAC is that of the request, compared in constant time. */
export function isSignatureOf(
  { target, body, contentMd5 = '' }: SignedRequest,
  hmacHex: string,
  { secret, rule }: { readonly secret: Secret<string>; readonly rule: SignatureDigestRule },
): boolean {
  // A search has neither, and need not be digested.
  const md5Hex = body.length > 0 || contentMd5 !== '' ? hash('md5', body, 'hex') : ''
  const base64OfHex = spellBodyDigest(md5Hex, 'base64')
  if (contentMd5 !== '' && !isContentMd5(contentMd5, md5Hex)) return false
  const spellings = digestFormOf(target) === 'hex' ? [md5Hex, base64OfHex] : [base64OfHex, md5Hex]
  // A request with a body never passes with an empty digest.
  const digests = body.length === 0 ? [''] : rule === 'spec' ? spellings.slice(0, 1) : spellings
  const key = keyOf(secret)
  const given = Buffer.from(hmacHex, 'hex')
  return digests.some((digest) =>
    timingSafeEqual(
      createHmac('sha256', key).update(signedMessage(target, digest)).digest(),
      given,
    ),
  )
}

/** Making a key takes ten times as long as signing with it, and a store's secret stays the same. */
const keys = new WeakMap<Secret<string>, KeyObject>()

function keyOf(secret: Secret<string>): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(secret.reveal(), 'utf8')
  keys.set(secret, key)
  return key
}
