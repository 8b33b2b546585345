import type { AccountTables } from '@cofre/provider-kit/account'
import type { AuthorizationOutcome, Environment } from '@cofre/contracts'
import type { AcquirerChange } from '@cofre/provider-kit/card'
import type { SealedText } from '../keys/sealed-value.js'
import type { CardCaptureRow, CardChargeRow } from './charge-tables.js'

// Every card number, CVV, expiry and private key in these tables is inside a SealedText.

interface DataKeyRow {
  id: string
  scope: string
  wrapped_key: SealedText
  created_at_ms: number
  /** When the present key-encryption key wrapped it. */
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
  /** `void` for an order that was withdrawn before it arrived. */
  outcome: AuthorizationOutcome | 'void'
  brand: string
  bin: string
  last_four: string
  /** Null once the outcome is known. */
  sealed_card: SealedText | null
  /** The payer's digest to save the card under; null if it is not to be saved. */
  save_for_payer: string | null
  /** This and the next two: the saved card in the order's answer. */
  saved_card_code: string | null
  saved_card_expiration: string | null
  saved_card_created_at_ms: number | null
  created_at_ms: number
  /** 1 if its gateway understands charges and declines in answers. One of Cofre 0.2.0 does not. */
  knows_charges: 0 | 1
  /** 1 when it understands what answers contain of the charge's authentication, too. */
  knows_authentication: 0 | 1
  /** JSON: why it was declined. */
  decline: string | null
  is_captured_later: 0 | 1
}

/**
 * A charge that waits, or has waited, for its payer to be authenticated by the card's bank.
 * Nullable values are erased when the wait ends.
 */
interface CardAuthenticationRow {
  environment: Environment
  transaction_code: number
  /** The next step of the payer's browser. Anyone who knows it can act as the payer. */
  sealed_action: SealedText | null
  /** The payer's last result. */
  sealed_result: SealedText | null
  /** The number of results, which anyone can invent. */
  results: number
  /** The first attempt with the last result. */
  first_attempt_at_ms: number | null
  expires_at_ms: number
  /** When there is work: to ask with a result, or to end the charge. */
  next_ask_at_ms: number | null
  /** As in a decline, because the card is erased. */
  fingerprint: string | null
}

/**
 * A payment at an acquirer that is to be undone as a whole: a further one of its order, or one that
 * is no longer wanted.
 */
interface CardCancelRow {
  environment: Environment
  transaction_code: number
  /** The acquirer's name for it. Empty while only our key identifies it. */
  payment_id: string
  account_id: string
  /**
   * - `wanted`: to be requested, perhaps again.
   * - `in_process`: accepted; the acquirer's report ends it.
   * - `refused`: a person has to look.
   */
  state: 'wanted' | 'in_process' | 'done' | 'refused'
  attempts: number
  /** Null until the acquirer is asked. */
  first_attempt_at_ms: number | null
  /** This and the next two: as in a charge. */
  absent_since_ms: number | null
  lease_until_ms: number
  next_ask_at_ms: number
  /** The acquirer's name for the cancel. */
  return_id: string | null
  /** One redacted line for an operator. */
  detail: string | null
  created_at_ms: number
  /** When it ended. */
  ended_at_ms: number | null
}

/** A refund of a charge, in part or in full. */
interface CardReturnRow {
  environment: Environment
  /**
   * The refund's id; `<account>:<the acquirer's name for it>` for one that was made at the
   * acquirer.
   */
  name: string
  transaction_code: number
  origin: 'gateway' | 'provider'
  amount_minor: number
  /** The store's own identifier, if it gave one. */
  reference: string | null
  /** Its gateway's identity for it; null if only the reference identifies it. */
  identity: string | null
  /** As for a cancel, but the acquirer's report may change `done` to `refused`. */
  state: 'wanted' | 'in_process' | 'done' | 'refused'
  attempts: number
  /**
   * Null until the acquirer is asked. A refund that may have been sent never becomes a first
   * attempt again.
   */
  first_attempt_at_ms: number | null
  absent_since_ms: number | null
  /** The amount that the acquirer had returned of the payment before this was first requested. */
  returned_before_minor: number | null
  /** Null if no request is due: it ended, or the acquirer's report will end it. */
  next_ask_at_ms: number | null
  /** The acquirer does not make it before this time. */
  not_before_ms: number | null
  /** The acquirer's name for it. */
  return_id: string | null
  /** One redacted line for an operator. */
  detail: string | null
  created_at_ms: number
  ended_at_ms: number | null
}

/** An acquirer's own report about one of our charges, as in `AcquirerEvent`. */
interface CardEventRow {
  account_id: string
  id: string
  environment: Environment
  transaction_code: number
  change: AcquirerChange
  reference: string
  payment_id: string | null
  return_id: string | null
  amount_minor: number
  at_ms: number
  detail: string | null
  /** JSON. */
  decline: string | null
  received_at_ms: number
  /** When it is tried again; null if it was applied, or waits for another event of its charge. */
  try_at_ms: number | null
  /** Null while it does not fit its charge's state, and so has changed nothing. */
  applied_at_ms: number | null
}

