import type { AccountTables } from '@cofre/provider-kit/account'
import type { AuthorizationOutcome, Environment } from '@cofre/contracts'
import type { AcquirerChange } from '@cofre/provider-kit/card'
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
  /**
   * 1 when its gateway understands what answers say of charges and declines. One of Cofre 0.2.0
   * does not.
   */
  knows_charges: 0 | 1
  /** 1 when it understands what answers contain of the charge's authentication, too. */
  knows_authentication: 0 | 1
  /** JSON: why it was declined. */
  decline: string | null
}

/**
 * An authorization that an account's acquirer was asked for. There is none for what was played.
 */
interface CardChargeRow {
  environment: Environment
  transaction_code: number
  /** What the acquirer knows it by, with environment and code. */
  installation: string
  account_id: string
  /** `adyen` */
  provider: string
  /**
   * - `asked`: the outcome is unknown, and the card is kept to ask again.
   * - `pending`: the acquirer decides later.
   * - `ending`: the outcome was unknown for too long. The card is erased: the charge is found, or
   *   cancelled.
   */
  state: 'asked' | 'pending' | 'ending' | 'approved' | 'declined'
  /** When its account was first asked. */
  first_attempt_at_ms: number
  /** From the acquirer's last answer: see `EarlierAttempts`. */
  absent_since_ms: number | null
  /** Until then one process talks for it alone; another lease never has the same end. */
  lease_until_ms: number
  /** Before that a further question is pointless. */
  next_ask_at_ms: number
  payment_id: string | null
  nsu: string | null
  authorization_code: string | null
  /** Of the 3-DS result that was sent; null without one. */
  sent_eci: string | null
  /** As the acquirer has it. */
  eci: string | null
  network_transaction_id: string | null
  /** Mastercard's TLID. */
  transaction_link_id: string | null
  /** The saved card that it charges; null of one that saves its card. */
  charged_card_code: string | null
  /** 1 where it was sent without an id that the card's brand wants of a saved card. */
  is_unlinked: 0 | 1
  /** When its outcome was known, so for an approved one when it was charged. */
  ended_at_ms: number | null
}

/**
 * A charge that waits for its payer to be authenticated by the card's bank, or has waited. All that
 * is nullable is erased when that ends.
 */
interface CardAuthenticationRow {
  environment: Environment
  transaction_code: number
  /** Where the payer's browser goes. Who knows it can act as the payer. */
  sealed_action: SealedText | null
  /** What the payer has brought back last. */
  sealed_result: SealedText | null
  /** How many results have come: anybody may make some up. */
  results: number
  /** With the last result. */
  first_attempt_at_ms: number | null
  expires_at_ms: number
  /** When there is something to do: to ask with a result, or to give the charge up. */
  next_ask_at_ms: number | null
  /** As in a decline: the card is erased. */
  fingerprint: string | null
}

/**
 * A payment at an acquirer that is to be undone whole: a further one of its order, or one that
 * nobody wants any more.
 */
interface CardCancelRow {
  environment: Environment
  transaction_code: number
  /** The acquirer's name for it. Empty while only our key names it. */
  payment_id: string
  account_id: string
  /**
   * - `wanted`: to be asked for, perhaps again.
   * - `in_process`: accepted; the acquirer's word ends it.
   * - `refused`: a person has to look.
   */
  state: 'wanted' | 'in_process' | 'done' | 'refused'
  attempts: number
  /** Null while nobody has been asked. */
  first_attempt_at_ms: number | null
  /** The four: as in a charge. */
  absent_since_ms: number | null
  lease_until_ms: number
  next_ask_at_ms: number
  /** The acquirer's name for the cancel. */
  return_id: string | null
  /** One redacted line for an operator. */
  detail: string | null
  created_at_ms: number
  /** When it was done. */
  ended_at_ms: number | null
}

