import type { AccountTables } from '@cofre/accounts'
import type { AuthorizationOutcome, Environment } from '@cofre/contracts'
import type { SealedText } from '../keys/sealed-value.js'

// Every card number, CVV, expiry and private key in these tables is inside a SealedText.

interface DataKeyRow {
  id: string
  scope: string
  wrapped_key: SealedText
  created_at_ms: number
  /** Since when this key-encryption key wraps it. */
  wrapped_at_ms: number
}

interface SessionRow {
  id: string
  sealed_private_key: SealedText
  expires_at_ms: number
}

interface DirectTokenRow {
  /** SHA-256 of the token, base64url. */
  digest: string
  /** Null once the token is spent. */
  sealed_card: SealedText | null
  expires_at_ms: number
}

interface AuthorizationRow {
  environment: Environment
  /** A number, so that it is ordered by time. */
  transaction_code: number
  merchant_id: string
  amount_minor: number
  installments: number
  /** `void` for an order that was given up before it arrived. */
  outcome: AuthorizationOutcome | 'void'
  brand: string
  bin: string
  last_four: string
  /** Null once the outcome is known. */
  sealed_card: SealedText | null
  /** Payer digest to save the card under; null when it is not to be saved. */
  save_for_payer: string | null
  /** The three: the saved card that the order was answered with. */
  saved_card_code: string | null
  saved_card_expiration: string | null
  saved_card_created_at_ms: number | null
  created_at_ms: number
}

interface SavedCardRow {
  code: string
  environment: Environment
  merchant_id: string
  /** Keyed digest of environment, store and e-mail: whose card it is. */
  payer: string
  /** Keyed digest of payer and PAN: finds the same card again. */
  fingerprint: string
  sealed_card: SealedText
  /** Null until its first transaction is complete. */
  activated_at_ms: number | null
  created_at_ms: number
}

interface AuditRow {
  /** Begins with the time, so that the table grows at its end. */
  id: string
  at_ms: number
  actor: string
  action: string
  environment: Environment | null
  merchant_id: string | null
  record: string
  outcome: string
  /** Both null until the entry has its place in the chain. */
  position: number | null
  mac: string | null
}

/** One row: the end of the chain. */
interface AuditHeadRow {
  position: number
  mac: string
}

/** The rows of the vault's tables, by table. */
export interface VaultTables extends AccountTables {
  data_keys: DataKeyRow
  sessions: SessionRow
  direct_tokens: DirectTokenRow
  authorizations: AuthorizationRow
  saved_cards: SavedCardRow
  audit_log: AuditRow
  audit_head: AuditHeadRow
}
