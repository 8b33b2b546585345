import { type MinorUnits, mayBecome, minorUnits } from '@cofre/contracts'
import {
  CHECKLIST_STEPS,
  type ChecklistStep,
  type InboxItem,
  type NotificationReport,
  type Page,
  type RecordedRequest,
  type RefundReport,
  SETTLED_METHODS,
  SecretFixedError,
  type SettlementMode,
  type SettlementModes,
  type TestDesk,
  type TransactionReport,
} from '@cofre/sandbox'

export const STORE_ID = 'store-1'
export const SECRET = 'the secret key of the store'
export const INBOX_PATH = '/inbox/unguessable'
export const NOW_MS = Date.parse('2026-11-21T12:00:00Z')

const PAGE_SIZE = 2

/** A desk in memory: what it holds may be changed, and every write to it is written down. */
export interface FakeDesk extends TestDesk {
  readonly transactions: TransactionReport[]
  readonly notifications: NotificationReport[]
  readonly requests: RecordedRequest[]
  readonly received: InboxItem[]
  readonly done: Map<ChecklistStep, number>
  /** `changeStatus 1001 COMPLETE`, one line a write. */
  readonly writes: string[]
  /** Thrown by every read of transactions, when set. */
  failure: Error | undefined
  /** Secrets that sign, the current one first. */
  live: readonly string[]
  isEnabled: boolean
  /** The variable that fixes the secret, when set. */
  fixedBy: string | undefined
}