/** A part of a charge that goes back, or all of it. */
interface CardReturnRow {
  environment: Environment
  /** The refund's id; `<account>:<the acquirer's name for it>` of one that people made there. */
  name: string
  transaction_code: number
  origin: 'gateway' | 'provider'
  amount_minor: number
  /** The store's own identifier, if it gave one. */
  reference: string | null
  /** What its gateway tells it from others by; null where only the reference does. */
  identity: string | null
  /** As of a cancel, but that the acquirer's word may change `done` to `refused`. */
  state: 'wanted' | 'in_process' | 'done' | 'refused'
  attempts: number
  /** Null while nobody has been asked: a refund that may have left is never first again. */
  first_attempt_at_ms: number | null
  absent_since_ms: number | null
  /** What the acquirer had returned of the payment when it was first asked for this. */
  returned_before_minor: number | null
  /** Null where it is not asked for: it ended, or the acquirer's word will end it. */
  next_ask_at_ms: number | null
  /** The acquirer has said that it does not make it before. */
  not_before_ms: number | null
  /** The acquirer's name for it. */
  return_id: string | null
  /** One redacted line for an operator. */
  detail: string | null
  created_at_ms: number
  ended_at_ms: number | null
}

/** What an acquirer has reported of a charge of ours by itself, as `AcquirerEvent` has it. */
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
  /** When it is tried again; null when it was applied, or waits for another one of its charge. */
  try_at_ms: number | null
  /** Null while it does not fit what is known of its charge, and so has changed nothing. */
  applied_at_ms: number | null
}

/** A charge that is to be found at its acquirer, once: somebody has said that it changed. */
interface CardLookRow {
  environment: Environment
  transaction_code: number
  look_at_ms: number
  /** 1 where it leaves calls to all others. */
  is_later: 0 | 1
}

/**
 * How far the approved charges of an account were read again, so many days after their approval, in
 * the order of that.
 */
interface CardReadingRow {
  account_id: string
  /** 0 where the account cannot be read: whether notices of its charges have come. */
  step_days: number
  read_to_ms: number
  read_to_code: number
  /** Of the charge after that, in vain. */
  tries: number
  next_at_ms: number
}

/** An approved charge of which no notice has come. */
interface UnheardChargeRow {
  environment: Environment
  transaction_code: number
  account_id: string
  charged_at_ms: number
}

/** Of which days files of an account's payouts were imported without a gap, as its gateway says. */
interface CoveredAccountRow {
  account_id: string
  from_ms: number
  /** Not included. */
  until_ms: number
  told_at_ms: number
}

/** What the gateway is to be told of a charge. */
interface CardChangeRow {
  id: string
  environment: Environment
  transaction_code: number
  /** JSON of `CardChange`'s `change`. */
  change: string
  at_ms: number
  detail: string | null
  /** Later than that of any change of its charge before it. */
  created_at_ms: number
  /** Until when it is a caller's, or held back. */
  lease_until_ms: number
  /** How often it was given. */
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
  /** Until when the brand has it wait. */
  waits_until_ms: number | null
}

interface SavedCardRow {
  code: string
  environment: Environment
  merchant_id: string
  /** Keyed digest of environment, store and e-mail: whose card it is. */
  payer: string
  /** Keyed digest of payer and PAN: finds the same card again. */
  fingerprint: string
  /** Of cards saved before migration 0012 it also holds the network's id of their first use. */
  sealed_card: SealedText
  /** Null until its first transaction is complete. */
  activated_at_ms: number | null
  created_at_ms: number
  /** The four: how its brand knows its first and its newest use, where its acquirer said it. */
  network_transaction_id: string | null
  newest_network_transaction_id: string | null
  transaction_link_id: string | null
  newest_transaction_link_id: string | null
  /** When its last payment was read for these. */
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

/** The newest settings of a store's card fields that a gateway of the environment has told. */
export interface FieldSettingsRow {
  store_id: string
  environment: Environment
  revision: number
  /** JSON: a list. */
  origins: string
  shows_bin: 0 | 1
}

/** Notices of a merchant account that no account here has. */
interface ForeignNoticeRow {
  /** Where they arrived. */
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
  card_returns: CardReturnRow
  card_events: CardEventRow
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
