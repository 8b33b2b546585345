import { SECOND_MS } from '@cofre/contracts'
import {
  type DueWork,
  type WatchedWork,
  countByMinute,
  inLanes,
  pause,
  startDueWork,
} from '@cofre/work'
import { claimNotifications, deliver } from '../payment/notification-service.js'
import type { UseCaseParts } from '../composition/gateway-parts.js'
import type { ClaimedNotification } from '../model/notification/notification.js'
import { DELIVERIES_AT_ONCE } from '../model/notification/store-shares.js'
import { activateWaitingCards } from '../payment/card-activation-service.js'
import { createCardChangeRounds } from '../payment/card-return-service.js'
import { tellFieldSettings } from '../payment/field-announcement-service.js'
import { expireUnpaid } from '../payment/expiry-service.js'
import { askAfterOpenCharges, askAfterOpenIntents } from '../payment/open-intent-service.js'
import { processRefunds } from '../payment/refund-service.js'

const SOON_MS = SECOND_MS / 4
/** Each round asks the database, also where nothing is due: work that can wait asks less often. */
const UNHURRIED_MS = SECOND_MS
/** Lets several deliveries end before the next claim, so that a claim takes several. */
const GATHER_MS = 2

/** What a worker does, in the log. */
export type WorkerJob =
  | 'card activations'
  | 'card changes'
  | 'card fields'
  | 'expiries'
  | 'idempotency keys'
  | 'nonces'
  | 'notifications'
  | 'old declines'
  | 'old purchases'
  | 'open charges'
  | 'open intents'
  | 'refunds'
  | 'sign-ins'

type Work = DueWork<WorkerJob>

/** Starts a worker. Any number may run on one PostgreSQL database, one on an SQLite file. */
export function startWorker(deps: UseCaseParts): WatchedWork {
  const { environment, log, roomWork } = deps
  const table: readonly DueWork[] = [...workOf(deps), ...roomWork]
  return startDueWork(table, { environment, log })
}

/** What must outlive a process: rows of an environment's database, claimed with a lease. */
function workOf(deps: UseCaseParts): readonly Work[] {
  const deliverDue = deliveries(deps)
  const applyChanges = createCardChangeRounds(deps)
  return [
    { name: 'notifications', everyMs: SOON_MS, run: deliverDue },
    { name: 'card fields', everyMs: SOON_MS, run: () => tellFieldSettings(deps) },
    { name: 'expiries', everyMs: SOON_MS, run: () => expireUnpaid(deps) },
    inLanes({ name: 'card activations', run: (lanes) => activateWaitingCards(deps, lanes) }),
    inLanes({ name: 'open intents', run: (lanes) => askAfterOpenIntents(deps, lanes) }),
    inLanes({ name: 'open charges', run: (lanes) => askAfterOpenCharges(deps, lanes) }),
    inLanes({ name: 'refunds', run: (lanes) => processRefunds(deps, lanes) }),
    {
      name: 'card changes',
      everyMs: SOON_MS,
      parallel: 4,
      run: ({ signal }) => applyChanges(signal),
    },
    ...cleanUpsOf(deps),
  ]
}

/** What is forgotten. */
function cleanUpsOf(deps: UseCaseParts): readonly Work[] {
  const { clock, idempotency, machineClock, nonces, people, transactions } = deps
  return [
    unhurried('old purchases', () => transactions.forgetPurchases(clock.now())),
    unhurried('old declines', () => transactions.forgetDeclines(clock.now())),
    unhurried('idempotency keys', () => idempotency.forget(clock.now())),
    unhurried('nonces', () => nonces.forget(machineClock.now())),
    unhurried('sign-ins', () => people.sweep()),
  ]
}

const unhurried = (name: WorkerJob, run: Work['run']): Work => ({
  name,
  everyMs: UNHURRIED_MS,
  run,
})

/** Claims soon after a delivery ends, and never waits for a slow receiver longer than a pause. */
function deliveries(deps: UseCaseParts): Work['run'] {
  const { environment, log } = deps
  // Many are under way, so a success ends no outage: failures are logged once a minute.
  const count = countByMinute()
  const logFailure = (
    { transactionCode: transaction, position }: ClaimedNotification,
    error: unknown,
  ): void => {
    const failures = count.add()
    if (failures === 0) return
    const fields = { environment, failures, transaction, position, error }
    log.error(fields, 'a delivery could not be made or recorded')
  }
  const underWay = new Set<Promise<void>>()
  return async ({ beside, looked, signal }) => {
    while (!signal.aborted) {
      const places = DELIVERIES_AT_ONCE - underWay.size
      if (places > 0) {
        for (const notification of await claimNotifications(deps, places)) {
          const delivery = deliver(deps, notification)
            .catch((error: unknown) => {
              logFailure(notification, error)
            })
            .finally(() => underWay.delete(delivery))
          underWay.add(delivery)
          beside(delivery)
        }
        looked()
      }
      if (underWay.size === 0) return
      await Promise.race([...underWay, pause(SOON_MS, signal)])
      await pause(GATHER_MS, signal)
    }
  }
}
