import type { Database } from '@cofre/sql'

/** The time that the sandbox's developers have let pass: one row. */
export interface TestClockRow {
  /** Always 1. */
  id: number
  /** Milliseconds by which the sandbox is ahead of the machine. */
  offset_ms: number
}

/** A request of a store, masked. */
export interface RequestRow {
  store_id: string
  /** In the order of arrival. */
  id: number
  at: number
  method: string
  target: string
  status_code: number
  duration_ms: number
  transaction_code: string | null
  request_body: string | null
  response_body: string
  /** JSON of the codes. */
  error_codes: string
  /** JSON, masked; null for what was kept before headers were. */
  request_headers: string | null
  response_headers: string | null
}

/** A step of the integration that only its requests show. */
export interface RequestMilestoneRow {
  store_id: string
  step: string
  at: number
}

/** A store's receiver of notifications. */
export interface InboxRow {
  store_id: string
  /** The unguessable part of its path. */
  address: string
  /** HTTP status that it answers. */
  answer: number
}

export interface InboxItemRow {
  store_id: string
  /** In the order of arrival. */
  id: number
  at: number
  /** JSON. */
  headers: string
  body: string
  status_code: number
}

/** How a store's payments or refunds of a kind are settled, where it is not the default. */
export interface SettlementModeRow {
  store_id: string
  method: string
  kind: string
  /** Null unless it is after some time. */
  seconds: number | null
}

/** What the bank is going to report. */
export interface BankEventRow {
  subject: 'transaction' | 'refund'
  /** Transaction code or refund id. */
  subject_id: number
  /** Whose it is; null where that is not known. */
  store_id: string | null
  outcome: string
  /** By the sandbox's clock. */
  due_at: number
  /** Until when a worker holds it, by the machine's clock. */
  lease_until: number | null
  /** How often it could not be reported. */
  failures: number
}

/** What the sandbox keeps for itself, beside its gateway's database. */
export interface SandboxTables {
  test_clock: TestClockRow
  requests: RequestRow
  request_milestones: RequestMilestoneRow
  inboxes: InboxRow
  inbox_items: InboxItemRow
  settlement_modes: SettlementModeRow
  bank_events: BankEventRow
}

/** What a unit of work does its work with. */
export type SandboxUnit = Database<SandboxTables>['reader']
