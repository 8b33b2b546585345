// Events of a payment after its request, of which the shop is notified.
import type { NoticeLine } from '@cofre/provider-kit/simulator'
import {
  type AdyenAccount,
  type AdyenEvent,
  type Book,
  type Change,
  type EventCode,
  type Modification,
  type Payment,
  newPspReference,
  refundableOf,
  modificationsInForce,
} from './book.js'
import { noticeOf, paymentMethodOf } from './notices.js'
import { ABANDONED } from './outcomes.js'
import { captureAtOnce } from './payments.js'

/** The books, and the queue of notices. */
export interface Ledger {
  readonly book: Book
  readonly notices: NoticeLine
  /** Events to send once they are in the books. */
  readonly unsent: AdyenEvent[]
}

/** The subject of an event; by default, the payment itself. */
interface Subject {
  readonly pspReference: string
  readonly amountMinor: number
  readonly reference?: string | undefined
}

interface EventFacts {
  readonly eventCode: EventCode
  readonly subject?: Subject
  readonly success?: boolean
  readonly reason?: string | undefined
  readonly operations?: readonly string[]
  readonly additionalData?: Readonly<Record<string, string>>
}

/** Writes a change, then notifies the shop. */
export function saveAndNotify({ book, notices, unsent }: Ledger, change: Change): void {
  const events = unsent.splice(0)
  book.save(change)
  for (const event of events) {
    const account = book.accounts.find(
      ({ merchantAccount }) => merchantAccount === event.merchantAccount,
    )
    if (account !== undefined) notices.announce(noticeOf(account, event))
  }
}

function notify({ book, unsent }: Ledger, payment: Payment, happened: EventFacts): void {
  const { subject, success = true, reason, ...rest } = happened
  const event: AdyenEvent = {
    ...rest,
    merchantAccount: payment.merchantAccount,
    pspReference: subject?.pspReference ?? payment.pspReference,
    originalReference: subject && payment.pspReference,
    merchantReference: subject?.reference ?? payment.reference,
    amount: { currency: payment.currency, value: (subject ?? payment).amountMinor },
    success,
    ...(reason !== undefined && { reason }),
    paymentMethod: paymentMethodOf(payment),
    timeMs: book.clock.now(),
  }
  payment.events.push(event)
  unsent.push(event)
}

/** Notifies the shop that a payment was authorised or refused. */
export function notifyAuthorisation(ledger: Ledger, payment: Payment): void {
  if (payment.state === 'pending' || payment.state === 'authenticating') return
  const { card, outcome } = payment
  const success = payment.state === 'authorised'
  const refusal = 'refusal' in outcome ? outcome.refusal.reason : 'Refused'
  notify(ledger, payment, {
    eventCode: 'AUTHORISATION',
    success,
    reason: success ? `${payment.authCode}:${card.lastFour}:${card.expiry}` : refusal,
    ...(success && { operations: ['CANCEL', 'CAPTURE', 'REFUND'] }),
    additionalData: { cardBin: card.firstSix, cardSummary: card.lastFour },
  })
  if (success && fails(payment, 'capture') && !payment.capturesLater) failCapture(ledger, payment)
}

/** Ends a capture, refund or cancel, or reports its refusal. */
export function endModification(
  ledger: Ledger,
  payment: Payment,
  { modification, refusal }: { modification: Modification; refusal: string | undefined },
): void {
  const { kind, toldBy } = modification
  modification.state = refusal === undefined ? 'done' : 'refused'
  if (kind === 'cancel' && refusal === undefined) cancel(payment)
  const isTechnical = toldBy === 'TECHNICAL_CANCEL'
  const isReversal = toldBy === 'CANCEL_OR_REFUND'
  notify(ledger, payment, {
    eventCode: toldBy,
    // A cancel by the shop's reference is reported under that reference.
    subject: isTechnical ? { ...modification, reference: payment.reference } : modification,
    success: refusal === undefined,
    reason: refusal,
    ...(isReversal && { additionalData: { 'modification.action': kind } }),
  })
  if (refusal !== undefined || !fails(payment, kind)) return
  if (kind === 'capture') failCapture(ledger, payment)
  else undoRefund(ledger, payment, { refund: modification, end: 'failed' })
}

