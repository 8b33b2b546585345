import { randomBytes } from 'node:crypto'
import {
  ApiError,
  ENDPOINT_CODE,
  type EndpointChange,
  type EndpointRequest,
  type EventType,
  Secret,
} from '@cofre/contracts'
import type { RequestNonce } from '@cofre/gateway/room'
import {
  type EndpointKey,
  type EventEndpoint,
  type WithSecret,
  drawEndpointCode,
} from '../model/endpoint.js'
import type { EndpointStore, SecretRotation } from '../sql/endpoint-store-sql.js'

interface Once {
  readonly nonce: RequestNonce | undefined
}

interface Retried extends Once {
  /** The same request may have been carried out, without an answer. */
  readonly isRetry: boolean
}

interface EndpointEdits extends Omit<EndpointChange, 'types'> {
  readonly types?: EndpointChange['types'] | 'all'
}

type Rotation = Retried & Pick<SecretRotation, 'seen'>

/** A store's acts on the endpoints of its events. */
export interface EndpointActs {
  /** The oldest first. */
  readonly list: (storeId: string) => Promise<readonly EventEndpoint[]>
  /** @throws ApiError event_endpoint_not_found */
  readonly find: (key: EndpointKey) => Promise<EventEndpoint>
  /** Draws a code for an endpoint that is created later. */
  readonly drawCode: () => string
  /** @throws ApiError event_endpoints_full, signature_nonce_used */
  readonly create: (
    storeId: string,
    request: EndpointRequest,
    more: Retried & {
      /** A drawn one, under which repetitions create one endpoint. */
      readonly code?: string
    },
  ) => Promise<WithSecret>
  /** @throws ApiError event_endpoint_not_found, signature_nonce_used */
  readonly change: (key: EndpointKey, change: EndpointEdits, more: Once) => Promise<EventEndpoint>
  /** @throws ApiError event_endpoint_not_found, signature_nonce_used */
  readonly rotate: (key: EndpointKey, more: Rotation) => Promise<WithSecret>
  /**
   * Deletes an endpoint, which gets nothing more. Resolves to the endpoint as it was.
   * @throws ApiError event_endpoint_not_found
   */
  readonly delete: (key: EndpointKey) => Promise<EventEndpoint>
}

export interface EndpointActDeps {
  readonly endpoints: EndpointStore
  readonly randomBelow: (limit: number) => number
}

export function createEndpointActs({ endpoints, randomBelow }: EndpointActDeps): EndpointActs {
  const drawCode = () => drawEndpointCode(randomBelow)
  return {
    drawCode,
    list: (storeId) => endpoints.list(storeId),
    find: async (key) => known(isCode(key) ? await endpoints.find(key) : undefined),
    async create(storeId, { url, types, enabled = true }, more) {
      const result = await endpoints.insert({
        code: drawCode(),
        ...more,
        storeId,
        url,
        types: ofKnownTypes(types),
        enabled,
        secret: newSecret(),
      })
      if (result === 'full') throw new ApiError('event_endpoints_full')
      return once(result)
    },
    async change(key, { url, types, enabled }, { nonce }) {
      const values = {
        ...(url !== undefined && { url }),
        ...(types !== undefined && { types: types === 'all' ? undefined : ofKnownTypes(types) }),
        ...(enabled !== undefined && { enabled }),
      }
      return known(isCode(key) ? once(await endpoints.change(key, { values, nonce })) : undefined)
    },
    async rotate(key, repeatable) {
      const rotation = { secret: newSecret(), ...repeatable }
      return known(isCode(key) ? once(await endpoints.rotate(key, rotation)) : undefined)
    },
    delete: async (key) => known(isCode(key) ? await endpoints.delete(key) : undefined),
  }
}

const SECRET_BYTES = 32

/** As Standard Webhooks write a key. */
function newSecret(): Secret<string> {
  return new Secret(`whsec_${randomBytes(SECRET_BYTES).toString('base64')}`)
}

const isCode = ({ code }: EndpointKey): boolean => ENDPOINT_CODE.test(code)

/** Judged before. */
function ofKnownTypes(types: readonly string[] | undefined): readonly EventType[] | undefined {
  return types as readonly EventType[] | undefined
}

function once<Result>(result: Result | 'nonce_used'): Result {
  if (result === 'nonce_used') throw new ApiError('signature_nonce_used')
  return result
}

function known<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ApiError('event_endpoint_not_found')
  return found
}
