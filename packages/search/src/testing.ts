// A store's search in memory, and the rules that a fake must follow: only for tests.
import { DAY_MS, holdsCardNumber, minorUnits } from '@cofre/contracts'
import type { BankChargeDetails, Refund, Transaction } from '@cofre/gateway/room'
import { NOW_MS, STORE_ID, someOf } from '@cofre/panel/testing'
import {
  type ListedPayment,
  PAYMENTS_A_PAGE,
  type PaymentFinder,
  type PaymentPage,
  type PaymentQuery,
} from './model/payment-query.js'
import {
  type CountedFigure,
  type Figures,
  type FiguresPeriod,
  storeFigures,
} from './model/store-figures.js'

/** A payment, as far as lists show it. */
interface HeldPayment {
  readonly transaction: Transaction
  readonly refunds: readonly Refund[]
  readonly bankCharge?: BankChargeDetails | undefined
}

/** The payments and figures of a store's search; a test may change them. */
export interface HeldPayments {
  readonly transactions: readonly HeldPayment[]
  readonly figures: CountedFigure[]
  /** The contributions of example payments to the figures. */
  readonly exampleFigures: CountedFigure[]
  examples: 'making' | 'made' | undefined
  /** The fields of a result besides its items. */
  search: Partial<PaymentPage>
  indexAgeMs: number
  /** If set, every search throws it. */
  failure: Error | undefined
}

export function nothingFound(): Omit<HeldPayments, 'transactions' | 'failure'> {
  return { figures: [], exampleFigures: [], examples: undefined, search: {}, indexAgeMs: 0 }
}

export function fakeFigures(held: HeldPayments): Figures {
  const today = Math.floor(NOW_MS / DAY_MS)
  const of = (storeId: string, period: FiguresPeriod, leftOut?: 'examples') =>
    storeFigures(
      period,
      [...held.figures, ...(leftOut === undefined ? held.exampleFigures : [])].filter(
        ({ day }) => storeId === STORE_ID && day >= period.fromDay && day < period.untilDay,
      ),
    )
  return {
    today: () => today,
    examplesOf: () => Promise.resolve(held.examples),
    read(storeId, { fromDay, untilDay }, leftOut) {
      const before = { fromDay: 2 * fromDay - untilDay, untilDay: fromDay }
      return Promise.resolve({
        now: of(storeId, { fromDay, untilDay }, leftOut),
        before: of(storeId, before, leftOut),
      })
    },
  }
}

export function fakeFinder(held: HeldPayments): PaymentFinder {
  const matching = (storeId: string, query: PaymentQuery): ListedPayment[] => {
    const { status, method, fromMs = 0, untilMs = Infinity, text = '' } = query
    const { amountMinor, document, email, reference } = query
    const own = storeId === STORE_ID ? held.transactions : []
    return own.map(listed).filter(({ transaction: one }) => {
      const isInTime = one.createdAtMs >= fromMs && one.createdAtMs < untilMs
      const isOfKind =
        (status === undefined || one.status === status) &&
        (method === undefined || one.paymentType === method)
      const isNamed =
        (reference === undefined || one.reference === reference) &&
        (amountMinor === undefined || one.amountMinor === amountMinor) &&
        (document === undefined || isSameDocument(one.payerDocument, document)) &&
        (email === undefined || one.payerEmail.toLowerCase() === email.toLowerCase())
      const words = `${one.reference} ${one.payerEmail} ${one.code}`
      return isInTime && isOfKind && isNamed && words.includes(text)
    })
  }
  return {
    async find(storeId, query) {
      if (held.failure !== undefined) throw held.failure
      const isCardNumber = holdsCardNumber(query.text ?? '')
      const all = isCardNumber ? [] : matching(storeId, query)
      const { after, limit = PAYMENTS_A_PAGE } = query
      const page = { ...someOf(all, { after, limit }), isCutShort: false, isCardNumber }
      return Promise.resolve({ ...page, ...held.search })
    },
    async *all(storeId, query) {
      yield* await Promise.resolve(matching(storeId, query))
    },
    findOfPayer(storeId, { document, proof }) {
      const own = matching(storeId, {}).filter(({ transaction }) =>
        isSameDocument(transaction.payerDocument, document),
      )
      const isProven = own.some(({ transaction: { code, payerEmail, reference } }) =>
        [String(code), payerEmail, reference].includes(proof),
      )
      return Promise.resolve(isProven ? own : undefined)
    },
    choices: () => Promise.resolve({ brands: ['visa'], accounts: ['efi-test'] }),
    indexAgeMs: () => Promise.resolve(held.indexAgeMs),
  }
}

const isSameDocument = (one: string, other: string): boolean =>
  one.replaceAll(/\W/g, '') === other.replaceAll(/\W/g, '')

function listed({ transaction, refunds, bankCharge }: HeldPayment): ListedPayment {
  return {
    transaction,
    payerName: 'Maria de Souza',
    account: bankCharge?.accountId,
    refunds,
    refundedMinor: minorUnits(0),
    hasSurplus: bankCharge?.payments.some(({ purpose }) => purpose !== 'order') === true,
  }
}
