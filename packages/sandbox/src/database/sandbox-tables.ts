import type { Database } from '@cofre/sql'

/** The time that the sandbox's developers have skipped: one row. */
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
  /** JSON, masked; null for rows from before headers were recorded. */
  request_headers: string | null
  response_headers: string | null
}

/** An integration step that only the store's requests prove. */
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
  /** The HTTP status of its answers. */
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

/** The settlement of a store's payments or refunds of a kind, unless it is the default. */
export interface SettlementModeRow {
  store_id: string
  method: string
  kind: string
  /** Null unless the mode is `after`. */
  seconds: number | null
}

/** A planned report of the bank. */
export interface BankEventRow {
  subject: 'transaction' | 'refund'
  /** Transaction code or refund id. */
  subject_id: number
  /** The event's store; null if unknown. */
  store_id: string | null
  outcome: string
  /** By the sandbox's clock. */
  due_at: number
  /** The end of a worker's lease, by the machine's clock. */
  lease_until: number | null
  /** The number of failed reports. */
  failures: number
}

/** The sandbox's own tables, beside its gateway's database. */
export interface SandboxTables {
  test_clock: TestClockRow
  requests: RequestRow
  request_milestones: RequestMilestoneRow
  inboxes: InboxRow
  inbox_items: InboxItemRow
  settlement_modes: SettlementModeRow
  bank_events: BankEventRow
}

/** The connection of a unit of work. */
export type SandboxUnit = Database<SandboxTables>['reader']
