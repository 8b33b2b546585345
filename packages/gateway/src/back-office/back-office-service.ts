import { createHash, timingSafeEqual } from 'node:crypto'
import { DAY_MS, Secret, type TransactionStatus } from '@cofre/contracts'
import { type Merchant, liveSecrets } from '../model/merchant/merchant.js'
import { messageOf } from '../model/notification/notification.js'
import type { RefundId } from '../model/refund/refund.js'
import type { GatewayDeps } from '../model/gateway-deps.js'
import { recordStatus } from '../payment/card-activation-service.js'
import type { Transaction } from '../model/transaction/transaction.js'
import {
  type TransactionCode,
  transactionCodeSchema,
} from '../model/transaction/transaction-code.js'
import {
  type ChangeResult,
  type Milestones,
  type NotificationFile,
  type PageQuery,
  type RefundEnd,
  type ReportResult,
  type TransactionFile,
  type TransactionListQuery,
  historyOf,
} from '../model/back-office/back-office.js'
import type { BackOfficeStore, KeptNotification } from '../model/back-office/back-office-store.js'

export interface BackOfficeDeps extends GatewayDeps {
  readonly backOffice: BackOfficeStore
}

/** What an environment's back office sees and does. Codes and refund ids are decimal text; one that cannot be is not found. */
export interface BackOffice {
  findMerchant(merchantId: string): Promise<Merchant | undefined>
  /** The enabled store of these credentials; undefined when they are wrong. Compares in constant time. */
  signIn(merchantId: string, secret: string): Promise<Merchant | undefined>
  /**
   * Gives a store a new secret, in the panel's name; the one it replaces signs for another 24 hours of the machine's time.
   * @param replaces - Only of an enabled store of which this is the current secret.
   * @returns until when, in epoch milliseconds; undefined when there is no such store
   */
  rotateSecret(
    merchantId: string,
    secret: Secret<string>,
    replaces?: Secret<string>,
  ): Promise<number | undefined>
  listTransactions(
    merchantId: string,
    query: TransactionListQuery,
  ): Promise<{ readonly transactions: readonly Transaction[]; readonly found: number }>
  findTransaction(merchantId: string, code: string): Promise<TransactionFile | undefined>
  listNotifications(
    merchantId: string,
    page: PageQuery,
  ): Promise<{ readonly notifications: readonly NotificationFile[]; readonly found: number }>
  /** Moves a transaction where it may go, and notifies. The status it already has notifies again. */
  changeStatus(merchantId: string, code: string, to: TransactionStatus): Promise<ChangeResult>
  /** A bank's report on a transaction of any store: moves it where it may go, once its creation was answered. */
  report(code: string, to: TransactionStatus): Promise<ReportResult>
  /** Ends a refund that is PROCESSING, and notifies. */
  finishRefund(merchantId: string, refundId: string, to: RefundEnd): Promise<ChangeResult>
  /** A bank's report on a refund of any store. */
  reportRefund(refundId: string, to: RefundEnd): Promise<void>
  /** The transaction that a refund of the store belongs to. */
  transactionOfRefund(merchantId: string, refundId: string): Promise<string | undefined>
  /** Makes a notification due again; false when there is none. */
  resendNotification(merchantId: string, code: string, position: number): Promise<boolean>
  milestones(merchantId: string): Promise<Milestones>
  /** A text that differs when transactions, refunds or notifications of the store have changed. */
  revision(merchantId: string): Promise<string>
  /** Deletes a store's answered transactions with all that belongs to them. @throws Error outside the sandbox */
  deleteTestData(merchantId: string): Promise<void>
}

const PREVIOUS_SECRET_LIVES_MS = DAY_MS

export function createBackOffice(deps: BackOfficeDeps): BackOffice {
  const { backOffice: store, merchants, machineClock } = deps
  return {
    findMerchant: (merchantId) => merchants.find(merchantId),
    signIn: (merchantId, secret) => signIn(deps, merchantId, secret),

    async rotateSecret(merchantId, secret, replaces) {
      const previousUntilMs = machineClock.now() + PREVIOUS_SECRET_LIVES_MS
      const rotation = {
        previousUntilMs,
        actor: 'panel',
        ...(replaces !== undefined && { replaces }),
      } as const
      const isThere = await merchants.rotateSecret(merchantId, secret, rotation)
      return isThere ? previousUntilMs : undefined
    },

    listTransactions: (merchantId, query) => store.listTransactions(merchantId, query),
    findTransaction: (merchantId, code) => findTransaction(deps, merchantId, code),

    async listNotifications(merchantId, page) {
      const { notifications, found } = await store.listNotifications(merchantId, page)
      return { notifications: notifications.map((kept) => fileOf(deps, kept)), found }
    },

    changeStatus: (merchantId, code, to) => changeStatus(deps, { merchantId, code, to }),
    report: (code, to) => report(deps, code, to),
    finishRefund: (merchantId, refundId, to) => finishRefund(deps, { merchantId, refundId, to }),

    async reportRefund(refundId, to) {
      await deps.refunds.finish(Number(refundId) as RefundId, to, deps.clock.now())
    },

    async transactionOfRefund(merchantId, refundId) {
      const refund = await findRefund(deps, merchantId, refundId)
      return refund && String(refund.transactionCode)
    },

    async resendNotification(merchantId, code, position) {
      const found = await findOwn(deps, merchantId, code)
      if (found === undefined) return false
      return await deps.notifications.resend(found.code, position, deps.clock.now())
    },

    milestones: (merchantId) => store.milestones(merchantId),
    revision: (merchantId) => store.revision(merchantId),

    async deleteTestData(merchantId) {
      if (deps.environment !== 'sandbox') throw new Error('only test data may be deleted')
      await store.deleteTransactions(merchantId)
    },
  }
}

