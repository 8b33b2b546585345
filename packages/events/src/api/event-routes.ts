import {
  type EventBody,
  type EventDeliveryElement,
  type EventElement,
  type EventListBody,
  dropAbsent,
  eventSendingTable,
} from '@cofre/contracts'
import {
  type AddRoomRoutes,
  type Merchant,
  type Parameters,
  accepted,
  formatTimestamp,
  jsonResponse,
  readJson,
  refusedFields,
  timestampOrNull,
} from '@cofre/gateway/room'
import type { EventActs } from '../acts/event-acts.js'
import type { EventDelivery, EventWithDeliveries } from '../model/delivery.js'
import { type StoreEvent, eventCode, shownData } from '../model/event.js'
import { EVENT_PARAMETERS, readEventQuery } from './event-query.js'

/** `/events`, as the API of a store serves them. */
export function eventRoutes(acts: EventActs): AddRoomRoutes {
  return (app, { signed }) => {
    const lookUp = { scope: 'read', version: 'v2', checks: ['accept-language'] } as const

    app.get('/events', signed({ ...lookUp, query: EVENT_PARAMETERS }), async (context) => {
      const query: Parameters = context.req.query()
      const { items, next } = await acts.list(context.get('merchant').id, readEventQuery(query))
      const body: EventListBody = {
        events: items.map(eventElement),
        'next-cursor': next ?? null,
      }
      return jsonResponse(context, body)
    })

    app.get('/events/:code', signed(lookUp), async (context) => {
      const found = await acts.find(context.get('merchant').id, context.req.param('code'))
      return jsonResponse(context, eventBody(found))
    })

    // Repeated, it makes the same event due, which is sent once.
    const sending = signed({
      scope: 'configure',
      version: 'v2',
      checks: ['content-type'],
      body: eventSendingTable,
      isRepeatable: true,
    })
    app.post('/events/:code/deliveries', sending, async (context) => {
      const merchant = context.get('merchant')
      const { endpoint } = readSending(merchant, await readJson(context, 'event_sending_invalid'))
      const sent = await acts.sendAgain({
        storeId: merchant.id,
        code: context.req.param('code'),
        endpointCode: endpoint,
      })
      return jsonResponse(context, eventBody(sent))
    })
  }
}

function readSending(merchant: Merchant, json: unknown) {
  const body = dropAbsent(json)
  const judged = eventSendingTable.validate(body, undefined)
  return accepted(judged, refusedFields(eventSendingTable, merchant, body))
}

function eventBody({ event, deliveries }: EventWithDeliveries): EventBody {
  return { event: { ...eventElement(event), deliveries: deliveries.map(deliveryElement) } }
}

function eventElement(event: StoreEvent): EventElement {
  return {
    code: eventCode(event),
    type: event.type,
    'date-created': formatTimestamp(event.createdAtMs),
    data: shownData(event.data),
  }
}

function deliveryElement(delivery: EventDelivery): EventDeliveryElement {
  const { attemptedAtMs, nextAttemptAtMs } = delivery
  return {
    endpoint: delivery.endpoint.code,
    state: delivery.state,
    attempts: delivery.attempts,
    'date-attempted': timestampOrNull(attemptedAtMs),
    'next-attempt': timestampOrNull(nextAttemptAtMs),
    'status-code': delivery.statusCode ?? null,
    error: delivery.error ?? null,
  }
}
