import {
  DAY_MS,
  LINK_DAYS_MAX,
  type LinkUsage,
  type Metadata,
  type MinorUnits,
  drawText,
} from '@cofre/contracts'

/** A method that may pay a link: `credit-card`, `boleto`, `pix`, or a wallet's name. */
export type LinkMethod = string

/** The states of a link; only one for a single payment is ever `reserved` or `paid`. */
export const LINK_STATES = ['payable', 'reserved', 'paid', 'expired', 'revoked'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** An address of the payment page, at which payers pay a store. */
export interface PaymentLink {
  /** Its code, and the end of its address; not guessable. */
  readonly id: string
  readonly storeId: string
  /** The store's own identifier, unique in the store. */
  readonly reference: string
  readonly amountMinor: MinorUnits
  readonly description: string
  readonly methods: readonly LinkMethod[]
  /** Its cards are authorized, and the store captures each payment later. */
  readonly isCapturedLater: boolean
  readonly usage: LinkUsage
  /** The maximum for a card. */
  readonly installments: number
  readonly language: string
  /** The page's link to continue after the payment. */
  readonly successUrl: string | undefined
  /** The address for every try's transaction. */
  readonly notificationUrl: string
  /** The store's own, of each payment; undefined also once a payer's data is erased. */
  readonly metadata: Metadata | undefined
  /** `api`, or the staff member who created it. */
  readonly createdBy: string
  readonly createdAtMs: number
  /** Undefined if the link does not expire. */
  readonly expiresAtMs: number | undefined
  readonly revokedAtMs: number | undefined
  /** `api`, or the staff member who revoked it. */
  readonly revokedBy: string | undefined
}

/** Why a new link is refused. */
export type LinkConflict = 'reference_used' | 'nonce_used'

/** A link with its state. */
export interface FoundLink {
  readonly link: PaymentLink
  readonly state: LinkState
}

/** The number of tries at a link. */
export interface LinkTries {
  readonly tries: number
  /** The number of paid tries among the newest. */
  readonly paid: number
}

/** A link as lists show it. */
export interface ListedLink extends FoundLink, LinkTries {}

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** 132 bits. */
const ID_LENGTH = 22

/** Draws the id of a link or of a try. */
export function drawLinkId(randomBelow: (limit: number) => number): string {
  return drawText(ID_ALPHABET, ID_LENGTH, randomBelow)
}

/** True if {@link drawLinkId} could have drawn the text. Other texts need no query. */
export function isLinkId(text: string): boolean {
  return text.length === ID_LENGTH && /^[\w-]+$/.test(text)
}

/** The longest lifetime of a link. */
export const LINK_LIFETIME_MAX_MS: number = LINK_DAYS_MAX * DAY_MS

export function linkPath(linkId: string): string {
  return `/pay/${linkId}`
}

/** The facts of a link's tries, and the time, that decide on its state. */
interface LinkFacts {
  readonly isPaid: boolean
  /** True if a card is authorized for it, and neither captured nor released. */
  readonly isReserved: boolean
  readonly nowMs: number
}

/** A link's state: a paid link stays paid, whatever follows. */
export function linkStateOf(
  { expiresAtMs, revokedAtMs, usage }: PaymentLink,
  { isPaid, isReserved, nowMs }: LinkFacts,
): LinkState {
  if (usage === 'once' && isPaid) return 'paid'
  if (usage === 'once' && isReserved) return 'reserved'
  if (revokedAtMs !== undefined) return 'revoked'
  return expiresAtMs !== undefined && expiresAtMs <= nowMs ? 'expired' : 'payable'
}
