// How a shop's server asks: the interface in the `Accept` header, and what it signs.
import { storeOfSignature } from './message-signature.js'

/** Versions of the interfaces, as the Accept header carries them (specification, section 9). */
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

/** A body's MD5 is spelled as base64 of its hex text (transactions) or as hex text (refunds). */
export type DigestForm = 'base64' | 'hex'

export function spellBodyDigest(md5Hex: string, form: DigestForm): string {
  return form === 'hex' ? md5Hex : btoa(md5Hex)
}

/** The form the spec gives to the interface a request target belongs to. */
export function digestFormOf(target: string): DigestForm {
  return /^\/refunds\/?(\?|$)/.test(target) ? 'hex' : 'base64'
}

/** The store that a request's signature names, whether or not that store has signed. */
export function claimedStore(headers: { get(name: string): string | null }): string | undefined {
  const authorization = headers.get('authorization')
  return authorization === null
    ? storeOfSignature(headers.get('signature-input') ?? '')
    : /^\s*([\w-]{1,64}):/.exec(authorization)?.[1]
}

/**
 * The text that is signed with HMAC-SHA256.
 * @param target - Path with its query, as sent: `/transactions?page=2`.
 * @param bodyDigest - From {@link spellBodyDigest}; empty for a request without a body.
 */
export function signedMessage(target: string, bodyDigest: string): string {
  return target + bodyDigest
}
