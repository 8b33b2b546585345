// Tables of cards: their authorizations, what acquirers report of them, and declines.
import type { PendingCapture } from '../../model/card/capture-order.js'
import type { AppliedCardChange } from '../../model/card/card-change.js'
import { type RowOf, type StoredFields, conversion } from './stored-fields.js'

const CARD_CHANGE = {
  id: ['id', 'plain'],
  transactionCode: ['transaction_code', 'plain'],
  kind: ['kind', 'plain'],
  atMs: ['at', 'plain'],
  amountMinor: ['amount', 'optional'],
  detail: ['detail', 'optional'],
} as const satisfies StoredFields<AppliedCardChange>

export const storedCardChange = conversion<AppliedCardChange, typeof CARD_CHANGE>(CARD_CHANGE)

/** A change of a charge, as reported by an acquirer: each change is applied once. */
export type CardChangeRow = RowOf<AppliedCardChange, typeof CARD_CHANGE>

const CAPTURE = {
  code: ['transaction_code', 'plain'],
  merchantId: ['merchant_id', 'plain'],
  operation: ['operation', 'optional'],
  amountMinor: ['amount', 'optional'],
  chargedMinor: ['charged', 'optional'],
  orderedBy: ['ordered_by', 'optional'],
  orderedAtMs: ['ordered_at', 'optional'],
} as const satisfies StoredFields<PendingCapture>

export const storedCapture = conversion<PendingCapture, typeof CAPTURE>(CAPTURE)

/** An authorized payment, until it is captured or released. */
export interface CaptureRow extends RowOf<PendingCapture, typeof CAPTURE> {
  /** When the store's rule acts, by the environment's clock. */
  due_at: number
  /** When the store is reminded, by the environment's clock; null once it was. */
  remind_at: number | null
  /** When the vault is next asked, by the machine's clock; null without an operation. */
  next_ask_at: number | null
  /** Consecutive requests without an end. */
  asks: number
}

/** A card that was declined recently. Kept a little longer than it counts. */
export interface CardDeclineRow {
  transaction_code: number
  merchant_id: string
  /** By the environment's clock. */
  declined_at: number
  payer_document: string
  /** An IPv4 address or the network of an IPv6 address; null if the shop sent none. */
  address: string | null
  /** First six digits of the card; null if the vault did not report them. */
  bin: string | null
  /** The payment link that the card was to pay; null without a link. */
  link_id: string | null
}

export interface CardTables {
  captures: CaptureRow
  card_changes: CardChangeRow
  card_declines: CardDeclineRow
}
