// What people on the page and tests do: open sales end, refunds are refused afterwards, cardholders
// dispute.
import type { Notice, NoticeLine } from '../card-acquirer/notice-line.js'
import { type Book, type Decision, type Sale, STATUS, statusOf } from './book.js'
import { captureWhereAsked } from './sales.js'

/** What a notice says of its payment: Cielo's ChangeType. */
export const CHANGE = { status: 1, refundRefused: 5, chargeback: 7, fraudAlert: 8 } as const
type Change = (typeof CHANGE)[keyof typeof CHANGE]

/** What is refused throws a RangeError: the caller is a person's page or a test. */
export interface Controls {
  saleOf(paymentId: string): Sale
  /** What the next authorization becomes, whatever its card is; several wait in a row. */
  decideNext(decision: Decision): void
  /** For the API: the decision that waits for this authorization. */
  takeDecision(): Decision | undefined
  /** Ends a sale that is not finished or pending. */
  endSale(paymentId: string, end: 'authorized' | 'denied'): void
  /** Refuses the last void, after it was answered with success. */
  refuseVoid(paymentId: string): void
  /** A cardholder disputes the whole, or a part. */
  chargeBack(paymentId: string, amountMinor?: number): void
  reverseChargeback(paymentId: string): void
  alertOfFraud(paymentId: string): void
  setNoticeUrl(merchantId: string, url: string | undefined): void
  /** Announces that the sale's status has changed. */
  tellStatus(sale: Sale): void
  /** Sends one notice, whatever the conditions are. */
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
  const announce = (sale: Sale, change: Change) => {
    notices.announce(noticeOf(sale, change))
  }
  return {
    saleOf,
    decideNext(decision) {
      decisions.push(decision)
    },
    takeDecision: () => decisions.shift(),
    endSale(paymentId, end) {
      const sale = saleOf(paymentId)
      endSale(book, sale, end)
      announce(sale, CHANGE.status)
    },
    refuseVoid(paymentId) {
      const sale = saleOf(paymentId)
      const last = sale.voids.findLast(({ state }) => state === 'done')
      if (last === undefined) throw new RangeError('there is no refund that could be refused')
      last.state = 'refused'
      announce(sale, CHANGE.refundRefused)
    },
    chargeBack(paymentId, amountMinor) {
      const sale = saleOf(paymentId)
      dispute(book, sale, amountMinor)
      announce(sale, CHANGE.chargeback)
    },
    reverseChargeback(paymentId) {
      const sale = saleOf(paymentId)
      const chargeback = sale.chargebacks.find(({ state }) => state === 'Received')
      if (chargeback === undefined) throw new RangeError('there is no chargeback to reverse')
      chargeback.state = 'Reversed'
      announce(sale, CHANGE.chargeback)
    },
    alertOfFraud(paymentId) {
      const sale = saleOf(paymentId)
      sale.fraudAlertMs = book.clock.now()
      announce(sale, CHANGE.fraudAlert)
    },
    setNoticeUrl(merchantId, url) {
      const account = book.accounts.find((other) => other.merchantId === merchantId)
      if (account === undefined) throw new RangeError(`no account is called ${merchantId}`)
      account.noticeUrl = url
    },
    tellStatus(sale) {
      announce(sale, CHANGE.status)
    },
    notify(paymentId, change = CHANGE.status) {
      notices.send(noticeOf(saleOf(paymentId), change))
    },
  }
}

/** What Cielo cancels by itself was authorized for a moment only. */
function endSale(book: Book, sale: Sale, end: 'authorized' | 'denied'): void {
  const { decision, account, amountMinor } = sale
  if (decision.end !== 'unfinished' && decision.end !== 'pending')
    throw new RangeError('the sale is not open')
  const isCancelled = decision.end === 'unfinished' && account.cancelsUnfinished
  sale.decision = end === 'authorized' ? { end, ...APPROVAL } : { end, ...DENIAL }
  if (end === 'denied') return
  if (isCancelled) sale.voids.push({ amountMinor, voidedMs: book.clock.now(), state: 'done' })
  else captureWhereAsked(book, sale)
}

function dispute({ clock }: Book, sale: Sale, amountMinor = sale.amountMinor): void {
  if (statusOf(sale) !== STATUS.confirmed) throw new RangeError('there is nothing to dispute')
  sale.chargebacks.push({
    amountMinor,
    caseNumber: String(sale.chargebacks.length + 1).padStart(6, '0'),
    openedMs: clock.now(),
    state: 'Received',
  })
}

function findSale({ sales }: Book, paymentId: string): Sale {
  const sale = sales.get(paymentId)
  if (sale === undefined) throw new RangeError(`no sale has the id ${paymentId}`)
  return sale
}

function noticeOf({ account, paymentId, merchantOrderId }: Sale, ChangeType: Change): Notice {
  return {
    url: account.noticeUrl,
    event: `ChangeType ${ChangeType}`,
    reference: merchantOrderId,
    body: { PaymentId: paymentId, ChangeType },
  }
}
