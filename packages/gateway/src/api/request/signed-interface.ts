import { ApiError, type ErrorName, type Failure, type InterfaceVersion } from '@cofre/contracts'
import type { Context, MiddlewareHandler } from 'hono'
import type { GatewayApi, RouteDeps } from '../gateway-api.js'
import type { Merchant } from '../../model/merchant/merchant.js'
import type { GatewayEnv } from './gateway-env.js'
import { isBodiless } from './limited-body.js'
import {
  acceptFailure,
  acceptLanguageFailure,
  contentTypeFailure,
  judgedOnce,
} from './request-headers.js'

/** What one interface of the API asks of its requests. */
export interface InterfaceRules {
  readonly version: InterfaceVersion
  /** Headers beside Accept and Authorization that the interface checks. */
  readonly checks: readonly ('content-type' | 'accept-language')[]
}

const RULES = { 'content-type': contentTypeFailure, 'accept-language': acceptLanguageFailure }

/** Lets a request through when the store's signature and the headers are right. */
export function signedInterface(
  { api, mediaVendor }: Pick<RouteDeps, 'api' | 'mediaVendor'>,
  { version, checks }: InterfaceRules,
): MiddlewareHandler<GatewayEnv> {
  const accepted = { vendor: mediaVendor, version }
  const rules = [
    { name: 'accept', rule: judgedOnce((header) => acceptFailure(header, accepted)) },
    ...checks.map((name) => ({ name, rule: judgedOnce(RULES[name]) })),
  ]
  return async (context, next) => {
    context.set('version', version)
    context.set('mediaVendor', mediaVendor)
    const merchant = await signerOf(context, api)
    refuse(rules.map(({ name, rule }) => rule(context.req.header(name))))
    context.set('merchant', merchant)
    await next()
  }
}

/** Lets a request through when the store's signature is right, whatever its other headers: for controls of the sandbox. */
export function signedStore(api: Pick<GatewayApi, 'authenticate'>): MiddlewareHandler<GatewayEnv> {
  return async (context, next) => {
    context.set('merchant', await signerOf(context, api))
    await next()
  }
}

async function signerOf(
  context: Context<GatewayEnv>,
  api: Pick<GatewayApi, 'authenticate'>,
): Promise<Merchant> {
  const header = (name: string): string | undefined => context.req.header(name)
  refuseHiddenBody(context.req.method, header)
  const body = await bodyOf(context)
  const merchant = await api.authenticate(header('authorization'), {
    target: requestTarget(context),
    body,
    contentMd5: header('content-md5'),
  })
  context.env.hearSignedBody?.(body)
  await context.env.admitStore?.(merchant.id)
  return merchant
}

async function bodyOf({ req }: Context<GatewayEnv>): Promise<Uint8Array> {
  // Asked for the body that it cannot have, a GET's Request would have to build a stream.
  return isBodiless(req.method) ? new Uint8Array() : new Uint8Array(await req.arrayBuffer())
}

/** The web platform drops the body of a GET, so it could not be held against the signature. */
function refuseHiddenBody(method: string, header: (name: string) => string | undefined): void {
  const hasBody =
    Number(header('content-length') ?? 0) > 0 || header('transfer-encoding') !== undefined
  if (method === 'GET' && hasBody) throw new ApiError('header_authorization_invalid')
}

function refuse(names: readonly (ErrorName | undefined)[]): void {
  const failures: Failure[] = names.flatMap((name) => (name === undefined ? [] : [{ name }]))
  if (failures.length > 0) throw new ApiError(failures)
}

/** Path and query exactly as received: the signature covers them byte by byte. */
export function requestTarget(context: Context<GatewayEnv>): string {
  const raw = context.env.incoming?.url
  if (raw !== undefined) return raw
  const { url } = context.req
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}
