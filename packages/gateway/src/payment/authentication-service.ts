import { hash, timingSafeEqual } from 'node:crypto'
import {
  ApiError,
  type Secret,
  digestFormOf,
  hasSignature,
  signedMessage,
  spellBodyDigest,
} from '@cofre/contracts'
import type { SignatureDigestRule, SignatureListener } from './ports.js'
import { hmacBy } from './hmac.js'
import {
  type MessageSignatureDeps,
  type ReceivedRequest,
  type Signer,
  signerOfMessage,
} from './message-signature-service.js'
import { badFormat, diagnoseSignature, isContentMd5 } from './signature-diagnosis.js'
import { liveSecrets } from '../model/merchant/merchant.js'

/** The parts of a request that are signed, exactly as received. */
export interface SignedRequest {
  /** Path and query: `/transactions?page=2`. */
  readonly target: string
  readonly body: Uint8Array
  /** The `Content-MD5` header; empty without one. */
  readonly contentMd5?: string | undefined
}

const AUTHORIZATION = /^(?<merchantId>[^:\s]+):(?<hmacHex>[0-9a-f]{64})$/
/** Methods of the specification, which differ by their body. */
const COVERED = ['GET', 'HEAD', 'POST']
/** How other APIs receive a secret. */
const SCHEMES = ['Bearer', 'Basic']

export interface AuthenticationDeps extends MessageSignatureDeps {
  readonly signatureDigest: SignatureDigestRule
  readonly requestSigned?: SignatureListener | undefined
}

/**
 * The store that signed the request: in `Authorization`, as specified, or in `Signature-Input` and
 * `Signature` (RFC 9421).
 * @throws ApiError header_authorization_missing, _bad_format, _invalid, signature_expired,
 * signature_not_accepted
 */
export async function authenticate(
  deps: AuthenticationDeps,
  request: ReceivedRequest,
): Promise<Signer> {
  const authorization = request.header('authorization') ?? ''
  if (!hasSignature(request.header('signature-input') ?? ''))
    return await signerOfAuthorization(deps, authorization, request)
  if (authorization !== '') throw badFormat('both')
  const signer = await signerOfMessage(deps, request)
  deps.requestSigned?.('rfc9421')
  return signer
}

/** @param authorization - The header: `<store id>:<hex hmac>`. */
async function signerOfAuthorization(
  {
    environment,
    merchants,
    machineClock,
    signatureDigest: rule,
    requestSigned,
  }: AuthenticationDeps,
  authorization: string,
  { method, target, body, header }: ReceivedRequest,
): Promise<Signer> {
  if (authorization === '') throw new ApiError('header_authorization_missing')
  const { merchantId, hmacHex } = AUTHORIZATION.exec(authorization)?.groups ?? {}
  if (merchantId === undefined || hmacHex === undefined) throw badAuthorization(authorization)
  const merchant = await merchants.find(merchantId)
  const secrets = merchant?.enabled === true ? liveSecrets(merchant, machineClock.now()) : []
  const request = { target, body, contentMd5: header('content-md5') }
  if (
    merchant === undefined ||
    !secrets.some((secret) => isSignatureOf(request, hmacHex, { secret, rule }))
  ) {
    // No diagnosis in production, because strangers may send any number of requests.
    if (environment === 'production') throw new ApiError('header_authorization_invalid')
    throw new ApiError([diagnoseSignature({ ...request, merchantId, merchant })])
  }
  if (merchant.signature === 'rfc9421') throw new ApiError('signature_not_accepted')
  // It does not cover the method: a signed look-up could be sent again with another one.
  if (!COVERED.includes(method))
    throw new ApiError([{ name: 'signature_not_accepted', cause: 'method' }])
  requestSigned?.('specification')
  await merchants.signedBySpecification(merchant)
  return { merchant }
}

/** @returns an error that shows nothing of the header, which may contain a secret */
function badAuthorization(header: string): ApiError {
  const scheme = SCHEMES.find((name) => header.toLowerCase().startsWith(`${name.toLowerCase()} `))
  return scheme === undefined ? badFormat('authorization') : badFormat('scheme', { scheme })
}

/** True if the HMAC is that of the request, compared in constant time. */
export function isSignatureOf(
  { target, body, contentMd5 = '' }: SignedRequest,
  hmacHex: string,
  { secret, rule }: { readonly secret: Secret<string>; readonly rule: SignatureDigestRule },
): boolean {
  // A search has neither, and needs no digest.
  const md5Hex = body.length > 0 || contentMd5 !== '' ? hash('md5', body, 'hex') : ''
  const base64OfHex = spellBodyDigest(md5Hex, 'base64')
  if (contentMd5 !== '' && !isContentMd5(contentMd5, md5Hex)) return false
  const spellings = digestFormOf(target) === 'hex' ? [md5Hex, base64OfHex] : [base64OfHex, md5Hex]
  // A request with a body never passes with an empty digest.
  const digests = body.length === 0 ? [''] : rule === 'spec' ? spellings.slice(0, 1) : spellings
  const given = Buffer.from(hmacHex, 'hex')
  return digests.some((digest) =>
    timingSafeEqual(hmacBy(secret, signedMessage(target, digest)), given),
  )
}
