import {
  ApiError,
  type CardAnswer,
  type CardRefusal,
  type Clock,
  type Deadline,
  type Log,
  SHOP_WAITS_PARAMETER,
  VAULT_CALLS,
  type VaultCall,
  type WireCardOrder,
} from '@cofre/contracts'
import { SHOP_WAITS_MS, beginDeadline } from '@cofre/work'
import { Hono } from 'hono'
import type { ServiceKeys } from '../client/service-key.js'
import { ANSWER_SIGNATURE_HEADER, signAnswer } from '../client/service-signature.js'
import type { Vault } from '../model/vault.js'
import { NEVER_STORED, errorResponse, jsonResponse } from './error-response.js'
import { readLimitedText } from './limited-body.js'
import { createServiceAuthentication } from './service-authentication.js'

/** The longest result of an authentication fits, and ten times an order. */
const BODY_BYTES_MAX = 32 * 1024

export interface ServiceRoutesOptions {
  readonly keys: ServiceKeys
  readonly clock: Clock
  readonly log: Log
}

/**
 * The routes of a standalone vault for its gateways: to charge cards, never to show one. Requests
 * and answers are signed. They need a port of their own, out of reach of browsers.
 */
export function createServiceRoutes(vault: Vault, options: ServiceRoutesOptions): Hono {
  const { log } = options
  const authenticate = createServiceAuthentication(options.keys, options)
  const routes = new Hono()
  routes.onError((error) => errorResponse(error, log))
  routes.notFound(() => errorResponse(new ApiError('route_not_found'), log))

  const serve: Serve = (call, answerTo) => {
    routes.post(call.path, async ({ req }) => {
      const deadline = beginDeadline(shopWaitsMs(req.query(SHOP_WAITS_PARAMETER)))
      const body = await readLimitedText(req.raw, BODY_BYTES_MAX)
      const request = { method: req.method, target: targetOf(req.url), body }
      const { key, credential } = authenticate(request, req.header('Authorization'))
      const response = await respond(() => answerTo(read(call, body), deadline), log)
      const answer = { status: response.status, body: await response.clone().text() }
      response.headers.set(ANSWER_SIGNATURE_HEADER, signAnswer(key, credential, answer))
      return response
    })
  }

  serve(VAULT_CALLS.ping, () => Promise.resolve({}))
  serve(VAULT_CALLS.sessions, () => vault.openSession())
  serve(VAULT_CALLS.authorizations, (order, deadline) => authorize(vault, order, deadline))
  serve(VAULT_CALLS.recalls, async ({ environment, transactionCode }) => ({
    answer: (await vault.recallAuthorization(environment, transactionCode)) ?? null,
  }))
  serve(VAULT_CALLS.arrivals, async ({ environment, transactionCode }) => ({
    hasArrived: await vault.hasArrived(environment, transactionCode),
  }))
  serve(VAULT_CALLS.authentications, async (request) => ({
    answer: (await vault.authenticate(request)) ?? null,
  }))
  serve(VAULT_CALLS.installments, async (order) => ({
    most: (await vault.installmentsFor(order)) ?? null,
  }))
  serve(VAULT_CALLS.activations, async ({ environment, transactionCode }) => {
    await vault.activateSavedCard(environment, transactionCode)
    return {}
  })
  serve(VAULT_CALLS.refunds, (order) => vault.refund(order))
  serve(VAULT_CALLS.captures, (order) => vault.capture(order))
  serve(VAULT_CALLS.voids, (order) => vault.voidCharge(order))
  serve(VAULT_CALLS.changes, async ({ environment }) => ({
    changes: [...(await vault.changes(environment))],
  }))
  serve(VAULT_CALLS.acknowledgements, async ({ environment, ids }) => {
    await vault.acknowledge(environment, ids)
    return {}
  })
  serve(VAULT_CALLS.coveredAccounts, async ({ environment, accounts }) => {
    await vault.coverAccounts(environment, accounts)
    return {}
  })
  serve(VAULT_CALLS.cardAccounts, (of) => cardAccounts(vault, of))
  serveStoredCards(vault, serve)
  serve(VAULT_CALLS.fieldSettings, async (settings) => ({
    revision: await vault.setFieldSettings(settings),
  }))
  return routes
}

type Serve = <Asked, Answered>(
  call: VaultCall<Asked, Answered>,
  answerTo: (asked: Asked, deadline: Deadline) => Promise<Answered>,
) => void

function serveStoredCards(vault: Vault, serve: Serve): void {
  serve(VAULT_CALLS.storedCards, async (some) => ({
    cards: [...(await vault.storedCardsOf(some))],
  }))
  serve(VAULT_CALLS.storedCard, async (card) => ({
    card: (await vault.findStoredCard(card)) ?? null,
  }))
  serve(VAULT_CALLS.cardChecks, (check, deadline) => vault.checkCard({ ...check, deadline }))
  serve(VAULT_CALLS.cardDeletions, async ({ environment, merchantId, code }) => ({
    isDeleted: await vault.deleteSavedCard(environment, merchantId, code),
  }))
}

async function respond(answer: () => Promise<unknown>, log: Log): Promise<Response> {
  try {
    return jsonResponse(await answer(), { status: 200, headers: NEVER_STORED })
  } catch (error) {
    return errorResponse(error, log)
  }
}

type AccountsOf = Pick<WireCardOrder, 'environment' | 'merchantId'>

async function cardAccounts(vault: Vault, { environment, merchantId }: AccountsOf) {
  return { accounts: [...(await vault.cardAccounts(environment, merchantId))] }
}

/** No longer than a shop ever waits, which is also the value for older gateways. */
function shopWaitsMs(text = ''): number {
  return /^\d+$/.test(text) ? Math.min(Number(text), SHOP_WAITS_MS) : SHOP_WAITS_MS
}

async function authorize(
  vault: Vault,
  { source, threeDSecure: sealed, ...asked }: WireCardOrder,
  deadline: Deadline,
): Promise<CardAnswer> {
  const order = { ...asked, deadline }
  if (source.kind === 'encrypted') {
    const reason = await refusalOfDeposit(vault, source.token)
    if (reason !== undefined) return { kind: 'refused', reason }
  }
  const { kind } = source
  const card = kind === 'encrypted' ? ({ kind: 'token', token: source.token } as const) : source
  if (sealed === undefined) return await vault.authorize({ ...order, source: card })
  const threeDSecure = await vault.openThreeDSecure(sealed, order)
  if (threeDSecure !== undefined)
    return await vault.authorize({ ...order, source: card, threeDSecure })
  // An earlier attempt has opened it. If its order did not arrive, it never will.
  const arrived = await vault.recallAuthorization(order.environment, order.transactionCode)
  return arrived ?? { kind: 'refused', reason: 'vault_unavailable' }
}

/** The reason why the card that a gateway has encrypted cannot be charged; undefined if it can. */
async function refusalOfDeposit(vault: Vault, token: string): Promise<CardRefusal | undefined> {
  try {
    await vault.depositDirectToken(token)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [{ name }] = error.failures
    // Any other failure is about the session, not the card: the vault was restarted, or the token
    // is not the gateway's.
    return name === 'card_invalid' ? name : 'vault_unavailable'
  }
}

function targetOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function read<Asked>({ request }: VaultCall<Asked, unknown>, body: string): Asked {
  try {
    return request.parse(JSON.parse(body))
  } catch {
    throw new ApiError('service_request_invalid')
  }
}
