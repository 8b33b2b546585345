import type { AccountDescription } from '@cofre/provider-kit/account'
import { type Clock, ENVIRONMENTS, type Environment, type Log, SECOND_MS } from '@cofre/contracts'
import { type WatchedWork, answeredWithin } from '@cofre/work'
import type { BankBacklog, Banks } from '@cofre/banks'
import type { EventsRoom } from '@cofre/events'
import type { Gateway } from '@cofre/gateway'
import type { Notifications } from '@cofre/notifications'
import type { PaymentFinder } from '@cofre/search'
import type { OperatorRoom } from '@cofre/operator'
import type { KeyStatus, Vault, VaultAdministration } from '@cofre/vault'
import type { Gauge } from 'prom-client'
import { bankNameOf } from '../installation/accounts.js'
import type { Metrics } from './metrics.js'
import { type ReadinessCheck, isWell } from './readiness.js'

/** A reading for each scrape of the metrics. */
export interface Sampler {
  /** Without a value while the reading fails, which an alert can detect. */
  readonly gauges: readonly Gauge[]
  sample(): Promise<void>
}

/** A slow database must not delay the scrape. */
const SAMPLE_TIMEOUT_MS = 5 * SECOND_MS

/** Takes all readings concurrently. */
export async function runSamplers(samplers: readonly Sampler[], log: Log): Promise<void> {
  await Promise.all(
    samplers.map(async (sampler) => {
      for (const gauge of sampler.gauges) gauge.reset()
      try {
        await answeredWithin(SAMPLE_TIMEOUT_MS, () => sampler.sample())
      } catch (error) {
        log.warn({ error }, 'a metric could not be read')
      }
    }),
  )
}

interface NotifyingGateway extends Pick<Gateway, 'clock' | 'environment'> {
  readonly notifications: Pick<Notifications, 'backlog'>
}

/** The outboxes' backlog, in one reading: a reset gauge loses all its labels. */
export function outboxSampler(metrics: Metrics, gateways: readonly NotifyingGateway[]): Sampler {
  const { outboxWaiting, outboxOldestSeconds, outboxUnsentSeconds, outboxFailingStores } = metrics
  return {
    gauges: [outboxWaiting, outboxOldestSeconds, outboxUnsentSeconds, outboxFailingStores],
    async sample() {
      for (const { environment, clock, notifications } of gateways) {
        const stores = await notifications.backlog()
        const oldestMs = Math.min(...stores.map((store) => store.oldestMs))
        // A store that is gone for good must not hide the delay of others.
        const unsentMs = Math.min(
          ...stores.flatMap(({ isFailing, unsentSinceMs }) =>
            isFailing ? [] : (unsentSinceMs ?? []),
          ),
        )
        const failing = stores.filter(({ isFailing, isProbed }) => isFailing || isProbed)
        outboxWaiting.set(
          { environment },
          stores.reduce((sum, { waiting }) => sum + waiting, 0),
        )
        outboxOldestSeconds.set({ environment }, ageSeconds(clock, oldestMs))
        outboxUnsentSeconds.set({ environment }, ageSeconds(clock, unsentMs))
        outboxFailingStores.set({ environment }, failing.length)
      }
    },
  }
}

/** The deliveries of events that endpoints have not accepted. */
export function eventSampler(
  { eventsWaiting, eventsUnsentSeconds, eventEndpointsFailing }: Metrics,
  gateways: readonly (Pick<Gateway, 'clock' | 'environment'> & Pick<EventsRoom, 'eventBacklog'>)[],
): Sampler {
  return {
    gauges: [eventsWaiting, eventsUnsentSeconds, eventEndpointsFailing],
    async sample() {
      for (const { environment, clock, eventBacklog } of gateways) {
        const { waiting, unsentSinceMs = Infinity, failingEndpoints } = await eventBacklog()
        eventsWaiting.set({ environment }, waiting)
        eventsUnsentSeconds.set({ environment }, ageSeconds(clock, unsentSinceMs))
        eventEndpointsFailing.set({ environment }, failingEndpoints)
      }
    },
  }
}

/** Checks that databases answer and can be written, even while the process gets no requests. */
export function databaseSampler(
  { databaseUp }: Metrics,
  databases: ReadonlyMap<string, ReadinessCheck>,
): Sampler {
  return {
    gauges: [databaseUp],
    async sample() {
      await Promise.all(
        [...databases].map(async ([database, check]) => {
          databaseUp.set({ database }, (await isWell(check)) ? 1 : 0)
        }),
      )
    },
  }
}

