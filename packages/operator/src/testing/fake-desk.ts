// The desk of a store in memory: only for tests.
import { mayBecome } from '@cofre/contracts'
import { type Merchant, type Milestones, type ShownKeys, isAuthorized } from '@cofre/gateway/room'
import { differences, withInterest } from '@cofre/gateway/testing'
import { NOW_MS, STORE_ID, fakeStores, someOf } from '@cofre/panel/testing'
import type { BackOffice } from '../back-office.js'
import type { ShownLink } from '../console/payment/parts.js'
import { readFieldOrigin, withOrigin, withoutOrigin } from '../model/field-origins.js'
import type {
  CancelResult,
  EndedResult,
  PaymentActs,
  PossibleActs,
  RefundResult,
} from '../model/payment-acts.js'
import type { TransactionDetails } from '../model/payment-file.js'
import type { WaitingCapture, WaitingCaptures } from '../model/waiting-captures.js'
import { interestMark, limitsOf, shopChange } from '../model/shop-settings.js'
import type { SettingAuthor, SettingsResult } from '../model/store-settings.js'

/** A store's data at the desk; a test may change it. */
export interface FakeDeskData extends FakePaymentFiles {
  readonly milestones: Partial<Milestones>
  /** `changeStatus 1001 COMPLETE`, one line a write. */
  readonly writes: string[]
  store: Merchant
  /** If set, every read of transactions and of the store throws it. */
  failure: Error | undefined
}

/** The desk's data on payments. */
interface FakePaymentFiles {
  readonly transactions: TransactionDetails[]
  /** By the codes of their payments. */
  readonly links: Map<string, ShownLink>
  /** The possible actions on each payment, overridden by a test. */
  possible: Partial<PossibleActs>
  /** The results of the staff's actions: `begun` and `cancelled`, unless a test sets others. */
  refundResult: RefundResult
  cancelResult: CancelResult
  /** The result of captures and voids; by default they are done. */
  endedResult: EndedResult | undefined
  /** The order of each authorized payment. */
  ordered: WaitingCapture['ordered']
}

export function noPayments(): FakePaymentFiles {
  return {
    transactions: [],
    links: new Map(),
    possible: {},
    refundResult: 'begun',
    cancelResult: 'cancelled',
    endedResult: undefined,
    ordered: undefined,
  }
}

const SETTING_POLICY = {
  environment: 'production',
  acceptsNotificationUrl: (url: string) => !url.startsWith('http://localhost'),
} as const

/** Its first key, and one that has ended. */
const SHOWN_KEYS: ShownKeys = {
  keys: [
    {
      id: 'first',
      name: '',
      scopes: ['pay', 'refund', 'read', 'configure'],
      createdAtMs: NOW_MS,
      usedAtMs: NOW_MS,
    },
    { id: 'k-0a1b2c3d', name: 'ERP', scopes: ['read'], createdAtMs: NOW_MS, endsAtMs: NOW_MS },
  ],
}

