import { randomBytes } from 'node:crypto'
import { type Clock, Secret } from '@cofre/contracts'
import { type Gateway, type Merchant, liveSecrets } from '@cofre/gateway'
import { type InboxDeps, openInbox, receive, setInboxAnswer } from '../inbox/inbox-service.js'
import type { RequestLogStore } from '../request-log/request-log-sql.js'
import { SETTLED_METHODS } from '../settlement/settlement-mode.js'
import type { SettlementModeStore } from '../settlement/settlement-mode-sql.js'
import type { TestClock } from '../test-clock/test-clock.js'
import { checklistOf } from './checklist.js'
import {
  PAGE_SIZE,
  notificationReport,
  pageOf,
  transactionReport,
  transactionSummary,
} from './reports.js'
import type { SecretKeeper } from './secret-keeper.js'
import { isMarkOf, secretMarkOf } from './secret-mark.js'
import {
  type Credentials,
  SecretFixedError,
  type SignIn,
  type TestDesk,
  type TransactionFilter,
} from './test-desk.js'

export interface TestDeskDeps extends InboxDeps {
  /** The sandbox's. */
  readonly gateway: Gateway
  readonly clock: TestClock
  /** By which a replaced secret still signs. */
  readonly machineClock: Clock
  readonly requests: RequestLogStore
  readonly modes: SettlementModeStore
  readonly secretKeeper: SecretKeeper
}

const SECRET_BYTES = 32

/** What a store's developers see and do in the sandbox. */
export function createTestDesk(deps: TestDeskDeps): TestDesk {
  const { clock, gateway, inboxes, modes, requests } = deps
  const { backOffice } = gateway
  return {
    clock,

    signIn: (storeId, secret) => signIn(deps, storeId, secret),
    isSignedIn: (made) => isSignedIn(deps, made),
    async credentials(storeId) {
      const merchant = await backOffice.findMerchant(storeId)
      if (merchant === undefined) throw new Error('there is no such store')
      return credentialsOf(deps, merchant)
    },
    rotateSecret: (storeId, currentSecret) => rotateSecret(deps, storeId, currentSecret),

    listTransactions: (storeId, filter) => listTransactions(deps, storeId, filter),
    async findTransaction(storeId, code) {
      const file = await backOffice.findTransaction(storeId, code)
      return file && transactionReport(file, await requests.findOf(storeId, code))
    },
    changeStatus: (storeId, code, to) => backOffice.changeStatus(storeId, code, to),
    finishRefund: (storeId, refundId, to) => backOffice.finishRefund(storeId, refundId, to),

    async listNotifications(storeId, page) {
      const query = { page, pageSize: PAGE_SIZE }
      const { notifications, found } = await backOffice.listNotifications(storeId, query)
      return pageOf(notifications.map(notificationReport), found, page)
    },
    resendNotification: (storeId, code, position) =>
      backOffice.resendNotification(storeId, code, position),

    async listRequests(storeId, { failedOnly, page }) {
      const listed = await requests.list(storeId, { failedOnly, page, pageSize: PAGE_SIZE })
      return pageOf(listed.requests, listed.found, page)
    },
    findRequest: (storeId, id) => requests.find(storeId, id),

    inbox: (storeId) => openInbox(deps, storeId),
    setInboxAnswer: (storeId, statusCode) => setInboxAnswer(deps, storeId, statusCode),
    emptyInbox: (storeId) => inboxes.empty(storeId),
    receive: (path, notification) => receive(deps, path, notification),

    settlementModes: (storeId) => modes.modesOf(storeId),
    setSettlementMode: (storeId, method, mode) => modes.setMode(storeId, method, mode),

    async checklist(storeId) {
      const reached = await backOffice.milestones(storeId)
      return checklistOf(reached, await requests.milestones(storeId))
    },
    version: (storeId) => versionOf(deps, storeId),
    async reset(storeId) {
      await backOffice.deleteTestData(storeId)
      await requests.empty(storeId)
      await inboxes.empty(storeId)
    },
  }
}

async function signIn(
  { gateway }: TestDeskDeps,
  storeId: string,
  secret: string,
): Promise<SignIn | undefined> {
  // PostgreSQL takes no NUL in a text.
  if (storeId.includes('\0')) return undefined
  const merchant = await gateway.backOffice.signIn(storeId, secret)
  return merchant && { storeId, secretMark: secretMarkOf(storeId, new Secret(secret)) }
}

async function isSignedIn(
  { gateway, machineClock }: TestDeskDeps,
  { storeId, secretMark }: SignIn,
): Promise<boolean> {
  const merchant = await gateway.backOffice.findMerchant(storeId)
  if (merchant?.enabled !== true) return false
  const secrets = liveSecrets(merchant, machineClock.now())
  return secrets.some((secret) => isMarkOf(secretMark, storeId, secret))
}

function credentialsOf(
  { machineClock, secretKeeper }: TestDeskDeps,
  { id: storeId, name: storeName, previousSecret }: Merchant,
): Credentials {
  const untilMs = previousSecret?.untilMs ?? 0
  const isLive = machineClock.now() < untilMs
  return {
    storeId,
    storeName,
    previousUntilMs: isLive ? untilMs : undefined,
    fixedBy: secretKeeper.fixedBy(storeId),
  }
}

async function rotateSecret(
  { gateway, secretKeeper }: TestDeskDeps,
  storeId: string,
  currentSecret: string,
): ReturnType<TestDesk['rotateSecret']> {
  const variable = secretKeeper.fixedBy(storeId)
  if (variable !== undefined) throw new SecretFixedError(variable)
  const merchant = await gateway.backOffice.findMerchant(storeId)
  const givenMark = secretMarkOf(storeId, new Secret(currentSecret))
  if (merchant?.enabled !== true || !isMarkOf(givenMark, storeId, merchant.secret)) return undefined
  const secret = new Secret(randomBytes(SECRET_BYTES).toString('base64url'))
  await secretKeeper.keep(storeId, secret)
  // Judged again where it is changed: an operator may have replaced the secret meanwhile.
  const previousUntilMs = await gateway.backOffice.rotateSecret(
    storeId,
    secret,
    new Secret(currentSecret),
  )
  if (previousUntilMs === undefined) return undefined
  return { secret: secret.reveal(), previousUntilMs }
}

async function listTransactions(
  { gateway }: TestDeskDeps,
  storeId: string,
  { method, ...filter }: TransactionFilter,
): ReturnType<TestDesk['listTransactions']> {
  const query = { ...filter, paymentType: method, pageSize: PAGE_SIZE }
  const { transactions, found } = await gateway.backOffice.listTransactions(storeId, query)
  return pageOf(transactions.map(transactionSummary), found, filter.page)
}

/** A few probes of indexes: every open page asks once a second. */
async function versionOf(
  { clock, gateway, inboxes, modes, requests }: TestDeskDeps,
  storeId: string,
): Promise<string> {
  const [revision, request, inbox, chosen, merchant] = await Promise.all([
    gateway.backOffice.revision(storeId),
    requests.newest(storeId),
    inboxes.revision(storeId),
    modes.modesOf(storeId),
    gateway.backOffice.findMerchant(storeId),
  ])
  const methods = SETTLED_METHODS.map((method) => {
    const mode = chosen[method]
    return mode.kind === 'after' ? `after${mode.seconds}` : mode.kind
  })
  const rotatedUntilMs = merchant?.previousSecret?.untilMs ?? 0
  return [revision, request, inbox, ...methods, rotatedUntilMs, clock.offsetMs()].join('.')
}
