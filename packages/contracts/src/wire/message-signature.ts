// Signatures of shops that make a captured request soon expire: HTTP Message Signatures (RFC 9421)
// with HMAC-SHA256 over the digest of the body (RFC 9530). One profile: fixed components in fixed
// order.

/** Label of the signature in its headers. */
export const SIGNATURE_LABEL = 'cofre'

/** By a store's secret, or by an operator's key. */
export type SignatureAlgorithm = 'hmac-sha256' | 'ed25519'

/** Largest distance of the signing time from now, either way. */
export const SIGNATURE_WINDOW_SECONDS: number = 5 * 60

/** Signed parts of a request. */
export interface SignedParts {
  readonly method: string
  /** Scheme, host, path and query, as sent. */
  readonly targetUri: string
  /** The header; absent without a body. */
  readonly contentDigest?: string | undefined
  /** The header, if sent. */
  readonly idempotencyKey?: string | undefined
}

/** Time and author of a signature. */
export interface SignatureFacts {
  /** Seconds since 1970. */
  readonly createdSeconds: number
  /** A store's id, with one of its keys after a slash if that signs; or an operator's key. */
  readonly keyid: string
  /** Unique among the signer's requests; for a POST. */
  readonly nonce?: string | undefined
}

/** A component of a message and its value. */
export type SignedComponent = readonly [name: string, value: string]

/** Components that a signature of this request covers, in order. */
export function signedComponents(parts: SignedParts): readonly SignedComponent[] {
  const { method, targetUri, contentDigest, idempotencyKey } = parts
  return [
    ['@method', method],
    ['@target-uri', targetUri],
    ...(contentDigest === undefined ? [] : ([['content-digest', contentDigest]] as const)),
    ...(idempotencyKey === undefined ? [] : ([['idempotency-key', idempotencyKey]] as const)),
  ]
}

/** Names of components, in the form of a signature's parameters. */
export function componentList(components: readonly SignedComponent[]): string {
  return `(${components.map(([name]) => `"${name}"`).join(' ')})`
}

/** The text of `Signature-Input` after the label. */
export function signatureParameters(
  components: readonly SignedComponent[],
  { createdSeconds, keyid, nonce }: SignatureFacts,
): string {
  const once = nonce === undefined ? '' : `;nonce="${nonce}"`
  return `${componentList(components)};created=${createdSeconds};keyid="${keyid}"${once};alg="hmac-sha256"`
}

/** The signed text (RFC 9421 section 2.5). */
export function signatureBase(components: readonly SignedComponent[], parameters: string): string {
  const lines = [...components, ['@signature-params', parameters] as const]
  return lines.map(([name, value]) => `"${name}": ${value}`).join('\n')
}

/** The `Content-Digest` of a body with this digest. */
export function contentDigestOf(sha256Base64: string): string {
  return `sha-256=:${sha256Base64}:`
}

/** A received signature. Only its form has been checked. */
export interface ReceivedSignature extends SignatureFacts {
  /** The names of the components: see {@link componentList}. */
  readonly components: string
  /** As sent: the end of the signature base. */
  readonly parameters: string
  readonly signatureBase64: string
}

/** The serialized form, so that the received text is the signed text. */
const PARAMETERS =
  /^(?<components>\([^()]*\))(?<rest>(?:;[a-z]+=(?:\d{1,12}|"[\w+/=.:-]{1,80}"))*)$/
const PARAMETER = /;([a-z]+)=(?:(\d+)|"([^"]*)")/g
const REQUIRED = ['alg', 'created', 'keyid']
const NONCE = /^.{16,64}$/
/** 32 and 64 bytes in Base64. */
const SIGNATURES: Readonly<Record<SignatureAlgorithm, RegExp>> = {
  'hmac-sha256': /^:([\w+/]{43}=):$/,
  ed25519: /^:([\w+/]{86}==):$/,
}

