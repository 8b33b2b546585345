import {
  type Answer,
  type CardAnswer,
  type Environment,
  SECOND_MS,
  type PaymentKey,
} from '@cofre/contracts'
import { type AroundCall, aroundCalls } from '@cofre/banks'
import { type EventSender, acceptsEvent } from '@cofre/events'
import type { NotificationSender } from '@cofre/notifications'
import { type CardService } from '@cofre/contracts'
import { type BankOfAccount } from '@cofre/provider-kit/bank'
import type { Database } from '@cofre/sql'
import type { ProviderAccount } from '@cofre/provider-kit/account'
import {
  type AcquirerConnection,
  chargeOutcomeOf,
  checkOutcomeOf,
  findOutcomeOf,
  returnOutcomeOf,
} from '@cofre/provider-kit/card'
import { type ChargeObserver, type PlayedAcquirer } from '@cofre/vault'
import { bankNameOf } from '../installation/accounts.js'
import type { Metrics } from './metrics.js'
import type { Tracing } from './tracing.js'

// Wrappers around the ports of gateway and vault that only count and trace calls.

interface Observers {
  readonly metrics: Metrics
  readonly tracing: Tracing
}

const ACKNOWLEDGED = 200

export function observedCardPayments(
  cards: CardService,
  { metrics, tracing }: Observers,
): CardService {
  const { installmentsFor } = cards
  return {
    authorize: (order) =>
      tracing.span('vault authorize', async (span) => {
        const { environment } = order
        const startedAt = performance.now()
        let outcome = 'lost'
        try {
          const answer = await cards.authorize(order)
          outcome = outcomeOf(answer)
          return answer
        } finally {
          span.set({ 'cofre.environment': environment, 'cofre.outcome': outcome })
          metrics.authorizations.inc({ environment, outcome })
          metrics.authorizationSeconds.observe({ environment }, secondsSince(startedAt))
        }
      }),
    recallAuthorization: (environment, transactionCode) =>
      tracing.span('vault recall', () => cards.recallAuthorization(environment, transactionCode)),
    hasArrived: (environment, transactionCode) =>
      tracing.span('vault arrival', () => cards.hasArrived(environment, transactionCode)),
    authenticate: (request) =>
      tracing.span('vault authenticate', () => cards.authenticate(request)),
    ...(installmentsFor !== undefined && { installmentsFor }),
    activateSavedCard: (environment, transactionCode) =>
      cards.activateSavedCard(environment, transactionCode),
    refund: (order) => tracing.span('vault refund', () => cards.refund(order)),
    capture: (order) => tracing.span('vault capture', () => cards.capture(order)),
    voidCharge: (order) => tracing.span('vault void', () => cards.voidCharge(order)),
    // Polled every second: its traces would bury the others.
    changes: (environment) => cards.changes(environment),
    acknowledge: (environment, ids) => cards.acknowledge(environment, ids),
    coverAccounts: (environment, accounts) => cards.coverAccounts(environment, accounts),
    setFieldSettings: (settings) => cards.setFieldSettings(settings),
  }
}

/** One refusal does not concern the card: the vault certainly did not receive the order. */
function outcomeOf(answer: CardAnswer): string {
  if (answer.kind === 'answered') return answer.outcome
  return answer.reason === 'vault_unavailable' ? 'unreachable' : 'refused'
}

export function tracedAcquirer(acquirer: PlayedAcquirer, { tracing }: Observers): PlayedAcquirer {
  return {
    ...acquirer,
    authorize: (request) =>
      tracing.span('acquirer authorize', async (span) => {
        const answer = await acquirer.authorize(request)
        const { environment } = request.key
        span.set({ 'cofre.environment': environment, 'cofre.outcome': chargeOutcomeOf(answer) })
        return answer
      }),
  }
}

type AcquirerConnectionOf = (account: ProviderAccount) => Promise<AcquirerConnection>

