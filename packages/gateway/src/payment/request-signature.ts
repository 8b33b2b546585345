import { type KeyObject, createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto'
import {
  type DigestForm,
  type Secret,
  digestFormOf,
  signedMessage,
  spellBodyDigest,
} from '@cofre/contracts'

/** Which spellings of the body digest a signature may use: the spec's for the interface, or either (specification, decision 7 of section 10). */
export type SignatureDigestRule = 'spec' | 'any'

/** The parts of a request that are signed, exactly as received. */
export interface SignedRequest {
  /** Path and query: `/transactions?page=2`. */
  readonly target: string
  readonly body: Uint8Array
  /** The `Content-MD5` header, if sent. */
  readonly contentMd5?: string | undefined
}

/** Whether the HMAC is that of the request, compared in constant time. */
export function isSignatureOf(
  request: SignedRequest,
  hmacHex: string,
  { secret, rule }: { readonly secret: Secret<string>; readonly rule: SignatureDigestRule },
): boolean {
  // A search has neither, and need not be digested.
  const isDigested = request.body.length > 0 || isGiven(request.contentMd5)
  const md5Hex = isDigested ? hash('md5', request.body, 'hex') : ''
  if (!hasRightContentMd5(request, md5Hex)) return false
  return digestsOf(request, md5Hex, rule).some((digest) => {
    const expected = createHmac('sha256', keyOf(secret))
      .update(signedMessage(request.target, digest))
      .digest()
    return timingSafeEqual(expected, Buffer.from(hmacHex, 'hex'))
  })
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

/** A request with a body never passes with an empty digest. */
function digestsOf(
  { target, body }: SignedRequest,
  md5Hex: string,
  rule: SignatureDigestRule,
): string[] {
  if (body.length === 0) return ['']
  const form = digestFormOf(target)
  const other: DigestForm = form === 'hex' ? 'base64' : 'hex'
  const forms = rule === 'spec' ? [form] : [form, other]
  return forms.map((candidate) => spellBodyDigest(md5Hex, candidate))
}

/** Shops send the digest in either of the spec's spellings, or as RFC 1864 has it. */
function hasRightContentMd5({ contentMd5 }: SignedRequest, md5Hex: string): boolean {
  if (!isGiven(contentMd5)) return true
  const rfc1864 = Buffer.from(md5Hex, 'hex').toString('base64')
  return [md5Hex, spellBodyDigest(md5Hex, 'base64'), rfc1864].includes(contentMd5)
}

function isGiven(header: string | undefined): header is string {
  return header !== undefined && header !== ''
}
