import { type GatewayTables, type RowOf, type StoredFields, conversion } from '@cofre/gateway/room'
import type { CardPause } from '../model/card-pause.js'
import type { LinkTry } from '../model/link-try.js'
import type { PaymentLink } from '../model/payment-link.js'

const LINK = {
  id: ['id', 'plain'],
  storeId: ['merchant_id', 'plain'],
  reference: ['reference', 'plain'],
  amountMinor: ['amount', 'amount'],
  description: ['description', 'plain'],
  methods: ['methods', 'json'],
  isCapturedLater: ['captured_later', 'flag'],
  usage: ['usage', 'plain'],
  installments: ['installments', 'plain'],
  language: ['language', 'plain'],
  successUrl: ['success_url', 'optional'],
  notificationUrl: ['notification_url', 'plain'],
  metadata: ['metadata', 'json'],
  createdBy: ['created_by', 'plain'],
  createdAtMs: ['created_at', 'plain'],
  expiresAtMs: ['expires_at', 'optional'],
  revokedAtMs: ['revoked_at', 'optional'],
  revokedBy: ['revoked_by', 'optional'],
} as const satisfies StoredFields<PaymentLink>

export const storedLink = conversion<PaymentLink, typeof LINK>(LINK)

/** A payment link. It is kept; only its metadata may hold data of a payer. */
export type PaymentLinkRow = RowOf<PaymentLink, typeof LINK>

const TRY = {
  id: ['id', 'plain'],
  linkId: ['link_id', 'plain'],
  number: ['number', 'plain'],
  formId: ['form_id', 'plain'],
  method: ['method', 'plain'],
  reference: ['reference', 'plain'],
  transactionCode: ['transaction_code', 'optional'],
  open: ['open', 'flag'],
  createdAtMs: ['created_at', 'plain'],
  pollAtMs: ['next_look_at', 'plain'],
} as const satisfies StoredFields<LinkTry>

export const storedTry = conversion<LinkTry, typeof TRY>(TRY)

/** A payer's try at a link. */
export interface PaymentLinkTryRow extends RowOf<LinkTry, typeof TRY> {
  /** The link, if it is for one payment and the try is open. */
  held_link: string | null
  /** The shopper's address, as counted by the limits; null once no limit counts it. */
  address: string | null
}

const PAUSE = {
  storeId: ['merchant_id', 'plain'],
  linkId: ['link_id', 'plain'],
  declines: ['declines', 'plain'],
  beganAtMs: ['began_at', 'plain'],
  endsAtMs: ['ends_at', 'plain'],
} as const satisfies StoredFields<CardPause>

export const storedPause = conversion<CardPause, typeof PAUSE>(PAUSE)

/** The last pause of a link's cards; without a link, of those of all links of a store. */
export interface CardPauseRow extends RowOf<CardPause, typeof PAUSE> {
  /**
   * The time of a worker's next notification of the store, by the machine's clock; null once
   * notified.
   */
  next_told_at: number | null
}

interface LinkTables {
  link_card_pauses: CardPauseRow
  payment_links: PaymentLinkRow
  payment_link_tries: PaymentLinkTryRow
}

/** The room's tables beside the core's: one database, whose migrations are the gateway's. */
export type RoomTables = GatewayTables & LinkTables
