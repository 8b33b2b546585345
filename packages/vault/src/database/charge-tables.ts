import type { Environment } from '@cofre/contracts'

/** An authorization that an account's acquirer was asked for. Simulated ones have no row. */
export interface CardChargeRow {
  environment: Environment
  transaction_code: number
  /** With environment and code, identifies it at the acquirer. */
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
  /** Until then one process works on it alone; no other lease has the same end. */
  lease_until_ms: number
  /** Until then a further request is pointless. */
  next_ask_at_ms: number
  payment_id: string | null
  nsu: string | null
  authorization_code: string | null
  /** The ECI of the 3-DS result that was sent; null without one. */
  sent_eci: string | null
  /** The acquirer's ECI. */
  eci: string | null
  network_transaction_id: string | null
  /** Mastercard's TLID. */
  transaction_link_id: string | null
  /** The saved card that it charges; null for a charge that saves its card. */
  charged_card_code: string | null
  /** 1 if it was sent without an id that the card's brand wants for a saved card. */
  is_unlinked: 0 | 1
  /** When its outcome was known: for an approved one, when it was charged. */
  ended_at_ms: number | null
  /** Days for which its authorization can be captured; null if it is captured at once. */
  capture_days: number | null
  /** When its acquirer releases the authorization. This and the next three: null until approved. */
  capture_ends_at_ms: number | null
  /** 0 if it was released; null until it is captured or released. */
  captured_minor: number | null
  capture_ended_at_ms: number | null
  /** When the vault checks that the acquirer has released it; null if no check is due. */
  release_check_at_ms: number | null
}

/**
 * The capture or the void of an authorized charge. Another one replaces it only after a refusal,
 * when the charge is still authorized.
 */
export interface CardCaptureRow {
  environment: Environment
  transaction_code: number
  operation: 'capture' | 'void'
  /** For a void, the authorized amount. */
  amount_minor: number
  /** As for a refund. */
  state: 'wanted' | 'in_process' | 'done' | 'refused'
  attempts: number
  /** Null until the acquirer is asked. */
  first_attempt_at_ms: number | null
  absent_since_ms: number | null
  /** Null if no request is due: it ended, or the acquirer's report will end it. */
  next_ask_at_ms: number | null
  /** The acquirer's name for it. */
  operation_id: string | null
  /** One redacted line for an operator. */
  detail: string | null
  created_at_ms: number
  ended_at_ms: number | null
}
