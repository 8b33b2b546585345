import {
  type EndpointBody,
  type EndpointChange,
  type EndpointElement,
  type EndpointListBody,
  type EndpointRequest,
  type EndpointSecretBody,
  type RequestPolicy,
  dropAbsent,
  endpointChangeTable,
  endpointFacts,
  endpointRequestTable,
} from '@cofre/contracts'
import {
  type AddRoomRoutes,
  type GatewayEnv,
  type Merchant,
  accepted,
  formatTimestamp,
  jsonResponse,
  readJson,
  refusedFields,
  timestampOrNull,
} from '@cofre/gateway/room'
import type { Context } from 'hono'
import type { EndpointActs } from '../acts/endpoint-acts.js'
import type { EventEndpoint, WithSecret } from '../model/endpoint.js'

export interface EndpointRouteDeps {
  readonly acts: EndpointActs
  readonly policy: Pick<RequestPolicy, 'acceptsNotificationUrl'>
}

/** `/event-endpoints`, as the API of a store serves them. */
export function endpointRoutes({ acts, policy }: EndpointRouteDeps): AddRoomRoutes {
  return (app, { signed }) => {
    const lookUp = { scope: 'read', version: 'v2', checks: ['accept-language'] } as const
    const writing = { scope: 'configure', version: 'v2', checks: ['content-type'] } as const

    const creation = signed({ ...writing, body: endpointRequestTable })
    app.post('/event-endpoints', creation, async (context) => {
      const merchant = context.get('merchant')
      const json = await readJson(context, 'event_endpoint_invalid')
      const made = await acts.create(merchant.id, readRequest(policy, merchant, json), {
        nonce: context.get('nonce'),
        isRetry: context.get('isRetry'),
      })
      const headers = { Location: `/event-endpoints/${made.endpoint.code}` }
      return secretResponse(context, made, { status: 201, headers })
    })

    app.get('/event-endpoints', signed(lookUp), async (context) => {
      const endpoints = await acts.list(context.get('merchant').id)
      const body: EndpointListBody = { 'event-endpoints': endpoints.map(endpointElement) }
      return jsonResponse(context, body)
    })

    app.get('/event-endpoints/:code', signed(lookUp), async (context) =>
      jsonResponse(context, endpointBody(await acts.find(keyOf(context)))),
    )

    // Not PATCH: the signature of the specification does not cover the method.
    const change = signed({ ...writing, body: endpointChangeTable })
    app.post('/event-endpoints/:code/changes', change, async (context) => {
      const json = await readJson(context, 'event_endpoint_invalid')
      const asked = readChange(policy, context.get('merchant'), json)
      const nonce = context.get('nonce')
      return jsonResponse(
        context,
        endpointBody(await acts.change(keyOf(context), asked, { nonce })),
      )
    })

    const rotation = signed({ scope: 'configure', version: 'v2', checks: [] })
    app.post('/event-endpoints/:code/secret-rotations', rotation, async (context) => {
      const rotated = await acts.rotate(keyOf(context), {
        nonce: context.get('nonce'),
        isRetry: context.get('isRetry'),
      })
      return secretResponse(context, rotated)
    })

    addDeletion(app, { acts, signed })
  }
}

function addDeletion(
  app: Parameters<AddRoomRoutes>[0],
  { acts, signed }: Pick<EndpointRouteDeps, 'acts'> & Pick<Parameters<AddRoomRoutes>[1], 'signed'>,
): void {
  const rules = { scope: 'configure', version: 'v2' } as const
  // By a signature of RFC 9421: see the saved cards.
  const removal = signed({ ...rules, checks: ['accept-language'] })
  app.delete('/event-endpoints/:code', removal, async (context) =>
    jsonResponse(context, endpointBody(await acts.delete(keyOf(context)))),
  )
  const deletion = signed({ ...rules, checks: [], isRepeatable: true })
  app.post('/event-endpoints/:code/deletion', deletion, async (context) =>
    jsonResponse(context, endpointBody(await acts.delete(keyOf(context)))),
  )
}

function keyOf(context: Context<GatewayEnv, '/:code'>) {
  return { storeId: context.get('merchant').id, code: context.req.param('code') }
}

type Policy = EndpointRouteDeps['policy']

function readRequest(policy: Policy, merchant: Merchant, json: unknown): EndpointRequest {
  const body = dropAbsent(json)
  const judged = endpointRequestTable.validate(body, endpointFacts(body, policy))
  return accepted(judged, refusedFields(endpointRequestTable, merchant, body))
}

function readChange(policy: Policy, merchant: Merchant, json: unknown): EndpointChange {
  const body = dropAbsent(json)
  const judged = endpointChangeTable.validate(body, endpointFacts(body, policy))
  return accepted(judged, refusedFields(endpointChangeTable, merchant, body))
}

/** The only answers with a secret. A replay has none, so that it is stored nowhere in the clear. */
function secretResponse(
  context: Context<GatewayEnv>,
  { endpoint, secret }: WithSecret,
  answer: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const body: EndpointSecretBody = { ...endpointBody(endpoint), secret: secret.reveal() }
  context.set('keptBody', JSON.stringify({ ...body, secret: null }))
  return jsonResponse(context, body, answer)
}

function endpointBody(endpoint: EventEndpoint): EndpointBody {
  return { 'event-endpoint': endpointElement(endpoint) }
}

function endpointElement(endpoint: EventEndpoint): EndpointElement {
  const { failingSinceMs, previousUntilMs, types } = endpoint
  return {
    code: endpoint.code,
    url: endpoint.url,
    types: types === undefined ? null : [...types],
    enabled: endpoint.enabled,
    'date-created': formatTimestamp(endpoint.createdAtMs),
    'failing-since': timestampOrNull(failingSinceMs),
    'previous-secret-until': timestampOrNull(previousUntilMs),
  }
}