export function createFakeDesk(): FakeDesk {
  const writes: string[] = []
  const held = {
    transactions: [] as TransactionReport[],
    notifications: [] as NotificationReport[],
    requests: [] as RecordedRequest[],
    received: [] as InboxItem[],
    done: new Map<ChecklistStep, number>(),
  }
  const state = { previousUntilMs: undefined as number | undefined }
  let answer = 200
  let aheadMs = 0
  const modes = new Map<string, SettlementMode>()
  const write = (line: string): void => {
    writes.push(line)
  }
  const ofStore = (storeId: string): typeof held =>
    storeId === STORE_ID
      ? held
      : { ...held, transactions: [], notifications: [], requests: [], received: [] }
  const change = (code: string, to: Partial<TransactionReport>): void => {
    const at = held.transactions.findIndex((transaction) => transaction.code === code)
    held.transactions[at] = { ...held.transactions[at]!, ...to }
  }

  const desk: FakeDesk = {
    ...held,
    writes,
    failure: undefined,
    fixedBy: undefined,
    clock: {
      now: () => NOW_MS + aheadMs,
      offsetMs: () => aheadMs,
      stop: () => Promise.resolve(),
      advance(durationMs) {
        aheadMs += durationMs
        write(`advance ${durationMs}`)
        return Promise.resolve()
      },
    },
    live: [SECRET],
    isEnabled: true,
    signIn(storeId, secret) {
      const isRight = storeId === STORE_ID && desk.isEnabled && desk.live.includes(secret)
      return Promise.resolve(isRight ? { storeId, secretMark: `mark of ${secret}` } : undefined)
    },
    isSignedIn({ secretMark }) {
      if (desk.failure !== undefined) return Promise.reject(desk.failure)
      const isLive = desk.live.some((secret) => secretMark === `mark of ${secret}`)
      return Promise.resolve(desk.isEnabled && isLive)
    },
    credentials: () => Promise.resolve(credentials()),
    rotateSecret(storeId, currentSecret) {
      if (desk.fixedBy !== undefined) return Promise.reject(new SecretFixedError(desk.fixedBy))
      const [current = ''] = desk.live
      if (currentSecret !== current) return Promise.resolve(undefined)
      write(`rotateSecret ${storeId}`)
      desk.live = ['the rotated secret', current]
      state.previousUntilMs = NOW_MS + 86_400_000
      return Promise.resolve({
        secret: 'the rotated secret',
        previousUntilMs: state.previousUntilMs,
      })
    },
    listTransactions(storeId, filter) {
      if (desk.failure !== undefined) return Promise.reject(desk.failure)
      const { status, method, fromMs = 0, untilMs = Infinity, text = '' } = filter
      const found = ofStore(storeId).transactions.filter(
        (transaction) =>
          (status === undefined || transaction.status === status) &&
          (method === undefined || transaction.method === method) &&
          transaction.createdAtMs >= fromMs &&
          transaction.createdAtMs < untilMs &&
          `${transaction.reference} ${transaction.payerEmail} ${transaction.code}`.includes(text),
      )
      return Promise.resolve(pageOf(found, filter.page))
    },
    findTransaction(storeId, code) {
      if (desk.failure !== undefined) return Promise.reject(desk.failure)
      return Promise.resolve(
        ofStore(storeId).transactions.find((transaction) => transaction.code === code),
      )
    },
    changeStatus(storeId, code, to) {
      const transaction = ofStore(storeId).transactions.find((known) => known.code === code)
      if (transaction === undefined) return Promise.resolve('not-found')
      if (transaction.status !== to && !mayBecome(transaction.status, to))
        return Promise.resolve('not-allowed')
      write(`changeStatus ${code} ${to}`)
      change(code, { status: to })
      return Promise.resolve('changed')
    },
    finishRefund(storeId, refundId, to) {
      const owner = ofStore(storeId).transactions.find(({ refunds }) =>
        refunds.some(({ id }) => id === refundId),
      )
      const refund = owner?.refunds.find(({ id }) => id === refundId)
      if (owner === undefined || refund === undefined) return Promise.resolve('not-found')
      if (refund.status !== 'PROCESSING') return Promise.resolve('not-allowed')
      write(`finishRefund ${refundId} ${to}`)
      change(owner.code, { refunds: [{ ...refund, status: to }] })
      return Promise.resolve('changed')
    },
    listNotifications: (storeId, page) =>
      Promise.resolve(pageOf(ofStore(storeId).notifications, page)),
    resendNotification(storeId, code, position) {
      write(`resend ${code} ${position}`)
      return Promise.resolve(
        ofStore(storeId).notifications.some(
          (known) => known.transactionCode === code && known.position === position,
        ),
      )
    },
    listRequests(storeId, { failedOnly, page }) {
      const shown = ofStore(storeId).requests.filter(
        ({ statusCode }) => !failedOnly || statusCode >= 400,
      )
      return Promise.resolve(pageOf(shown, page))
    },
    findRequest: (storeId, id) =>
      Promise.resolve(ofStore(storeId).requests.find((request) => request.id === id)),
    inbox: () => Promise.resolve({ path: INBOX_PATH, answer, items: held.received }),
    setInboxAnswer(_storeId, statusCode) {
      answer = statusCode
      write(`setInboxAnswer ${statusCode}`)
      return Promise.resolve()
    },
    emptyInbox() {
      held.received.length = 0
      write('emptyInbox')
      return Promise.resolve()
    },
    receive(path, { headers, body }) {
      if (path !== INBOX_PATH) return Promise.resolve(undefined)
      const id = held.received.length + 1
      held.received.unshift({ id, atMs: NOW_MS, headers, body, statusCode: answer })
      return Promise.resolve({ statusCode: answer })
    },
    settlementModes: () =>
      Promise.resolve(
        Object.fromEntries(
          SETTLED_METHODS.map((method) => [
            method,
            modes.get(method) ?? { kind: method === 'refund' ? 'at-once' : 'by-hand' },
          ]),
        ) as SettlementModes,
      ),
    setSettlementMode(_storeId, method, mode) {
      modes.set(method, mode)
      write(`setSettlementMode ${method} ${JSON.stringify(mode)}`)
      return Promise.resolve()
    },
    checklist: () =>
      Promise.resolve({
        steps: CHECKLIST_STEPS.map((step) => ({ step, doneAtMs: held.done.get(step) })),
      }),
    version: () => Promise.resolve(`version-${writes.length}`),
    reset(storeId) {
      write(`reset ${storeId}`)
      held.transactions.length = 0
      return Promise.resolve()
    },
  }
  return desk

  function credentials() {
    return {
      storeId: STORE_ID,
      storeName: 'Test store',
      previousUntilMs: state.previousUntilMs,
      fixedBy: desk.fixedBy,
    }
  }
}

