// The rules of docs/operations/alerts.yml, evaluated by Prometheus's promtool if installed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../test/needs.js'

const RULES = fileURLToPath(new URL('../../../../docs/operations/alerts.yml', import.meta.url))

/** Series by name and labels, each with a sample for each step: `0+5x60`, `1x3 stale`. */
type Series = Readonly<Record<string, string>>
/** Firing alerts after a time, with the labels that distinguish them. */
type Firing = Readonly<Record<string, readonly string[]>>

interface Case {
  readonly series: Series
  readonly firing: Firing
  /** Between two scrapes, and between two evaluations. */
  readonly step?: string
}

/** Alerts on missing scrapes, which no test here covers. */
const ABSENT = 'CofreDown|CofreNoWorker|CofreNoVault'
const SHOWN =
  'alertname, account, acquirer, bank, brand, kind, limit, operation, outcome, waits_for, what'

function promtool(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return status === 0 ? 'kept' : stdout + stderr
}

/** Result of promtool. JSON is YAML. */
function evaluate({ series, firing, step = '1m' }: Case): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-alerts-'))
  const file = path.join(folder, 'alerts.json')
  const expr = `count by (${SHOWN}) (ALERTS{alertstate="firing",alertname!~"${ABSENT}"})`
  const test = {
    rule_files: [RULES],
    evaluation_interval: step,
    tests: [
      {
        interval: step,
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: Object.entries(firing).map(([time, alerts]) => ({
          expr,
          eval_time: time,
          exp_samples: alerts.map((labels) => ({ labels: `{${labels}}`, value: 1 })),
        })),
      },
    ],
  }
  writeFileSync(file, JSON.stringify(test))
  const printed = promtool('test', 'rules', file)
  rmSync(folder, { recursive: true })
  return printed
}

const PRODUCTION = 'environment="production"'
const EFI = `${PRODUCTION},bank="efi"`
const noticed = (fate: string) => (instance: string) =>
  `cofre_card_notices_total{account="adyen-1",fate="${fate}",instance="${instance}"}`
const unknown = noticed('unknown_charge')
const elsewhere = noticed('elsewhere')
const unfit = `cofre_card_changes_total{${PRODUCTION},kind="settled",outcome="no-transaction"}`
const authorizations = (outcome: string, instance = 'one') =>
  `cofre_authorizations_total{${PRODUCTION},outcome="${outcome}",instance="${instance}"}`
const charges = (outcome: string, account: string, instance = 'one') =>
  `cofre_card_charges_total{${PRODUCTION},account="${account}",brand="visa",outcome="${outcome}",instance="${instance}"}`
const captures = (outcome: string) =>
  `cofre_card_captures_total{${PRODUCTION},outcome="${outcome}"}`
const calls = (outcome: string) =>
  `cofre_acquirer_calls_total{${PRODUCTION},acquirer="adyen",call="authorize",outcome="${outcome}"}`

/** Gauge readings: the limit without an alert, and the alert above it. */
const LIMITS: readonly (readonly [series: string, limit: number, alert: string])[] = [
  [
    `cofre_transactions_under_review_oldest_age_seconds{${PRODUCTION},waits_for="answer"}`,
    600,
    'alertname="CofreUnderReview",waits_for="answer"',
  ],
  [
    `cofre_transactions_under_review_oldest_age_seconds{${PRODUCTION},waits_for="review"}`,
    86_400,
    'alertname="CofreUnderReview",waits_for="review"',
  ],
  [`cofre_pix_unanswered_age_seconds{${EFI}}`, 600, 'alertname="CofreBankSilent",bank="efi"'],
  [
    `cofre_pix_refund_oldest_age_seconds{${EFI}}`,
    86_400,
    'alertname="CofreRefundWaits",bank="efi"',
  ],
  [
    `cofre_pix_removal_oldest_age_seconds{${EFI}}`,
    3600,
    'alertname="CofreChargeNotRemoved",bank="efi"',
  ],
  [
    `cofre_pix_surplus_oldest_age_seconds{${EFI}}`,
    86_400,
    'alertname="CofreSurplusWaits",bank="efi"',
  ],
  [
    'cofre_card_oldest_kept_age_seconds{waits_for="outcome"}',
    21_600,
    'alertname="CofreCardOutcomeUnknown"',
  ],
  [`cofre_card_refunds_overdue{${PRODUCTION}}`, 0, 'alertname="CofreCardRefundsOverdue"'],
  [
    `cofre_card_undecided{${PRODUCTION},what="charge"}`,
    0,
    'alertname="CofreCardUndecided",what="charge"',
  ],
  [
    `cofre_card_undecided{${PRODUCTION},what="cancel"}`,
    0,
    'alertname="CofreCardUndecided",what="cancel"',
  ],
  [
    `cofre_card_captures_oldest_age_seconds{${PRODUCTION},operation="void"}`,
    86_400,
    'alertname="CofreCardCapturesSlow",operation="void"',
  ],
  [`cofre_card_changes_oldest_age_seconds{${PRODUCTION}}`, 600, 'alertname="CofreCardChangesWait"'],
  [`cofre_card_changes_held{${PRODUCTION}}`, 0, 'alertname="CofreCardChangesHeld"'],
  [`cofre_card_charges_unheard{${PRODUCTION}}`, 0, 'alertname="CofreCardChargesUnheard"'],
  [`cofre_card_checks_uncharged{${PRODUCTION}}`, 20, 'alertname="CofreCardChecksUncharged"'],
  [`cofre_card_fields_oldest_age_seconds{${PRODUCTION}}`, 600, 'alertname="CofreCardFieldsWait"'],
  [`cofre_events_unsent_age_seconds{${PRODUCTION}}`, 600, 'alertname="CofreEventsLate"'],
  ['cofre_vault_job_last_round_age_seconds', 120, 'alertname="CofreVaultJobStuck"'],
]
const readings = (more: number): Series =>
  Object.fromEntries(LIMITS.map(([series, limit]) => [series, `${limit + more}x70`]))

