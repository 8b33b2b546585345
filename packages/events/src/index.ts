import type { Clock, Environment, Log } from '@cofre/contracts'
import {
  type AddRoomRoutes,
  type GatewayTables,
  type RequestRules,
  type SecretKey,
  createSecretWrapping,
} from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { endpointRoutes } from './api/endpoint-routes.js'
import { eventRoutes } from './api/event-routes.js'
import { type EventWork, retentionWork, sendingWork } from './delivery/event-work.js'
import { createEndpointActs } from './acts/endpoint-acts.js'
import { createEventActs } from './acts/event-acts.js'
import { createShownEvents } from './acts/shown-events.js'
import type { EventBacklog } from './model/backlog.js'
import type { EventSender } from './model/delivery.js'
import type { ShownEvents } from './model/shown-events.js'
import { cardDeletion } from './model/event.js'
import { createSqlDeliveryStore } from './sql/delivery-store-sql.js'
import { createSqlEndpointStore } from './sql/endpoint-store-sql.js'
import { eventBacklog } from './sql/endpoint-backlog-sql.js'
import { recordStoreEvent } from './sql/event-insertion-sql.js'

export { deleteEventsOfPayer, eventFollows } from './sql/event-follows-sql.js'
export { type EventSender, acceptsEvent } from './model/delivery.js'
export { failingEndpoints } from './sql/endpoint-backlog-sql.js'

export interface EventsOptions {
  readonly environment: Environment
  /** The database of the environment's gateway, opened with {@link eventFollows}. */
  readonly database: Database<GatewayTables>
  /** The environment's clock, which decides what is due. */
  readonly clock: Clock
  /** The machine's clock, for leases, signatures and secrets. */
  readonly machineClock: Clock
  readonly randomBelow: (limit: number) => number
  readonly log: Log
  /** The first key wraps the endpoints' secrets; the others open what they wrapped before. */
  readonly secretKeys: readonly [SecretKey, ...SecretKey[]]
  readonly requestPolicy: Pick<RequestRules, 'acceptsNotificationUrl'>
  readonly sender: EventSender
  /** Milliseconds between attempts at a delivery. */
  readonly notifyIntervalMs: number
  /** Milliseconds between a creation and the time when its event is due. */
  readonly notifyDelayMs: number
}

/** Events of an environment's stores. */
export interface EventsRoom {
  /** For the API of stores. */
  readonly eventRoutes: AddRoomRoutes
  /** For the console. */
  readonly events: ShownEvents
  /** For the metrics. */
  readonly eventBacklog: () => Promise<EventBacklog>
  /** For the worker of the environment. */
  readonly eventWork: readonly EventWork[]
  /** Records that a store has deleted a card. */
  readonly cardDeleted: (storeId: string, code: string) => Promise<void>
  /** Wraps with the first key what another has wrapped. Resolves to the number of endpoints. */
  readonly rewrapEndpoints: () => Promise<number>
}

export function createEvents(options: EventsOptions): EventsRoom {
  const { clock, database, environment, requestPolicy: policy, secretKeys } = options
  const secrets = createSecretWrapping(environment, secretKeys, 'event-endpoint')
  const endpoints = createSqlEndpointStore({ ...options, secrets })
  const deliveries = createSqlDeliveryStore({ environment, database, secrets })
  const parts = { ...options, endpoints, deliveries }
  const [acts, ofEndpoints] = [createEventActs(parts), createEndpointActs(parts)]
  const routes = [eventRoutes(acts), endpointRoutes({ acts: ofEndpoints, policy })]
  return {
    eventRoutes(app, serving) {
      for (const addRoutes of routes) addRoutes(app, serving)
    },
    events: createShownEvents({ ...options, events: acts, endpoints: ofEndpoints }),
    eventBacklog: () => eventBacklog(database.reader),
    eventWork: [sendingWork(parts), retentionWork(parts)],
    async cardDeleted(storeId, code) {
      const event = cardDeletion(storeId, code, clock.now())
      await database.commit({ recorded: recordStoreEvent(event) })
    },
    rewrapEndpoints: () => endpoints.rewrap(),
  }
}
