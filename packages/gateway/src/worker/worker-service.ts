import { SECOND_MS } from '@cofre/contracts'
import { type JobBackoff, countByMinute, pause, repeatJob, createJobBackoff } from '@cofre/jobs'
import { isUnavailable } from '@cofre/sql'
import {
  type CardActivationDeps,
  activateWaitingCards,
} from '../payment/card-activation-service.js'
import {
  type NotificationDeps,
  claimNotifications,
  deliver,
} from '../delivery/notification-service.js'
import type { ClaimedNotification } from '../model/notification/notification-store.js'
import { DELIVERIES_AT_ONCE } from '../model/notification/store-shares.js'
import { type RefundProcessingDeps, processRefunds } from '../payment/refund-processing-service.js'
import { type ExpiryDeps, expireUnpaid } from '../payment/expiry-service.js'
import { type OpenIntentDeps, askAfterOpenIntents } from '../payment/open-intent-service.js'
import { RoundFailedError } from '../payment/claimed-round.js'

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
  /**
   * Milliseconds since the job that has waited longest came round, or since the start: seconds, unless the worker is stuck or its
   * database does not answer.
   */
  sinceLastRoundMs(): number
}

const PAUSE_MS = SECOND_MS / 4
/** Lets several deliveries end before the next claim, so that a claim takes several. */
const GATHER_MS = 20

/** What is looked for and done, over and over, beside the notifications. */
const JOBS: Readonly<Record<string, (deps: WorkerDeps) => Promise<unknown>>> = {
  refunds: processRefunds,
  'open intents': askAfterOpenIntents,
  'card activations': activateWaitingCards,
  async expiries(deps) {
    await expireUnpaid(deps)
    await deps.transactions.forgetPurchases(deps.clock.now())
  },
}

/** Starts working until stopped. Any number of workers may run on one PostgreSQL database, one on an SQLite file. */
export function startWorker(deps: WorkerDeps): WatchedWorker {
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()

  const rounds = new Map<string, number>()
  const watchRounds = (job: string): JobBackoff =>
    countingRounds(watchFailures(deps, job), job, rounds)

  const tellFailedDelivery = failedDeliveryTeller(deps)
  const startDelivery = (notification: ClaimedNotification): void => {
    const delivery = deliver(deps, notification)
      .catch((error: unknown) => {
        tellFailedDelivery(notification, error)
      })
      .finally(() => {
        underWay.delete(delivery)
      })
    underWay.add(delivery)
  }

  const notifications = watchRounds('notifications')
  /** Claims again soon after a place comes free, and never waits for a slow receiver longer than a pause. */
  const deliverDue = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const places = DELIVERIES_AT_ONCE - underWay.size
      if (places > 0) {
        for (const notification of await claimNotifications(deps, places))
          startDelivery(notification)
        notifications.succeeded()
      }
      if (underWay.size === 0) return
      await Promise.race([...underWay, pause(PAUSE_MS, stopping.signal)])
      await pause(GATHER_MS, stopping.signal)
    }
  }

  const loops = [
    repeatJob(deliverDue, notifications, stopping.signal),
    ...Object.entries(JOBS).map(([name, job]) =>
      repeatJob(() => job(deps), watchRounds(name), stopping.signal),
    ),
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

/** Of deliveries that fail, one a minute is told with their number. Many are under way: one that succeeds says nothing of others. */
function failedDeliveryTeller({ environment, log }: WorkerDeps) {
  const count = countByMinute()
  return ({ transactionCode, position }: ClaimedNotification, error: unknown): void => {
    const failures = count.add()
    if (failures === 0) return
    const fields = { environment, failures, transaction: transactionCode, position, error }
    log.error(fields, 'a delivery could not be made or noted')
  }
}

function watchFailures({ environment, log }: WorkerDeps, job: string): JobBackoff {
  return createJobBackoff({ job, environment }, PAUSE_MS, log)
}

/** Notes when a job last came round. A round that could not reach the database has not looked for work; any other has. */
function countingRounds(watch: JobBackoff, job: string, rounds: Map<string, number>): JobBackoff {
  const endRound = (): void => {
    rounds.set(job, performance.now())
  }
  endRound()
  return {
    ...watch,
    succeeded() {
      endRound()
      watch.succeeded()
    },
    failed(error) {
      if (error instanceof RoundFailedError || !isUnavailable(error)) endRound()
      watch.failed(error)
    },
  }
}
