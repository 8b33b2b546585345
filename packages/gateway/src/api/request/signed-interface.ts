import { ApiError, type InterfaceVersion } from '@cofre/contracts'
import type { Context, MiddlewareHandler, Next } from 'hono'
import type { GatewayApi, RouteDeps } from '../gateway-api.js'
import type { GatewayEnv } from './gateway-env.js'
import { readBody } from './request-body.js'
import { acceptFailure, acceptLanguageFailure, contentTypeFailure } from './request-headers.js'

/** What one interface of the API asks of its requests. */
export interface InterfaceRules {
  readonly version: InterfaceVersion
  /** Headers beside Accept and Authorization that the interface checks. */
  readonly checks: readonly (keyof typeof HEADER_RULES)[]
}

const HEADER_RULES = {
  'content-type': contentTypeFailure,
  'accept-language': acceptLanguageFailure,
}

/**
 * Lets a request through when the store's signature and the headers are right. A POST is answered
 * once per `Idempotency-Key`.
 */
export function signedInterface(
  { api, mediaVendor: vendor }: RouteDeps,
  { version, checks }: InterfaceRules,
): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    context.set('version', version)
    context.set('mediaVendor', vendor)
    const merchant = await signerOf(context, api)
    const { req } = context
    const names = [
      acceptFailure(req.header('accept'), { vendor, version }),
      ...checks.map((header) => HEADER_RULES[header](req.header(header))),
    ]
    const failures = names.flatMap((name) => (name === undefined ? [] : [{ name }]))
    if (failures.length > 0) throw new ApiError(failures)
    context.set('merchant', merchant)
    context.set('isRetry', false)
    const key = req.method === 'POST' ? req.header('idempotency-key') : undefined
    if (key === undefined) await next()
    else await respondOnce(api, { context, next, key })
  }
}

/** Lets a request through when the store's signature is right, whatever its other headers. */
export function signedStore(api: Pick<GatewayApi, 'authenticate'>): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    context.set('merchant', await signerOf(context, api))
    await next()
  }
}

async function signerOf(context: Context<GatewayEnv>, api: Pick<GatewayApi, 'authenticate'>) {
  const { req, env } = context
  const body = await readBody(context)
  const merchant = await api.authenticate(req.header('authorization'), {
    target: requestTarget(context),
    body,
    contentMd5: req.header('content-md5'),
  })
  env.hearSignedBody?.(body)
  await env.admitStore?.(merchant.id)
  return merchant
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
async function respondOnce(api: GatewayApi, { context, next, key }: KeyedExchange): Promise<void> {
  const request = {
    merchantId: context.get('merchant').id,
    key,
    target: requestTarget(context),
    body: new Uint8Array(await context.req.arrayBuffer()),
  }
  const { answer, isReplay } = await api.answerOnce(request, async (isRetry) => {
    context.set('isRetry', isRetry)
    await next()
    const { res, error } = context
    const headers = [...res.headers].filter(([name]) => KEPT_HEADERS.includes(name))
    return {
      answer: {
        status: res.status,
        headers: Object.fromEntries(headers),
        body: await res.text(),
      },
      isFinal: error === undefined || isRefusal(error),
    }
  })
  context.res = new Response(answer.body, {
    status: answer.status,
    headers: {
      ...answer.headers,
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