function pageOf<Item>(items: readonly Item[], page: number): Page<Item> {
  const start = (page - 1) * PAGE_SIZE
  return {
    items: items.slice(start, start + PAGE_SIZE),
    found: items.length,
    page,
    pages: Math.max(1, Math.ceil(items.length / PAGE_SIZE)),
  }
}

/** A PIX that waits for its payer, unless it is told otherwise. */
export function pixTransaction(overrides: Partial<TransactionReport> = {}): TransactionReport {
  const amountMinor: MinorUnits = minorUnits(123_456)
  return {
    code: '1001',
    reference: 'order-1',
    status: 'PENDING',
    method: 'eft',
    subType: 'pix',
    amountMinor,
    payerEmail: 'maria@example.com',
    createdAtMs: NOW_MS,
    statusChangedAtMs: NOW_MS,
    description: 'Coffee',
    chargedMinor: amountMinor,
    installments: 1,
    cardLastFour: undefined,
    payerDocument: '52998224725',
    notificationUrl: `http://127.0.0.1:8083${INBOX_PATH}`,
    paymentDetails: { kind: 'pix', code: '00020126580014br.gov.bcb.pix0136a-pix-code6304ABCD' },
    publicId: 'abcdefghijklmnop',
    paidAtMs: undefined,
    expiresAtMs: NOW_MS + 86_400_000,
    history: [{ status: 'PENDING', atMs: NOW_MS }],
    refunds: [],
    notifications: [],
    requests: [],
    ...overrides,
  }
}

/** A notification that was refused once and waits for its next attempt, unless it is told otherwise. */
export function refusedNotification(
  overrides: Partial<NotificationReport> = {},
): NotificationReport {
  return {
    transactionCode: '1001',
    position: 1,
    kind: 'transaction',
    status: 'COMPLETE',
    url: `http://127.0.0.1:8083${INBOX_PATH}`,
    createdAtMs: NOW_MS,
    state: 'waiting',
    nextAttemptAtMs: NOW_MS + 600_000,
    request: {
      contentType: 'application/x-www-form-urlencoded',
      body: 'transaction-code=1001&notification-type=transaction&test-mode=true',
    },
    attempts: [
      {
        atMs: NOW_MS,
        statusCode: 500,
        error: undefined,
        durationMs: 1234,
        responseExcerpt: 'the shop broke',
      },
      {
        atMs: NOW_MS + 600_000,
        statusCode: undefined,
        error: 'connection-refused',
        durationMs: 3,
        responseExcerpt: '',
      },
    ],
    ...overrides,
  }
}

/** As long as the sandbox's numbers of requests are. */
export const REQUEST_ID = 1_795_248_701_220_000

/** A request that was refused for a field, unless it is told otherwise. */
export function refusedRequest(overrides: Partial<RecordedRequest> = {}): RecordedRequest {
  return {
    id: REQUEST_ID,
    atMs: NOW_MS,
    method: 'POST',
    target: '/transactions',
    statusCode: 400,
    durationMs: 12,
    transactionCode: undefined,
    requestBody: '{"payer":{"document":{"number":"1"}}}',
    responseBody:
      '{"errors":[{"code":210318,"description":"payer_document_number_invalid","property":"payer.document.number","constraint":"invalid"}]}',
    errorCodes: [210_318],
    ...overrides,
  }
}

/** A refund that waits to be decided. */
export const WAITING_REFUND: RefundReport = {
  id: '501',
  status: 'PROCESSING',
  amountMinor: minorUnits(5_000),
  reference: 'refund-1',
  requestedAtMs: NOW_MS,
  processedAtMs: undefined,
}
