import { ApiError, type Failure, endpointFacts, endpointRequestTable } from '@cofre/contracts'
import { type GatewayTables, type RequestRules, accepted } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { eventCode } from '../model/event.js'
import type { RefusedEndpoint, ShownEvents, TypedEndpoint } from '../model/shown-events.js'
import { endpointBacklogs } from '../sql/endpoint-backlog-sql.js'
import { deliveriesOfEach } from '../sql/event-list-sql.js'
import type { EndpointActs } from './endpoint-acts.js'
import type { EventActs } from './event-acts.js'

export interface ShownEventDeps {
  readonly events: EventActs
  readonly endpoints: EndpointActs
  readonly database: Pick<Database<GatewayTables>, 'reader'>
  readonly requestPolicy: Pick<RequestRules, 'acceptsNotificationUrl'>
}

export function createShownEvents(deps: ShownEventDeps): ShownEvents {
  const { database, endpoints, events, requestPolicy } = deps
  const { reader } = database
  const read = ({ types, ...typed }: TypedEndpoint) => {
    const body = { ...typed, ...(types.length > 0 && { types }) }
    return accepted(endpointRequestTable.validate(body, endpointFacts(body, requestPolicy)), [])
  }
  return {
    async endpoints(storeId) {
      const [all, backlogs] = await Promise.all([
        endpoints.list(storeId),
        endpointBacklogs(reader, storeId),
      ])
      const none = { waiting: 0, deliveredAtMs: undefined }
      return all.map((one) => ({ ...one, ...(backlogs.get(one.code) ?? none) }))
    },
    drawCode: () => endpoints.drawCode(),
    create: (storeId, typed, code) =>
      refusals(() =>
        endpoints.create(storeId, read(typed), { nonce: undefined, isRetry: false, code }),
      ),
    async change(key, typed) {
      const changed = await refusals(async () => {
        const { types = 'all', ...values } = read(typed)
        return await endpoints.change(key, { ...values, types }, { nonce: undefined })
      })
      const isGone = 'failures' in changed && changed.failures.some(isUnknown)
      return isGone ? undefined : changed
    },
    async rotate(key, seenUntilMs) {
      const once = { nonce: undefined, isRetry: false, seen: { previousUntilMs: seenUntilMs } }
      const rotated = await refusals(() => endpoints.rotate(key, once))
      return 'failures' in rotated ? undefined : rotated
    },
    delete: async (key) => !('failures' in (await refusals(() => endpoints.delete(key)))),
    async list(storeId, { payment, ...query }) {
      const { items, next } = await events.list(storeId, { ...query, subject: payment })
      const deliveries = await deliveriesOfEach(reader, storeId, items)
      const withDeliveries = items.map((event) => ({
        event,
        deliveries: deliveries.get(eventCode(event)) ?? [],
      }))
      return { items: withDeliveries, next }
    },
    sendAgain: async (event) => !('failures' in (await refusals(() => events.sendAgain(event)))),
  }
}

async function refusals<Result>(act: () => Promise<Result>): Promise<Result | RefusedEndpoint> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ApiError) return { failures: error.failures }
    throw error
  }
}

const isUnknown = ({ name }: Failure): boolean => name === 'event_endpoint_not_found'
