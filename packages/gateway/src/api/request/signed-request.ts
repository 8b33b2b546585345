import {
  ApiError,
  type Deadline,
  type ErrorName,
  type InterfaceVersion,
  brokenJsonAt,
  holdsManyValues,
  mediaType,
} from '@cofre/contracts'
import { beginDeadline } from '@cofre/work'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Merchant } from '../../model/merchant/merchant.js'
import type { RequestNonce } from '../../model/merchant/request-nonce.js'
import type { ReadBody } from '../../payment/unknown-field-service.js'
import type { GatewayApi, RouteDeps } from '../gateway-api.js'
import { brokenUtf8At } from './utf8-position.js'

/** What the gateway's routes know of a request. */
export interface GatewayEnv {
  Variables: {
    /** The store that signed the request. */
    merchant: Merchant
    /** Of the request, unless it is kept already. */
    nonce: RequestNonce | undefined
    /** Version of the interface; sets the media type of responses and errors. */
    version: InterfaceVersion
    /** An earlier request with the same Idempotency-Key died without a response. */
    isRetry: boolean
    /** When its store stops waiting for the answer. */
    deadline: Deadline
    /** Vendor segment of the media type. */
    mediaVendor: string
    /** Origin that serves the documentation of errors. */
    docsOrigin: string | undefined
  }
  /** Given by the Node server; empty when the app is called directly. */
  Bindings: {
    incoming?: { url?: string; complete?: boolean; destroyed?: boolean }
    outgoing?: { destroy: () => void }
    /** Called with the body as it was received, once its store's signature is right. */
    hearSignedBody?: (body: Uint8Array) => void
    /** Called with the store that signed, before anything else. @throws ApiError to refuse it */
    admitStore?: (storeId: string) => Promise<void>
  }
}

/** What one interface of the API asks of its requests. */
export interface InterfaceRules {
  readonly version: InterfaceVersion
  /** Headers beside Accept and Authorization that the interface checks. */
  readonly checks: readonly (keyof typeof HEADER_RULES)[]
  /** The parameters of the query that it reads; none when absent. */
  readonly query?: readonly string[]
  /** What it reads of a body. */
  readonly body?: ReadBody
}

/** Names fields of the body that nothing reads, in answers of the sandbox. */
export const UNKNOWN_FIELDS_HEADER = 'Cofre-Unknown-Fields'

const HEADER_RULES = {
  'content-type': contentTypeFailure,
  'accept-language': acceptLanguageFailure,
}

/**
 * Lets a request through when the store's signature and the headers are right. A POST gets one
 * response per `Idempotency-Key`.
 */
export function signedInterface(
  { api, mediaVendor: vendor }: RouteDeps,
  { version, checks, query = [], body }: InterfaceRules,
): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    context.set('deadline', beginDeadline())
    context.set('version', version)
    context.set('mediaVendor', vendor)
    const { merchant, nonce } = await signerOf(context, api)
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
    const key = req.method === 'POST' ? req.header('idempotency-key') : undefined
    const unknown = (body && api.unknownFields?.(body, await req.arrayBuffer())) ?? []
    if (key === undefined) await next()
    else await serveOnce(api, { context, next, key })
    if (unknown.length > 0) context.res.headers.set(UNKNOWN_FIELDS_HEADER, unknown.join(', '))
  }
}

/** Lets a request through when the store's signature is right, whatever its other headers. */
export function signedStore(api: Pick<GatewayApi, 'authenticate'>): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    const { merchant } = await signerOf(context, api)
    context.set('merchant', merchant)
    await next()
  }
}

async function signerOf(context: Context<GatewayEnv>, api: Pick<GatewayApi, 'authenticate'>) {
  const { req, env } = context
  const body = await readBody(context)
  const signer = await api.authenticate({
    method: req.method,
    target: requestTarget(context),
    body,
    header: (name) => req.header(name),
  })
  env.hearSignedBody?.(body)
  await env.admitStore?.(signer.merchant.id)
  return signer
}

