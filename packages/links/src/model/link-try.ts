import { HOUR_MS, MINUTE_MS, assertNever, holdsCardNumber, CARD_TYPE } from '@cofre/contracts'
import {
  type Transaction,
  type TransactionCode,
  awaitsAuthentication,
  isAuthorized,
  isBeingIssued,
} from '@cofre/gateway/room'
import type { LinkMethod } from './payment-link.js'

/**
 * A payer's try at a link, committed before its transaction. The commit of the transaction's intent
 * records its code here, so no transaction of a link exists without its try.
 */
export interface LinkTry {
  /** The end of its address; not guessable. */
  readonly id: string
  readonly linkId: string
  /** From 1; the transaction's reference ends in it. */
  readonly number: number
  /** The form's id: a form that is sent twice opens one try. */
  readonly formId: string
  readonly method: LinkMethod
  /** The transaction's: the link's reference, and the number. */
  readonly reference: string
  /** Undefined before its transaction is committed, and if none was. */
  readonly transactionCode: TransactionCode | undefined
  /** True if it may still become a payment, or is one that has not ended. */
  readonly open: boolean
  readonly createdAtMs: number
  /** The time of a worker's next look while it is open; by the machine's clock. */
  readonly pollAtMs: number
}

/** A try with its transaction, unless that is gone or never existed. */
export interface FoundTry {
  readonly linkTry: LinkTry
  readonly transaction: Transaction | undefined
}

/**
 * The state of a try. `asking`: the payment method has not answered. `not-asked`: no transaction
 * exists. `authenticating`: the card's bank authenticates its payer. `issuing`: the bank has
 * accepted a boleto that cannot be paid yet. `reserved`: the card is authorized, and the store has
 * not captured the payment; `released`: it will not.
 */
export type TryState =
  | 'asking'
  | 'authenticating'
  | 'issuing'
  | 'waiting'
  | 'under-review'
  | 'reserved'
  | 'paid'
  | 'declined'
  | 'released'
  | 'cancelled'
  | 'expired'
  | 'not-asked'

const FORM_ID = /^[\w-]{1,64}$/

/** True if a text is a valid form id. */
export function isFormId(text: string): boolean {
  return FORM_ID.test(text) && !holdsCardNumber(text)
}

/** The pause between two looks of a worker at an open try. */
export const LINK_POLL_PAUSE_MS: number = 5 * MINUTE_MS

// Limits against card testing: by link and address.

/** The number of cards that may be tried within {@link CARD_TRIES_MS}. */
export const CARD_TRIES_MAX = 5
export const CARD_TRIES_MS: number = HOUR_MS
/** The number of charges that may wait for their payer. */
export const OPEN_CHARGES_MAX = 3

/** True before its transaction is committed; a withdrawn transaction leaves nothing to pay. */
function isBeingCreated({ open, transactionCode }: LinkTry): boolean {
  return open && transactionCode === undefined
}

/** The state of a try. */
export function tryStateOf({ linkTry, transaction }: FoundTry): TryState {
  if (transaction === undefined) return isBeingCreated(linkTry) ? 'asking' : 'not-asked'
  const { open, paymentType, status } = transaction
  if (awaitsAuthentication(transaction)) return 'authenticating'
  if (isAuthorized(transaction)) return 'reserved'
  if (transaction.capture?.state === 'released') return 'released'
  const isCard = paymentType === CARD_TYPE
  switch (status) {
    case 'PENDING':
      if (open) return 'asking'
      if (isCard) return 'under-review'
      return isBeingIssued(transaction) ? 'issuing' : 'waiting'
    case 'UNDER-REVIEW':
      return 'under-review'
    case 'COMPLETE':
    case 'REFUNDED':
    case 'CHARGEBACK':
      return 'paid'
    case 'CANCELLED':
      return isCard && transaction.paidAtMs === undefined ? 'declined' : 'cancelled'
    case 'EXPIRED':
    case 'NOT-PAID':
      return 'expired'
    default:
      return assertNever(status)
  }
}

/** True if it waits for its payer, or will. */
export function waitsForPayer(state: TryState): boolean {
  return state === 'issuing' || state === 'waiting'
}

const ENDED: readonly TryState[] = ['declined', 'released', 'cancelled', 'expired', 'not-asked']

/** True if the try can no longer be paid. */
export function hasEnded(found: FoundTry): boolean {
  return ENDED.includes(tryStateOf(found))
}