export function observedAcquirers(
  connectionOf: AcquirerConnectionOf,
  { metrics, tracing }: Observers,
): AcquirerConnectionOf {
  return async (account) => {
    const connection = await connectionOf(account)
    const { acquirer } = connection
    const observed =
      <Request extends { readonly key: PaymentKey }, Given>(
        call: string,
        outcomeOf: (answer: Given) => string,
        ask: (request: Request) => Promise<Given>,
      ) =>
      (request: Request): Promise<Given> =>
        tracing.span(`acquirer ${call}`, async (span) => {
          const { environment } = request.key
          let outcome = 'lost'
          try {
            const answer = await ask(request)
            outcome = outcomeOf(answer)
            return answer
          } finally {
            span.set({ 'cofre.environment': environment, 'cofre.outcome': outcome })
            metrics.acquirerCalls.inc({ environment, acquirer: account.provider, call, outcome })
          }
        })
    const { capture, check, find, completeAuthentication } = acquirer
    return {
      ...connection,
      acquirer: {
        authorize: observed('authorize', chargeOutcomeOf, (request) => acquirer.authorize(request)),
        ...(completeAuthentication !== undefined && {
          completeAuthentication: observed(
            'complete_authentication',
            chargeOutcomeOf,
            completeAuthentication,
          ),
        }),
        ...(capture !== undefined && { capture: observed('capture', returnOutcomeOf, capture) }),
        cancel: observed('cancel', returnOutcomeOf, (request) => acquirer.cancel(request)),
        refund: observed('refund', returnOutcomeOf, (request) => acquirer.refund(request)),
        ...(check !== undefined && { check: observed('check', checkOutcomeOf, check) }),
        ...(find !== undefined && { find: observed('find', findOutcomeOf, find) }),
        close: () => acquirer.close(),
      },
    }
  }
}

/** Counts acquirers' responses to charges, for the approval rate. */
export function chargeObserver({
  cardCharges,
  cardChecks,
  chargesUnlinked,
  retriesRefused,
}: Metrics): ChargeObserver {
  return {
    attemptAnswered({ environment, accountId, provider, brand, outcome }) {
      const labels = { environment, account: accountId, acquirer: provider, brand, outcome }
      cardCharges.inc(labels)
    },
    sentUnlinked({ environment, accountId, provider, brand }) {
      chargesUnlinked.inc({ environment, account: accountId, acquirer: provider, brand })
    },
    cardChecked({ environment, outcome }) {
      cardChecks.inc({ environment, outcome })
    },
    retryRefused({ environment, brand }) {
      retriesRefused.inc({ environment, brand })
    },
  }
}

export function observedBanks(
  bankOf: BankOfAccount,
  environment: Environment,
  { metrics, tracing }: Observers,
): BankOfAccount {
  return async (account) => {
    const labels = { environment, bank: bankNameOf(account) }
    const ask: AroundCall = (call, answer) =>
      tracing.span(`bank ${call}`, async (span) => {
        let outcome = 'lost'
        try {
          const answered = await answer()
          outcome = bankOutcomeOf(answered)
          return answered
        } finally {
          span.set({ 'cofre.environment': environment, 'cofre.outcome': outcome })
          metrics.bankCalls.inc({ ...labels, call, outcome })
        }
      })
    return aroundCalls(await bankOf(account), ask)
  }
}

/** The metrics' name of the outcome. */
function bankOutcomeOf({ kind }: Answer<unknown>): string {
  return kind === 'not-sent' ? 'unavailable' : kind
}

export function observedSender(
  sender: NotificationSender,
  environment: Environment,
  { metrics, tracing }: Observers,
): NotificationSender {
  return {
    send: (notification) =>
      tracing.span('notification delivery', async (span) => {
        const result = await sender.send(notification)
        const { statusCode, error } = result
        const outcome = statusCode === ACKNOWLEDGED ? 'acknowledged' : (error ?? 'other_status')
        metrics.deliveries.inc({ environment, result: outcome })
        span.set({ 'cofre.environment': environment, 'cofre.result': outcome })
        return result
      }),
  }
}

export function observedEventSender(
  sender: EventSender,
  environment: Environment,
  { metrics, tracing }: Observers,
): EventSender {
  return {
    send: (event) =>
      tracing.span('event delivery', async (span) => {
        const result = await sender.send(event)
        const outcome = acceptsEvent(result) ? 'accepted' : (result.error ?? 'other_status')
        metrics.eventDeliveries.inc({ environment, result: outcome })
        span.set({ 'cofre.environment': environment, 'cofre.result': outcome })
        return result
      }),
  }
}

/** @param name - Name of the database in the metrics. */
export function observedDatabase<Tables>(
  database: Database<Tables>,
  name: string,
  { metrics }: Observers,
): Database<Tables> {
  /** @param run - Runs a transaction, and calls its argument when its wait for others ends. */
  const observed = async <T>(run: (begun: () => void) => Promise<T>): Promise<T> => {
    const askedAt = performance.now()
    let begunAt = askedAt
    let result = 'failed'
    const begun = (): void => {
      begunAt = performance.now()
      metrics.databaseWaitSeconds.observe({ database: name }, secondsSince(askedAt))
    }
    try {
      const value = await run(begun)
      result = 'committed'
      return value
    } finally {
      metrics.databaseCommitSeconds.observe({ database: name, result }, secondsSince(begunAt))
    }
  }
  return {
    ...database,
    transact: (work) =>
      observed((begun) =>
        database.transact((trx) => {
          begun()
          return work(trx)
        }),
      ),
    commit: (steps) => observed((begun) => database.commit(steps, begun)),
  }
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / SECOND_MS
}