/** Transactions with an unknown outcome. */
export function underReviewSampler(
  { underReview, underReviewOldestSeconds }: Metrics,
  gateways: readonly (Pick<Gateway, 'environment' | 'clock'> & Pick<OperatorRoom, 'underReview'>)[],
): Sampler {
  return {
    gauges: [underReview, underReviewOldestSeconds],
    async sample() {
      for (const { environment, clock, underReview: store } of gateways) {
        const counts = await store.count()
        for (const waitsFor of ['answer', 'review'] as const) {
          const { count, sinceMs } = counts[waitsFor]
          const labels = { environment, waits_for: waitsFor }
          underReview.set(labels, count)
          underReviewOldestSeconds.set(labels, ageSeconds(clock, sinceMs ?? Infinity))
        }
      }
    },
  }
}

interface SearchedGateway extends Pick<Gateway, 'environment'> {
  readonly payments: Pick<PaymentFinder, 'indexAgeMs'>
}

/** Delay of the payment search. */
export function searchIndexSampler(
  { searchIndexSeconds }: Metrics,
  gateways: readonly SearchedGateway[],
): Sampler {
  return {
    gauges: [searchIndexSeconds],
    async sample() {
      for (const { environment, payments } of gateways)
        searchIndexSeconds.set({ environment }, (await payments.indexAgeMs()) / SECOND_MS)
    },
  }
}

/** Card-field settings that the vault does not have yet. */
export function cardFieldsSampler(
  { cardFieldsSeconds }: Metrics,
  gateways: readonly Pick<Gateway, 'environment' | 'waitingFields'>[],
  machineClock: Clock,
): Sampler {
  return {
    gauges: [cardFieldsSeconds],
    async sample() {
      for (const { environment, waitingFields } of gateways) {
        const [oldest] = await waitingFields()
        const sinceMs = oldest?.sinceMs ?? Infinity
        cardFieldsSeconds.set({ environment }, ageSeconds(machineClock, sinceMs))
      }
    },
  }
}

/** Accounts of stores at banks, and requests without the banks' answers. */
export function bankSampler(
  metrics: Metrics,
  gateways: readonly (Pick<Gateway, 'environment' | 'clock' | 'accounts'> &
    Pick<Banks, 'bankBacklog'>)[],
  machineClock: Clock,
): Sampler {
  const { certificateSeconds, pixOpenCharges, boletoOpenCharges, pixUnansweredSeconds } = metrics
  const { surplusWaiting, surplusOldestSeconds, surplusRejected } = metrics
  const { pixRefundSeconds, pixRemovalSeconds } = metrics
  return {
    gauges: [
      certificateSeconds,
      pixOpenCharges,
      boletoOpenCharges,
      pixUnansweredSeconds,
      surplusWaiting,
      surplusOldestSeconds,
      surplusRejected,
      pixRefundSeconds,
      pixRemovalSeconds,
    ],
    async sample() {
      for (const { environment, clock, accounts, bankBacklog } of gateways) {
        const [known, backlog] = await Promise.all([accounts.list(), bankBacklog()])
        for (const [bank, ofBank] of Map.groupBy(known, bankNameOf)) {
          const labels = { environment, bank }
          const endMs = firstEndMs(ofBank)
          if (Number.isFinite(endMs))
            certificateSeconds.set(labels, (endMs - machineClock.now()) / SECOND_MS)
          const found = sumOf(
            backlog.filter(({ accountId }) => ofBank.some(({ id }) => id === accountId)),
          )
          pixOpenCharges.set(labels, found.openPix)
          boletoOpenCharges.set(labels, found.openBoletos)
          pixUnansweredSeconds.set(labels, ageSeconds(machineClock, found.unansweredSinceMs))
          surplusWaiting.set(labels, found.surplusWaiting)
          surplusOldestSeconds.set(labels, ageSeconds(clock, found.surplusSinceMs))
          surplusRejected.set(labels, found.surplusRejected)
          pixRefundSeconds.set(labels, ageSeconds(clock, found.refundSinceMs))
          pixRemovalSeconds.set(labels, ageSeconds(machineClock, found.removalSinceMs))
        }
      }
    },
  }
}

/** The first end of an enabled account's certificate; Infinity without one. */
function firstEndMs(accounts: readonly AccountDescription[]): number {
  const enabled = accounts.filter(({ disabledAtMs }) => disabledAtMs === undefined)
  return Math.min(...enabled.map(({ certificateUntilMs = Infinity }) => certificateUntilMs))
}

/** Backlog of a bank, over all its accounts. Times are Infinity if nothing waits. */
function sumOf(backlog: readonly BankBacklog[]) {
  const sinceMs = (of: (one: BankBacklog) => number | undefined): number =>
    Math.min(...backlog.map((one) => of(one) ?? Infinity))
  return {
    openPix: backlog.reduce((sum, { openPix }) => sum + openPix, 0),
    openBoletos: backlog.reduce((sum, { openBoletos }) => sum + openBoletos, 0),
    unansweredSinceMs: Math.min(
      sinceMs((one) => one.unansweredReadSinceMs),
      sinceMs((one) => one.unansweredSweepSinceMs),
    ),
    surplusWaiting: backlog.reduce((sum, { surplusWaiting }) => sum + surplusWaiting, 0),
    surplusSinceMs: sinceMs((one) => one.surplusSinceMs),
    surplusRejected: backlog.reduce((sum, { surplusRejected }) => sum + surplusRejected, 0),
    refundSinceMs: sinceMs((one) => one.refundSinceMs),
    removalSinceMs: sinceMs((one) => one.removalSinceMs),
  }
}