/** A payment that waits for authentication never gets authorised. */
function cancel(payment: Payment): void {
  const isAuthenticating = payment.state === 'authenticating'
  payment.state = isAuthenticating ? 'refused' : 'cancelled'
  if (isAuthenticating) payment.outcome = ABANDONED
}

/** Notifies the shop that nothing has the reference to cancel. */
export function notifyNothingToCancel(
  { book, unsent }: Ledger,
  { merchantAccount }: AdyenAccount,
  { reference, pspReference }: { readonly reference: string; readonly pspReference: string },
): void {
  unsent.push({
    merchantAccount,
    eventCode: 'TECHNICAL_CANCEL',
    pspReference,
    merchantReference: reference,
    amount: { currency: 'BRL', value: 0 },
    success: false,
    reason: 'No payment has this reference',
    timeMs: book.clock.now(),
  })
}

/** The card scheme rejects a capture that was accepted. */
export function failCapture(ledger: Ledger, payment: Payment): void {
  const capture = payment.modifications.find(
    ({ kind, state }) => kind === 'capture' && state === 'done',
  )
  if (capture === undefined) throw new RangeError('there is no capture that could fail')
  capture.state = 'failed'
  notify(ledger, payment, {
    eventCode: 'CAPTURE_FAILED',
    subject: capture,
    reason: 'Capture Failed',
  })
}

/** Fails a settled refund, or returns its money. */
export function undoRefund(
  ledger: Ledger,
  payment: Payment,
  { refund, end }: { refund: Modification; end: 'failed' | 'reversed' },
): void {
  if (refund.state !== 'done') throw new RangeError('the refund is not done')
  refund.state = end
  notify(ledger, payment, {
    eventCode: end === 'failed' ? 'REFUND_FAILED' : 'REFUNDED_REVERSED',
    subject: refund,
    reason: end === 'failed' ? 'Refund Failed' : 'Refunded amount was returned',
  })
}

/** Refunds in Adyen's own pages, without a request of the shop. */
export function refundAtAcquirer(ledger: Ledger, payment: Payment, amountMinor: number): void {
  if (amountMinor > refundableOf(payment)) throw new RangeError('more than is left')
  const modification: Modification = {
    pspReference: newPspReference(ledger.book),
    kind: 'refund',
    amountMinor,
    requestedMs: ledger.book.clock.now(),
    toldBy: 'REFUND',
    state: 'received',
  }
  payment.modifications.push(modification)
  endModification(ledger, payment, { modification, refusal: undefined })
}

/** Ends a pending payment. */
export function endPayment(ledger: Ledger, payment: Payment, end: 'authorised' | 'refused'): void {
  if (payment.state !== 'pending') throw new RangeError('the payment is not pending')
  payment.state = end
  if (end === 'authorised') captureAtOnce(ledger.book, payment)
  notifyAuthorisation(ledger, payment)
}

/** The authorization's time is over before a capture. */
export function expire(ledger: Ledger, payment: Payment): void {
  const isCaptured = modificationsInForce(payment, 'capture').length > 0
  if (payment.state !== 'authorised' || isCaptured)
    throw new RangeError('nothing is left to expire')
  payment.state = 'expired'
  notify(ledger, payment, { eventCode: 'EXPIRE' })
}

export function chargeBack(ledger: Ledger, payment: Payment, amountMinor: number): void {
  if (payment.state !== 'authorised') throw new RangeError('there is nothing to dispute')
  const pspReference = newPspReference(ledger.book)
  const chargeback = { pspReference, amountMinor, state: 'lost' as const }
  payment.chargebacks.push(chargeback)
  notify(ledger, payment, {
    eventCode: 'CHARGEBACK',
    subject: chargeback,
    reason: 'Other Fraud-Card Absent Environment',
    additionalData: { chargebackReasonCode: '10.4', chargebackSchemeCode: payment.card.brand },
  })
}

export function reverseChargeback(ledger: Ledger, payment: Payment): void {
  const chargeback = payment.chargebacks.find(({ state }) => state === 'lost')
  if (chargeback === undefined) throw new RangeError('there is no chargeback to reverse')
  chargeback.state = 'reversed'
  notify(ledger, payment, { eventCode: 'CHARGEBACK_REVERSED', subject: chargeback })
}

function fails({ outcome }: Payment, kind: Modification['kind']): boolean {
  return outcome.resultCode === 'Authorised' && outcome.fails === kind
}
