import process from 'node:process'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
// Help texts of the metrics in Prometheus. Dashboards and alerts depend on their names.
import helps from './metrics.json' with { type: 'json' }

type Name = keyof typeof helps

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const DATABASE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Everything this process counts. Labels have small sets of values: roles, route patterns,
 * statuses, codes of the catalogue, banks, and for card charges the accounts. Never a store, a
 * payer, a path or a card.
 */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(version: string) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const meters = metersOf(registry)
  const { counter, gauge, durations } = meters
  const requestSeconds = durations(REQUEST_SECONDS)
  const databaseSeconds = durations(DATABASE_SECONDS)
  gauge('cofre_build_info', 'version', 'node').set({ version, node: process.version }, 1)
  return {
    registry,
    requests: counter('cofre_requests_total', 'role', 'route', 'method', 'status'),
    requestSeconds: requestSeconds('cofre_request_duration_seconds', 'role', 'route', 'method'),
    requestsInFlight: gauge('cofre_requests_in_flight', 'role'),
    requestsRefused: counter('cofre_requests_refused_total', 'role', 'reason'),
    connectionsDropped: counter('cofre_connections_dropped_total', 'role'),
    errors: counter('cofre_errors_total', 'role', 'code'),
    authorizations: counter('cofre_authorizations_total', 'environment', 'outcome'),
    authorizationSeconds: requestSeconds('cofre_authorization_duration_seconds', 'environment'),
    ...cardMetrics(meters),
    bankCalls: counter('cofre_bank_calls_total', 'environment', 'bank', 'call', 'outcome'),
    certificateSeconds: gauge('cofre_account_certificate_expiry_seconds', 'environment', 'bank'),
    pixOpenCharges: gauge('cofre_pix_open_charges', 'environment', 'bank'),
    boletoOpenCharges: gauge('cofre_boleto_open_charges', 'environment', 'bank'),
    pixUnansweredSeconds: gauge('cofre_pix_unanswered_age_seconds', 'environment', 'bank'),
    surplusWaiting: gauge('cofre_pix_surplus_waiting', 'environment', 'bank'),
    surplusRejected: gauge('cofre_pix_surplus_rejected', 'environment', 'bank'),
    surplusOldestSeconds: gauge('cofre_pix_surplus_oldest_age_seconds', 'environment', 'bank'),
    declineLimits: counter('cofre_decline_limit_refusals_total', 'environment', 'limit'),
    requestsSigned: counter('cofre_requests_signed_total', 'environment', 'form'),
    parametersIgnored: counter('cofre_query_parameters_ignored_total', 'environment'),
    pixRefundSeconds: gauge('cofre_pix_refund_oldest_age_seconds', 'environment', 'bank'),
    pixRemovalSeconds: gauge('cofre_pix_removal_oldest_age_seconds', 'environment', 'bank'),
    cardChanges: counter('cofre_card_changes_total', 'environment', 'kind', 'outcome'),
    ...sendingMetrics(meters),
    databaseUp: gauge('cofre_database_up', 'database'),
    databaseWaitSeconds: databaseSeconds('cofre_database_wait_seconds', 'database'),
    databaseCommitSeconds: databaseSeconds('cofre_database_commit_seconds', 'database', 'result'),
    workerRoundSeconds: gauge('cofre_worker_last_round_age_seconds', 'environment'),
    cardFieldsSeconds: gauge('cofre_card_fields_oldest_age_seconds', 'environment'),
    searchIndexSeconds: gauge('cofre_search_index_age_seconds', 'environment'),
    underReview: gauge('cofre_transactions_under_review', 'environment', 'waits_for'),
    underReviewOldestSeconds: gauge(
      'cofre_transactions_under_review_oldest_age_seconds',
      'environment',
      'waits_for',
    ),
    // Without a label it would be 0 if the vault is in this process.
    vaultReachable: gauge('cofre_vault_reachable', 'check'),
    vaultRecords: gauge('cofre_vault_records', 'kind'),
    vaultJobSeconds: gauge('cofre_vault_job_last_round_age_seconds', 'job'),
    vaultKeys: gauge('cofre_vault_keys', 'state'),
    vaultKeyAgeSeconds: gauge('cofre_vault_key_age_seconds', 'state'),
    spansDropped: counter('cofre_spans_dropped_total'),
    clockJumps: counter('cofre_clock_jumps_total'),
  }
}

