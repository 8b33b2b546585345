import type { GatewayTables } from '@cofre/gateway/room'
import type {
  SettlementDifference,
  SettlementFileState,
  SettlementLineKind,
  SettlementOutcome,
  SettlementResult,
  SettlementSource,
} from '../model/settlement.js'

/** A list of what a provider paid out: uploaded, or read at a bank. */
export interface SettlementFileRow {
  /** Ordered by time. */
  id: number
  merchant_id: string
  format: SettlementSource
  account_id: string | null
  name: string
  /**
   * SHA-256 of the content, or the account whose PIX it lists: each is taken once. Null while it is
   * being read, and of a refused one.
   */
  content: string | null
  bytes: number
  state: SettlementFileState
  /** JSON: why it was refused, and where. */
  problem: string | null
  lines: number
  /** Its lines up to this one were compared. */
  compared_to: number
  /** Since 1970, in Brasília: the days that its lines are of. */
  from_day: number | null
  to_day: number | null
  actor: string
  /** By the machine's clock. */
  uploaded_at: number
  /** When it was read whole, by the machine's clock: the first file that has a line counts it. */
  taken_at: number | null
}

export interface SettlementLineRow {
  file_id: number
  /** From 1. */
  line: number
  merchant_id: string
  kind: SettlementLineKind
  /** The transaction that the file says it is of. */
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
  /** The same for lines that say the same. */
  fingerprint: string
  result: SettlementResult
  difference: SettlementDifference | null
  /** What its gross would be without the difference. */
  expected: number | null
  /** The payment that it was found to be of. */
  transaction_code: number | null
  /** When a person looked at its difference, and what they found. */
  resolved_at: number | null
  resolved_by: string | null
  note: string | null
}

/** What lines of a file with a result add up to. */
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

/** The room's own beside the core's: one database, whose migrations are the gateway's. */
export type RoomTables = GatewayTables & SettlementTables
