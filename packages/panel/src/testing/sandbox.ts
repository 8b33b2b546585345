import { DAY_MS, Secret, mayBecome } from '@cofre/contracts'
import { acceptsTarget } from '@cofre/gateway'
import { type Merchant, type Transaction } from '@cofre/gateway/room'
import {
  type BackOffice,
  type CancelResult,
  type Milestones,
  type NotificationDetails,
  type PaymentActs,
  type PossibleActs,
  type RefundResult,
  type SettingAuthor,
  type SettingsResult,
  type TransactionDetails,
  interestMark,
  readFieldOrigin,
} from '@cofre/operator'
import {
  type InboxItem,
  type RecordedRequest,
  type SETTLED_METHODS,
  type SettlementMode,
  UNKNOWN_FIELDS,
  matchesFilter,
} from '@cofre/sandbox'
import { differences, withInterest } from '@cofre/gateway/testing'
import { limitsOf, shopChange, withOrigin, withoutOrigin } from '@cofre/operator/testing'
import { someOf } from './list-pages.js'
import type { SandboxParts } from '../frame/panel-parts.js'
import type {
  ConsoleGateway,
  ShownAccount,
  ShownAccounts,
  ShownLink,
} from '../model/console-gateway.js'

export const STORE_ID = 'store-1'
/** A store with the same secret and without transactions. */
export const OTHER_STORE_ID = 'store-2'
export const SECRET = 'the secret key of the store'
export const INBOX_PATH = '/inbox/unguessable'
export const NOW_MS = Date.parse('2026-11-21T12:00:00Z')
export const CODE = 1001 as Transaction['code']

/** What a sandbox in memory holds, to be changed by a test. */
export interface HeldBySandbox {
  readonly transactions: TransactionDetails[]
  readonly notifications: NotificationDetails[]
  readonly requests: RecordedRequest[]
  readonly received: InboxItem[]
  readonly milestones: Partial<Milestones>
  /** What may be done with each payment, but for what a test says. */
  possible: Partial<PossibleActs>
  /** How the staff's acts end: `begun`, `cancelled` unless a test says otherwise. */
  accounts: ShownAccount[]
  /** By the codes of their payments. */
  readonly links: Map<string, ShownLink>
  refundResult: RefundResult
  cancelResult: CancelResult
  /** `changeStatus 1001 COMPLETE`, one line a write. */
  readonly writes: string[]
  store: Merchant
  /** Thrown by every read of transactions and of the store, when set. */
  failure: Error | undefined
}

const SETTING_POLICY = {
  environment: 'production',
  acceptsNotificationUrl: (url: string) => acceptsTarget(url, []),
} as const

/** The ports of a sandbox in memory, for what a real one cannot be made to hold. */
export interface FakeSandbox extends Pick<SandboxParts, 'backOffice' | 'sandbox'> {
  readonly accounts: ShownAccounts
  readonly paymentActs: PaymentActs
  readonly linkOf: ConsoleGateway['linkOf']
  readonly held: HeldBySandbox
}

/** An account with an acquirer, unless it is said otherwise. */
export function shownAccount(
  id: string,
  label: string,
  over: Partial<ShownAccount> = {},
): ShownAccount {
  return {
    id,
    label,
    provider: 'adyen',
    company: 'Adyen',
    kind: 'live',
    keeper: 'vault',
    methods: ['card'],
    brands: ['mastercard', 'visa'],
    certificateUntilMs: undefined,
    lastTest: undefined,
    disabledAtMs: undefined,
    ...over,
  }
}

export function createFakeSandbox(): FakeSandbox {
  const held: HeldBySandbox = {
    transactions: [],
    notifications: [],
    requests: [],
    received: [],
    milestones: {},
    accounts: [],
    links: new Map(),
    possible: {},
    refundResult: 'begun',
    cancelResult: 'cancelled',
    writes: [],
    store: {
      id: STORE_ID,
      name: 'Test store',
      secret: new Secret(SECRET),
      enabled: true,
      mayUseRawCards: true,
      refunds: 'full-and-partial',
      rules: 'specification',
      refusesCardReferences: false,
      fieldOrigins: [],
      showsBin: false,
    },
    failure: undefined,
  }
  return {
    held,
    backOffice: fakeBackOffice(held),
    accounts: { list: (storeId) => Promise.resolve(storeId === STORE_ID ? held.accounts : []) },
    paymentActs: fakeActs(held),
    linkOf: (storeId, code) =>
      Promise.resolve(storeId === STORE_ID ? held.links.get(code) : undefined),
    sandbox: fakeSandbox(held),
  }
}