/** Notifications and events. */
function sendingMetrics({ counter, gauge }: ReturnType<typeof metersOf>) {
  return {
    deliveries: counter('cofre_deliveries_total', 'environment', 'result'),
    outboxWaiting: gauge('cofre_outbox_waiting', 'environment'),
    outboxOldestSeconds: gauge('cofre_outbox_oldest_age_seconds', 'environment'),
    outboxUnsentSeconds: gauge('cofre_outbox_unsent_age_seconds', 'environment'),
    outboxFailingStores: gauge('cofre_outbox_failing_stores', 'environment'),
    eventDeliveries: counter('cofre_event_deliveries_total', 'environment', 'result'),
    eventsWaiting: gauge('cofre_events_waiting', 'environment'),
    eventsUnsentSeconds: gauge('cofre_events_unsent_age_seconds', 'environment'),
    eventEndpointsFailing: gauge('cofre_event_endpoints_failing', 'environment'),
  }
}

function metersOf(registry: Registry) {
  const described = (name: Name) => ({ name, help: helps[name], registers: [registry] })
  return {
    counter: <Label extends string>(name: Name, ...labelNames: Label[]) =>
      new Counter({ ...described(name), labelNames }),
    gauge: <Label extends string>(name: Name, ...labelNames: Label[]) =>
      new Gauge({ ...described(name), labelNames }),
    durations:
      (buckets: number[]) =>
      <Label extends string>(name: Name, ...labelNames: Label[]) =>
        new Histogram({ ...described(name), labelNames, buckets }),
  }
}

/** Metrics of a vault's calls to the acquirers of accounts. */
function cardMetrics({ counter, gauge }: ReturnType<typeof metersOf>) {
  return {
    acquirerCalls: counter(
      'cofre_acquirer_calls_total',
      'environment',
      'acquirer',
      'call',
      'outcome',
    ),
    cardCharges: counter(
      'cofre_card_charges_total',
      'environment',
      'account',
      'acquirer',
      'brand',
      'outcome',
    ),
    chargesUnlinked: counter(
      'cofre_card_charges_unlinked_total',
      'environment',
      'account',
      'acquirer',
      'brand',
    ),
    cardChecks: counter('cofre_card_checks_total', 'environment', 'outcome'),
    cardsUncharged: gauge('cofre_card_checks_uncharged', 'environment'),
    retriesRefused: counter('cofre_card_retries_refused_total', 'environment', 'brand'),
    cardNotices: counter('cofre_card_notices_total', 'account', 'fate'),
    cardOldestSeconds: gauge('cofre_card_oldest_kept_age_seconds', 'waits_for'),
    returnsOverdue: gauge('cofre_card_refunds_overdue', 'environment'),
    cardsUndecided: gauge('cofre_card_undecided', 'environment', 'what'),
    captures: counter('cofre_card_captures_total', 'environment', 'outcome'),
    capturesWaiting: gauge('cofre_card_captures_waiting', 'environment', 'operation'),
    capturesOldestSeconds: gauge(
      'cofre_card_captures_oldest_age_seconds',
      'environment',
      'operation',
    ),
    changesOldestSeconds: gauge('cofre_card_changes_oldest_age_seconds', 'environment'),
    changesHeld: gauge('cofre_card_changes_held', 'environment'),
    chargesUnheard: gauge('cofre_card_charges_unheard', 'environment'),
  }
}
