import type { Failure, ListPage, ListQuery } from '@cofre/contracts'
import type { EndpointBacklog } from './backlog.js'
import type { EventWithDeliveries } from './delivery.js'
import type { EndpointKey, EventEndpoint, WithSecret } from './endpoint.js'

export type ShownEndpoint = EventEndpoint & EndpointBacklog

/** A form's endpoint, as a person typed it. */
export interface TypedEndpoint {
  readonly url: string
  /** None for all. */
  readonly types: readonly string[]
  readonly enabled: boolean
}

export interface RefusedEndpoint {
  readonly failures: readonly Failure[]
}

/** A store's events and endpoints for its people. */
export interface ShownEvents {
  /** The oldest first. */
  readonly endpoints: (storeId: string) => Promise<readonly ShownEndpoint[]>
  /** A code for a form that adds an endpoint. */
  readonly drawCode: () => string
  /** Under one code, one endpoint is created, however often. */
  readonly create: (
    storeId: string,
    typed: TypedEndpoint,
    code: string,
  ) => Promise<WithSecret | RefusedEndpoint>
  /** Undefined if there is no such endpoint. */
  readonly change: (
    key: EndpointKey,
    typed: TypedEndpoint,
  ) => Promise<EventEndpoint | RefusedEndpoint | undefined>
  /**
   * Undefined if there is no such endpoint, or its secret was rotated since.
   * @param seenUntilMs - The end of the previous secret, when the person asked.
   */
  readonly rotate: (
    key: EndpointKey,
    seenUntilMs: number | undefined,
  ) => Promise<WithSecret | undefined>
  /** False if there is no such endpoint. */
  readonly delete: (key: EndpointKey) => Promise<boolean>
  /** The newest first, of the last thirty days. */
  readonly list: (
    storeId: string,
    query: ListQuery & { readonly payment?: string | undefined },
  ) => Promise<ListPage<EventWithDeliveries>>
  /** False if there is no such event or endpoint. */
  readonly sendAgain: (event: EndpointKey & { readonly endpointCode: string }) => Promise<boolean>
}