function fakeBackOffice(held: HeldBySandbox): BackOffice {
  const ofStore = <Item>(storeId: string, items: readonly Item[]) =>
    storeId === STORE_ID ? items : []
  const fail = (): Promise<void> =>
    held.failure === undefined ? Promise.resolve() : Promise.reject(held.failure)
  const find = (storeId: string, code: string) =>
    ofStore(storeId, held.transactions).find(({ transaction }) => String(transaction.code) === code)
  const replace = (old: TransactionDetails, next: Partial<TransactionDetails>): void => {
    held.transactions[held.transactions.indexOf(old)] = { ...old, ...next }
  }
  const own = async (storeId: string) => {
    await fail()
    const isStore = storeId === STORE_ID || storeId === OTHER_STORE_ID
    return isStore ? { ...held.store, id: storeId } : undefined
  }
  const decide = async <Refusal>(
    { actor, mayStill }: SettingAuthor,
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
    findMerchant: own,
    async signIn(storeId, secret) {
      const store = await own(storeId)
      const live = [store?.secret, store?.previousSecret?.secret]
      return store?.enabled === true && live.some((one) => one?.reveal() === secret)
        ? store
        : undefined
    },
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
    rotateSecret(_storeId, secret) {
      held.writes.push('rotateSecret')
      const untilMs = NOW_MS + DAY_MS
      held.store = {
        ...held.store,
        secret,
        previousSecret: { secret: held.store.secret, untilMs },
      }
      return Promise.resolve(untilMs)
    },
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
    listNotifications: (storeId, query) =>
      Promise.resolve(someOf(ofStore(storeId, held.notifications), query)),
    resendNotification(_storeId, code, position) {
      held.writes.push(`resend ${code} ${position}`)
      return Promise.resolve(true)
    },
    dueBetween: unused,
    milestones: () => Promise.resolve(held.milestones as Milestones),
    revision: () => Promise.resolve(`revision-${held.writes.length}`),
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
    notificationsAfter: unused,
    copyNotification: unused,
  }
}

function fakeActs(held: HeldBySandbox): PaymentActs {
  const find = (storeId: string, code: string) =>
    held.transactions.find(
      ({ transaction }) => storeId === STORE_ID && String(transaction.code) === code,
    )
  return {
    possible(storeId, code) {
      const amountMinor = find(storeId, code)?.transaction.amountMinor
      if (amountMinor === undefined) return Promise.resolve(undefined)
      const refund = { remainingMinor: amountMinor, obstacle: undefined, mayBePartial: true }
      return Promise.resolve({ refund, mayCancel: true, isPayerBlocked: false, ...held.possible })
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

function unused(): never {
  throw new Error('the panel does not use it')
}

function fakeSandbox(held: HeldBySandbox): SandboxParts['sandbox'] {
  let answer = 200
  let aheadMs = 0
  const modes = new Map<string, SettlementMode>()
  const inbox = () => Promise.resolve({ store_id: STORE_ID, address: 'unguessable', answer })
  const requestsOf = (storeId: string) => (storeId === STORE_ID ? held.requests : [])
  return {
    clock: {
      now: () => NOW_MS + aheadMs,
      offsetMs: () => aheadMs,
      stop: unused,
      advance(durationMs) {
        aheadMs += durationMs
        held.writes.push(`advance ${durationMs}`)
        return Promise.resolve()
      },
    },
    preview: ({ durationMs }) => {
      const nowMs = NOW_MS + aheadMs
      const due = { expiries: 3, notifications: 2, reports: 1 }
      return Promise.resolve({ nowMs, thenMs: nowMs + durationMs, ...due })
    },
    requests: {
      list(storeId, { filter, ...query }) {
        const shown = requestsOf(storeId).filter((one) => matchesFilter(filter, one))
        return Promise.resolve(someOf(shown, query))
      },
      find: (storeId, id) => Promise.resolve(requestsOf(storeId).find((one) => one.id === id)),
      findOf: (storeId) => Promise.resolve(requestsOf(storeId)),
      milestones: () => Promise.resolve(new Map()),
      withUnknownFields: (storeId) =>
        Promise.resolve(
          requestsOf(storeId).find(({ responseHeaders }) => UNKNOWN_FIELDS in responseHeaders),
        ),
      newest: () => Promise.resolve(held.requests.length),
      empty: () => Promise.resolve(),
      add: unused,
      after: unused,
      placeBefore: unused,
      hasRefused: unused,
      reach: unused,
    },
    inboxes: {
      open: inbox,
      findByAddress: (address) =>
        address === 'unguessable' ? inbox() : Promise.resolve(undefined),
      setAnswer(_storeId, statusCode) {
        answer = statusCode
        held.writes.push(`setAnswer ${statusCode}`)
        return Promise.resolve()
      },
      add(_storeId, item) {
        held.received.unshift({ id: held.received.length + 1, ...item })
        return Promise.resolve()
      },
      items: () => Promise.resolve(held.received),
      revision: () => Promise.resolve(String(held.received.length)),
      empty() {
        held.received.length = 0
        held.writes.push('empty inbox')
        return Promise.resolve()
      },
    },
    modes: {
      modesOf: () => {
        const modeOf = (method: (typeof SETTLED_METHODS)[number]): SettlementMode =>
          modes.get(method) ?? { kind: method === 'refund' ? 'at-once' : 'by-hand' }
        const all = { boleto: modeOf('boleto'), pix: modeOf('pix') }
        return Promise.resolve({ ...all, 'e-wallet': modeOf('e-wallet'), refund: modeOf('refund') })
      },
      setMode(_storeId, method, mode) {
        modes.set(method, mode)
        held.writes.push(`setMode ${method} ${JSON.stringify(mode)}`)
        return Promise.resolve()
      },
    },
  }
}
