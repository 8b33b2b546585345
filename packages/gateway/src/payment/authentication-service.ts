import { hash } from 'node:crypto'
import {
  ApiError,
  type Log,
  type Secret,
  digestFormOf,
  hasSignature,
  signedMessage,
  spellBodyDigest,
} from '@cofre/contracts'
import type { SignatureDigestRule, SignatureListener } from './ports.js'
import { isSignedBy } from './hmac.js'
import {
  type MessageSignatureDeps,
  type ReceivedRequest,
  type Signer,
  signerOfMessage,
} from './message-signature-service.js'
import { badFormat, diagnoseSignature, isContentMd5 } from './signature-diagnosis.js'
import { type SignatureForm, liveKeys } from '../model/merchant/merchant.js'
import { keyThatSigned } from '../model/merchant/store-key.js'

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
  readonly log: Log
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
  const isMessage = hasSignature(request.header('signature-input') ?? '')
  if (isMessage && authorization !== '') throw badFormat('both')
  const signer = isMessage
    ? await signerOfMessage(deps, request)
    : await signerOfAuthorization(deps, authorization, request)
  await keepUse(deps, signer, isMessage ? 'rfc9421' : 'specification')
  return signer
}

/** A request passes even if its key's use cannot be written, as while a disk is full. */
async function keepUse(
  { log, merchants, requestSigned }: AuthenticationDeps,
  { merchant, key }: Signer,
  form: SignatureForm,
): Promise<void> {
  requestSigned?.(form)
  try {
    await merchants.signed({ merchant, key, form })
  } catch (error) {
    log.warn({ error, store: merchant.id }, 'the last use of a key was not recorded')
  }
}

/** @param authorization - The header: `<store id>:<hex hmac>`. */
async function signerOfAuthorization(
  { environment, merchants, machineClock, signatureDigest: rule }: AuthenticationDeps,
  authorization: string,
  { method, target, body, header }: ReceivedRequest,
): Promise<Signer> {
  if (authorization === '') throw new ApiError('header_authorization_missing')
  const { merchantId, hmacHex } = AUTHORIZATION.exec(authorization)?.groups ?? {}
  if (merchantId === undefined || hmacHex === undefined) throw badAuthorization(authorization)
  const merchant = await merchants.find(merchantId)
  const keys = merchant?.enabled === true ? liveKeys(merchant, machineClock.now()) : []
  const request = { target, body, contentMd5: header('content-md5') }
  const isSigned = signatureCheck(request, hmacHex, rule)
  const key = keyThatSigned(keys, isSigned)
  if (merchant === undefined || key === undefined) {
    // No diagnosis in production, because strangers may send any number of requests.
    if (environment === 'production') throw new ApiError('header_authorization_invalid')
    throw new ApiError([diagnoseSignature({ ...request, merchantId, merchant })])
  }
  if (merchant.signature === 'rfc9421') throw new ApiError('signature_not_accepted')
  // It does not cover the method: a signed look-up could be sent again with another one.
  if (!COVERED.includes(method))
    throw new ApiError([{ name: 'signature_not_accepted', cause: 'method' }])
  return { merchant, key }
}

/** @returns an error that shows nothing of the header, which may contain a secret */
function badAuthorization(header: string): ApiError {
  const scheme = SCHEMES.find((name) => header.toLowerCase().startsWith(`${name.toLowerCase()} `))
  return scheme === undefined ? badFormat('authorization') : badFormat('scheme', { scheme })
}

/** Checks if a secret has made a request's HMAC, in constant time. */
export function signatureCheck(
  { target, body, contentMd5 = '' }: SignedRequest,
  hmacHex: string,
  rule: SignatureDigestRule,
): (secret: Secret<string>) => boolean {
  // A search has neither, and needs no digest.
  const md5Hex = body.length > 0 || contentMd5 !== '' ? hash('md5', body, 'hex') : ''
  const base64OfHex = spellBodyDigest(md5Hex, 'base64')
  if (contentMd5 !== '' && !isContentMd5(contentMd5, md5Hex)) return () => false
  const spellings = digestFormOf(target) === 'hex' ? [md5Hex, base64OfHex] : [base64OfHex, md5Hex]
  // A request with a body never passes with an empty digest.
  const digests = body.length === 0 ? [''] : rule === 'spec' ? spellings.slice(0, 1) : spellings
  const messages = digests.map((digest) => signedMessage(target, digest))
  const given = Buffer.from(hmacHex, 'hex')
  return (secret) => isSignedBy(secret, messages, given)
}
