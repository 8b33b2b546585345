import type { KeptInstruction } from '@cofre/provider-kit/bank'
import { type GatewayTables, type RowOf, type StoredFields, conversion } from '@cofre/gateway/room'

/** A line of an account's return files: one row, even if several files contain it. */
export interface BoletoFileLineRow {
  account_id: string
  /** Identifies the line's content and boleto. */
  id: string
  /** Null if the account has no such boleto. */
  transaction_code: number | null
  /** `nosso número`, without leading zeros. */
  our_number: string | null
  /** JSON of the line. */
  said: string
  /** By the machine's clock. */
  kept_at: number
}

const INSTRUCTION = {
  kind: ['kind', 'plain'],
  number: ['number', 'plain'],
  name: ['name', 'plain'],
  amountMinor: ['amount', 'amount'],
  dueDate: ['due_date', 'plain'],
  issuedOn: ['issued_on', 'plain'],
  payer: ['payer', 'json'],
  withdrawn: ['withdrawn', 'flag'],
  file: ['file', 'optional'],
} as const satisfies StoredFields<KeptInstruction>

export const storedInstruction = conversion<KeptInstruction, typeof INSTRUCTION>(INSTRUCTION)

/** An instruction to a bank. Never deleted, because it records which numbers are used. */
export interface BoletoInstructionRow extends RowOf<KeptInstruction, typeof INSTRUCTION> {
  account_id: string
}

/** A remittance file. Rows are only added. */
export interface BoletoRemittanceRow {
  account_id: string
  sequence: number
  /** `YYYY-MM-DD` */
  written_on: string
  /** The digest of its text, in hex. */
  sha256: string
  /** By the machine's clock. */
  made_at: number
  /** 1 once the operator has the file. */
  on_disk: number
}

/** The last numbers that an account has used. */
export interface BoletoCounterRow {
  account_id: string
  last_number: number
  last_file: number
}

interface BoletoFileTables {
  boleto_counters: BoletoCounterRow
  boleto_instructions: BoletoInstructionRow
  boleto_remittances: BoletoRemittanceRow
  boleto_file_lines: BoletoFileLineRow
}

/** The room's tables, and the core's, which it reads. */
export type RoomTables = GatewayTables & BoletoFileTables
