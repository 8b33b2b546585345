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

export interface BoletoFileTables {
  boleto_file_lines: BoletoFileLineRow
}
