import type { AuthorizationOutcome, Environment } from '@cofre/contracts'
import type { SealedText } from './keys/sealed-value.js'

// Every card number, CVV, expiry and private key in these tables is inside a SealedText.

interface DataKeyRow {
  id: string
  scope: string
  wrapped_key: SealedText
  created_at_ms: number
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
  transaction_code: string
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

/** The rows of the vault's tables, by table. */
export interface VaultTables {
  data_keys: DataKeyRow
  sessions: SessionRow
  direct_tokens: DirectTokenRow
  authorizations: AuthorizationRow
  saved_cards: SavedCardRow
}
