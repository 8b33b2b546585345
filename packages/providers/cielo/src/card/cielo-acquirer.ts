import {
  type Clock,
  SECOND_MS,
  type UnknownAnswer,
  decided,
  paymentReference,
} from '@cofre/contracts'
import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerPayment,
  type AuthorizeRequest,
  type ChargeDecision,
  type FindRequest,
  type FoundPayment,
  isNotDone,
  unknown,
  secretsOf,
  declineOf,
} from '@cofre/provider-kit/card'
import { absence, keepingAbsence } from './absence.js'
import type { CieloAccount } from './cielo-account.js'
import { type CieloCaller, readSale, readSales } from './cielo-calls.js'
import { captureSale } from './cielo-capture.js'
import { checkCard } from './cielo-check.js'
import { DUPLICATE_CODE, answerOfError, cieloDecline, declineOfError } from './cielo-refusal.js'
import { cancelSale, refundSale } from './cielo-return.js'
import {
  type Sale,
  capturedOf,
  changeSchema,
  cieloStatus,
  returnedOf,
  saleBody,
  saleSchema,
} from './cielo-wire.js'

/**
 * Cielo has no idempotency key. A request that may have been sent is looked up; it is repeated only
 * after two look-ups, a minute apart, found nothing.
 */
export function createCieloAcquirer({ account, call, clock, close }: CieloContext): Acquirer {
  return {
    authorize: (request) => authorize({ account, call, clock, time: startTime() }, request),
    capture: (request) => captureSale({ call, clock }, request),
    check: (request) => checkCard(call, request),
    cancel: (request) => cancelSale({ call, clock }, request),
    refund: (request) => refundSale({ call, clock }, request),
    find: (request) => find(call, request),
    close,
  }
}

export interface CieloContext {
  readonly account: Pick<CieloAccount, 'softDescriptor'>
  readonly call: CieloCaller
  readonly clock: Clock
  readonly close: () => Promise<void>
}

/** True if a call of that length still fits into the attempt. */
type Time = (callMs: number) => boolean

interface Attempt extends Omit<CieloContext, 'close'> {
  readonly time: Time
}

const ATTEMPT_MS = 15 * SECOND_MS
const SEND_MS = 12 * SECOND_MS

function startTime(): Time {
  const began = performance.now()
  return (callMs) => performance.now() - began + callMs <= ATTEMPT_MS
}

async function authorize(
  attempt: Attempt,
  request: AuthorizeRequest,
): Promise<AcquirerAnswer<ChargeDecision>> {
  const { earlier, key } = request
  if (earlier === undefined) return send(attempt, request)
  const sales = await readSales(attempt.call, paymentReference(key))
  if (sales.kind !== 'done') return keepingAbsence(sales, earlier)
  const found = foundAmong(sales.value, request)
  if (found !== undefined) return 'sale' in found ? resultOf(attempt, request, found) : found
  const waiting = absence(attempt.clock, earlier.absentSinceMs)
  if (waiting !== undefined) return waiting
  if (!attempt.time(SEND_MS)) return keepingAbsence(unknown('no time is left to send it'), earlier)
  const answer = await send(attempt, request)
  // A request that was absent twice may be repeated, but not at another account.
  return isNotDone(answer) ? keepingAbsence(answer, earlier) : answer
}

async function send(
  attempt: Attempt,
  request: AuthorizeRequest,
): Promise<AcquirerAnswer<ChargeDecision>> {
  const secrets = secretsOf(request)
  const sent = await attempt.call({
    operation: 'sale.create',
    method: 'POST',
    path: '/1/sales',
    body: saleBody(request, attempt.account),
    answer: saleSchema,
    secrets,
  })
  switch (sent.kind) {
    case 'done':
      return isAbout(sent.value, request)
        ? resultOf(attempt, request, { sale: sent.value, surplus: [] })
        : unknown('the answer is about another payment')
    case 'absent':
      return unknown('the server does not know the address of sales')
    case 'refused': {
      if (sent.code === DUPLICATE_CODE) return unknown(sent.detail)
      const decline = declineOfError(sent)
      return decline === undefined
        ? answerOfError(sent)
        : decided({ outcome: 'declined', decline, payment: undefined })
    }
    case 'not-sent':
    case 'unknown':
      return sent
  }
}

function isAbout(
  { merchantorderid, payment }: Sale,
  { key, amountMinor }: Pick<AuthorizeRequest, 'key' | 'amountMinor'>,
): boolean {
  return merchantorderid === paymentReference(key) && payment.amount === amountMinor
}

