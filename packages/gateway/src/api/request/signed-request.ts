import {
  ApiError,
  type Deadline,
  type ErrorName,
  type InterfaceVersion,
  type StoreScope,
  brokenJsonAt,
  holdsManyValues,
  mediaType,
} from '@cofre/contracts'
import { beginDeadline } from '@cofre/work'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Merchant } from '../../model/merchant/merchant.js'
import type { RequestNonce } from '../../model/merchant/request-nonce.js'
import type { SigningKey } from '../../model/merchant/store-key.js'
import type { ReadBody } from '../../payment/unknown-field-service.js'
import type { GatewayApi, RouteDeps } from '../gateway-api.js'
import { storableResponse, responseOnce } from './storable-response.js'
import { brokenUtf8At } from './utf8-position.js'

/** A request's facts that the gateway's routes share. */
export interface GatewayEnv {
  Variables: {
    merchant: Merchant
    /** The key that signed. */
    key: SigningKey
    /** The request's nonce; undefined once it is recorded. */
    nonce: RequestNonce | undefined
    /** Version of the interface; sets the media type of responses and errors. */
    version: InterfaceVersion
    /** True if an earlier request with the same Idempotency-Key ended without a response. */
    isRetry: boolean
    /** The time when the store stops waiting for the response. */
    deadline: Deadline
    mediaVendor: string
    /** Kept for a replay in place of the answer's body, which has a secret; usually undefined. */
    keptBody: string | undefined
    docsOrigin: string | undefined
  }
  /** Set by the Node server; empty when the app is called directly. */
  Bindings: {
    incoming?: { url?: string; complete?: boolean; destroyed?: boolean }
    outgoing?: { destroy: () => void }
    /** Called with the received body, once the store's signature is verified. */
    onSignedBody?: (body: Uint8Array) => void
    /** Called with the store that signed, before the other checks. @throws ApiError to refuse it */
    admitStore?: (storeId: string) => Promise<void>
  }
}

/** An interface's requirements for its requests. */
export interface InterfaceRules {
  /** The scope that the signing key must have. */
  readonly scope: StoreScope
  readonly version: InterfaceVersion
  /** Headers beside Accept and Authorization that the interface checks. */
  readonly checks: readonly (keyof typeof HEADER_RULES)[]
  /** Query parameters that the interface reads; none when absent. */
  readonly query?: readonly string[]
  /** The fields of a body that the interface reads. */
  readonly body?: ReadBody
  /** The same request again is harmless: no response is kept for an `Idempotency-Key`. */
  readonly isRepeatable?: true
}

/** In the sandbox's responses, names the fields of a body that the interface does not read. */
export const UNKNOWN_FIELDS_HEADER = 'Cofre-Unknown-Fields'

const HEADER_RULES = {
  'content-type': contentTypeFailure,
  'accept-language': acceptLanguageFailure,
}

/**
 * Admits a request if the store's signature and the headers are right. A POST gets one response per
 * `Idempotency-Key`.
 */
export function signedInterface(
  { api, mediaVendor: vendor }: RouteDeps,
  { scope, version, checks, query = [], body, isRepeatable }: InterfaceRules,
): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    context.set('deadline', beginDeadline())
    context.set('version', version)
    context.set('mediaVendor', vendor)
    const { merchant, nonce } = await signerOf(context, api, scope)
    const { req } = context
    const names = [
      acceptFailure(req.header('accept'), { vendor, version }),
      ...checks.map((header) => HEADER_RULES[header](req.header(header))),
    ]
    const named = { mediaType: mediaType(vendor, version) }
    const failures = names.flatMap((name) => (name === undefined ? [] : [{ name, named }]))
    if (failures.length > 0) throw new ApiError(failures)
    api.checkQuery(merchant, { given: Object.keys(req.queries()), read: query })
    context.set('merchant', merchant)
    context.set('nonce', nonce)
    context.set('isRetry', false)
    context.set('keptBody', undefined)
    const isKept = req.method === 'POST' && isRepeatable !== true
    const key = isKept ? req.header('idempotency-key') : undefined
    const unknown = (body && api.unknownFields?.(body, await req.arrayBuffer())) ?? []
    if (key === undefined) await next()
    else await serveOnce(api, { context, next, key })
    if (unknown.length > 0) context.res.headers.set(UNKNOWN_FIELDS_HEADER, unknown.join(', '))
  }
}

