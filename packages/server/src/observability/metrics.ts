import process from 'node:process'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const DATABASE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Everything this process counts. Labels are of small, closed sets (roles, route patterns, statuses, codes of the
 * catalogue): never a store, a payer, a path or a card.
 */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(version: string) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'cofre_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1)
  return {
    registry,
    ...requestMetrics(registers),
    ...paymentMetrics(registers),
    ...databaseMetrics(registers),
    ...outboxMetrics(registers),
    ...reviewMetrics(registers),
    ...vaultMetrics(registers),
    spansDropped: new Counter({
      name: 'cofre_spans_dropped_total',
      help: 'Spans that were lost because the collector did not take them.',
      registers,
    }),
    clockJumps: new Counter({
      name: 'cofre_clock_jumps_total',
      help: 'How often the machine’s clock was set by more than two seconds.',
      registers,
    }),
  }
}

function requestMetrics(registers: Registry[]) {
  return {
    requests: new Counter({
      name: 'cofre_requests_total',
      help: 'Requests that were answered, by role, route pattern, method and status.',
      labelNames: ['role', 'route', 'method', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'cofre_request_duration_seconds',
      help: 'How long requests took, by role, route pattern and method.',
      labelNames: ['role', 'route', 'method'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    requestsInFlight: new Gauge({
      name: 'cofre_requests_in_flight',
      help: 'Requests that are being answered.',
      labelNames: ['role'],
      registers,
    }),
    requestsRefused: new Counter({
      name: 'cofre_requests_refused_total',
      help: 'Requests that were refused unread: too many of an address or a store, or of all at once.',
      labelNames: ['role', 'reason'],
      registers,
    }),
    connectionsDropped: new Counter({
      name: 'cofre_connections_dropped_total',
      help: 'Connections that were dropped because a port had as many as it takes.',
      labelNames: ['role'],
      registers,
    }),
    errors: new Counter({
      name: 'cofre_errors_total',
      help: 'Errors that were told, by role and code of the catalogue.',
      labelNames: ['role', 'code'],
      registers,
    }),
  }
}

function paymentMetrics(registers: Registry[]) {
  return {
    acquirer: new Gauge({
      name: 'cofre_acquirer_info',
      help: 'Always 1; the labels say who answers for the payments of production: with sandbox no money moves.',
      labelNames: ['environment', 'acquirer'],
      registers,
    }),
    authorizations: new Counter({
      name: 'cofre_authorizations_total',
      help: 'Card authorizations that the gateway asked for, by environment and outcome.',
      labelNames: ['environment', 'outcome'],
      registers,
    }),
    authorizationSeconds: new Histogram({
      name: 'cofre_authorization_duration_seconds',
      help: 'How long card authorizations took, by environment.',
      labelNames: ['environment'],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    deliveries: new Counter({
      name: 'cofre_deliveries_total',
      help: 'Attempts at notifications, by environment and result.',
      labelNames: ['environment', 'result'],
      registers,
    }),
  }
}

function databaseMetrics(registers: Registry[]) {
  return {
    databaseUp: new Gauge({
      name: 'cofre_database_up',
      help: 'Whether a database answers this process and can be written: 1 or 0.',
      labelNames: ['database'],
      registers,
    }),
    databaseWaitSeconds: new Histogram({
      name: 'cofre_database_wait_seconds',
      help: 'How long units of work waited for a connection, or for their group.',
      labelNames: ['database'],
      buckets: DATABASE_SECONDS,
      registers,
    }),
    databaseCommitSeconds: new Histogram({
      name: 'cofre_database_commit_seconds',
      help: 'How long units of work took from their begin until they were durable or undone.',
      labelNames: ['database', 'result'],
      buckets: DATABASE_SECONDS,
      registers,
    }),
  }
}

function outboxMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['environment'], registers })
  return {
    outboxWaiting: gauge(
      'cofre_outbox_waiting',
      'Notifications that stores have not acknowledged, by environment.',
    ),
    outboxOldestSeconds: gauge(
      'cofre_outbox_oldest_age_seconds',
      'Age of the oldest notification that its store has not acknowledged.',
    ),
    outboxUnsentSeconds: gauge(
      'cofre_outbox_unsent_age_seconds',
      'Age of the oldest notification that waits for its first attempt, of stores that are not failing.',
    ),
    outboxFailingStores: gauge(
      'cofre_outbox_failing_stores',
      'Stores that did not acknowledge the last notification that they were sent.',
    ),
    workerRoundSeconds: gauge(
      'cofre_worker_last_round_age_seconds',
      'How long ago the worker last looked for work; seconds, unless it is stuck or its database does not answer.',
    ),
  }
}

function reviewMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['environment', 'waits_for'], registers })
  return {
    underReview: gauge(
      'cofre_transactions_under_review',
      'Transactions UNDER-REVIEW, by environment and by whether an answer or the acquirer’s review is waited for.',
    ),
    underReviewOldestSeconds: gauge(
      'cofre_transactions_under_review_oldest_age_seconds',
      'Since when the oldest of them is UNDER-REVIEW.',
    ),
  }
}

function vaultMetrics(registers: Registry[]) {
  return {
    vaultReachable: new Gauge({
      name: 'cofre_vault_reachable',
      help: 'Whether a vault in another process has answered this gateway’s ping and accepts its key: 1 or 0.',
      // Without a label it would be 0 where the vault is in the process itself.
      labelNames: ['check'],
      registers,
    }),
    vaultRecords: new Gauge({
      name: 'cofre_vault_records',
      help: 'What the vault holds: open sessions, deposits that wait to be charged, saved cards.',
      labelNames: ['kind'],
      registers,
    }),
    vaultKeys: new Gauge({
      name: 'cofre_vault_keys',
      help: 'Key-encryption keys by state; a missing one wraps data that nobody can open.',
      labelNames: ['state'],
      registers,
    }),
    vaultKeyAgeSeconds: new Gauge({
      name: 'cofre_vault_key_age_seconds',
      help: 'Since when the current key-encryption key is in use.',
      labelNames: ['state'],
      registers,
    }),
  }
}