/** An unknown store takes as long as a wrong secret. */
async function signIn(
  { merchants, machineClock }: BackOfficeDeps,
  merchantId: string,
  secret: string,
): Promise<Merchant | undefined> {
  const merchant = await merchants.find(merchantId)
  const secrets =
    merchant === undefined ? [new Secret('')] : liveSecrets(merchant, machineClock.now())
  const isRight = secrets.filter((live) => isSameText(live.reveal(), secret)).length > 0
  return merchant?.enabled === true && isRight ? merchant : undefined
}

/** Digests have one length, whatever the texts' lengths are. */
function isSameText(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(given))
}

async function findOwn(
  { transactions }: BackOfficeDeps,
  merchantId: string,
  codeText: string,
): Promise<Transaction | undefined> {
  const code = transactionCodeSchema.safeParse(codeText)
  return code.success ? await transactions.find(merchantId, code.data) : undefined
}

async function findTransaction(
  deps: BackOfficeDeps,
  merchantId: string,
  codeText: string,
): Promise<TransactionFile | undefined> {
  const transaction = await findOwn(deps, merchantId, codeText)
  if (transaction === undefined) return undefined
  const { code } = transaction
  const [firstStatus, refunds, kept] = await Promise.all([
    deps.backOffice.firstStatusOf(code),
    deps.refunds.findOf([code]),
    deps.backOffice.notificationsOf(code),
  ])
  return {
    transaction,
    history: historyOf(
      transaction,
      firstStatus,
      kept.map(({ notification }) => notification),
    ),
    refunds: refunds.get(code) ?? [],
    notifications: kept.map((entry) => fileOf(deps, entry)),
  }
}

function fileOf({ environment }: BackOfficeDeps, kept: KeptNotification): NotificationFile {
  const { notification, doneAtMs, nextAttemptAtMs, isHeld, attempts } = kept
  return {
    notification,
    message: messageOf(notification, environment === 'sandbox'),
    state: stateOf(kept),
    nextAttemptAtMs: doneAtMs === undefined && !isHeld ? nextAttemptAtMs : undefined,
    attempts,
  }
}

function stateOf({ doneAtMs, acknowledgedAtMs, isHeld }: KeptNotification) {
  if (doneAtMs !== undefined) return 'done'
  if (acknowledgedAtMs !== undefined) return 'waiting-for-search'
  return isHeld ? 'held' : 'waiting'
}

async function changeStatus(
  deps: BackOfficeDeps,
  change: { readonly merchantId: string; readonly code: string; readonly to: TransactionStatus },
): Promise<ChangeResult> {
  const { merchantId, to } = change
  const transaction = await findOwn(deps, merchantId, change.code)
  if (transaction === undefined) return 'not-found'
  const { code, status } = transaction
  if (status === to) {
    return (await deps.backOffice.notifyAgain(code, to, deps.clock.now()))
      ? 'changed'
      : 'not-allowed'
  }
  return (await recordStatus(deps, code, to)) === undefined ? 'not-allowed' : 'changed'
}

async function report(
  deps: BackOfficeDeps,
  codeText: string,
  to: TransactionStatus,
): Promise<ReportResult> {
  const code = Number(codeText) as TransactionCode
  const transaction = await deps.transactions.findByCode(code)
  if (transaction === undefined) return 'not-found'
  if (transaction.open) return 'open'
  return (await recordStatus(deps, code, to)) === undefined ? 'not-allowed' : 'changed'
}

async function findRefund(deps: BackOfficeDeps, merchantId: string, refundId: string) {
  const id = transactionCodeSchema.safeParse(refundId)
  if (!id.success) return undefined
  return await deps.backOffice.findRefund(merchantId, id.data as number as RefundId)
}

async function finishRefund(
  deps: BackOfficeDeps,
  change: { readonly merchantId: string; readonly refundId: string; readonly to: RefundEnd },
): Promise<ChangeResult> {
  const refund = await findRefund(deps, change.merchantId, change.refundId)
  if (refund === undefined) return 'not-found'
  const isFinished = await deps.refunds.finish(refund.id, change.to, deps.clock.now())
  return isFinished ? 'changed' : 'not-allowed'
}
