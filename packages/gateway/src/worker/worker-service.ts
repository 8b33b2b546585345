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

const SOON_MS = SECOND_MS / 4
/**
 * Each round queries the database, even if nothing is due: work that can wait queries less often.
 */
const UNHURRIED_MS = SECOND_MS

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
    { name: 'card fields', everyMs: SOON_MS, run: () => announceFieldSettings(deps) },
    { name: 'expiries', everyMs: SOON_MS, run: () => expireUnpaid(deps) },
    inLanes({ name: 'card activations', run: (lanes) => activateWaitingCards(deps, lanes) }),
    inLanes({ name: 'open intents', run: (lanes) => askAfterOpenIntents(deps, lanes) }),
    inLanes({ name: 'open charges', run: (lanes) => askAfterOpenCharges(deps, lanes) }),
    inLanes({ name: 'refunds', run: (lanes) => processRefunds(deps, lanes) }),
    inLanes({ name: 'captures', run: (lanes) => carryOutOrders(deps, lanes) }),
    unhurried('uncaptured', () => endUncaptured(deps)),
    unhurried('capture reminders', () => remindOfUncaptured(deps)),
    {
      name: 'card changes',
      everyMs: SOON_MS,
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
