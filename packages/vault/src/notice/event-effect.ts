// The effect of an acquirer's event on a charge, by what is known of it.
import {
  type CardChange,
  type Decline,
  type MinorUnits,
  captureReference,
  paymentReference,
  refundReference,
} from '@cofre/contracts'
import { type EventFit, type HeldPayment, type AcquirerPayment } from '@cofre/provider-kit/card'
import { NOT_CHARGED, isAuthorizedOnly } from '../authorization/card-charge.js'
import type { OrderedCharge } from '../authorization/card-charge-sql.js'
import { type AuthorizationEnd, type CardCapture, isOpen } from '../capture/card-capture.js'
import { type CardReturn, chargedMinorOf, returnedMinor } from '../refund/card-return.js'
import { changesDispute, isWithdrawn, rank, disputeStateOf } from '../refund/dispute.js'
import type { KeptEvent } from '../refund/event-sql.js'

/** A charge with all reports about it. */
export interface KnownCharge {
  readonly charge: OrderedCharge
  readonly returns: readonly CardReturn[]
  readonly events: readonly KeptEvent[]
  /** Set if the charge is captured later, and a capture or a void was requested. */
  readonly capture?: CardCapture | undefined
}

export type EventEffect =
  /** It repeats what is known, or a later one has overtaken it. */
  | { readonly kind: 'nothing' }
  /** It contradicts what is known, or comes before its cause: it waits. */
  | { readonly kind: 'contradiction' }
  | { readonly kind: 'approved'; readonly payment: AcquirerPayment | undefined }
  /** It names the payment of a charge that is known as made. */
  | { readonly kind: 'named'; readonly paymentId: string }
  | {
      readonly kind: 'declined'
      readonly decline: Decline
      readonly cancels: CancelEnd | undefined
    }
  | { readonly kind: 'told'; readonly change: CardChange['change'] }
  | { readonly kind: 'authorization_ended'; readonly end: AuthorizationEnd }
  | { readonly kind: 'capture_refused'; readonly capture: CardCapture }
  | {
      readonly kind: 'refund_ended'
      readonly refund: CardReturn
      readonly outcome: 'PROCESSED' | 'REJECTED'
    }
  | {
      readonly kind: 'provider_refund'
      readonly returnId: string
      readonly amountMinor: MinorUnits
    }
  | { readonly kind: 'cancel_ended'; readonly cancels: CancelEnd }

/** The result of a cancel. */
export type CancelEnd =
  | 'done'
  /** The cancel was by our key: the payment is to be cancelled by its name. */
  | { readonly byName: string }
  | 'failed'

/** The payment that a connector compares an event with. */
export function comparedPayment({ capture, charge, returns }: KnownCharge): HeldPayment {
  const { key, payment, amountMinor: chargedMinor } = charge
  return {
    reference: paymentReference(key),
    paymentId: payment?.paymentId,
    chargedMinor,
    captures: charge.captureDays === undefined ? undefined : comparedCaptures(charge, capture),
    refunds: returns.map(({ name, origin, returnId, amountMinor }) => ({
      reference: origin === 'gateway' ? refundReference(key, name) : name,
      returnId,
      amountMinor,
    })),
  }
}

function comparedCaptures({ key }: OrderedCharge, capture: CardCapture | undefined) {
  if (capture?.operation !== 'capture') return []
  const { amountMinor, operationId: captureId } = capture
  return [{ reference: captureReference(key), captureId, amountMinor }]
}

const NOTHING: EventEffect = { kind: 'nothing' }
const CONTRADICTION: EventEffect = { kind: 'contradiction' }

const DECLINED: Decline = { reason: 'generic', retry: { kind: 'allowed', afterMs: 0 } }

export function effectOf(event: KeptEvent, known: KnownCharge, fit: EventFit): EventEffect {
  const isApproved = known.charge.state === 'approved'
  switch (fit.kind) {
    case 'contradiction':
      return CONTRADICTION
    case 'foreign_refund':
      return isApproved ? providerRefund(event, event.amountMinor) : CONTRADICTION
    case 'refund':
      return isApproved ? effectOnRefund(event, known, fit.reference) : CONTRADICTION
    case 'payment':
    case 'capture':
    case 'foreign_capture':
      return effectOnPayment(event, known)
  }
}

function providerRefund({ returnId }: KeptEvent, amountMinor: MinorUnits): EventEffect {
  return returnId === undefined ? CONTRADICTION : { kind: 'provider_refund', returnId, amountMinor }
}

/** A refund that has failed was done before, or will never be done. */
function effectOnRefund(event: KeptEvent, known: KnownCharge, reference: string): EventEffect {
  const place = comparedPayment(known).refunds.findIndex((refund) => refund.reference === reference)
  const refund = known.returns[place]
  if (refund === undefined) return CONTRADICTION
  if (event.change === 'refund_failed')
    return refund.state === 'refused'
      ? NOTHING
      : { kind: 'refund_ended', refund, outcome: 'REJECTED' }
  const hasFailed = known.events.some(
    ({ change, returnId, appliedAtMs }) =>
      change === 'refund_failed' && returnId === event.returnId && appliedAtMs !== undefined,
  )
  return hasFailed || refund.state === 'done'
    ? NOTHING
    : { kind: 'refund_ended', refund, outcome: 'PROCESSED' }
}

