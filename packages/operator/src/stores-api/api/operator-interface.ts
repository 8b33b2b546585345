// The interfaces of the API of operators: signature, scope, headers, one answer for each
// `Idempotency-Key`.
import { ApiError, ENVIRONMENTS, type Log, mediaType } from '@cofre/contracts'
import {
  type FirstResponse,
  type GatewayEnv,
  type KeyedRequest,
  type ReceivedRequest,
  acceptFailure,
  contentTypeFailure,
  errorHandler,
  storableResponse,
  readBody,
  requestTarget,
  responseOnce,
  unreadParameters,
} from '@cofre/gateway/room'
import type { Context, Handler } from 'hono'
import { type OperatorSending, type OperatorSigner, senderOf } from '../authentication-service.js'
import type { Attempt } from '../model/drawn.js'
import type { OperatorKey, OperatorScope } from '../model/operator-key.js'
import type { LogRefusedUse, RequestedStore } from '../refused-uses.js'

/** The operator's key, the sender's address, and how often the request was sent. */
export interface By extends Attempt, OperatorSending {
  readonly operator: OperatorKey
}

export type OperatorContext = Context<GatewayEnv>

export type OperatorHandler = (context: OperatorContext, by: By) => Promise<Response>

export interface InterfaceDeps {
  readonly log: Log
  /** Vendor segment of the media type. */
  readonly mediaVendor: string
  /** The sender's address. */
  readonly addressOf: (request: Request, bindings: object) => string
  readonly authenticate: (
    request: ReceivedRequest,
    sent: OperatorSending,
  ) => Promise<OperatorSigner>
  readonly refused: LogRefusedUse
  readonly respondOnce: (
    request: KeyedRequest,
    respond: (isRetry: boolean) => Promise<FirstResponse>,
  ) => Promise<{ readonly response: FirstResponse['response']; readonly isReplay: boolean }>
}

/** The requirements of one interface. */
export interface OperatorRules {
  readonly scope: OperatorScope
  /** Query parameters that it reads; none when absent. */
  readonly query?: readonly string[]
  /** True if a body is read. */
  readonly hasBody?: boolean
}

const VERSION = 'v2'

/**
 * Answers an operator's request if its signature, its scope and its headers are right.
 * @throws ApiError
 */
export function operatorInterface(
  deps: InterfaceDeps,
  rules: OperatorRules,
  handler: OperatorHandler,
): Handler<GatewayEnv> {
  return async (context) => {
    const { req } = context
    context.set('version', VERSION)
    context.set('mediaVendor', deps.mediaVendor)
    const sent = { address: deps.addressOf(req.raw, context.env), place: placeOf(context) }
    const { key: operator, nonce } = await deps.authenticate(await received(context), sent)
    const by = { operator, ...sent, idempotencyKey: '', isRetry: false }
    await requireScope(deps, by, rules.scope)
    checkHeaders(context, deps, rules)
    if (req.method !== 'POST') return await handler(context, by)
    // Each act has a key: only so it is done once, and its nonce is recorded with it.
    const key = req.header('idempotency-key')
    if (key === undefined)
      throw new ApiError([{ name: 'idempotency_key_invalid', cause: 'missing' }])
    const request = {
      merchantId: senderOf(operator),
      key,
      target: requestTarget(context),
      body: new Uint8Array(await req.arrayBuffer()),
      nonce,
    }
    const act = (isRetry: boolean) => handler(context, { ...by, idempotencyKey: key, isRetry })
    return await answerOnce(deps, { context, request, act })
  }
}

/** @throws ApiError with every failure of a header or the query */
function checkHeaders(
  { req }: OperatorContext,
  { mediaVendor: vendor }: InterfaceDeps,
  { query = [], hasBody = false }: OperatorRules,
): void {
  const names = [
    acceptFailure(req.header('accept'), { vendor, version: VERSION }),
    ...(hasBody ? [contentTypeFailure(req.header('content-type'))] : []),
  ]
  const named = { mediaType: mediaType(vendor, VERSION) }
  const failures = names.flatMap((name) => (name === undefined ? [] : [{ name, named }]))
  if (failures.length > 0) throw new ApiError(failures)
  const unread = unreadParameters({ given: Object.keys(req.queries()), read: query })
  if (unread !== undefined) throw unread
}

async function received(context: OperatorContext): Promise<ReceivedRequest> {
  const { req } = context
  return {
    method: req.method,
    target: requestTarget(context),
    body: await readBody(context),
    header: (name) => req.header(name),
  }
}

/** @throws ApiError operator_scope_missing */
export async function requireScope(
  { refused }: Pick<InterfaceDeps, 'refused'>,
  { operator: key, address, place }: By,
  scope: OperatorScope,
): Promise<void> {
  if (key.scopes.includes(scope)) return
  await refused({ key, address, place, why: 'scope', scope })
  throw new ApiError([
    { name: 'operator_scope_missing', cause: 'scope', named: { key: key.id, scope } },
  ])
}

export const STORE_ID = /^[\w-]{1,64}$/

/** An unknown environment or store in the path is refused later. */
function placeOf({ req }: OperatorContext): RequestedStore {
  const environment = ENVIRONMENTS.find((one) => one === req.param('environment')) ?? 'production'
  const storeId = req.param('store') ?? ''
  return { environment, storeId: STORE_ID.test(storeId) ? storeId : undefined }
}

interface Exchange {
  readonly context: OperatorContext
  readonly request: KeyedRequest
  readonly act: (isRetry: boolean) => Promise<Response>
}

/** Only the first answer has a secret: the kept one has none. */
async function answerOnce(
  deps: InterfaceDeps,
  { context, request, act }: Exchange,
): Promise<Response> {
  const answer = await deps.respondOnce(request, async (isRetry) => {
    const { answered, isFinal } = await answerOf(deps, context, () => act(isRetry))
    const response = await storableResponse(answered)
    return { response, keptBody: withoutSecret(response.body), isFinal }
  })
  return responseOnce(answer)
}

/** The answer of an act, or of its failure. After one that was no refusal, it can be repeated. */
async function answerOf(
  { log }: InterfaceDeps,
  context: OperatorContext,
  act: () => Promise<Response>,
): Promise<{ readonly answered: Response; readonly isFinal: boolean }> {
  try {
    return { answered: await act(), isFinal: true }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const answered = await errorHandler(log)(error, context)
    return { answered, isFinal: error instanceof ApiError }
  }
}

function withoutSecret(body: string): string {
  const json: unknown = JSON.parse(body)
  const isSecret = typeof json === 'object' && json !== null && 'secret' in json
  return isSecret ? JSON.stringify({ ...json, secret: null }) : body
}