/** Status decides, never ReturnCode. */
async function resultOf(
  attempt: Attempt,
  { brand, isCapturedLater }: AuthorizeRequest,
  { sale, surplus }: Found,
): Promise<AcquirerAnswer<ChargeDecision>> {
  const payment = paymentOf(sale)
  switch (cieloStatus(sale.payment.status)) {
    case 'confirmed':
      return decided({ outcome: 'approved', payment, surplus })
    case 'authorized':
      return isCapturedLater === true
        ? decided({ outcome: 'approved', payment, surplus })
        : capture(attempt, { sale, surplus })
    case 'denied':
      return decided({ outcome: 'declined', decline: cieloDecline(sale.payment, brand), payment })
    case 'returned':
      // Undone by Cielo's own guarantee, or by our cancel.
      return decided({ outcome: 'declined', decline: declineOf(UNDONE), payment })
    case 'pending':
      return decided({ outcome: 'pending', payment })
    case 'not_finished':
      return { ...unknown('not finished at Cielo'), payment }
  }
}

const UNDONE = { reason: 'system_failure', mayRetry: true, code: undefined } as const

/** Captured with the authorization, unless the capture failed. */
async function capture(
  { call, time }: Attempt,
  { sale, surplus }: Found,
): Promise<AcquirerAnswer<ChargeDecision>> {
  const payment = paymentOf(sale)
  if (!time(SEND_MS)) return { ...unknown('authorized and still to be captured'), payment }
  const captured = await call({
    operation: 'sale.capture',
    method: 'PUT',
    path: `/1/sales/${payment.paymentId}/capture?amount=${sale.payment.amount}`,
    answer: changeSchema,
  })
  return captured.kind === 'done' && cieloStatus(captured.value.status) === 'confirmed'
    ? decided({ outcome: 'approved', payment, surplus })
    : { ...unknown('authorized and not captured'), payment }
}

const CHARGED: readonly string[] = ['authorized', 'confirmed']
/** The order of precedence if several attempts arrived and none charged the card. */
const ORDER: readonly string[] = ['not_finished', 'pending', 'denied', 'returned']

interface Found {
  /** The sale that counts. */
  readonly sale: Sale
  /** Further sales that charged the card. */
  readonly surplus: readonly string[]
}

/** Undefined if nothing was found; unknown if another payment has this name. */
function foundAmong(
  sales: readonly Sale[],
  request: Pick<AuthorizeRequest, 'key' | 'amountMinor'>,
): Found | UnknownAnswer | undefined {
  if (sales.some((sale) => !isAbout(sale, request))) return unknown('another payment has this name')
  const rank = ({ payment }: Sale): number => ORDER.indexOf(cieloStatus(payment.status))
  const [open] = sales.toSorted((one, other) => rank(one) - rank(other))
  const charged = sales.filter(({ payment }) => CHARGED.includes(cieloStatus(payment.status)))
  const [sale = open, ...others] = charged
  if (sale === undefined) return undefined
  return { sale, surplus: others.map(({ payment }) => payment.paymentid) }
}

async function find(
  call: CieloCaller,
  request: FindRequest,
): Promise<AcquirerAnswer<FoundPayment>> {
  const { key, paymentId, brand, urgency } = request
  const sales =
    paymentId === undefined
      ? await readSales(call, paymentReference(key), urgency)
      : await readSale(call, paymentId, urgency)
  if (sales.kind !== 'done') return sales
  const found = foundAmong(sales.value, request)
  if (found === undefined) return { kind: 'absent' }
  return 'sale' in found ? decided(renderFound(found, brand)) : found
}

const STATES = {
  not_finished: 'pending',
  authorized: 'authorized',
  confirmed: 'approved',
  denied: 'declined',
  returned: 'returned',
  pending: 'pending',
} as const

function renderFound({ sale, surplus }: Found, brand: string): FoundPayment {
  const { chargebacks = [], status } = sale.payment
  const state = STATES[cieloStatus(status)]
  return {
    state,
    payment: paymentOf(sale),
    decline: state === 'declined' ? cieloDecline(sale.payment, brand) : undefined,
    returnedMinor: returnedOf(sale),
    // Without a statement, a part could be taken for all of it.
    capturedMinor: state === 'approved' ? sale.payment.capturedamount : capturedOf(sale),
    surplus,
    disputes: chargebacks.flatMap((one) =>
      one.casenumber === undefined
        ? []
        : {
            disputeId: one.casenumber,
            amountMinor: one.amount,
            reason: one.reasonmessage,
            status: one.status,
            isReversed: one.status?.toLowerCase() === 'reversed',
          },
    ),
  }
}

function paymentOf({ payment }: Sale): AcquirerPayment {
  return {
    paymentId: payment.paymentid,
    nsu: payment.proofofsale,
    authorizationCode: payment.authorizationcode,
    eci: payment.eci,
    networkTransactionId: payment.issuertransactionid,
    transactionLinkId: payment.transactionlinkid,
  }
}