function effectOnPayment(event: KeptEvent, known: KnownCharge): EventEffect {
  const { state, payment } = known.charge
  const { amountMinor, change, paymentId } = event
  const ofCapture = effectOnAuthorization(event, known)
  if (ofCapture !== undefined) return ofCapture
  switch (change) {
    case 'approved':
      if (state === 'approved')
        return payment === undefined && paymentId !== undefined
          ? { kind: 'named', paymentId }
          : NOTHING
      // The recorded payment of an open charge stays.
      return {
        kind: 'approved',
        payment:
          state === 'declined' || payment === undefined ? paymentNamed(paymentId) : undefined,
      }
    case 'declined':
      if (state === 'approved') return CONTRADICTION
      return state === 'declined' ? NOTHING : declined(event.decline ?? DECLINED)
    case 'captured':
      return NOTHING
    case 'expired':
    case 'capture_failed':
    case 'capture_refused':
      return effectOfWithdrawal(event, known)
    case 'cancelled':
    case 'cancel_failed':
      return effectOfCancel(event, known)
    case 'dispute_announced':
    case 'charged_back':
    case 'chargeback_reversed':
      if (state !== 'approved') return CONTRADICTION
      return isSuperseded(event, known) ||
        !changesDispute(change, disputeStateOf(event.returnId, known.events))
        ? NOTHING
        : reportOf({ kind: change, amountMinor })
    case 'refunded':
    case 'refund_failed':
      return CONTRADICTION
  }
}

function reportOf(change: CardChange['change']): EventEffect {
  return { kind: 'told', change }
}

function declined(decline: Decline, cancels?: CancelEnd): EventEffect {
  return { kind: 'declined', decline, cancels }
}

function paymentNamed(paymentId: string | undefined): AcquirerPayment | undefined {
  return paymentId === undefined
    ? undefined
    : {
        paymentId,
        nsu: undefined,
        authorizationCode: undefined,
        eci: undefined,
        networkTransactionId: undefined,
      }
}

function effectOfWithdrawal(event: KeptEvent, { charge, events }: KnownCharge): EventEffect {
  if (charge.state === 'declined') return NOTHING
  if (charge.state !== 'approved')
    return event.change === 'expired' ? declined(NOT_CHARGED) : CONTRADICTION
  return isWithdrawn(charge, events) ? NOTHING : reportOf({ kind: 'capture_failed' })
}

/** The effect on a charge that is captured later; undefined if it is that of any other charge. */
function effectOnAuthorization(event: KeptEvent, known: KnownCharge): EventEffect | undefined {
  const { charge } = known
  const { amountMinor, change } = event
  if (charge.captureDays === undefined) return undefined
  if (charge.state !== 'approved') return change === 'captured' ? CONTRADICTION : undefined
  const isUncaptured = isAuthorizedOnly(charge)
  const isReleased = charge.capturedMinor === 0
  switch (change) {
    case 'captured':
      return isUncaptured || isReleased ? endedBy({ kind: 'captured', amountMinor }) : NOTHING
    case 'capture_failed':
    case 'capture_refused':
      if (isUncaptured) return refusalOf('capture', event, known) ?? NOTHING
      return isReleased ? NOTHING : undefined
    case 'expired':
      return isUncaptured ? endedBy({ kind: 'released', by: 'expired' }) : NOTHING
    case 'cancelled':
      if (isUncaptured) return endedBy({ kind: 'released', by: 'provider' })
      return isReleased ? NOTHING : undefined
    case 'cancel_failed':
      return refusalOf('void', event, known)
    case 'approved':
    case 'declined':
    case 'refunded':
    case 'refund_failed':
    case 'dispute_announced':
    case 'charged_back':
    case 'chargeback_reversed':
      return undefined
  }
}

function endedBy(end: AuthorizationEnd): EventEffect {
  return { kind: 'authorization_ended', end }
}

/** The refusal of the open operation; undefined if the event is about another one. */
function refusalOf(
  operation: CardCapture['operation'],
  { returnId }: KeptEvent,
  { capture }: KnownCharge,
): EventEffect | undefined {
  if (!isOpen(capture) || capture.operation !== operation) return undefined
  const { operationId = returnId } = capture
  return operationId === returnId ? { kind: 'capture_refused', capture } : undefined
}

/** Cofre cancels unwanted payments: a charge of unknown outcome, or a further one of its order. */
function effectOfCancel(event: KeptEvent, { charge, returns }: KnownCharge): EventEffect {
  const { change, paymentId } = event
  const isApproved = charge.state === 'approved'
  if (change === 'cancelled') {
    if (!isApproved) return declined(NOT_CHARGED, 'done')
    // A person did it at the acquirer: Cofre never returns an approved charge unasked.
    const restMinor = chargedMinorOf(charge) - returnedMinor(returns)
    return restMinor > 0 ? providerRefund(event, restMinor as MinorUnits) : NOTHING
  }
  if (isApproved) return { kind: 'cancel_ended', cancels: 'failed' }
  // Nothing was charged under our key.
  if (paymentId === undefined) return declined(NOT_CHARGED, 'done')
  return { kind: 'cancel_ended', cancels: { byName: paymentId } }
}

function isSuperseded(event: KeptEvent, { events }: KnownCharge): boolean {
  return events.some(
    (other) =>
      other.appliedAtMs !== undefined &&
      other.returnId === event.returnId &&
      rank(other) > 0 &&
      (other.atMs > event.atMs || (other.atMs === event.atMs && rank(other) > rank(event))),
  )
}
