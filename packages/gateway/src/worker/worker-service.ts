import { SECOND_MS } from '@cofre/contracts'
import { type DueWork, type WatchedWork, inLanes, startDueWork } from '@cofre/work'
import type { UseCaseParts } from '../composition/gateway-parts.js'
import {
  carryOutOrders,
  endUncaptured,
  remindOfUncaptured,
} from '../payment/capture/capture-work-service.js'
import { activateWaitingCards } from '../payment/card-activation-service.js'
import { createCardChangeRounds } from '../payment/card-return-service.js'
import { announceFieldSettings } from '../payment/field-announcement-service.js'
import { expireUnpaid } from '../payment/expiry-service.js'
import { askAfterOpenCharges, askAfterOpenIntents } from '../payment/open-intent-service.js'
import { processRefunds } from '../payment/refund-service.js'

const SHORT_INTERVAL_MS = SECOND_MS / 4
/**
 * Each round queries the database, even if nothing is due: work that can wait queries less often.
 */
const NORMAL_INTERVAL_MS = SECOND_MS

/** A worker's jobs, as named in the log. */
export type WorkerJob =
  | 'capture reminders'
  | 'captures'
  | 'card activations'
  | 'card changes'
  | 'card fields'
  | 'expiries'
  | 'idempotency keys'
  | 'nonces'
  | 'old declines'
  | 'old purchases'
  | 'open charges'
  | 'open intents'
  | 'refunds'
  | 'sign-ins'
  | 'uncaptured'

type Work = DueWork<WorkerJob>

/** Starts a worker. Any number may run on one PostgreSQL database, one on an SQLite file. */
export function startWorker(deps: UseCaseParts): WatchedWork {
  const { environment, log, roomWork } = deps
  const table: readonly DueWork[] = [...workOf(deps), ...roomWork]
  return startDueWork(table, { environment, log })
}

/** Work that must outlive a process: rows of an environment's database, claimed with a lease. */
function workOf(deps: UseCaseParts): readonly Work[] {
  const applyChanges = createCardChangeRounds(deps)
  return [
    { name: 'card fields', everyMs: SHORT_INTERVAL_MS, run: () => announceFieldSettings(deps) },
    { name: 'expiries', everyMs: SHORT_INTERVAL_MS, run: () => expireUnpaid(deps) },
    inLanes({ name: 'card activations', run: (lanes) => activateWaitingCards(deps, lanes) }),
    inLanes({ name: 'open intents', run: (lanes) => askAfterOpenIntents(deps, lanes) }),
    inLanes({ name: 'open charges', run: (lanes) => askAfterOpenCharges(deps, lanes) }),
    inLanes({ name: 'refunds', run: (lanes) => processRefunds(deps, lanes) }),
    inLanes({ name: 'captures', run: (lanes) => carryOutOrders(deps, lanes) }),
    everySecond('uncaptured', () => endUncaptured(deps)),
    everySecond('capture reminders', () => remindOfUncaptured(deps)),
    {
      name: 'card changes',
      everyMs: SHORT_INTERVAL_MS,
      parallel: 4,
      run: ({ signal }) => applyChanges(signal),
    },
    ...cleanUpsOf(deps),
  ]
}

/** Deletions of outdated rows. */
function cleanUpsOf(deps: UseCaseParts): readonly Work[] {
  const { clock, idempotency, machineClock, nonces, people, transactions } = deps
  return [
    everySecond('old purchases', () => transactions.forgetPurchases(clock.now())),
    everySecond('old declines', () => transactions.forgetDeclines(clock.now())),
    everySecond('idempotency keys', () => idempotency.forget(clock.now())),
    everySecond('nonces', () => nonces.forget(machineClock.now())),
    everySecond('sign-ins', () => people.sweep()),
  ]
}

const everySecond = (name: WorkerJob, run: Work['run']): Work => ({
  name,
  everyMs: NORMAL_INTERVAL_MS,
  run,
})
