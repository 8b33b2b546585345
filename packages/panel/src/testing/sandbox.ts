import { DAY_MS, Secret } from '@cofre/contracts'
import type { Merchant, Milestones, Transaction } from '@cofre/gateway/room'
import {
  type InboxItem,
  type RecordedRequest,
  type SETTLED_METHODS,
  type SettlementMode,
  UNKNOWN_FIELDS,
  matchesFilter,
} from '@cofre/sandbox'
import { someOf } from './list-pages.js'
import type { SandboxParts } from '../visit/panel-parts.js'
import type { SandboxDesk, StoreDesk } from '../model/console-desk.js'
import type { ShownAccount, ShownAccounts } from '../model/console-gateway.js'

export const STORE_ID = 'store-1'
/** A store with the same secret and without transactions. */
export const OTHER_STORE_ID = 'store-2'
export const SECRET = 'the secret key of the store'
export const INBOX_PATH = '/inbox/unguessable'
export const NOW_MS = Date.parse('2026-11-21T12:00:00Z')
export const CODE = 1001 as Transaction['code']

/** The content of a sandbox in memory, which tests change. */
export interface FakeSandboxData {
  readonly requests: RecordedRequest[]
  readonly received: InboxItem[]
  readonly milestones: Partial<Milestones>
  accounts: ShownAccount[]
  /** `changeStatus 1001 COMPLETE`, one line a write. */
  readonly writes: string[]
  store: Merchant
  /** Thrown by every read of transactions and of the store, if set. */
  failure: Error | undefined
}

/** The ports of a sandbox in memory, for content that a real one can't have. */
export interface FakeSandbox extends Pick<SandboxParts, 'desk' | 'sandbox'> {
  readonly backOffice: StoreDesk
  readonly accounts: ShownAccounts
  readonly held: FakeSandboxData
}

/** An account with an acquirer, by default. */
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
  const held: FakeSandboxData = {
    requests: [],
    received: [],
    milestones: {},
    accounts: [],
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
  const backOffice = fakeStores(held)
  return {
    held,
    backOffice,
    desk: backOffice,
    accounts: { list: (storeId) => Promise.resolve(storeId === STORE_ID ? held.accounts : []) },
    sandbox: fakeSandbox(held),
  }
}

/** Fakes without payments; those of rooms have more. */
export function fakeStores(
  held: Pick<FakeSandboxData, 'failure' | 'milestones' | 'store' | 'writes'>,
): StoreDesk & SandboxDesk {
  const own = async (storeId: string) => {
    if (held.failure !== undefined) throw held.failure
    const isStore = storeId === STORE_ID || storeId === OTHER_STORE_ID
    return await Promise.resolve(isStore ? { ...held.store, id: storeId } : undefined)
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
    changeStatus: () => Promise.resolve('not-found'),
    finishRefund: () => Promise.resolve('not-found'),
    dueBetween: unused,
    milestones: () => Promise.resolve(held.milestones as Milestones),
    revision: () => Promise.resolve(`revision-${held.writes.length}`),
    deleteTestData(storeId) {
      held.writes.push(`deleteTestData ${storeId}`)
      return Promise.resolve()
    },
  }
}

function unused(): never {
  throw new Error('the panel does not use it')
}

function fakeSandbox(held: FakeSandboxData): SandboxParts['sandbox'] {
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
