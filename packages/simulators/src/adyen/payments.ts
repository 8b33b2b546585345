import { brandOf, isCardNumber, isExpiryAhead } from '@cofre/contracts'
import { showCard } from '../card-acquirer/shown-card.js'
import {
  type AdyenAccount,
  type Book,
  type Modification,
  type Payment,
  newDigits,
  newPspReference,
} from './book.js'
import { paymentMethodOf } from './notices.js'
import { outcomeOf } from './outcomes.js'
import { ServiceError } from './service-error.js'
import { type PaymentRequest, readPayment } from './wire.js'

const AUTH_CODE_LENGTH = 6
const NETWORK_REFERENCE_LENGTH = 15
const STATES = {
  Authorised: 'authorised',
  Received: 'pending',
  Refused: 'refused',
  Error: 'refused',
} as const satisfies Record<Payment['outcome']['resultCode'], Payment['state']>

/** What a merchant asks for, to be kept. @throws ServiceError where nothing is carried out */
export function authorise(book: Book, account: AdyenAccount, body: unknown): Payment {
  const request = readPayment(body)
  if (request.merchantAccount !== account.merchantAccount)
    throw new ServiceError('merchant_account')
  checkCard(request.paymentMethod, book.clock.now())
  const { paymentMethod, mpiData, additionalData } = request
  const { number, expiryMonth, expiryYear, holderName: holder = '' } = paymentMethod
  const outcome = outcomeOf(holder)
  const payment: Payment = {
    merchantAccount: account.merchantAccount,
    pspReference: newPspReference(book),
    reference: request.reference,
    amountMinor: request.amount.value,
    currency: request.amount.currency,
    installments: request.installments?.value ?? 1,
    card: showCard({ number, expiry: `${expiryMonth}/${expiryYear}`, holder }),
    statement: request.shopperStatement,
    storedCredential: {
      shopperInteraction: request.shopperInteraction,
      recurringProcessingModel: request.recurringProcessingModel,
      networkPaymentReference: paymentMethod.networkPaymentReference,
    },
    networkTxReference: newDigits(book, NETWORK_REFERENCE_LENGTH),
    authCode: newDigits(book, AUTH_CODE_LENGTH),
    threeDSecure: mpiData && {
      eci: mpiData.eci,
      shifts: mpiData.authenticationResponse === 'Y',
    },
    capturesLater: additionalData?.manualCapture === 'true' || (request.captureDelayHours ?? 0) > 0,
    createdMs: book.clock.now(),
    outcome,
    state: STATES[outcome.resultCode],
    modifications: [],
    chargebacks: [],
    events: [],
  }
  if (payment.state === 'authorised') captureAtOnce(book, payment)
  return payment
}

/** Without a capture of the shop's own the whole is taken, and no notice tells it. */
export function captureAtOnce(book: Book, payment: Payment): void {
  if (payment.capturesLater) return
  const capture: Modification = {
    pspReference: newPspReference(book),
    kind: 'capture',
    reference: undefined,
    amountMinor: payment.amountMinor,
    requestedMs: book.clock.now(),
    toldBy: 'CAPTURE',
    state: 'done',
  }
  payment.modifications.push(capture)
}

function checkCard(card: PaymentRequest['paymentMethod'], nowMs: number): void {
  const { number, cvc, expiryMonth, expiryYear } = card
  const brand = brandOf(number)
  if (!isCardNumber(number, brand)) throw new ServiceError('number')
  const isCvc = cvc === undefined || (/^\d+$/.test(cvc) && cvc.length === brand?.cvvSize)
  if (!isCvc) throw new ServiceError('cvc')
  if (!isExpiryAhead(expiryMonth.padStart(2, '0'), expiryYear, nowMs))
    throw new ServiceError('expiry')
}

/** The document's `PaymentResponse`. */
export function renderPayment(account: AdyenAccount, payment: Payment) {
  const { outcome } = payment
  const isRefused = 'refusal' in outcome
  return {
    pspReference: payment.pspReference,
    resultCode: outcome.resultCode,
    merchantReference: payment.reference,
    amount: { currency: payment.currency, value: payment.amountMinor },
    paymentMethod: { type: 'scheme', brand: paymentMethodOf(payment) },
    ...(isRefused && {
      refusalReason: outcome.refusal.reason,
      refusalReasonCode: outcome.refusal.code,
    }),
    additionalData: { ...cardData(account, payment), ...(isRefused ? {} : approvalData(payment)) },
  }
}

function cardData(
  account: AdyenAccount,
  { card, outcome, ...payment }: Payment,
): Record<string, string> {
  const raw = 'refusal' in outcome ? outcome.refusal.raw : 'AUTHORISED'
  const { recurringProcessingModel } = payment.storedCredential
  return {
    cardBin: card.firstSix,
    cardSummary: card.lastFour,
    expiryDate: card.expiry.replace(/^0/, ''),
    ...(account.showsRawRefusals && raw !== '' && { refusalReasonRaw: raw }),
    ...(recurringProcessingModel !== undefined && { recurringProcessingModel }),
  }
}

function approvalData({ threeDSecure, ...payment }: Payment): Record<string, string> {
  if (payment.outcome.resultCode !== 'Authorised') return {}
  return {
    authCode: payment.authCode,
    networkTxReference: payment.networkTxReference,
    ...(threeDSecure !== undefined && {
      liabilityShift: String(threeDSecure.shifts),
      ...(threeDSecure.eci !== undefined && { eci: threeDSecure.eci }),
    }),
  }
}
