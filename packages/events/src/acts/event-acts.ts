import { ApiError, type Clock, type ListPage } from '@cofre/contracts'
import type { GatewayTables } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import type { EventWithDeliveries } from '../model/delivery.js'
import { EVENTS_KEPT_MS } from '../model/endpoint.js'
import { type StoreEvent, readEventCode } from '../model/event.js'
import type { DeliveryStore } from '../sql/delivery-store-sql.js'
import type { EndpointStore } from '../sql/endpoint-store-sql.js'
import type { EventQuery } from '../model/event-query.js'
import { deliveriesOf, findEvent, listEvents } from '../sql/event-list-sql.js'

/** An event of a store, by its code. */
interface OfStore {
  readonly storeId: string
  readonly code: string
}

/** A store's acts on its events. */
export interface EventActs {
  /** The newest first, of the last thirty days. */
  readonly list: (storeId: string, query: EventQuery) => Promise<ListPage<StoreEvent>>
  /** @throws ApiError event_not_found */
  readonly find: (storeId: string, code: string) => Promise<EventWithDeliveries>
  /**
   * Sends an event again, to one endpoint or to all. Sent once more before it arrives, it is sent
   * once.
   * @throws ApiError event_not_found, event_endpoint_not_found
   */
  readonly sendAgain: (
    event: OfStore & { readonly endpointCode: string | undefined },
  ) => Promise<EventWithDeliveries>
}

export interface EventActDeps {
  readonly clock: Clock
  readonly database: Database<GatewayTables>
  readonly endpoints: Pick<EndpointStore, 'find'>
  readonly deliveries: Pick<DeliveryStore, 'sendAgain'>
}

export function createEventActs({
  clock,
  database: { reader },
  endpoints,
  deliveries,
}: EventActDeps): EventActs {
  const oldestMs = (): number => clock.now() - EVENTS_KEPT_MS
  const existing = async ({ storeId, code }: OfStore): Promise<StoreEvent> => {
    const key = readEventCode(code)
    const event = key && (await findEvent(reader, { storeId, ...key }))
    if (event === undefined || event.createdAtMs < oldestMs()) throw new ApiError('event_not_found')
    return event
  }
  const withDeliveries = async (event: StoreEvent): Promise<EventWithDeliveries> => ({
    event,
    deliveries: await deliveriesOf(reader, event),
  })
  return {
    list: (storeId, query) =>
      listEvents(reader, storeId, {
        ...query,
        fromMs: Math.max(query.fromMs ?? 0, oldestMs()),
      }),
    find: async (storeId, code) => await withDeliveries(await existing({ storeId, code })),
    async sendAgain({ endpointCode, storeId, ...of }) {
      const event = await existing({ storeId, ...of })
      const isKnown =
        endpointCode === undefined ||
        (await endpoints.find({ storeId, code: endpointCode })) !== undefined
      if (!isKnown) throw new ApiError('event_endpoint_not_found')
      await deliveries.sendAgain({ ...event, endpointCode }, clock.now())
      return await withDeliveries(event)
    },
  }
}
