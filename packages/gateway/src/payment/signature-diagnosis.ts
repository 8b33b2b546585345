import { hash } from 'node:crypto'
import {
  ApiError,
  type Failure,
  beginningOf,
  digestFormOf,
  decodedTarget,
  holdsCardNumber,
  maskCardNumbers,
  spellBodyDigest,
} from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'

/** The shown parts of a path and of a digest: enough to compare. */
const TARGET_LENGTH_MAX = 200
const DIGEST_LENGTH_MAX = 8
/** Replaces a text that cannot be a store's id. */
const NO_STORE_ID = '…'

/** The signer that a request names. */
interface ClaimedSigner {
  readonly merchantId: string
  readonly merchant: Merchant | undefined
}

/** The parts of a request with a wrong signature. */
interface WrongSignature extends ClaimedSigner {
  readonly target: string
  readonly body: Uint8Array
  readonly contentMd5?: string | undefined
}

/**
 * Why the sandbox refuses a signature, and the text that should have been signed. It shows nothing
 * that only a holder of a secret could know.
 */
export function diagnoseSignature(wrong: WrongSignature): Failure {
  const { body, contentMd5 = '' } = wrong
  const md5Hex = hash('md5', body, 'hex')
  const isDeclared = contentMd5 === '' || isContentMd5(contentMd5, md5Hex)
  return refusal(wrong, isDeclared ? 'signature' : 'content-md5', signedBy(wrong, md5Hex))
}

/** The same for a signature by RFC 9421. @param uri - The address of the request at the gateway. */
export function diagnoseMessage(
  signer: ClaimedSigner,
  { method, uri }: { readonly method: string; readonly uri: string },
): Failure {
  return refusal(signer, 'message', { method, signed: shownTarget(uri) })
}

/** The error of a signature's form. Any sender may see it, because no secret is read. */
export function badFormat(cause: string, named?: Failure['named']): ApiError {
  return new ApiError([{ name: 'header_authorization_bad_format', cause, named }])
}

function refusal(
  { merchantId, merchant }: ClaimedSigner,
  cause: string,
  signed: NonNullable<Failure['named']>,
): Failure {
  const isId = /^[\w-]{1,64}$/.test(merchantId) && !holdsCardNumber(merchantId)
  const named = { store: isId ? merchantId : NO_STORE_ID, ...signed }
  // One cause for both: strangers may ask, and the ids may be production's.
  const shownCause = merchant?.enabled === true ? cause : 'store'
  return { name: 'header_authorization_invalid', cause: shownCause, named }
}

/** Shops send the header in either of the specification's spellings, or in that of RFC 1864. */
export function isContentMd5(header: string, md5Hex: string): boolean {
  const rfc1864 = Buffer.from(md5Hex, 'hex').toString('base64')
  return [md5Hex, spellBodyDigest(md5Hex, 'base64'), rfc1864].includes(header)
}

/** The beginning of the signed message, and the form of the digest that ends it. */
function signedBy({ target, body }: WrongSignature, md5Hex: string) {
  const shown = shownTarget(target)
  if (body.length === 0) return { signed: shown, digest: 'noDigest' }
  const form = digestFormOf(target)
  const digest = spellBodyDigest(md5Hex, form).slice(0, DIGEST_LENGTH_MAX)
  return { signed: `${shown}${digest}…`, digest: form === 'hex' ? 'hexDigest' : 'base64Digest' }
}

function shownTarget(target: string): string {
  const decoded = decodedTarget(target)
  const shown = holdsCardNumber(decoded) ? maskCardNumbers(decoded) : target
  return beginningOf(maskCardNumbers(shown), TARGET_LENGTH_MAX)
}