/**
 * Admits a request if the signature of a store's key with the scope is right, regardless of the
 * other headers.
 */
export function signedStore(
  api: Pick<GatewayApi, 'authenticate'>,
  scope: StoreScope,
): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    const { merchant } = await signerOf(context, api, scope)
    context.set('merchant', merchant)
    await next()
  }
}

/** @throws ApiError signature_scope_missing, beside those of a wrong signature */
async function signerOf(
  context: Context<GatewayEnv>,
  api: Pick<GatewayApi, 'authenticate'>,
  scope: StoreScope,
) {
  const { req, env } = context
  const body = await readBody(context)
  const signer = await api.authenticate({
    method: req.method,
    target: requestTarget(context),
    body,
    header: (name) => req.header(name),
  })
  env.onSignedBody?.(body)
  await env.admitStore?.(signer.merchant.id)
  const { id, scopes } = signer.key
  if (!scopes.includes(scope)) {
    const named = { key: id, scope, scopes: scopes.join(', ') }
    throw new ApiError([{ name: 'signature_scope_missing', cause: 'scope', named }])
  }
  context.set('key', signer.key)
  return signer
}

/** Path and query exactly as received: the signature covers every byte of them. */
export function requestTarget({ env, req: { url } }: Context<GatewayEnv>): string {
  return env.incoming?.url ?? url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

interface KeyedExchange {
  readonly context: Context<GatewayEnv>
  readonly next: Next
  readonly key: string
}

/**
 * Replays the response to an earlier request with the same key (specification, sections 10, 11).
 */
async function serveOnce(api: GatewayApi, { context, next, key }: KeyedExchange): Promise<void> {
  const request = {
    merchantId: context.get('merchant').id,
    key,
    target: requestTarget(context),
    body: new Uint8Array(await context.req.arrayBuffer()),
    nonce: context.get('nonce'),
  }
  const answer = await api.respondOnce(request, async (isRetry) => {
    context.set('isRetry', isRetry)
    // The claim of the key records it.
    context.set('nonce', undefined)
    await next()
    const { res, error } = context
    const keptBody = context.get('keptBody')
    return {
      response: await storableResponse(res),
      ...(keptBody !== undefined && { keptBody }),
      isFinal: error === undefined || isRefusal(error),
    }
  })
  context.res = responseOnce(answer)
}

/** True if the request was refused and nothing of it remains. */
function isRefusal(error: Error): boolean {
  return (
    error instanceof ApiError &&
    error.failures.every(({ name }) => name !== 'idempotency_key_in_progress')
  )
}

// Header rules of sections 5, 7.1 and 9 of the specification: from a header's text to its error.

/** An interface's requirements for the Accept header. */
export interface AcceptedMediaType {
  readonly vendor: string
  readonly version: InterfaceVersion
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Undefined if one of the media types is the interface's; otherwise the error of the first one. */
export function acceptFailure(
  header: string | undefined,
  accepted: AcceptedMediaType,
): ErrorName | undefined {
  if (header === undefined || header.trim() === '') return 'header_accept_missing'
  // Most clients send exactly this.
  if (header === mediaType(accepted.vendor, accepted.version)) return undefined
  const failures = header.split(',').map((range) => mediaRangeFailure(range.trim(), accepted))
  return failures.includes(undefined) ? undefined : failures[0]
}

/** The error of one media range, checked in the order application, format, charset, version. */
function mediaRangeFailure(
  range: string,
  { vendor, version }: AcceptedMediaType,
): ErrorName | undefined {
  const [essence = '', ...parameters] = range.split(';').map((part) => part.trim())
  const [type, subtype, ...rest] = essence.split('/')
  if (type === '' || (subtype === undefined && TOKEN.test(essence)))
    return 'header_accept_application_missing'
  if (type === undefined || subtype === undefined || rest.length > 0)
    return 'header_accept_bad_format'
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return 'header_accept_bad_format'

  const [application = '', format] = subtype.split('+')
  const tree = `vnd.${vendor}`
  if (
    type.toLowerCase() !== 'application' ||
    !(application === tree || application.startsWith(`${tree}.`))
  ) {
    return 'header_accept_application_invalid'
  }
  if (format === undefined || format === '') return 'header_accept_format_missing'
  if (format.toLowerCase() !== 'json') return 'header_accept_format_invalid'
  const charset = charsetOf(parameters)
  if (charset === undefined) return 'header_accept_charset_missing'
  if (charset !== 'utf-8') return 'header_accept_charset_invalid'
  return application === `${tree}.${version}` ? undefined : 'header_accept_version_invalid'
}

/** Accepts only JSON in UTF-8. */
export function contentTypeFailure(header: string | undefined): ErrorName | undefined {
  if (header === undefined || header.trim() === '') return 'header_contenttype_missing'
  const [essence = '', ...parameters] = header.split(';').map((part) => part.trim())
  const isJson =
    essence.toLowerCase() === 'application/json' && (charsetOf(parameters) ?? 'utf-8') === 'utf-8'
  return isJson ? undefined : 'header_contenttype_not_accepted'
}

const LANGUAGES = ['en-us', 'pt-br', 'pt-pt', 'es-es', 'tr-tr']

/**
 * Checks the search's language; absent means en-US. A bare language or `*` matches its variants.
 */
export function acceptLanguageFailure(header: string | undefined): ErrorName | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const ranges = header.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())
  const isKnown = (range: string): boolean =>
    range === '*' ||
    LANGUAGES.some((language) => language === range || language.startsWith(`${range}-`))
  return ranges.some(isKnown) ? undefined : 'header_language_not_accepted'
}

