import { SECOND_MS } from '@cofre/contracts'
import {
  type CardActivationDeps,
  activateWaitingCards,
} from '../card-payment/card-activation-service.js'
import {
  type NotificationDeps,
  claimNotifications,
  deliver,
} from '../notification/notification-service.js'
import type { ClaimedNotification } from '../notification/notification-store.js'
import { type RefundProcessingDeps, processRefunds } from '../refund/refund-processing-service.js'
import { type ExpiryDeps, expireUnpaid } from '../transaction/expiry-service.js'
import { type OpenIntentDeps, askAfterOpenIntents } from '../transaction/open-intent-service.js'

export type WorkerDeps = NotificationDeps &
  RefundProcessingDeps &
  ExpiryDeps &
  OpenIntentDeps &
  CardActivationDeps

/** Does the work of an environment that must outlive a process: it is rows, claimed with a lease. */
export interface Worker {
  /** Takes no new work, waits for what is under way, and leaves the rest to others. */
  stop(): Promise<void>
}

/** A worker that tells that it is alive. */
export interface WatchedWorker extends Worker {
  /** Milliseconds since the job that has waited longest came round: seconds, unless the worker is stuck. */
  sinceLastRoundMs(): number
}

const NOTIFICATIONS = 'notifications'
const PAUSE_MS = SECOND_MS / 4
const DELIVERIES_AT_ONCE = 128
/** Lets several deliveries end before the next claim, so that a claim takes several. */
const GATHER_MS = 20

/** What is looked for and done, over and over, beside the notifications. */
const JOBS: Readonly<Record<string, (deps: WorkerDeps) => Promise<unknown>>> = {
  refunds: processRefunds,
  'open intents': askAfterOpenIntents,
  'card activations': activateWaitingCards,
  expiries: expireUnpaid,
}

/** Starts working until stopped. Any number of workers may run on one PostgreSQL database, one on an SQLite file. */
export function startWorker(deps: WorkerDeps): WatchedWorker {
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()

  const rounds = new Map<string, number>()
  const beginRound = (name: string): void => {
    rounds.set(name, performance.now())
  }

  const guarded = async (name: string, job: () => Promise<unknown>): Promise<void> => {
    try {
      await job()
    } catch (error) {
      deps.log.error({ job: name, error }, 'a job of the worker failed')
    }
  }

  const startDelivery = (notification: ClaimedNotification): void => {
    const delivery = guarded('delivery', () => deliver(deps, notification)).finally(() => {
      underWay.delete(delivery)
    })
    underWay.add(delivery)
  }

  /** Claims again soon after a place comes free, and never waits for a slow receiver longer than a pause. */
  const deliverDue = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      beginRound(NOTIFICATIONS)
      const places = DELIVERIES_AT_ONCE - underWay.size
      const claimed = places > 0 ? await claimNotifications(deps, places) : []
      for (const notification of claimed) startDelivery(notification)
      if (underWay.size === 0) return
      await Promise.race([...underWay, pause(PAUSE_MS, stopping.signal)])
      await pause(GATHER_MS, stopping.signal)
    }
  }

  const repeat = async (name: string, job: () => Promise<unknown>): Promise<void> => {
    while (!stopping.signal.aborted) {
      beginRound(name)
      await guarded(name, job)
      await pause(PAUSE_MS, stopping.signal)
    }
  }

  const loops = [
    repeat(NOTIFICATIONS, deliverDue),
    ...Object.entries(JOBS).map(([name, job]) => repeat(name, () => job(deps))),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await Promise.all(underWay)
    },
    sinceLastRoundMs: () => performance.now() - Math.min(...rounds.values()),
  }
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, durationMs)
    signal.addEventListener('abort', finish)
  })
}
