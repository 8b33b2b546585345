// Form of a shop's request: the interface in the `Accept` header, and the signed text.
import { storeOfSignature } from './message-signature.js'

/** Versions of the interfaces in the Accept header (specification, section 9). */
export type InterfaceVersion = 'v1' | 'v2'

/**
 * The vendor media type of an interface: `application/vnd.cofre.v2+json; charset=UTF-8`.
 * @param vendor - The media type's vendor segment; may contain dots.
 */
export function mediaType(vendor: string, version: InterfaceVersion): string {
  return `application/vnd.${vendor}.${version}+json; charset=UTF-8`
}

// The signed message of a request (specification, section 5): the raw request target followed by
// the digest of the raw body.

/** A body's MD5 is base64 of its hex text (transactions), or hex text (refunds). */
export type DigestForm = 'base64' | 'hex'

export function spellBodyDigest(md5Hex: string, form: DigestForm): string {
  return form === 'hex' ? md5Hex : btoa(md5Hex)
}

/** The form that the specification gives to the interface of a request target. */
export function digestFormOf(target: string): DigestForm {
  return /^\/refunds\/?(\?|$)/.test(target) ? 'hex' : 'base64'
}

/** The store that a request's signature names, even if that store did not sign it. */
export function claimedStore(headers: { get(name: string): string | null }): string | undefined {
  const authorization = headers.get('authorization')
  return authorization === null
    ? storeOfSignature(headers.get('signature-input') ?? '')
    : /^\s*([\w-]{1,64}):/.exec(authorization)?.[1]
}

/**
 * The text that HMAC-SHA256 signs.
 * @param target - Path with its query, as sent: `/transactions?page=2`.
 * @param bodyDigest - From {@link spellBodyDigest}; empty for a request without a body.
 */
export function signedMessage(target: string, bodyDigest: string): string {
  return target + bodyDigest
}