/** A day takes many steps of a minute. */
const step = '10m'

const CASES: Readonly<Record<string, Case>> = {
  'on nothing that waits up to its limit': { series: readings(0), firing: { '70m': [] } },
  'on each thing that waits longer': {
    series: readings(1),
    firing: { '70m': LIMITS.map(([, , alert]) => alert) },
  },
  'on nothing of the sandbox': {
    series: Object.fromEntries(
      LIMITS.filter(([series]) => series.includes(PRODUCTION)).map(([series]) => [
        series.replace('production', 'sandbox'),
        '1000000x70',
      ]),
    ),
    firing: { '70m': [] },
  },
  'on a PIX that its bank did not send back, for a day': {
    step,
    series: { [`cofre_pix_surplus_rejected{${EFI}}`]: '3x6 4x150' },
    firing: {
      '60m': [],
      '80m': ['alertname="CofreSurplusRejected",bank="efi"'],
      '26h': [],
    },
  },
  'on an acquirer that does not answer more than one charge in five': {
    series: {
      [calls('approved')]: '0+7x20',
      [calls('unknown')]: '0+2x20',
      [calls('not_done')]: '0+1x20',
    },
    firing: { '5m': [], '15m': ['alertname="CofreAcquirerSilent",acquirer="adyen"'] },
  },
  'on none that does not answer one in five': {
    series: { [calls('approved')]: '0+8x30', [calls('unknown')]: '0+2x30' },
    firing: { '30m': [] },
  },
  'on authorizations whose outcome is unknown, and whose vault was not reached': {
    series: {
      [authorizations('approved')]: '0+94x20',
      [authorizations('unknown')]: '0+3x20',
      [authorizations('unreachable')]: '0+3x20',
    },
    firing: { '5m': [], '15m': ['alertname="CofreAuthorizationsUnknown"'] },
  },
  'on approvals that fell, also to none since a restart': {
    step,
    series: {
      [authorizations('approved')]: '0+80x30 stale',
      [authorizations('declined')]: '0+20x30 stale',
      [authorizations('declined', 'two')]: '_x31 0+100x12',
      [charges('approved', 'adyen-1')]: '0+80x30 stale',
      [charges('declined', 'adyen-1', 'two')]: '_x31 0+80x12',
      [charges('approved', 'cielo-1')]: '0+80x45',
      [charges('declined', 'cielo-1')]: '0+20x45',
    },
    firing: {
      '300m': [],
      '430m': [
        'alertname="CofreApprovalsFell"',
        'alertname="CofreAccountApprovalsFell",account="adyen-1",brand="visa"',
      ],
    },
  },
  'on notices that are refused, once they come again': {
    series: { 'cofre_card_notices_total{account="adyen-1",fate="forged"}': '_x5 1x3 2x40' },
    firing: { '10m': ['alertname="CofreCardNoticesRefused",account="adyen-1"'], '45m': [] },
  },
  'on the first notice of a charge that nobody knows, and on another after a restart, for a day': {
    step,
    series: { [unknown('one')]: '_x2 1x250', [unknown('two')]: '_x200 1x200' },
    firing: {
      '10m': [],
      '20m': ['alertname="CofreCardNoticeUnknown",account="adyen-1"'],
      '25h': [],
      '2000m': ['alertname="CofreCardNoticeUnknown",account="adyen-1"'],
    },
  },
  'on the first notice of another merchant account, and on another after a restart, for a day': {
    step,
    series: { [elsewhere('one')]: '_x2 1x250', [elsewhere('two')]: '_x200 1x200' },
    firing: {
      '20m': ['alertname="CofreCardNoticesElsewhere",account="adyen-1"'],
      '25h': [],
      '2000m': ['alertname="CofreCardNoticesElsewhere",account="adyen-1"'],
    },
  },
  'on news of a charge without a transaction, for a day': {
    step,
    series: { [unfit]: '_x2 1x180 2x50' },
    firing: {
      '20m': ['alertname="CofreCardChangeUnfit",kind="settled",outcome="no-transaction"'],
      '25h': [],
      '1840m': ['alertname="CofreCardChangeUnfit",kind="settled",outcome="no-transaction"'],
    },
  },
  'on an authorization that expired, and on one that was released early, for a day': {
    step,
    series: {
      [captures('expired')]: '_x2 1x180',
      [captures('provider')]: '_x2 1x180 2x50',
      [captures('captured')]: '0+9x300',
      [captures('void')]: '_x2 3x300',
      [captures('rule')]: '_x2 3x300',
      [captures('refused')]: '_x2 3x300',
    },
    firing: {
      '20m': [
        'alertname="CofreCardAuthorizationsExpired",outcome="expired"',
        'alertname="CofreCardAuthorizationsExpired",outcome="provider"',
      ],
      '25h': [],
      '1840m': ['alertname="CofreCardAuthorizationsExpired",outcome="provider"'],
    },
  },
  'on cards that are tested': {
    series: { [`cofre_decline_limit_refusals_total{${PRODUCTION},limit="bin"}`]: '0+3x20' },
    firing: { '5m': [], '10m': ['alertname="CofreCardTesting",limit="bin"'] },
  },
}

describe('The alerts that operators load, by promtool', needs('promtool'), () => {
  it('are rules that Prometheus loads', () => {
    expect(promtool('check', 'rules', '--lint=all', '--lint-fatal', RULES)).toBe('kept')
  })

  it.each(Object.entries(CASES))('fire %s', (_, one) => {
    expect(evaluate(one)).toBe('kept')
  })
})
