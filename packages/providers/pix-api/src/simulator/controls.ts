// Actions of people on the bank's page and of tests: payments, ends of refunds, removals by the
// bank.
import type { MinorUnits } from '@cofre/contracts'
import {
  type Book,
  type Charge,
  type Payment,
  type Refund,
  type RefundNature,
  receiverOf,
} from './book.js'
import { addRevision, isDated, lastOf, revise } from './charges.js'
import { dayAfter, dayAt, lastDayOf, owedOn, totalOf } from './wire/dated-terms.js'
import type { Notices } from './notices.js'
import { bookRefund, findRefund, newPayment, returnableOf } from './payments.js'
import { amountOf } from './wire/wire.js'

interface ControlsDeps {
  readonly book: Book
  readonly notices: Notices
}

interface Received {
  readonly pixKey: string
  readonly amountMinor: MinorUnits
  readonly txid?: string
}

interface BankRefund {
  readonly amountMinor: MinorUnits
  readonly nature: Exclude<RefundNature, 'ORIGINAL'>
}

/** Each throws a RangeError if it is refused: the caller is a person's page or a test. */
export interface Controls {
  chargeOf(txid: string): Charge
  /** The charge of a Pix code. */
  chargeOfCode(code: string): Charge
  paymentOf(endToEndId: string): Payment
  /**
   * Pays a charge: the owed or another amount, in time or late, for the first time or again. A
   * removed charge, or one after its last day, can't be paid.
   */
  pay(txid: string, amountMinor?: MinorUnits): Payment
  /** Pays the amount owed this many days after the due date. */
  payLate(txid: string, days: number): Payment
  /** Money to a Pix key without a charge of this receiver. */
  receive(received: Received): Payment
  /** The bank removes an open charge. */
  removeCharge(txid: string): void
  /** Ends a refund in process. */
  endRefund(endToEndId: string, id: string, end: 'DEVOLVIDO' | 'NAO_REALIZADO'): void
  /** The bank refunds without a request of the receiver (MED). */
  refundAtBank(endToEndId: string, refund: BankRefund): Refund
  /** Sends one notice with these payments in order, whatever the conditions. */
  notify(endToEndIds: readonly string[]): void
}

export function createControls({ book, notices }: ControlsDeps): Controls {
  const chargeOf = (wanted: string) => findCharge(book, ({ txid }) => txid === wanted)
  const paymentOf = (endToEndId: string): Payment => {
    const payment = book.payments.get(endToEndId)
    if (payment === undefined) throw new RangeError(`no payment has the id ${endToEndId}`)
    return payment
  }
  return {
    chargeOf,
    paymentOf,

    chargeOfCode: (code) => findCharge(book, ({ location }) => code.includes(location.address)),

    pay(txid, amountMinor) {
      const payment = payCharge(book, chargeOf(txid), { amountMinor, day: dayAt(book.clock.now()) })
      notices.announce(payment)
      return payment
    },

    payLate(txid, days) {
      const charge = chargeOf(txid)
      const { terms } = lastOf(charge)
      if (!isDated(terms)) throw new RangeError(`charge ${txid} has no due date`)
      const day = dayAfter(terms.calendario.dataDeVencimento, days)
      const payment = payCharge(book, charge, { amountMinor: undefined, day })
      notices.announce(payment)
      return payment
    },

    receive({ pixKey, amountMinor, txid }) {
      const account = book.accounts.find(({ pixKeys }) => pixKeys.includes(pixKey))
      if (account === undefined) throw new RangeError(`no account has the Pix key ${pixKey}`)
      const receiver = receiverOf(account)
      const payment = newPayment(book, { receiver, pixKey, txid, amountMinor })
      book.save({ payment })
      notices.announce(payment)
      return payment
    },

    removeCharge(txid) {
      const charge = chargeOf(txid)
      const { terms, status } = lastOf(charge)
      if (status !== 'ATIVA') throw new RangeError(`charge ${txid} is not open`)
      revise(book, charge, { terms, status: 'REMOVIDA_PELO_PSP' })
    },

    ...refundControls(book, notices, paymentOf),

    notify(endToEndIds) {
      notices.send(endToEndIds.map(paymentOf))
    },
  }
}

function refundControls(
  book: Book,
  notices: Notices,
  paymentOf: Controls['paymentOf'],
): Pick<Controls, 'endRefund' | 'refundAtBank'> {
  return {
    endRefund(endToEndId, id, end) {
      const payment = paymentOf(endToEndId)
      const refund = findRefund(payment, id)
      if (refund.status !== 'EM_PROCESSAMENTO') throw new RangeError(`refund ${id} has ended`)
      refund.status = end
      if (end === 'DEVOLVIDO') refund.settledMs = book.clock.now()
      else refund.reason = 'A conta do pagador não pode receber.'
      book.save({ payment })
      notices.announce(payment)
    },

    refundAtBank(endToEndId, { amountMinor, nature }) {
      const payment = paymentOf(endToEndId)
      const refund = reclaimPayment(book, payment, { amountMinor, nature })
      notices.announce(payment)
      return refund
    },
  }
}

function findCharge({ charges }: Book, isMeant: (charge: Charge) => boolean): Charge {
  for (const charge of charges.values()) if (isMeant(charge)) return charge
  throw new RangeError('there is no such charge')
}

interface Paid {
  /** Undefined: the owed amount. */
  readonly amountMinor: MinorUnits | undefined
  readonly day: string
}

function payCharge(book: Book, charge: Charge, { amountMinor, day }: Paid): Payment {
  const { receiver, txid } = charge
  const { terms, status } = lastOf(charge)
  if (status !== 'ATIVA' && status !== 'CONCLUIDA')
    throw new RangeError(`charge ${txid} was removed`)
  if (isDated(terms) && day > lastDayOf(terms))
    throw new RangeError(`the last day of charge ${txid} is over`)
  const components = isDated(terms) && amountMinor === undefined ? owedOn(day, terms) : undefined
  const owed = components === undefined ? amountOf(terms.valor.original) : totalOf(components)
  const payment = newPayment(book, {
    receiver,
    pixKey: terms.chave,
    txid,
    amountMinor: amountMinor ?? owed,
    components,
  })
  charge.payments.push(payment)
  if (status === 'ATIVA') addRevision(charge, { terms, status: 'CONCLUIDA' })
  book.save({ charge, payment })
  return payment
}

function reclaimPayment(book: Book, payment: Payment, { amountMinor, nature }: BankRefund): Refund {
  if (amountMinor > returnableOf(payment)) throw new RangeError('more than was paid')
  const id = `med${payment.refunds.length + 1}`
  return bookRefund(book, payment, { id, amountMinor, nature, status: 'DEVOLVIDO' })
}
