import type { GatewayTables } from '@cofre/gateway/room'
import type {
  SettlementDifference,
  SettlementFileState,
  SettlementLineKind,
  SettlementOutcome,
  SettlementResult,
  SettlementSource,
} from '../model/settlement.js'

/** A list of a provider's payouts: uploaded, or read at a bank. */
export interface SettlementFileRow {
  /** Ordered by time. */
  id: number
  merchant_id: string
  format: SettlementSource
  account_id: string | null
  name: string
  /**
   * SHA-256 of the content, or the account whose PIX it lists: each is imported once. Null during
   * the import, and for a refused file.
   */
  content: string | null
  bytes: number
  state: SettlementFileState
  /** JSON of the reason and place of a refusal. */
  problem: string | null
  lines: number
  /** Lines up to this one were compared. */
  compared_to: number
  /** Since 1970, in Brasília: the range of its lines' days. */
  from_day: number | null
  to_day: number | null
  actor: string
  /** By the machine's clock. */
  uploaded_at: number
  /** When it was completely read, by the machine's clock: the first file with a line counts it. */
  taken_at: number | null
}

export interface SettlementLineRow {
  file_id: number
  /** From 1. */
  line: number
  merchant_id: string
  kind: SettlementLineKind
  /** The transaction that the file names. */
  named_code: number | null
  reference: string | null
  acquirer_id: string | null
  nsu: string | null
  authorization_code: string | null
  end_to_end_id: string | null
  installment: number | null
  installments: number | null
  brand: string | null
  /** Since 1970, in Brasília. */
  day: number
  /** In centavos, as are the others. */
  gross: number
  fee: number
  net: number
  /** Equal for lines with the same content. */
  fingerprint: string
  result: SettlementResult
  difference: SettlementDifference | null
  /** The gross without the difference. */
  expected: number | null
  /** The payment that the line was matched with. */
  transaction_code: number | null
  /** The time, person and finding of a resolution. */
  resolved_at: number | null
  resolved_by: string | null
  note: string | null
}

/** The sums of a file's lines with one result on a day. */
export interface SettlementDayRow {
  merchant_id: string
  day: number
  file_id: number
  result: SettlementOutcome
  lines: number
  gross: number
  fee: number
  net: number
}

interface SettlementTables {
  settlement_days: SettlementDayRow
  settlement_files: SettlementFileRow
  settlement_lines: SettlementLineRow
}

/** The room's tables beside the core's: one database, whose migrations are the gateway's. */
export type RoomTables = GatewayTables & SettlementTables
