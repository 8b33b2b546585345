// Actions of people on the page and of tests: they end open sales, refuse refunds afterwards, and
// dispute.
import type { Notice, NoticeLine } from '@cofre/provider-kit/simulator'
import {
  type Book,
  type CieloAccount,
  type Decision,
  type Sale,
  STATUS,
  statusOf,
  voidableOf,
} from './book.js'
import { captureIfRequested, expireIfDue } from './sales.js'

/** The subject of a notice: Cielo's ChangeType. */
export const CHANGE = { status: 1, refundRefused: 5, chargeback: 7, fraudAlert: 8 } as const
type Change = (typeof CHANGE)[keyof typeof CHANGE]

/** Each throws a RangeError if it is refused: the caller is a person's page or a test. */
export interface Controls {
  saleOf(paymentId: string): Sale
  /** Sets the outcome of the next authorization, whatever its card; several form a queue. */
  decideNext(decision: Decision): void
  /** For the API: takes the next outcome from the queue. */
  consumeDecision(): Decision | undefined
  /** Ends an unfinished or pending sale. */
  endSale(paymentId: string, end: 'authorized' | 'denied'): void
  /** Lets an authorization expire, before its time is over. */
  expire(paymentId: string): void
  /** Refuses the last void after its success was reported. */
  refuseVoid(paymentId: string): void
  /** Refunds on Cielo's site, also on the same day. */
  refundAtAcquirer(paymentId: string, amountMinor: number): void
  /** A cardholder disputes the whole sale, or a part. */
  chargeBack(paymentId: string, amountMinor?: number): void
  reverseChargeback(paymentId: string): void
  alertOfFraud(paymentId: string): void
  setNoticeUrl(merchantId: string, url: string | undefined): void
  /** Notifies the shop that the sale's status has changed. */
  notifyStatus(sale: Sale): void
  /** Sends one notice, whatever the conditions. */
  notify(paymentId: string, change?: Change): void
}

interface ControlsDeps {
  readonly book: Book
  readonly notices: NoticeLine
}

const APPROVAL = { returnCode: '4', returnMessage: 'Operation Successful' } as const
const DENIAL = { returnCode: '05', returnMessage: 'Not Authorized' } as const

export function createControls({ book, notices }: ControlsDeps): Controls {
  const decisions: Decision[] = []
  const saleOf = (paymentId: string): Sale => findSale(book, paymentId)
  const recordAndNotify = (sale: Sale, change: Change) => {
    book.save(sale)
    notices.announce(noticeOf(book, sale, change))
  }
  return {
    saleOf,
    decideNext(decision) {
      decisions.push(decision)
    },
    consumeDecision: () => decisions.shift(),
    endSale(paymentId, end) {
      const sale = saleOf(paymentId)
      endSale(book, sale, end)
      recordAndNotify(sale, CHANGE.status)
    },
    expire(paymentId) {
      const sale = saleOf(paymentId)
      expire(book, sale)
      recordAndNotify(sale, CHANGE.status)
    },
    refuseVoid(paymentId) {
      const sale = saleOf(paymentId)
      refuseLastVoid(sale)
      recordAndNotify(sale, CHANGE.refundRefused)
    },
    refundAtAcquirer(paymentId, amountMinor) {
      const sale = saleOf(paymentId)
      returnAmount(book, sale, amountMinor)
      recordAndNotify(sale, CHANGE.status)
    },
    chargeBack(paymentId, amountMinor) {
      const sale = saleOf(paymentId)
      dispute(book, sale, amountMinor)
      recordAndNotify(sale, CHANGE.chargeback)
    },
    reverseChargeback(paymentId) {
      const sale = saleOf(paymentId)
      reverseDispute(sale)
      recordAndNotify(sale, CHANGE.chargeback)
    },
    alertOfFraud(paymentId) {
      const sale = saleOf(paymentId)
      sale.fraudAlertMs = book.clock.now()
      recordAndNotify(sale, CHANGE.fraudAlert)
    },
    setNoticeUrl(merchantId, url) {
      findAccount(book, merchantId).noticeUrl = url
    },
    notifyStatus(sale) {
      notices.announce(noticeOf(book, sale, CHANGE.status))
    },
    notify(paymentId, change = CHANGE.status) {
      notices.send(noticeOf(book, saleOf(paymentId), change))
    },
  }
}

/** A sale that Cielo cancels by itself was authorized only for a moment. */
function endSale(book: Book, sale: Sale, end: 'authorized' | 'denied'): void {
  const { decision, cancelsUnfinished, amountMinor } = sale
  if (decision.end !== 'unfinished' && decision.end !== 'pending')
    throw new RangeError('the sale is not open')
  const isCancelled = decision.end === 'unfinished' && cancelsUnfinished
  sale.decision = end === 'authorized' ? { end, ...APPROVAL } : { end, ...DENIAL }
  if (end === 'denied') return
  if (isCancelled) sale.voids.push({ amountMinor, voidedMs: book.clock.now(), state: 'done' })
  else captureIfRequested(book, sale)
}

function expire({ clock }: Book, sale: Sale): void {
  if (statusOf(sale) !== STATUS.authorized) throw new RangeError('there is no authorization')
  sale.expiredMs = clock.now()
}

function refuseLastVoid({ voids }: Sale): void {
  const last = voids.findLast(({ state }) => state === 'done')
  if (last === undefined) throw new RangeError('there is no refund that could be refused')
  last.state = 'refused'
}

function reverseDispute({ chargebacks }: Sale): void {
  const chargeback = chargebacks.find(({ state }) => state === 'Received')
  if (chargeback === undefined) throw new RangeError('there is no chargeback to reverse')
  chargeback.state = 'Reversed'
}

function returnAmount({ clock }: Book, sale: Sale, amountMinor: number): void {
  const isLeft = statusOf(sale) === STATUS.confirmed && amountMinor <= voidableOf(sale)
  if (!isLeft) throw new RangeError('more than is left')
  sale.voids.push({ amountMinor, voidedMs: clock.now(), state: 'done' })
}

function dispute({ clock }: Book, sale: Sale, amountMinor = sale.captured?.amountMinor): void {
  if (statusOf(sale) !== STATUS.confirmed || amountMinor === undefined)
    throw new RangeError('there is nothing to dispute')
  sale.chargebacks.push({
    amountMinor,
    caseNumber: String(sale.chargebacks.length + 1).padStart(6, '0'),
    openedMs: clock.now(),
    state: 'Received',
  })
}

function findSale(book: Book, paymentId: string): Sale {
  const sale = book.sales.get(paymentId)
  if (sale === undefined) throw new RangeError(`no sale has the id ${paymentId}`)
  return expireIfDue(book, sale)
}

function findAccount({ accounts }: Book, merchantId: string): CieloAccount {
  const account = accounts.find((other) => other.merchantId === merchantId)
  if (account === undefined) throw new RangeError(`no account is called ${merchantId}`)
  return account
}

function noticeOf({ accounts }: Book, sale: Sale, ChangeType: Change): Notice {
  const { paymentId, merchantOrderId } = sale
  const account = accounts.find(({ merchantId }) => merchantId === sale.merchantId)
  return {
    url: account?.noticeUrl,
    event: `ChangeType ${ChangeType}`,
    reference: merchantOrderId,
    body: { PaymentId: paymentId, ChangeType },
  }
}