export function workerSampler(
  { workerRoundSeconds }: Metrics,
  workers: Readonly<Partial<Record<Environment, WatchedWork>>>,
): Sampler {
  return {
    gauges: [workerRoundSeconds],
    sample() {
      for (const [environment, worker] of Object.entries(workers))
        workerRoundSeconds.set({ environment }, worker.sinceLastRoundMs() / SECOND_MS)
      return Promise.resolve()
    },
  }
}

export function vaultSampler(
  { vaultRecords, vaultKeys, vaultKeyAgeSeconds, ...cards }: Metrics,
  vault: Pick<Vault, 'census'>,
  { keyStatus, clock }: Pick<VaultAdministration, 'keyStatus'> & { readonly clock: Clock },
): Sampler {
  const { cardOldestSeconds, returnsOverdue, cardsUndecided, chargesUnheard } = cards
  const { changesOldestSeconds, changesHeld, cardsUncharged } = cards
  const { capturesWaiting, capturesOldestSeconds } = cards
  return {
    gauges: [
      vaultRecords,
      vaultKeys,
      vaultKeyAgeSeconds,
      cardOldestSeconds,
      returnsOverdue,
      cardsUndecided,
      capturesWaiting,
      capturesOldestSeconds,
      changesOldestSeconds,
      changesHeld,
      chargesUnheard,
      cardsUncharged,
    ],
    async sample() {
      const { sessions, directTokens, savedCards, ...census } = await vault.census()
      vaultRecords.set({ kind: 'session' }, sessions)
      vaultRecords.set({ kind: 'deposit' }, directTokens)
      vaultRecords.set({ kind: 'saved_card' }, savedCards)
      const keys = await keyStatus()
      for (const state of ['current', 'older', 'missing'] as const satisfies KeyStatus['state'][])
        vaultKeys.set({ state }, keys.filter((key) => key.state === state).length)
      const current = keys.find((key) => key.state === 'current')
      if (current?.inUseSinceMs !== undefined)
        vaultKeyAgeSeconds.set({ state: 'current' }, ageSeconds(clock, current.inUseSinceMs))
      const { openCardSinceMs = Infinity } = census
      cardOldestSeconds.set({ waits_for: 'outcome' }, ageSeconds(clock, openCardSinceMs))
      for (const environment of ENVIRONMENTS) {
        const changeAtMs = census.oldestChangeAtMs[environment] ?? Infinity
        returnsOverdue.set({ environment }, census.slowRefunds[environment])
        cardsUndecided.set({ environment, what: 'charge' }, census.undecidedCharges[environment])
        cardsUndecided.set({ environment, what: 'cancel' }, census.openCancels[environment])
        changesHeld.set({ environment }, census.parkedChanges[environment])
        cardsUncharged.set({ environment }, census.unchargedCards[environment])
        chargesUnheard.set({ environment }, census.unreportedCharges[environment])
        changesOldestSeconds.set({ environment }, ageSeconds(clock, changeAtMs))
        for (const operation of ['capture', 'void'] as const) {
          const open = census.openCaptures.find(
            (one) => one.environment === environment && one.operation === operation,
          )
          const labels = { environment, operation }
          capturesWaiting.set(labels, open?.count ?? 0)
          capturesOldestSeconds.set(labels, ageSeconds(clock, open?.sinceMs ?? Infinity))
        }
      }
    },
  }
}

export function vaultJobSampler(
  { vaultJobSeconds }: Metrics,
  job: Pick<WatchedWork, 'sinceLastRoundMs'>,
): Sampler {
  return {
    gauges: [vaultJobSeconds],
    sample() {
      vaultJobSeconds.set({ job: 'card charges' }, job.sinceLastRoundMs() / SECOND_MS)
      return Promise.resolve()
    },
  }
}

/** Checks that the vault in another process answers. */
export function reachSampler({ vaultReachable }: Metrics, check: ReadinessCheck): Sampler {
  const labels = { check: 'ping' }
  return {
    gauges: [vaultReachable],
    async sample() {
      // Also valid if the vault takes longer than the scrape waits.
      vaultReachable.set(labels, 0)
      if (await isWell(check)) vaultReachable.set(labels, 1)
    },
  }
}

/** 0 without a time, and for times in the future, after a clock was set back. */
function ageSeconds(clock: Clock, sinceMs: number): number {
  return Number.isFinite(sinceMs) ? Math.max(0, clock.now() - sinceMs) / SECOND_MS : 0
}
