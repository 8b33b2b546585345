import type {
  EndpointElement,
  EndpointSecretBody,
  EventBody,
  EventElement,
  EventListBody,
} from '@cofre/contracts'
import { keyOf, membersOf, requireCode, requireObject, requireText } from './arguments.js'
import { filtersOf, pagesOf, targetOf } from './payments.js'
import type { FieldsOf, PaymentCallsDeps } from './payments.js'
import type {
  ChangeEventEndpointRequest,
  CreateEventEndpointRequest,
  CreateOptions,
  EventQuery,
} from './request.js'
import * as responses from './response.js'

/** Events of a store, and the endpoints that receive them. */
export interface EventCalls {
  /** One page of the events of thirty days, newest first. */
  listEvents(query?: EventQuery): Promise<EventListBody>
  /** All events, page after page; each page is requested when it is needed. */
  allEvents(query?: EventQuery): AsyncGenerator<EventElement, void, undefined>
  /**
   * An event with its deliveries.
   * @throws MerchantApiError with status 404 if there is no such event
   */
  findEvent(code: string): Promise<EventBody['event']>
  /** Sends an event again: to one endpoint, or to all that take it. */
  sendEvent(code: string, endpoint?: string): Promise<EventBody['event']>
  /** Creates an endpoint. Store its `secret`: no other answer has it. */
  createEventEndpoint(
    endpoint: CreateEventEndpointRequest,
    options?: CreateOptions,
  ): Promise<EndpointSecretBody>
  /** All endpoints, oldest first. */
  listEventEndpoints(): Promise<readonly EndpointElement[]>
  findEventEndpoint(code: string): Promise<EndpointElement>
  changeEventEndpoint(
    code: string,
    change: ChangeEventEndpointRequest,
    options?: CreateOptions,
  ): Promise<EndpointElement>
  /** A new secret; the one before signs too for 24 hours. */
  rotateEventEndpointSecret(code: string, options?: CreateOptions): Promise<EndpointSecretBody>
  /** Deletes an endpoint for good. */
  deleteEventEndpoint(code: string): Promise<EndpointElement>
}

const EVENT_FIELDS: FieldsOf<EventQuery> = {
  type: true,
  'transaction-code': true,
  'created-from': true,
  'created-until': true,
  limit: true,
  cursor: true,
}
const ENDPOINT_FIELDS: FieldsOf<CreateEventEndpointRequest> = {
  url: true,
  types: true,
  enabled: true,
}

export function eventsBy({ call, drawn }: PaymentCallsDeps): EventCalls {
  const listEvents = async (query: EventQuery = {}): Promise<EventListBody> => {
    const target = targetOf('/events', filtersOf('query', EVENT_FIELDS, query))
    return await call({ target, isExpected: responses.isEventList })
  }
  return {
    listEvents,
    async *allEvents(query = {}) {
      const filters = filtersOf('query', EVENT_FIELDS, query)
      for await (const { events } of pagesOf(filters, listEvents)) yield* events
    },
    async findEvent(code) {
      const target = placeOf('/events', code)
      return (await call({ target, isExpected: responses.isEvent })).event
    },
    async sendEvent(code, endpoint) {
      const target = `${placeOf('/events', code)}/deliveries`
      // With an unset endpoint, it would go to all.
      if (endpoint !== undefined) requireCode('endpoint', endpoint)
      const body = endpoint === undefined ? {} : { endpoint }
      return (await call({ target, body, isSearch: true, isExpected: responses.isEvent })).event
    },
    ...endpointsBy({ call, drawn }),
  }
}

function endpointsBy({
  call,
  drawn,
}: PaymentCallsDeps): Omit<EventCalls, 'allEvents' | 'findEvent' | 'listEvents' | 'sendEvent'> {
  const isExpected = responses.isEventEndpoint
  return {
    async createEventEndpoint(endpoint, options) {
      requireObject('endpoint', endpoint)
      const body = membersOf('endpoint', ENDPOINT_FIELDS, endpoint)
      requireText('endpoint.url', body.url)
      return await call({
        target: ENDPOINTS,
        body,
        sent: { reference: body.url, idempotencyKey: keyOf(options, drawn) },
        isExpected: responses.isEventEndpointWithSecret,
      })
    },
    async listEventEndpoints() {
      const list = await call({ target: ENDPOINTS, isExpected: responses.isEventEndpointList })
      return list['event-endpoints']
    },
    async findEventEndpoint(code) {
      return (await call({ target: placeOf(ENDPOINTS, code), isExpected }))['event-endpoint']
    },
    async changeEventEndpoint(code, change, options) {
      requireObject('change', change)
      const target = `${placeOf(ENDPOINTS, code)}/changes`
      const body = membersOf('change', ENDPOINT_FIELDS, change)
      const sent = { reference: code, idempotencyKey: keyOf(options, drawn) }
      return (await call({ target, body, sent, isExpected }))['event-endpoint']
    },
    async rotateEventEndpointSecret(code, options) {
      return await call({
        target: `${placeOf(ENDPOINTS, code)}/secret-rotations`,
        body: {},
        sent: { reference: code, idempotencyKey: keyOf(options, drawn) },
        isExpected: responses.isEventEndpointWithSecret,
      })
    },
    async deleteEventEndpoint(code) {
      const target = `${placeOf(ENDPOINTS, code)}/deletion`
      const sent = { reference: code, idempotencyKey: drawn() }
      return (await call({ target, body: {}, sent, isExpected }))['event-endpoint']
    },
  }
}

const ENDPOINTS = '/event-endpoints'

function placeOf(path: string, code: string): string {
  requireCode('code', code)
  return `${path}/${encodeURIComponent(code)}`
}
