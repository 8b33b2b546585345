import { type Log, SECOND_MS } from '@cofre/contracts'
import type { GatewayTables } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { type DueWork, countByMinute, sideBySide } from '@cofre/work'
import type { ClaimedDelivery } from '../model/delivery.js'
import { EVENTS_KEPT_MS } from '../model/endpoint.js'
import { DELIVERIES_AT_ONCE } from '../sql/delivery-claim-sql.js'
import { fanOut } from '../sql/fan-out-sql.js'
import { forgetDeliveries, forgetEvents } from '../sql/retention-sql.js'
import { type DeliveryDeps, claimDeliveries, deliver } from './event-delivery.js'

export type EventWork = DueWork<'events' | 'old-events'>

export interface EventWorkDeps extends DeliveryDeps {
  readonly database: Database<GatewayTables>
  readonly log: Log
}

/** Sends due events. */
export function sendingWork(deps: EventWorkDeps): EventWork {
  const { database, environment, log } = deps
  // Many deliveries run at once, so a success ends no outage: failures are logged once a minute.
  const count = countByMinute()
  const logFailure = (
    { endpointCode: endpoint, subject, position }: ClaimedDelivery,
    error: unknown,
  ): void => {
    const failures = count.add()
    if (failures === 0) return
    const fields = { environment, failures, endpoint, subject, position, error }
    log.error(fields, 'an event could not be delivered or recorded')
  }
  const logFanOut = (error: unknown): void => {
    const failures = count.add()
    if (failures > 0) log.error({ environment, failures, error }, 'deliveries could not be made')
  }
  const run = sideBySide({
    atOnce: DELIVERIES_AT_ONCE,
    async claim(limit) {
      // A failure to make deliveries does not delay those that exist.
      await fanOut(database).catch(logFanOut)
      return await claimDeliveries(deps, limit)
    },
    work: (claimed) => deliver(deps, claimed),
    logFailure,
  })
  return { name: 'events', everyMs: SECOND_MS / 4, run }
}

/** Deletes events after thirty days, delivered or not. */
export function retentionWork({
  clock,
  database,
}: Pick<EventWorkDeps, 'clock' | 'database'>): EventWork {
  return {
    name: 'old-events',
    // A worker that has not polled for work for minutes is taken for stuck.
    everyMs: 10 * SECOND_MS,
    async run() {
      await forgetEvents(database, clock.now() - EVENTS_KEPT_MS)
      await forgetDeliveries(database)
    },
  }
}
