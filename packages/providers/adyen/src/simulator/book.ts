import type { Clock, Secret } from '@cofre/contracts'
import { type RandomBytes, type ShownCard, type Tally, sumOf } from '@cofre/provider-kit/simulator'
import type { CardOutcome } from './outcomes.js'
import type { Amount } from './wire.js'

/** A shop's account, with its system's credentials and its notices' address. */
export interface AdyenAccount {
  readonly merchantAccount: string
  readonly apiKey: Secret<string>
  /** Hexadecimal; the key of its notices. It changes when a shop rotates it. */
  hmacKey: Secret<string>
  noticeUrl: string | undefined
  /** True if the shop enabled the issuer's own reasons. */
  readonly showsRawRefusals: boolean
}

export interface Modification {
  readonly pspReference: string
  readonly kind: 'capture' | 'refund' | 'cancel'
  /** The shop's reference of it. */
  readonly reference?: string | undefined
  readonly amountMinor: number
  readonly requestedMs: number
  /** The notice that reports its outcome. */
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
  | 'EXPIRE'
  | 'CHARGEBACK'
  | 'CHARGEBACK_REVERSED'

/** An event that the shop is notified of. */
export interface AdyenEvent {
  readonly merchantAccount: string
  readonly eventCode: EventCode
  readonly pspReference: string
  /** The changed payment; undefined for an event of the payment itself. */
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

/** The card's use on file, if any. */
export interface StoredCredential {
  readonly shopperInteraction?: string | undefined
  readonly recurringProcessingModel?: string | undefined
  /** Both ids of the first use, as a later use sends them. */
  readonly networkPaymentReference?: string | undefined
  readonly transactionLinkId?: string | undefined
}

/** The page on which a card's issuer asks its holder. */
export interface Challenge {
  /** Id of the page. */
  readonly id: string
  /** The shop's address for the holder's return. */
  readonly returnUrl: string
  /** The result that the holder brings back. */
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
  /** A 3-DS result from the shop, without its CAVV, or from a challenge. */
  threeDSecure?: ThreeDSecure | undefined
  readonly challenge?: Challenge | undefined
  readonly capturesLater: boolean
  readonly createdMs: number
  /** The outcome, once any required authentication is done. */
  outcome: CardOutcome
  state: 'authenticating' | 'authorised' | 'pending' | 'refused' | 'cancelled' | 'expired'
  readonly modifications: Modification[]
  readonly chargebacks: Chargeback[]
  /** All its notices, including those not delivered. */
  readonly events: AdyenEvent[]
}

/** The answer under an Idempotency-Key: a repeat gets it again. */
export interface StoredAnswer {
  /** The account and the key. */
  readonly id: string
  readonly status: number
  readonly text: string
}

export interface Records {
  /** By pspReference. */
  readonly payments: Map<string, Payment>
  readonly answers: Map<string, StoredAnswer>
}

/** An atomic change: all of it is written, or nothing. */
export interface Change {
  readonly payment?: Payment | undefined
  readonly answer?: StoredAnswer | undefined
}

export interface Book extends Records {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly accounts: AdyenAccount[]
  /** Writes a change; it is durable when this returns. */
  save(change: Change): void
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

/** In Adyen's format: 16 letters and digits, unique everywhere. */
export function newPspReference({ randomBytes }: Pick<Book, 'randomBytes'>): string {
  return Array.from(randomBytes(PSP_REFERENCE_LENGTH), (byte) =>
    ALPHANUMERIC.charAt(byte % ALPHANUMERIC.length),
  ).join('')
}

export function newDigits({ randomBytes }: Pick<Book, 'randomBytes'>, count: number): string {
  return Array.from(randomBytes(count), (byte) => String(byte % 10)).join('')
}

type Kind = Modification['kind']
const IN_FORCE: readonly Modification['state'][] = ['received', 'done']

/** The payment's captures, refunds or cancels that are in force: neither failed nor refused. */
export function modificationsInForce(payment: Payment, kind: Kind): readonly Modification[] {
  return payment.modifications.filter(
    (modification) => modification.kind === kind && IN_FORCE.includes(modification.state),
  )
}

export function capturedOf(payment: Payment): number {
  return sumOf(modificationsInForce(payment, 'capture').filter(({ state }) => state === 'done'))
}

/** The refundable rest. */
export function refundableOf(payment: Payment): number {
  return capturedOf(payment) - sumOf(modificationsInForce(payment, 'refund'))
}

/** Approved, whatever happened later. */
const CHARGED: readonly Payment['state'][] = ['authorised', 'cancelled', 'expired']

/** The books' entries under one of the shop's references. */
export function tallyOf({ payments }: Book, reference: string): Tally {
  const found = [...payments.values()].filter((payment) => payment.reference === reference)
  const charges = found.filter(({ state }) => CHARGED.includes(state))
  const captures = found.flatMap((payment) => modificationsInForce(payment, 'capture'))
  const refunds = found.flatMap((payment) => modificationsInForce(payment, 'refund'))
  return {
    attempts: found.length,
    charges: charges.length,
    chargedMinor: sumOf(charges),
    captures: captures.length,
    capturedMinor: sumOf(captures),
    cancels: found.flatMap((payment) => modificationsInForce(payment, 'cancel')).length,
    refunds: refunds.length,
    refundedMinor: sumOf(refunds),
  }
}
