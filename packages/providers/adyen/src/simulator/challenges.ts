// Payments whose issuer requires authentication; its answer ends them.
import type { AdyenAccount, Book, Challenge, Payment } from './book.js'
import { type Ledger, saveAndNotify, notifyAuthorisation } from './events.js'
import { NOT_AUTHENTICATED } from './outcomes.js'
import { STATES, captureAtOnce } from './payments.js'
import { ServiceError } from './service-error.js'
import { readDetails } from './wire.js'

/** ECI with which the issuer is liable for fraud; Mastercard has its own numbers. */
const AUTHENTICATED_ECI = { mastercard: '02', other: '05' }

/**
 * Ends a payment with its holder's result; an ended one stays the same.
 * @throws ServiceError for a result that no challenge issued
 */
export function completeChallenge(ledger: Ledger, account: AdyenAccount, sent: unknown): Payment {
  const { redirectResult } = readDetails(sent).details
  const payment = [...ledger.book.payments.values()].find(
    ({ merchantAccount, challenge }) =>
      merchantAccount === account.merchantAccount &&
      challenge?.answer !== undefined &&
      challenge.redirectResult === redirectResult,
  )
  if (payment === undefined) throw new ServiceError('redirect_result')
  if (payment.state === 'authenticating') end(ledger, payment)
  return payment
}

function end(ledger: Ledger, payment: Payment): void {
  if (payment.challenge?.answer === 'failed') payment.outcome = NOT_AUTHENTICATED
  else payment.threeDSecure = { eci: eciOf(payment), shifts: true }
  payment.state = STATES[payment.outcome.resultCode]
  if (payment.state === 'authorised') captureAtOnce(ledger.book, payment)
  notifyAuthorisation(ledger, payment)
}

function eciOf({ card }: Payment): string {
  return AUTHENTICATED_ECI[card.brand === 'mastercard' ? 'mastercard' : 'other']
}

/** The challenge of a page; undefined if there is none. */
export function findChallenge(
  { payments }: Pick<Book, 'payments'>,
  id: string,
): { readonly payment: Payment; readonly challenge: Challenge } | undefined {
  for (const payment of payments.values())
    if (payment.challenge?.id === id) return { payment, challenge: payment.challenge }
  return undefined
}

/** The holder answers the issuer. That charges nothing: the shop must send the result. */
export function answerChallenge(ledger: Ledger, id: string, answer: 'passed' | 'failed'): void {
  const found = findChallenge(ledger.book, id)
  if (found?.payment.state !== 'authenticating') throw new RangeError('nobody is asked there')
  found.challenge.answer ??= answer
  saveAndNotify(ledger, { payment: found.payment })
}

/** The holder's return address, with the result for the shop. */
export function returnAddressOf({ returnUrl, redirectResult }: Challenge): string {
  const address = new URL(returnUrl)
  address.searchParams.set('redirectResult', redirectResult)
  return address.href
}
