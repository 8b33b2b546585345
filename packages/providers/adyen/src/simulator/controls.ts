// Actions of people on the page and of tests.
import type { Secret } from '@cofre/contracts'
import {
  type AdyenAccount,
  type AdyenEvent,
  type Modification,
  type Payment,
  capturedOf,
} from './book.js'
import {
  type Ledger,
  chargeBack,
  endModification,
  endPayment,
  expire,
  failCapture,
  saveAndNotify,
  refundAtAcquirer,
  reverseChargeback,
  undoRefund,
} from './events.js'
import { noticeOf } from './notices.js'

/** Each throws a RangeError if it is refused: the caller is a person's page or a test. */
export interface Controls {
  paymentOf(pspReference: string): Payment
  /** All events of a payment, including those not delivered. */
  eventsOf(pspReference: string): readonly AdyenEvent[]
  /** Sends these in order, newly signed, whatever the conditions. */
  send(events: readonly AdyenEvent[]): void
  /** Ends a pending payment. */
  endPayment(pspReference: string, end: 'authorised' | 'refused'): void
  /** Releases an authorization that was not captured in time. */
  expire(pspReference: string): void
  /** The card scheme rejects a capture that was accepted. */
  failCapture(pspReference: string): void
  /** Ends a refund that waits for a person. */
  endRefund(refund: string, end: 'done' | 'refused'): void
  /** Fails a settled refund, or returns its money. */
  undoRefund(refund: string, end: 'failed' | 'reversed'): void
  /** Refunds in Adyen's own pages, without a request of the shop. */
  refundAtAcquirer(pspReference: string, amountMinor: number): void
  /** A cardholder disputes all that was captured, or a part. */
  chargeBack(pspReference: string, amountMinor?: number): void
  reverseChargeback(pspReference: string): void
  setNoticeUrl(merchantAccount: string, url: string | undefined): void
  /** Signs further notices with this key. */
  signWith(merchantAccount: string, hmacKey: Secret<string>): void
}

export function createControls(ledger: Ledger): Controls {
  const paymentOf = (pspReference: string) => findPayment(ledger, pspReference)
  const change = (pspReference: string, work: (payment: Payment) => void) => {
    changeAndSave(ledger, paymentOf(pspReference), work)
  }
  const acting = (act: (ledger: Ledger, payment: Payment) => void) => (pspReference: string) => {
    change(pspReference, (payment) => {
      act(ledger, payment)
    })
  }
  return {
    paymentOf,
    eventsOf: (pspReference) => paymentOf(pspReference).events,
    send(events) {
      for (const event of events)
        ledger.notices.send(noticeOf(accountOf(ledger, event.merchantAccount), event))
    },
    endPayment(pspReference, end) {
      change(pspReference, (payment) => {
        endPayment(ledger, payment, end)
      })
    },
    expire: acting(expire),
    failCapture: acting(failCapture),
    endRefund(id, end) {
      const { payment, refund } = findRefund(ledger, id)
      changeAndSave(ledger, payment, () => {
        if (refund.state !== 'received') throw new RangeError(`refund ${id} has ended`)
        const refusal = end === 'refused' ? 'Refund refused' : undefined
        endModification(ledger, payment, { modification: refund, refusal })
      })
    },
    undoRefund(id, end) {
      const { payment, refund } = findRefund(ledger, id)
      changeAndSave(ledger, payment, () => {
        undoRefund(ledger, payment, { refund, end })
      })
    },
    refundAtAcquirer(pspReference, amountMinor) {
      change(pspReference, (payment) => {
        refundAtAcquirer(ledger, payment, amountMinor)
      })
    },
    chargeBack(pspReference, amountMinor) {
      change(pspReference, (payment) => {
        chargeBack(ledger, payment, amountMinor ?? capturedOf(payment))
      })
    },
    reverseChargeback: acting(reverseChargeback),
    setNoticeUrl(merchantAccount, url) {
      accountOf(ledger, merchantAccount).noticeUrl = url
    },
    signWith(merchantAccount, hmacKey) {
      accountOf(ledger, merchantAccount).hmacKey = hmacKey
    },
  }
}

function changeAndSave(ledger: Ledger, payment: Payment, work: (payment: Payment) => void): void {
  work(payment)
  saveAndNotify(ledger, { payment })
}

function findPayment({ book }: Ledger, pspReference: string): Payment {
  const payment = book.payments.get(pspReference)
  if (payment === undefined) throw new RangeError(`no payment has the reference ${pspReference}`)
  return payment
}

function findRefund({ book }: Ledger, id: string): { payment: Payment; refund: Modification } {
  for (const payment of book.payments.values())
    for (const refund of payment.modifications)
      if (refund.kind === 'refund' && refund.pspReference === id) return { payment, refund }
  throw new RangeError(`no refund has the reference ${id}`)
}

function accountOf({ book }: Ledger, merchantAccount: string): AdyenAccount {
  const account = book.accounts.find((other) => other.merchantAccount === merchantAccount)
  if (account === undefined) throw new RangeError(`no account is called ${merchantAccount}`)
  return account
}
