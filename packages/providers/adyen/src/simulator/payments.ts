import { brandOf, isCardNumber, isExpiryAhead } from '@cofre/contracts'
import {
  type LinkRule,
  isSameCard,
  linkFault,
  newLinkId,
  type ShownCard,
  showCard,
} from '@cofre/provider-kit/simulator'
import {
  type AdyenAccount,
  type Book,
  type Challenge,
  type Modification,
  type Payment,
  newDigits,
  newPspReference,
} from './book.js'
import { paymentMethodOf } from './notices.js'
import { CHALLENGED_CARD, outcomeOf, unlinked } from './outcomes.js'
import { ServiceError } from './service-error.js'
import { type PaymentRequest, readPayment } from './wire.js'

const AUTH_CODE_LENGTH = 6
const NETWORK_REFERENCE_LENGTH = 15
export const STATES = {
  Authorised: 'authorised',
  Received: 'pending',
  Refused: 'refused',
  Error: 'refused',
} as const satisfies Record<Payment['outcome']['resultCode'], Payment['state']>

/**
 * Creates the payment that a merchant requests.
 * @throws ServiceError if nothing is carried out
 */
export function authorise(
  book: Book,
  account: AdyenAccount,
  { body, links }: { readonly body: unknown; readonly links: LinkRule },
): Payment {
  const request = readPayment(body)
  if (request.merchantAccount !== account.merchantAccount)
    throw new ServiceError('merchant_account')
  checkCard(request.paymentMethod, book.clock.now())
  const { paymentMethod, mpiData, additionalData } = request
  const { number, expiryMonth, expiryYear, holderName: holder = '' } = paymentMethod
  const card = showCard({ number, expiry: `${expiryMonth}/${expiryYear}`, holder })
  const fault = links === 'strict' ? faultOfLinks(book, request, card) : undefined
  const outcome = fault === undefined ? outcomeOf(holder) : unlinked(fault)
  const isThere = request.shopperInteraction !== 'ContAuth'
  const isChallenged = number === CHALLENGED_CARD && isThere && mpiData === undefined
  const payment: Payment = {
    merchantAccount: account.merchantAccount,
    pspReference: newPspReference(book),
    reference: request.reference,
    amountMinor: request.amount.value,
    currency: request.amount.currency,
    installments: request.installments?.value ?? 1,
    card,
    statement: request.shopperStatement,
    storedCredential: {
      shopperInteraction: request.shopperInteraction,
      recurringProcessingModel: request.recurringProcessingModel,
      networkPaymentReference: paymentMethod.networkPaymentReference,
      transactionLinkId: additionalData?.transactionLinkId,
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
    challenge: isChallenged ? newChallenge(book, request) : undefined,
    state: isChallenged ? 'authenticating' : STATES[outcome.resultCode],
    modifications: [],
    chargebacks: [],
    events: [],
    transactionLinkId: newLinkId(book.randomBytes, card),
  }
  if (payment.state === 'authorised') captureAtOnce(book, payment)
  return payment
}

function faultOfLinks(
  { payments }: Book,
  { paymentMethod, additionalData, shopperInteraction }: PaymentRequest,
  card: ShownCard,
): string | undefined {
  if (shopperInteraction !== 'ContAuth') return undefined
  const given = [...payments.values()]
    .filter(({ state }) => state === 'authorised')
    .filter((other) => isSameCard(other.card, card))
    .map((other) => ({ networkId: other.networkTxReference, linkId: other.transactionLinkId }))
  const { networkPaymentReference: networkId } = paymentMethod
  return linkFault(card, { networkId, linkId: additionalData?.transactionLinkId }, given)
}

const ID_LENGTH = 18
const REDIRECT_RESULT_LENGTH = 48

function newChallenge(book: Book, { returnUrl }: PaymentRequest): Challenge {
  const [id, redirectResult] = [ID_LENGTH, REDIRECT_RESULT_LENGTH].map((length) =>
    Buffer.from(book.randomBytes(length)).toString('base64url'),
  )
  return { id: id ?? '', returnUrl, redirectResult: redirectResult ?? '' }
}

/**
 * Without a separate capture, the whole amount is captured, and no notice reports it. A check of a
 * card has nothing to capture.
 */
export function captureAtOnce(book: Book, payment: Payment): void {
  if (payment.capturesLater || payment.amountMinor === 0) return
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

/**
 * The documented `PaymentResponse`.
 * @param pageUrl - The address of the challenge pages.
 */
export function renderPayment(account: AdyenAccount, payment: Payment, pageUrl: string) {
  if (payment.state === 'authenticating') {
    const url = `${pageUrl}/challenges/${payment.challenge?.id ?? ''}`
    const action = { type: 'redirect', paymentMethodType: 'scheme', method: 'GET', url }
    return { resultCode: 'RedirectShopper', action }
  }
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
    ...(payment.transactionLinkId !== undefined && {
      transactionLinkId: payment.transactionLinkId,
    }),
    ...(threeDSecure !== undefined && {
      liabilityShift: String(threeDSecure.shifts),
      ...(threeDSecure.eci !== undefined && { eci: threeDSecure.eci }),
    }),
  }
}