/**
 * Reads the signature with our label from `Signature-Input` and `Signature`; undefined if it does
 * not follow the profile: a parameter is missing, repeated or unknown, or our label occurs twice.
 */
export function readSignature(
  signatureInput: string,
  signature: string,
  algorithm: SignatureAlgorithm = 'hmac-sha256',
): ReceivedSignature | undefined {
  const parameters = memberOf(signatureInput, SIGNATURE_LABEL)
  const bytes = memberOf(signature, SIGNATURE_LABEL)
  const signatureBase64 = SIGNATURES[algorithm].exec(bytes ?? '')?.[1]
  const { components, rest } = PARAMETERS.exec(parameters ?? '')?.groups ?? {}
  if (parameters === undefined || signatureBase64 === undefined) return undefined
  if (components === undefined || rest === undefined) return undefined
  const given = [...rest.matchAll(PARAMETER)]
  const values = new Map(given.map(([, name = '', number, text]) => [name, { number, text }]))
  const nonce = values.get('nonce')?.text
  const createdSeconds = values.get('created')?.number
  const keyid = values.get('keyid')?.text
  const names = [...REQUIRED, ...(nonce === undefined ? [] : ['nonce'])]
  if (given.length !== names.length || !names.every((name) => values.has(name))) return undefined
  if (createdSeconds === undefined || keyid === undefined) return undefined
  if (values.get('alg')?.text !== algorithm) return undefined
  if (nonce !== undefined && !NONCE.test(nonce)) return undefined
  const facts = { createdSeconds: Number(createdSeconds), keyid, nonce }
  return { ...facts, components, parameters, signatureBase64 }
}

/** The store of a `keyid`, and the one of its keys that it names after a slash. */
export function storeKeyOf(keyid: string): { readonly storeId: string; readonly keyId?: string } {
  const [storeId = '', ...named] = keyid.split('/')
  return named.length === 0 ? { storeId } : { storeId, keyId: named.join('/') }
}

/** True if `Signature-Input` has a signature with our label. A proxy signs under another. */
export function hasSignature(signatureInput: string): boolean {
  return membersUnder(signatureInput, SIGNATURE_LABEL).length > 0
}

/** The store that the signature with our label names, even in a malformed signature. */
export function storeOfSignature(signatureInput: string): string | undefined {
  return /;keyid="([\w-]{1,64})(?:\/[\w-]{1,15})?"/.exec(
    memberOf(signatureInput, SIGNATURE_LABEL) ?? '',
  )?.[1]
}

/** The SHA-256 in a `Content-Digest` header, in Base64; undefined if it has none, or two. */
export function sha256Of(contentDigest: string): string | undefined {
  return /^:([\w+/]{43}=):$/.exec(memberOf(contentDigest, 'sha-256') ?? '')?.[1]
}

/** The value of a dictionary's key (RFC 9651), as sent; undefined unless it occurs exactly once. */
function memberOf(dictionary: string, key: string): string | undefined {
  const [value, ...others] = membersUnder(dictionary, key)
  return others.length > 0 ? undefined : value?.slice(key.length + 1)
}

function membersUnder(dictionary: string, key: string): readonly string[] {
  const members = membersOf(dictionary).map((member) => member.trim())
  return members.filter((member) => /^[^=;]*/.exec(member)?.[0] === key)
}

/** Commas separate members, except within a string. */
function membersOf(dictionary: string): readonly string[] {
  const members: string[] = []
  let start = 0
  let isText = false
  for (let at = 0; at < dictionary.length; at++) {
    const char = dictionary[at]
    if (char === '"') isText = !isText
    // The next character is escaped.
    else if (char === '\\' && isText) at += 1
    else if (char === ',' && !isText) {
      members.push(dictionary.slice(start, at))
      start = at + 1
    }
  }
  // An unterminated string hides the rest.
  return isText ? [] : [...members, dictionary.slice(start)]
}
