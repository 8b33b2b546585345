import { HOUR_MS, MINUTE_MS, assertNever, holdsCardNumber, CARD_TYPE } from '@cofre/contracts'
import {
  type Transaction,
  type TransactionCode,
  awaitsAuthentication,
  isBeingIssued,
} from '@cofre/gateway/room'
import type { LinkMethod } from './payment-link.js'

/**
 * A payer's try at a link. It is committed before its transaction is created, and never without:
 * whoever creates the transaction notes it here in the same commit.
 */
export interface LinkTry {
  /** The end of its address; not guessable. */
  readonly id: string
  readonly linkId: string
  /** From 1; the transaction's reference ends in it. */
  readonly number: number
  /** Of the form that was sent: sent twice, it opens one try. */
  readonly formId: string
  readonly method: LinkMethod
  /** Of its transaction: the link's, and its number. */
  readonly reference: string
  /** Undefined before its transaction is committed, and where none came of it. */
  readonly transactionCode: TransactionCode | undefined
  /** Whether it may still become a payment, or is one that has not ended. */
  readonly open: boolean
  readonly createdAtMs: number
  /** When a worker looks at it, while it is open; by the machine's clock. */
  readonly lookAtMs: number
}

/** A try with its transaction; without one that is gone or was never there. */
export interface FoundTry {
  readonly linkTry: LinkTry
  readonly transaction: Transaction | undefined
}

/**
 * What has become of a try. `asking`: the payment method has not answered. `not-asked`: no
 * transaction came of it. `authenticating`: the card's bank asks its payer. `issuing`: the bank has
 * taken a boleto that cannot be paid yet.
 */
export type TryState =
  | 'asking'
  | 'authenticating'
  | 'issuing'
  | 'waiting'
  | 'under-review'
  | 'paid'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'not-asked'

const FORM_ID = /^[\w-]{1,64}$/

/** Whether a text may name a form. */
export function isFormId(text: string): boolean {
  return FORM_ID.test(text) && !holdsCardNumber(text)
}

/** Between two looks of a worker at an open try. */
export const LINK_LOOK_PAUSE_MS: number = 5 * MINUTE_MS

// Limits against card testing: by link and address.

/** How many cards may be tried in {@link CARD_TRIES_MS}. */
export const CARD_TRIES_MAX = 5
export const CARD_TRIES_MS: number = HOUR_MS
/** How many charges may wait for their payer. */
export const OPEN_CHARGES_MAX = 3

/** Its transaction is not committed yet; one that was and is gone has left nothing to pay. */
function isBeingAsked({ open, transactionCode }: LinkTry): boolean {
  return open && transactionCode === undefined
}

/** What has become of a try. */
export function tryStateOf({ linkTry, transaction }: FoundTry): TryState {
  if (transaction === undefined) return isBeingAsked(linkTry) ? 'asking' : 'not-asked'
  const { open, paymentType, status } = transaction
  if (awaitsAuthentication(transaction)) return 'authenticating'
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

/** Whether it waits for its payer, or will. */
export function waitsForPayer(state: TryState): boolean {
  return state === 'issuing' || state === 'waiting'
}

const ENDED: readonly TryState[] = ['declined', 'cancelled', 'expired', 'not-asked']

/** Whether nothing can be paid by a try any more. */
export function hasEnded(found: FoundTry): boolean {
  return ENDED.includes(tryStateOf(found))
}
