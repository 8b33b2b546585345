// The merchant's requests after the payment. Each is accepted at once; a notice brings its outcome
// and the reason of a failure.
import { sumOf } from '@cofre/provider-kit/simulator'
import type { Adyen } from './adyen.js'
import {
  type AdyenAccount,
  type Book,
  type Modification,
  type Payment,
  newPspReference,
  refundableOf,
  modificationsInForce,
} from './book.js'
import { endModification, notifyNothingToCancel } from './events.js'
import { ServiceError } from './service-error.js'
import { readCancelByReference } from './wire.js'

type RequestedModification = Pick<Modification, 'kind' | 'toldBy' | 'reference' | 'amountMinor'>
type ModificationDeps = Pick<Adyen, 'ledger' | 'conditions'>

/** @throws ServiceError if this account has no such payment */
export function findPayment(book: Book, account: AdyenAccount, pspReference: string): Payment {
  const payment = book.payments.get(pspReference)
  if (payment?.merchantAccount !== account.merchantAccount) throw new ServiceError('original')
  return payment
}

/** Accepts a modification, with the documented answer. */
export function modify(adyen: ModificationDeps, payment: Payment, asked: RequestedModification) {
  const { pspReference } = acceptModification(adyen, payment, asked)
  const body = {
    merchantAccount: payment.merchantAccount,
    paymentPspReference: payment.pspReference,
    pspReference,
    status: 'received' as const,
    ...(asked.reference !== undefined && { reference: asked.reference }),
  }
  return { body, payment }
}

/** Cancels by the shop's reference, as no pspReference arrived. */
export function cancelByReference(adyen: ModificationDeps, account: AdyenAccount, sent: unknown) {
  const { merchantAccount, paymentReference, reference } = readCancelByReference(sent)
  if (merchantAccount !== account.merchantAccount) throw new ServiceError('merchant_account')
  const { book } = adyen.ledger
  const payment = [...book.payments.values()].findLast(
    (other) => other.merchantAccount === merchantAccount && other.reference === paymentReference,
  )
  const asked = { kind: 'cancel', toldBy: 'TECHNICAL_CANCEL', reference } as const
  const { pspReference } =
    payment === undefined
      ? { pspReference: newPspReference(book) }
      : acceptModification(adyen, payment, { ...asked, amountMinor: payment.amountMinor })
  if (payment === undefined)
    notifyNothingToCancel(adyen.ledger, account, { reference: paymentReference, pspReference })
  const body = {
    merchantAccount,
    paymentReference,
    pspReference,
    status: 'received' as const,
    ...(reference !== undefined && { reference }),
  }
  return { body, payment }
}

function acceptModification(
  { ledger, conditions }: ModificationDeps,
  payment: Payment,
  asked: RequestedModification,
): Modification {
  const refusal = refusalOf(payment, asked)
  const modification: Modification = {
    ...asked,
    pspReference: newPspReference(ledger.book),
    requestedMs: ledger.book.clock.now(),
    state: 'received',
  }
  payment.modifications.push(modification)
  const isHeld = asked.kind === 'refund' && conditions.refunds === 'held'
  if (refusal !== undefined || !isHeld) endModification(ledger, payment, { modification, refusal })
  return modification
}

/** A reversal cancels an uncaptured payment, and refunds all that was captured. */
export function reversalOf(payment: Payment): Pick<Modification, 'kind' | 'amountMinor'> {
  const captures = modificationsInForce(payment, 'capture')
  return captures.length > 0
    ? { kind: 'refund', amountMinor: sumOf(captures) }
    : { kind: 'cancel', amountMinor: payment.amountMinor }
}

function refusalOf(
  payment: Payment,
  { kind, amountMinor }: RequestedModification,
): string | undefined {
  if (payment.state === 'authenticating' && kind === 'cancel') return undefined
  if (payment.state !== 'authorised') return 'Transaction is not authorised'
  const isCaptured = modificationsInForce(payment, 'capture').length > 0
  switch (kind) {
    case 'capture':
      // After the first capture nothing is left: the rest of its part was cancelled.
      return isCaptured || amountMinor > payment.amountMinor
        ? 'Insufficient balance on payment'
        : undefined
    case 'cancel':
      return isCaptured ? 'Transaction has been captured, cancel not possible' : undefined
    case 'refund':
      if (!isCaptured) return "Transaction hasn't been captured, refund not possible"
      return amountMinor > refundableOf(payment) ? 'Insufficient balance on payment' : undefined
  }
}
