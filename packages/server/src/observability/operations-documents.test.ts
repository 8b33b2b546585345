import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.js'

const documents = new URL('../../../../docs/operations/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, documents), 'utf8')

const metrics = createMetrics('0.0.0').registry.getMetricsAsArray()

/** Every name in Prometheus, including the suffixes of histograms. */
const names = new Set(
  metrics.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  ),
)

interface Dashboard {
  readonly panels: { readonly title: string; readonly targets: { readonly expr: string }[] }[]
}

function namesIn(text: string): string[] {
  return text.match(/\b(cofre|nodejs|process)_[a-z0-9_]+/g) ?? []
}

describe('The documents for operators', () => {
  const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const alerts = read('alerts.yml')

  it('use only existing metrics', () => {
    const used = [...expressions.flatMap(namesIn), ...namesIn(alerts)]
    // Annotations name metrics without the suffixes of a histogram.
    const bases = new Set(metrics.map(({ name }) => name))
    expect(used.filter((name) => !names.has(name) && !bases.has(name))).toEqual([])
    expect(expressions.flatMap(namesIn).filter((name) => !names.has(name))).toEqual([])
    expect(used.length).toBeGreaterThan(30)
  })

  it('show every one of our metrics on the dashboard', () => {
    const shown = expressions.join('\n')
    const ours = metrics.map(({ name }) => name).filter((name) => name.startsWith('cofre_'))
    expect(ours.filter((name) => !shown.includes(name))).toEqual([])
  })

  it.each([
    ['a process that is down', 'up{job="cofre"} == 0'],
    ['no worker', 'absent(cofre_worker_last_round_age_seconds{environment="production"})'],
    ['no vault', 'absent(cofre_vault_keys{state="current"})'],
    ['a vault that its gateway does not reach', 'cofre_vault_reachable == 0'],
    ['payments that did not reach the vault', 'outcome=~"unknown|lost|unreachable"'],
    ['cards that are being tested', 'cofre_decline_limit_refusals_total'],
    ['a bank that does not answer', 'cofre_pix_unanswered_age_seconds'],
    ['a bank that opens no charges', 'call="open_charge",outcome!="done"'],
    ['a refund that its bank does not decide', 'cofre_pix_refund_oldest_age_seconds'],
    ['a charge that its bank does not remove', 'cofre_pix_removal_oldest_age_seconds'],
    ['a certificate that ends', 'cofre_account_certificate_expiry_seconds) < 30 * 86400'],
    ['an acquirer that does not answer', 'call="authorize",outcome=~"unknown|not_done|lost"'],
    ['an account that approves less', 'sum by (account, brand) (rate(cofre_card_charges_total'],
    ['a card whose outcome stays unknown', 'cofre_card_oldest_kept_age_seconds'],
    ['a refund to a card that does not end', 'cofre_card_refunds_overdue'],
    ['what an acquirer leaves to a person', 'cofre_card_undecided'],
    ['an authorization that expired', 'outcome=~"expired|provider"'],
    ['a capture or a void that its acquirer leaves', 'cofre_card_captures_oldest_age_seconds'],
    ['a notice of a charge that nobody knows', 'fate="unknown_charge"'],
    ['changes that no gateway takes', 'cofre_card_changes_oldest_age_seconds'],
    ['changes that no gateway can apply', 'cofre_card_changes_held'],
    ['charges without a notice', 'cofre_card_charges_unheard'],
    ['origins that the vault does not know', 'cofre_card_fields_oldest_age_seconds'],
    ['a change without a transaction, or unfit', 'outcome=~"no-transaction|unfit|excess"'],
    ['a vault whose job is stuck', 'cofre_vault_job_last_round_age_seconds'],
    ['events that are sent late', 'cofre_events_unsent_age_seconds'],
    ['connections that are dropped', 'cofre_connections_dropped_total'],
  ])('alert on %s', (_, expression) => {
    expect(alerts).toContain(expression)
  })

  it('explain how to react to each alert', () => {
    const counted = (pattern: RegExp): number => alerts.match(pattern)?.length ?? 0
    expect(counted(/^ +action: .+$/gm)).toBe(counted(/^ +- alert: Cofre\w+$/gm))
    expect(counted(/^ +- alert: /gm)).toBeGreaterThan(10)
  })
})