function charsetOf(parameters: readonly string[]): string | undefined {
  for (const parameter of parameters) {
    const [name = '', ...value] = parameter.split('=')
    if (name.trim().toLowerCase() !== 'charset') continue
    const charset = /^"?([^"]*)"?$/.exec(value.join('=').trim())?.[1] ?? ''
    if (charset !== '') return charset.toLowerCase()
  }
  return undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Refuses a request whose body has more bytes. A declared length is checked without reading: Node
 * ends the body there. Only a body without one is counted, in a stream that costs more than many
 * requests.
 */
export function limitedBody(bytesMax: number): MiddlewareHandler<GatewayEnv> {
  const refuse = (): never => {
    throw new ApiError('body_too_large')
  }
  const counted = bodyLimit({ maxSize: bytesMax, onError: refuse })
  return async (context, next) => {
    const { req } = context
    const declared = req.header('content-length')
    const isCounted = declared === undefined || req.header('transfer-encoding') !== undefined
    if (!isBodiless(req.method)) {
      if (isCounted) return await counted(context, next)
      if (Number(declared) > bytesMax) refuse()
    }
    await next()
    return undefined
  }
}

/**
 * The body as it was received.
 * @throws ApiError for a body of too many values, before it is parsed. Also for a GET with a body:
 * the web platform drops it, so no signature could cover it
 */
export async function readBody({ req }: Context<GatewayEnv>): Promise<Uint8Array> {
  const hasBody =
    Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined
  if (req.method === 'GET' && hasBody)
    throw new ApiError([{ name: 'header_authorization_invalid', cause: 'body-of-get' }])
  // The Request of a GET would build a stream for a body that it cannot have.
  if (isBodiless(req.method)) return new Uint8Array()
  const body = new Uint8Array(await req.arrayBuffer())
  if (holdsManyValues(body)) throw new ApiError('body_too_large')
  return body
}

/** The body, parsed as JSON in UTF-8. @throws ApiError with the given name for any other body */
export async function readJson(
  { req }: Context<GatewayEnv>,
  malformed: ErrorName,
): Promise<unknown> {
  const bytes = await req.arrayBuffer()
  const text = decoded(bytes)
  if (text === undefined) {
    const named = { offset: brokenUtf8At(new Uint8Array(bytes)) }
    throw new ApiError([{ name: malformed, cause: 'utf8', named }])
  }
  try {
    return JSON.parse(text)
  } catch {
    // V8's own message is left out: it quotes the text, which may be a card number.
    const named = { ...brokenJsonAt(text) }
    throw new ApiError([{ name: malformed, cause: 'json', named }])
  }
}

/** Undefined if the bytes are not UTF-8. */
function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The web platform drops the body of a request with these methods. */
function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
