import { DAY_MS, LINK_DAYS_MAX, type LinkUsage, type MinorUnits, drawText } from '@cofre/contracts'

/** What a link may be paid by: `credit-card`, `boleto`, `pix`, or a wallet's name. */
export type LinkMethod = string

/** What a link's state is; only one that is used once is ever `paid`. */
export const LINK_STATES = ['payable', 'paid', 'expired', 'revoked'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** An address of the payment page, at which payers pay a store. */
export interface PaymentLink {
  /** Its code, and the end of its address; not guessable. */
  readonly id: string
  readonly storeId: string
  /** The store's own identifier; used once per store. */
  readonly reference: string
  readonly amountMinor: MinorUnits
  readonly description: string
  readonly methods: readonly LinkMethod[]
  readonly usage: LinkUsage
  /** The most that a card may be charged in. */
  readonly installments: number
  readonly language: string
  /** Where the page offers to go on. */
  readonly successUrl: string | undefined
  /** Of every try's transaction. */
  readonly notificationUrl: string
  /** `api`, or who of the store's staff made it. */
  readonly createdBy: string
  readonly createdAtMs: number
  /** Undefined for a link that does not expire. */
  readonly expiresAtMs: number | undefined
  readonly revokedAtMs: number | undefined
  /** `api`, or who of the store's staff revoked it. */
  readonly revokedBy: string | undefined
}

/** What a new link is refused for. */
export type LinkConflict = 'reference_used' | 'nonce_used'

/** A link with what became of it. */
export interface FoundLink {
  readonly link: PaymentLink
  readonly state: LinkState
}

/** How often payers tried a link. */
export interface LinkTries {
  readonly tries: number
  /** How many of the newest tries were paid. */
  readonly paid: number
}

/** A link as lists show it. */
export interface ListedLink extends FoundLink, LinkTries {}

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** 132 bits. */
const ID_LENGTH = 22

/** Draws the name of a link or of a try. */
export function drawLinkId(randomBelow: (limit: number) => number): string {
  return drawText(ID_ALPHABET, ID_LENGTH, randomBelow)
}

/** Whether {@link drawLinkId} could have drawn the text. What cannot be one is not looked for. */
export function isLinkId(text: string): boolean {
  return text.length === ID_LENGTH && /^[\w-]+$/.test(text)
}

/** How far ahead a link may end. */
export const LINK_LIFETIME_MAX_MS: number = LINK_DAYS_MAX * DAY_MS

/** Path of a link's page. */
export function linkPath(linkId: string): string {
  return `/pay/${linkId}`
}

/** A link's state: what has been paid is paid, whatever came after. */
export function linkStateOf(
  { expiresAtMs, revokedAtMs, usage }: PaymentLink,
  { isPaid, nowMs }: { readonly isPaid: boolean; readonly nowMs: number },
): LinkState {
  if (usage === 'once' && isPaid) return 'paid'
  if (revokedAtMs !== undefined) return 'revoked'
  return expiresAtMs !== undefined && expiresAtMs <= nowMs ? 'expired' : 'payable'
}
