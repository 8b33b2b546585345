// How a shop signs so that a captured request soon expires: HTTP Message Signatures (RFC 9421) with
// HMAC-SHA256 over the digest of the body (RFC 9530). One profile: fixed components in fixed order.

/** The name of the signature in its headers. */
export const SIGNATURE_LABEL = 'cofre'
const ALGORITHM = 'hmac-sha256'

/** How far the time of signing may be from now, either way. */
export const SIGNATURE_WINDOW_SECONDS: number = 5 * 60

/** What of a request is signed. */
export interface SignedParts {
  readonly method: string
  /** Scheme, host, path and query, as sent. */
  readonly targetUri: string
  /** The header; absent where there is no body. */
  readonly contentDigest?: string | undefined
  /** The header, where it is sent. */
  readonly idempotencyKey?: string | undefined
}

/** When and by whom a request is signed. */
export interface SignatureFacts {
  /** Seconds since 1970. */
  readonly createdSeconds: number
  readonly storeId: string
  /** Never used before by the store; for a POST. */
  readonly nonce?: string | undefined
}

/** A component of a message and its value. */
export type SignedComponent = readonly [name: string, value: string]

/** The components that a signature of this request covers, in their order. */
export function signedComponents(parts: SignedParts): readonly SignedComponent[] {
  const { method, targetUri, contentDigest, idempotencyKey } = parts
  return [
    ['@method', method],
    ['@target-uri', targetUri],
    ...(contentDigest === undefined ? [] : ([['content-digest', contentDigest]] as const)),
    ...(idempotencyKey === undefined ? [] : ([['idempotency-key', idempotencyKey]] as const)),
  ]
}

/** The names of components as a signature's parameters list them. */
export function componentList(components: readonly SignedComponent[]): string {
  return `(${components.map(([name]) => `"${name}"`).join(' ')})`
}

/** The text that `Signature-Input` has after the label. */
export function signatureParameters(
  components: readonly SignedComponent[],
  { createdSeconds, storeId, nonce }: SignatureFacts,
): string {
  const once = nonce === undefined ? '' : `;nonce="${nonce}"`
  return `${componentList(components)};created=${createdSeconds};keyid="${storeId}"${once};alg="${ALGORITHM}"`
}

/** The text that is signed (RFC 9421 section 2.5). */
export function signatureBase(components: readonly SignedComponent[], parameters: string): string {
  const lines = [...components, ['@signature-params', parameters] as const]
  return lines.map(([name, value]) => `"${name}": ${value}`).join('\n')
}

/** The `Content-Digest` of a body with this digest. */
export function contentDigestOf(sha256Base64: string): string {
  return `sha-256=:${sha256Base64}:`
}

/** A signature as it was received, of which nothing has been checked but its form. */
export interface ReceivedSignature extends SignatureFacts {
  /** The names of the components: see {@link componentList}. */
  readonly components: string
  /** As sent: what the base ends with. */
  readonly parameters: string
  readonly signatureBase64: string
}

/** The form that serialization gives, so that the text as sent is the text that was signed. */
const PARAMETERS =
  /^(?<components>\([^()]*\))(?<rest>(?:;[a-z]+=(?:\d{1,12}|"[\w+/=.:-]{1,64}"))*)$/
const PARAMETER = /;([a-z]+)=(?:(\d+)|"([^"]*)")/g
const REQUIRED = ['alg', 'created', 'keyid']
const NONCE = /^.{16,64}$/

/**
 * Reads the signature with our label from `Signature-Input` and `Signature`; undefined when it is
 * not of the profile: without a parameter, with one twice or of another kind, or two of our label.
 */
export function readSignature(
  signatureInput: string,
  signature: string,
): ReceivedSignature | undefined {
  const parameters = memberOf(signatureInput, SIGNATURE_LABEL)
  const bytes = memberOf(signature, SIGNATURE_LABEL)
  const signatureBase64 = /^:([\w+/]{43}=):$/.exec(bytes ?? '')?.[1]
  const { components, rest } = PARAMETERS.exec(parameters ?? '')?.groups ?? {}
  if (parameters === undefined || signatureBase64 === undefined) return undefined
  if (components === undefined || rest === undefined) return undefined
  const given = [...rest.matchAll(PARAMETER)]
  const values = new Map(given.map(([, name = '', number, text]) => [name, { number, text }]))
  const nonce = values.get('nonce')?.text
  const createdSeconds = values.get('created')?.number
  const storeId = values.get('keyid')?.text
  const names = [...REQUIRED, ...(nonce === undefined ? [] : ['nonce'])]
  if (given.length !== names.length || !names.every((name) => values.has(name))) return undefined
  if (createdSeconds === undefined || storeId === undefined) return undefined
  if (values.get('alg')?.text !== ALGORITHM) return undefined
  if (nonce !== undefined && !NONCE.test(nonce)) return undefined
  const facts = { createdSeconds: Number(createdSeconds), storeId, nonce }
  return { ...facts, components, parameters, signatureBase64 }
}

/** Whether `Signature-Input` has a signature with our label. A proxy signs under another. */
export function hasSignature(signatureInput: string): boolean {
  return membersUnder(signatureInput, SIGNATURE_LABEL).length > 0
}

/** The store that the signature with our label names, well-formed or not. */
export function storeOfSignature(signatureInput: string): string | undefined {
  return /;keyid="([\w-]{1,64})"/.exec(memberOf(signatureInput, SIGNATURE_LABEL) ?? '')?.[1]
}

/** The SHA-256 in a `Content-Digest` header, in Base64; undefined when it has none, or two. */
export function sha256Of(contentDigest: string): string | undefined {
  return /^:([\w+/]{43}=):$/.exec(memberOf(contentDigest, 'sha-256') ?? '')?.[1]
}

/** What a dictionary (RFC 9651) has under a key, as sent; undefined unless it is there once. */
function memberOf(dictionary: string, key: string): string | undefined {
  const [value, ...others] = membersUnder(dictionary, key)
  return others.length > 0 ? undefined : value?.slice(key.length + 1)
}

function membersUnder(dictionary: string, key: string): readonly string[] {
  const members = membersOf(dictionary).map((member) => member.trim())
  return members.filter((member) => /^[^=;]*/.exec(member)?.[0] === key)
}

/** Commas part members, but for those in a text. */
function membersOf(dictionary: string): readonly string[] {
  const members: string[] = []
  let start = 0
  let isText = false
  for (let at = 0; at < dictionary.length; at++) {
    const char = dictionary[at]
    if (char === '"') isText = !isText
    // The next one is escaped.
    else if (char === '\\' && isText) at += 1
    else if (char === ',' && !isText) {
      members.push(dictionary.slice(start, at))
      start = at + 1
    }
  }
  // A text that does not end hides what follows it.
  return isText ? [] : [...members, dictionary.slice(start)]
}