export function fakeBackOffice(held: FakeDeskData): BackOffice {
  const ofStore = <Item>(storeId: string, items: readonly Item[]) =>
    storeId === STORE_ID ? items : []
  const fail = (): Promise<void> =>
    held.failure === undefined ? Promise.resolve() : Promise.reject(held.failure)
  const find = (storeId: string, code: string) =>
    ofStore(storeId, held.transactions).find(({ transaction }) => String(transaction.code) === code)
  const replace = (old: TransactionDetails, next: Partial<TransactionDetails>): void => {
    held.transactions[held.transactions.indexOf(old)] = { ...old, ...next }
  }
  const decide = async <Refusal>(
    { actor, isStillAllowed: mayStill }: SettingAuthor,
    decision: (before: Merchant) => Partial<Merchant> | { readonly refused: Refusal },
  ): Promise<SettingsResult<Refusal>> => {
    if (!(await mayStill())) return { refused: 'not-allowed' }
    const change = decision(held.store)
    if ('refused' in change) return change
    const after = { ...held.store, ...change }
    const changed = differences(held.store, after)
    if (Object.keys(changed).length > 0)
      held.writes.push(`change ${JSON.stringify(change)} by ${actor}`)
    held.store = after
    return { changed }
  }
  return {
    ...fakeStores(held),
    keysOf: () => Promise.resolve(SHOWN_KEYS),
    declineLimits: (store) => limitsOf(store, 'production'),
    changeSettings: (_storeId, wanted, author) =>
      decide(author, (before) => shopChange(before, wanted, SETTING_POLICY)),
    addFieldOrigin: (_storeId, text, author) =>
      decide(author, (before) => {
        const origin = readFieldOrigin(text)
        if (origin === undefined) return { refused: 'malformed' }
        const fieldOrigins = withOrigin(before.fieldOrigins, origin)
        return typeof fieldOrigins === 'string' ? { refused: fieldOrigins } : { fieldOrigins }
      }),
    removeFieldOrigin: (_storeId, origin, author) =>
      decide(author, (before) => {
        const fieldOrigins = withoutOrigin(before.fieldOrigins, origin)
        return fieldOrigins === undefined ? { refused: 'unknown' } : { fieldOrigins }
      }),
    usualTerms: () => ({ monthlyRate: 0.0299, interestFree: 1 }),
    changeInterest: (_storeId, { mark, ...wanted }, author) =>
      decide(author, (before) => {
        if (mark !== interestMark(before)) return { refused: 'meanwhile' }
        const interest = withInterest(before.interest ?? [], wanted, NOW_MS)
        return typeof interest === 'string' ? { refused: interest } : { interest }
      }),
    async findTransaction(storeId, code) {
      await fail()
      return find(storeId, code)
    },
    changeStatus(storeId, code, to) {
      const old = find(storeId, code)
      if (old === undefined) return Promise.resolve('not-found')
      const { status } = old.transaction
      if (status !== to && !mayBecome(status, to)) return Promise.resolve('not-allowed')
      held.writes.push(`changeStatus ${code} ${to}`)
      replace(old, { transaction: { ...old.transaction, status: to } })
      return Promise.resolve('changed')
    },
    finishRefund(_storeId, refundId, to) {
      held.writes.push(`finishRefund ${refundId} ${to}`)
      for (const old of held.transactions)
        replace(old, { refunds: old.refunds.map((refund) => ({ ...refund, status: to })) })
      return Promise.resolve('changed')
    },
    deleteTestData(storeId) {
      held.writes.push(`deleteTestData ${storeId}`)
      held.transactions.length = 0
      return Promise.resolve()
    },
    transactionOfRefund: unused,
    bankSlipPath: ({ paymentDetails: details, publicId }) =>
      Promise.resolve(
        details?.kind === 'boleto' && details.accountId !== undefined
          ? `/b/${publicId}.pdf`
          : undefined,
      ),
  }
}

export function fakeActs(held: FakeDeskData): PaymentActs {
  const find = (storeId: string, code: string) =>
    held.transactions.find(
      ({ transaction }) => storeId === STORE_ID && String(transaction.code) === code,
    )
  return {
    possible(storeId, code) {
      const amountMinor = find(storeId, code)?.transaction.amountMinor
      if (amountMinor === undefined) return Promise.resolve(undefined)
      const refund = { remainingMinor: amountMinor, obstacle: undefined, mayBePartial: true }
      return Promise.resolve({
        refund,
        mayCancel: true,
        ordered: held.ordered,
        isPayerBlocked: false,
        ...held.possible,
      })
    },
    refund(_storeId, { actor, amountMinor, code, note, reason, remainingMinor }) {
      const amounts = `${amountMinor} of ${remainingMinor}`
      held.writes.push(`refund ${code} ${amounts} ${reason} "${note}" by ${actor}`)
      return Promise.resolve(held.refundResult)
    },
    cancel(_storeId, code) {
      held.writes.push(`cancel ${code}`)
      return Promise.resolve(held.cancelResult)
    },
    capture(_storeId, code, { amountMinor, orderedBy }) {
      held.writes.push(`capture ${code} ${amountMinor} by ${orderedBy}`)
      return Promise.resolve(held.endedResult ?? { kind: 'captured' })
    },
    voidAuthorized(_storeId, code, orderedBy) {
      held.writes.push(`void ${code} by ${orderedBy}`)
      return Promise.resolve(held.endedResult ?? { kind: 'released' })
    },
    block(_storeId, code, actor) {
      held.writes.push(`block ${code} ${actor}`)
      return Promise.resolve('blocked')
    },
    unblock(_storeId, code) {
      held.writes.push(`unblock ${code}`)
      return Promise.resolve('unblocked')
    },
  }
}

export function fakeWaiting(held: FakeDeskData): WaitingCaptures {
  return {
    list: (storeId, query) => {
      const own = held.transactions.filter(() => storeId === STORE_ID)
      const waiting = own.map(({ transaction }) => transaction).filter(isAuthorized)
      const items = waiting.map((transaction) => ({ transaction, ordered: held.ordered }))
      return Promise.resolve(someOf(items, query))
    },
    orderedOf: () => Promise.resolve(held.ordered),
  }
}

function unused(): never {
  throw new Error('the console does not use it')
}
