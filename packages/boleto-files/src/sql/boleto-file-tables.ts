import type { KeptInstruction } from '@cofre/provider-kit/bank'
import { type GatewayTables, type RowOf, type StoredFields, conversion } from '@cofre/gateway/room'

/** A line of an account's return files: one row, in however many files it stands. */
export interface BoletoFileLineRow {
  account_id: string
  /** Names what it says of which boleto. */
  id: string
  /** Null where the account has no such boleto. */
  transaction_code: number | null
  /** `nosso número`, without zeros before it. */
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

/** What a bank is asked to do with a boleto. Kept: it says which numbers are used. */
export interface BoletoInstructionRow extends RowOf<KeptInstruction, typeof INSTRUCTION> {
  account_id: string
}

/** A remittance file. Rows are added, and never deleted. */
export interface BoletoRemittanceRow {
  account_id: string
  sequence: number
  /** `YYYY-MM-DD` */
  written_on: string
  /** Of its text, in hex. */
  sha256: string
  /** By the machine's clock. */
  made_at: number
  /** 1 once somebody has it. */
  on_disk: number
}

/** How far an account has counted. */
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

/** Those of the room, and the core's, which it reads. */
export type RoomTables = GatewayTables & BoletoFileTables
