import { SECOND_MS } from '@cofre/contracts'
import {
  type JobBackoff,
  countByMinute,
  createJobBackoff,
  pause,
  reasonOf,
  repeatJob,
} from '@cofre/jobs'
import { isUnavailable } from '@cofre/sql'
import { claimNotifications, deliver } from '../payment/notification-service.js'
import type { GatewayDeps } from '../payment/gateway-deps.js'
import type { ClaimedNotification } from '../model/notification/notification.js'
import { DELIVERIES_AT_ONCE } from '../model/notification/store-shares.js'
import { activateWaitingCards } from '../payment/card-activation-service.js'
import { tellOfPauses } from '../payment/card-pause-service.js'
import { applyCardChanges } from '../payment/card-return-service.js'
import { RoundFailedError } from '../payment/claimed-round.js'
import { createCoverageTeller } from '../payment/covered-account-service.js'
import { tellFieldSettings } from '../payment/field-announcement-service.js'
import { expireUnpaid } from '../payment/rail-payment-service.js'
import { askAfterOpenCharges, askAfterOpenIntents } from '../payment/open-intent-service.js'
import { lookAtLinkTries } from '../payment/link-try-service.js'
import { sweepAccounts } from '../payment/bank-sweep-service.js'
import { lookAtCharges } from '../payment/charge-look-service.js'
import { refundSurpluses } from '../payment/bank-refund-service.js'
import { processRefunds } from '../payment/refund-service.js'
import { indexPayments } from '../payment/search-index-service.js'
import { workOnSettlements } from '../payment/settlement-service.js'

/** Does what must outlive a process: rows of an environment's database, claimed with a lease. */
export interface Worker {
  /** Takes no new work, waits for what is under way, and leaves the rest to others. */
  stop(): Promise<void>
}

/** A worker that reports whether it is alive. */
export interface WatchedWorker extends Worker {
  /**
   * Milliseconds since the last round of the job that has waited longest, or since the start:
   * seconds, unless the worker is stuck or its database does not answer.
   */
  sinceLastRoundMs(): number
}

const PAUSE_MS = SECOND_MS / 4
/** A job asks the database also when there is nothing to do: those that nobody waits for, less. */
const UNHURRIED_PAUSE_MS = SECOND_MS
const UNHURRIED = ['pauses of cards', 'settlements', 'settled days', 'tries at links', 'surpluses']
/** Lets several deliveries end before the next claim, so that a claim takes several. */
const GATHER_MS = 2

/** The jobs beside the notifications. */
const JOBS: Readonly<Record<string, (deps: GatewayDeps) => Promise<unknown>>> = {
  'card activations': activateWaitingCards,
  'card fields': tellFieldSettings,
  'pauses of cards': tellOfPauses,
  async expiries(deps) {
    await expireUnpaid(deps)
    await deps.transactions.forgetPurchases(deps.clock.now())
    await deps.transactions.forgetDeclines(deps.clock.now())
    await deps.linkTries.forgetAddresses(deps.clock.now())
    await deps.idempotency.forget(deps.clock.now())
    await deps.nonces.forget(deps.machineClock.now())
    await deps.people.sweep()
  },
}

type BankJobs = Readonly<Record<string, (deps: GatewayDeps, signal: AbortSignal) => Promise<void>>>

/** Jobs that wait for banks. */
const BANK_JOBS: BankJobs = {
  'open intents': askAfterOpenIntents,
  'open charges': askAfterOpenCharges,
  'tries at links': lookAtLinkTries,
  refunds: processRefunds,
  'card changes': applyCardChanges,
}
/** Those that only accounts with banks have. */
const ACCOUNT_JOBS: BankJobs = {
  'charges at banks': lookAtCharges,
  'lists of banks': sweepAccounts,
  surpluses: refundSurpluses,
}
/** Runs of one of them: a bank that is slow delays no other's. */
const BANK_RUNS_AT_ONCE = 4

/** Starts a worker. Any number may run on one PostgreSQL database, one on an SQLite file. */
export function startWorker(deps: GatewayDeps): WatchedWorker {
  const { environment, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const rounds = new Map<string, number>()
  const watch = (job: string): JobBackoff => {
    const pauseMs = UNHURRIED.includes(job) ? UNHURRIED_PAUSE_MS : PAUSE_MS
    return countingRounds(createJobBackoff({ job, environment }, pauseMs, log), () => {
      rounds.set(job, performance.now())
    })
  }
  const notifications = watch('notifications')
  const underWay = new Set<Promise<void>>()
  const bankRuns = new Set<Promise<void>>()
  const deliverDue = deliveries(deps, { underWay, signal, claimed: notifications.succeeded })
  const bankJobs = { ...BANK_JOBS, ...(deps.bankOf !== undefined && ACCOUNT_JOBS) }
  const loops = [
    repeatJob(deliverDue, notifications, signal),
    repeatJob(() => indexPayments(deps, signal), watch('search index'), signal),
    repeatJob(() => workOnSettlements(deps, signal), watch('settlements'), signal),
    repeatJob(createCoverageTeller(deps), watch('settled days'), signal),
    ...Object.entries(JOBS).map(([name, job]) => repeatJob(() => job(deps), watch(name), signal)),
    ...Object.entries(bankJobs).map(([name, job]) =>
      repeatJob(
        besideEachOther(() => job(deps, signal), { underWay: bankRuns, signal }),
        watch(name),
        signal,
      ),
    ),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      await Promise.all([...underWay, ...bankRuns])
    },
    sinceLastRoundMs: () => performance.now() - Math.min(...rounds.values()),
  }
}

/** A round that starts a run, and never waits for a slow one longer than a pause. */
function besideEachOther(
  run: () => Promise<void>,
  { underWay, signal }: Pick<DeliveryLoop, 'underWay' | 'signal'>,
): () => Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: Error[] = []
  return async () => {
    if (running.size < BANK_RUNS_AT_ONCE) {
      const started = run()
        .catch((error: unknown) => {
          failures.push(error instanceof Error ? error : new Error(reasonOf(error)))
        })
        .finally(() => {
          running.delete(started)
          underWay.delete(started)
        })
      running.add(started)
      underWay.add(started)
    }
    await Promise.race([...running, pause(PAUSE_MS, signal)])
    const [failure] = failures.splice(0)
    if (failure !== undefined) throw failure
  }
}

interface DeliveryLoop {
  readonly underWay: Set<Promise<void>>
  readonly signal: AbortSignal
  /** Called after each claim. */
  readonly claimed: () => void
}

/** Claims soon after a delivery ends, and never waits for a slow receiver longer than a pause. */
function deliveries(deps: GatewayDeps, { underWay, signal, claimed }: DeliveryLoop) {
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
  return async (): Promise<void> => {
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
        }
        claimed()
      }
      if (underWay.size === 0) return
      await Promise.race([...underWay, pause(PAUSE_MS, signal)])
      await pause(GATHER_MS, signal)
    }
  }
}

/** A round that could not reach the database has not looked for work; any other has. */
function countingRounds(watch: JobBackoff, endRound: () => void): JobBackoff {
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