/** A charge that is to be found at its acquirer, once, because of a report that it changed. */
interface CardLookRow {
  environment: Environment
  transaction_code: number
  look_at_ms: number
  /** 1 if all other calls come first. */
  is_later: 0 | 1
}

/**
 * How far an account's approved charges were read again, in the order of their approval,
 * `step_days` after it.
 */
interface CardReadingRow {
  account_id: string
  /** 0 if the account cannot be read: this step checks for notices of its charges. */
  step_days: number
  read_to_ms: number
  read_to_code: number
  /** Failed tries at the charge after that. */
  tries: number
  next_at_ms: number
}

/** An approved charge without a notice. */
interface UnheardChargeRow {
  environment: Environment
  transaction_code: number
  account_id: string
  charged_at_ms: number
}

/**
 * The days for which an account's payout files were imported without a gap, as its gateway reports.
 */
interface CoveredAccountRow {
  account_id: string
  from_ms: number
  /** Not included. */
  until_ms: number
  told_at_ms: number
}

/** A change of a charge that is to be reported to the gateway. */
interface CardChangeRow {
  id: string
  environment: Environment
  transaction_code: number
  /** JSON of `CardChange`'s `change`. */
  change: string
  at_ms: number
  detail: string | null
  /** Later than that of every earlier change of its charge. */
  created_at_ms: number
  /** Until then a caller has it, or it is held back. */
  lease_until_ms: number
  /** How often a caller got it. */
  attempts: number
  acknowledged_at_ms: number | null
}

/** A card that an acquirer has declined. */
interface CardDeclineRow {
  /** Keyed digest of environment, store and PAN, with a key of its own. */
  fingerprint: string
  declined_at_ms: number
  transaction_code: number
  /** 1 when the brand forbids to try the card again. */
  is_final: 0 | 1
  /** The brand's wait ends then. */
  waits_until_ms: number | null
}

/** A card that was checked without a charge. */
interface CardCheckRow {
  token_digest: string
  environment: Environment
  code: number
  merchant_id: string
  /** This and the next two: keyed digests. The payer is also the owner of the saved card. */
  payer: string
  document: string
  address: string
  /** `asked` until its acquirer has answered. */
  outcome: 'asked' | 'approved' | 'declined' | 'unknown'
  brand: string
  bin: string
  last_four: string
  /** JSON. */
  decline: string | null
  saved_card_code: string | null
  created_at_ms: number
}

interface SavedCardRow {
  code: string
  environment: Environment
  merchant_id: string
  /** Keyed digest of environment, store and e-mail: the card's owner. */
  payer: string
  /** Keyed digest of payer and PAN: finds the same card again. */
  fingerprint: string
  /** For cards saved before migration 0012, it also holds the network's id of their first use. */
  sealed_card: SealedText
  /** Null until its first transaction is complete. */
  activated_at_ms: number | null
  created_at_ms: number
  /** These four: the brand's ids of its first and its newest use, if its acquirer reported them. */
  network_transaction_id: string | null
  newest_network_transaction_id: string | null
  transaction_link_id: string | null
  newest_transaction_link_id: string | null
  /** When its last payment was read for these ids. */
  links_asked_at_ms: number | null
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

/** A store's newest settings of the card fields, from a gateway of the environment. */
export interface FieldSettingsRow {
  store_id: string
  environment: Environment
  revision: number
  /** JSON: a list. */
  origins: string
  shows_bin: 0 | 1
}

/** Notices for a merchant account that no account here has. */
interface ForeignNoticeRow {
  /** The account at which they arrived. */
  account_id: string
  name: string
  notices: number
  first_at_ms: number
  last_at_ms: number
  warned_at_ms: number
}

/** The rows of the vault's tables, by table. */
export interface VaultTables extends AccountTables {
  data_keys: DataKeyRow
  sessions: SessionRow
  direct_tokens: DirectTokenRow
  authorizations: AuthorizationRow
  card_charges: CardChargeRow
  card_authentications: CardAuthenticationRow
  card_cancels: CardCancelRow
  card_captures: CardCaptureRow
  card_returns: CardReturnRow
  card_events: CardEventRow
  card_checks: CardCheckRow
  card_looks: CardLookRow
  card_readings: CardReadingRow
  unheard_charges: UnheardChargeRow
  covered_accounts: CoveredAccountRow
  card_changes: CardChangeRow
  card_declines: CardDeclineRow
  foreign_notices: ForeignNoticeRow
  saved_cards: SavedCardRow
  store_field_settings: FieldSettingsRow
  audit_log: AuditRow
  audit_head: AuditHeadRow
}