/** Path and query exactly as received: the signature covers them byte by byte. */
function requestTarget({ env, req: { url } }: Context<GatewayEnv>): string {
  return env.incoming?.url ?? url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

/** Headers of a response that are replayed with it; a refusal's are sent once. */
const KEPT_HEADERS = ['content-type', 'location', 'retry-after']

interface KeyedExchange {
  readonly context: Context<GatewayEnv>
  readonly next: Next
  readonly key: string
}

/** Replays the response to an earlier request of the same key (specification, section 10, 11). */
async function serveOnce(api: GatewayApi, { context, next, key }: KeyedExchange): Promise<void> {
  const request = {
    merchantId: context.get('merchant').id,
    key,
    target: requestTarget(context),
    body: new Uint8Array(await context.req.arrayBuffer()),
    nonce: context.get('nonce'),
  }
  const { response, isReplay } = await api.respondOnce(request, async (isRetry) => {
    context.set('isRetry', isRetry)
    // Kept with the claim of the key.
    context.set('nonce', undefined)
    await next()
    const { res, error } = context
    const headers = [...res.headers].filter(([name]) => KEPT_HEADERS.includes(name))
    return {
      response: {
        status: res.status,
        headers: Object.fromEntries(headers),
        body: await res.text(),
      },
      isFinal: error === undefined || isRefusal(error),
    }
  })
  context.res = new Response(response.body, {
    status: response.status,
    headers: {
      ...response.headers,
      'Cache-Control': 'no-store',
      ...(isReplay && { 'Idempotency-Replayed': 'true' }),
    },
  })
}

/** Refused with nothing begun, or nothing left of it. */
function isRefusal(error: Error): boolean {
  return (
    error instanceof ApiError &&
    error.failures.every(({ name }) => name !== 'idempotency_key_in_progress')
  )
}

// Header rules of sections 5, 7.1 and 9 of the specification: from a header's text to its error.

/** What an interface requires of the Accept header. */
export interface AcceptedMediaType {
  /** The media type's vendor segment. */
  readonly vendor: string
  readonly version: InterfaceVersion
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Undefined when one of the media types is the interface's; otherwise the error of the first. */
export function acceptFailure(
  header: string | undefined,
  accepted: AcceptedMediaType,
): ErrorName | undefined {
  if (header === undefined || header.trim() === '') return 'header_accept_missing'
  // As most clients write it.
  if (header === mediaType(accepted.vendor, accepted.version)) return undefined
  const failures = header.split(',').map((range) => mediaRangeFailure(range.trim(), accepted))
  return failures.includes(undefined) ? undefined : failures[0]
}

/** Judges one media range, in the order application, format, charset, version. */
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

/** Only JSON in UTF-8 is taken. */
export function contentTypeFailure(header: string | undefined): ErrorName | undefined {
  if (header === undefined || header.trim() === '') return 'header_contenttype_missing'
  const [essence = '', ...parameters] = header.split(';').map((part) => part.trim())
  const isJson =
    essence.toLowerCase() === 'application/json' && (charsetOf(parameters) ?? 'utf-8') === 'utf-8'
  return isJson ? undefined : 'header_contenttype_not_accepted'
}

const LANGUAGES = ['en-us', 'pt-br', 'pt-pt', 'es-es', 'tr-tr']

/** The search's language; absent means en-US. A bare language or `*` is any of its variants. */
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
 * Refuses a request with a body of more bytes. A declared length is judged unread: Node ends a body
 * there. Only a body without one is counted, in a stream that costs more than many a request.
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
 * @throws ApiError for one of too many values, before anything parses it; for a GET with a body:
 *   the web platform drops it, so no signature could cover it
 */
export async function readBody({ req }: Context<GatewayEnv>): Promise<Uint8Array> {
  const hasBody =
    Number(req.header('content-length') ?? 0) > 0 || req.header('transfer-encoding') !== undefined
  if (req.method === 'GET' && hasBody)
    throw new ApiError([{ name: 'header_authorization_invalid', cause: 'body-of-get' }])
  // A GET's Request would build a stream for the body that it cannot have.
  if (isBodiless(req.method)) return new Uint8Array()
  const body = new Uint8Array(await req.arrayBuffer())
  if (holdsManyValues(body)) throw new ApiError('body_too_large')
  return body
}

/** The body as JSON in UTF-8. @throws ApiError with the interface's own name for another body */
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
    // Without V8's own message: it shows what stands there, which may be a card.
    const named = { ...brokenJsonAt(text) }
    throw new ApiError([{ name: malformed, cause: 'json', named }])
  }
}

/** Undefined for bytes that are no UTF-8. */
function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The web platform gives a request of these methods no body, whatever was sent. */
function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
