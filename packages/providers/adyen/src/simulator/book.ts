// What Adyen has in its books.
import type { Clock, Secret } from '@cofre/contracts'
import { type RandomBytes, type ShownCard, type Tally, sumOf } from '@cofre/provider-kit/simulator'
import type { Outcome } from './outcomes.js'
import type { Amount } from './wire.js'

/** A shop's account, with what its system signs in by and where it hears of changes. */
export interface AdyenAccount {
  readonly merchantAccount: string
  readonly apiKey: Secret<string>
  /** Hexadecimal; notices are signed by it. It changes while a shop rotates it. */
  hmacKey: Secret<string>
  noticeUrl: string | undefined
  /** Whether the shop had the issuer's own words switched on. */
  readonly showsRawRefusals: boolean
}

export interface Modification {
  readonly pspReference: string
  readonly kind: 'capture' | 'refund' | 'cancel'
  /** The shop's own name for it. */
  readonly reference?: string | undefined
  readonly amountMinor: number
  readonly requestedMs: number
  /** Which notice tells its outcome. */
  readonly toldBy: 'CAPTURE' | 'REFUND' | 'CANCELLATION' | 'TECHNICAL_CANCEL' | 'CANCEL_OR_REFUND'
  state: 'received' | 'done' | 'refused' | 'failed' | 'reversed'
}

export interface Chargeback {
  readonly pspReference: string
  readonly amountMinor: number
  state: 'lost' | 'reversed'
}

export type EventCode =
  | 'AUTHORISATION'
  | 'CAPTURE'
  | 'CAPTURE_FAILED'
  | 'REFUND'
  | 'REFUND_FAILED'
  | 'REFUNDED_REVERSED'
  | 'CANCELLATION'
  | 'TECHNICAL_CANCEL'
  | 'CANCEL_OR_REFUND'
  | 'CHARGEBACK'
  | 'CHARGEBACK_REVERSED'

/** What the shop is told of. */
export interface AdyenEvent {
  readonly merchantAccount: string
  readonly eventCode: EventCode
  readonly pspReference: string
  /** The payment that this changes; undefined for the payment itself. */
  readonly originalReference?: string | undefined
  readonly merchantReference: string
  readonly amount: Amount
  readonly success: boolean
  readonly reason?: string | undefined
  readonly paymentMethod?: string | undefined
  readonly timeMs: number
  readonly operations?: readonly string[] | undefined
  readonly additionalData?: Readonly<Record<string, string>> | undefined
}

/** How the card was on file, where it was. */
export interface StoredCredential {
  readonly shopperInteraction?: string | undefined
  readonly recurringProcessingModel?: string | undefined
  /** The two: of the first use, as a later one names it. */
  readonly networkPaymentReference?: string | undefined
  readonly transactionLinkId?: string | undefined
}

/** The page on which a card's issuer asks its holder. */
export interface Challenge {
  /** Names the page. */
  readonly id: string
  /** Where the shop wants the holder back. */
  readonly returnUrl: string
  /** What the holder brings back. */
  readonly redirectResult: string
  answer?: 'passed' | 'failed' | undefined
}

export interface ThreeDSecure {
  readonly eci?: string | undefined
  readonly shifts: boolean
}

export interface Payment {
  readonly merchantAccount: string
  readonly pspReference: string
  readonly reference: string
  readonly amountMinor: number
  readonly currency: string
  readonly installments: number
  readonly card: ShownCard
  readonly statement?: string | undefined
  readonly storedCredential: StoredCredential
  readonly networkTxReference: string
  readonly transactionLinkId?: string | undefined
  readonly authCode: string
  /** Of a 3-DS result that the shop sent, without its CAVV, or of a challenge. */
  threeDSecure?: ThreeDSecure | undefined
  readonly challenge?: Challenge | undefined
  readonly capturesLater: boolean
  readonly createdMs: number
  /** Once its holder is authenticated, where that is wanted. */
  outcome: Outcome
  state: 'authenticating' | 'authorised' | 'pending' | 'refused' | 'cancelled'
  readonly modifications: Modification[]
  readonly chargebacks: Chargeback[]
  /** All that was told of it, or should have been. */
  readonly events: AdyenEvent[]
}

/** What was answered under an Idempotency-Key: a repeat gets it again. */
export interface KeptAnswer {
  /** The key, with the account that it is of. */
  readonly id: string
  readonly status: number
  readonly text: string
}

export interface Records {
  /** By pspReference. */
  readonly payments: Map<string, Payment>
  readonly answers: Map<string, KeptAnswer>
}

/** What changes at once: all of it is written, or nothing. */
export interface Change {
  readonly payment?: Payment | undefined
  readonly answer?: KeptAnswer | undefined
}

export interface Book extends Records {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly accounts: AdyenAccount[]
  /** Writes a change down: it holds when this returns, whatever becomes of the process. */
  keep(change: Change): void
}

export function createRecords(): Records {
  return { payments: new Map(), answers: new Map() }
}

export function enter({ payments, answers }: Records, { payment, answer }: Change): void {
  if (payment !== undefined) payments.set(payment.pspReference, payment)
  if (answer !== undefined) answers.set(answer.id, answer)
}

const ALPHANUMERIC = 'BCDFGHJKLMNPQRSTVWXZ23456789'
const PSP_REFERENCE_LENGTH = 16

/** As Adyen's own: 16 letters and digits, unique everywhere. */
export function newPspReference({ randomBytes }: Pick<Book, 'randomBytes'>): string {
  return Array.from(randomBytes(PSP_REFERENCE_LENGTH), (byte) =>
    ALPHANUMERIC.charAt(byte % ALPHANUMERIC.length),
  ).join('')
}

export function newDigits({ randomBytes }: Pick<Book, 'randomBytes'>, count: number): string {
  return Array.from(randomBytes(count), (byte) => String(byte % 10)).join('')
}

type Kind = Modification['kind']
const STANDING: readonly Modification['state'][] = ['received', 'done']

/** What was taken, is being given back, or was cancelled: what failed or was refused is no more. */
export function standing(payment: Payment, kind: Kind): readonly Modification[] {
  return payment.modifications.filter(
    (modification) => modification.kind === kind && STANDING.includes(modification.state),
  )
}

export function capturedOf(payment: Payment): number {
  return sumOf(standing(payment, 'capture').filter(({ state }) => state === 'done'))
}

/** What can still go back. */
export function refundableOf(payment: Payment): number {
  return capturedOf(payment) - sumOf(standing(payment, 'refund'))
}

/** What the books have under one of the shop's references. */
export function tallyOf({ payments }: Book, reference: string): Tally {
  const found = [...payments.values()].filter((payment) => payment.reference === reference)
  const charges = found.filter(({ state }) => state === 'authorised' || state === 'cancelled')
  const refunds = found.flatMap((payment) => standing(payment, 'refund'))
  return {
    attempts: found.length,
    charges: charges.length,
    chargedMinor: sumOf(charges),
    cancels: found.flatMap((payment) => standing(payment, 'cancel')).length,
    refunds: refunds.length,
    refundedMinor: sumOf(refunds),
  }
}
