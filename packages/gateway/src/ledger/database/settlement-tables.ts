/** A list of what a provider paid out: uploaded, or read at a bank. */
export interface SettlementFileRow {
  /** Ordered by time. */
  id: number
  merchant_id: string
  source: string
  account_id: string | null
  name: string
  /** Of its content: a file is taken once. Null while it is being read, and of a refused one. */
  sha256: string | null
  bytes: number
  state: string
  /** Why it was refused. */
  problem: string | null
  lines: number
  /** Since 1970, in Brasília: the days that its lines are of. */
  from_day: number | null
  to_day: number | null
  actor: string
  /** By the machine's clock. */
  uploaded_at: number
}

export interface SettlementLineRow {
  file_id: number
  /** From 1. */
  position: number
  merchant_id: string
  kind: string
  provider_id: string | null
  nsu: string | null
  authorization_code: string | null
  reference: string | null
  end_to_end_id: string | null
  /** From 1. */
  installment: number | null
  of_installments: number | null
  brand: string | null
  /** Since 1970, in Brasília. */
  day: number
  /** In centavos, as are the others. */
  gross: number
  fee: number
  net: number
  /** The payment that it was matched with. */
  transaction_code: number | null
  state: string
  /** What differs. */
  difference: string | null
}

export interface SettlementTables {
  settlement_files: SettlementFileRow
  settlement_lines: SettlementLineRow
}
