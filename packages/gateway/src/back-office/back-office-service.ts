import { createHash, timingSafeEqual } from 'node:crypto'
import { DAY_MS, Secret, type TransactionStatus } from '@cofre/contracts'
import {
  type ChangeResult,
  type RefundEnd,
  type ReportResult,
  type TransactionDetails,
  historyOf,
} from '../model/back-office/back-office.js'
import type { BackOfficeStore } from '../model/back-office/back-office-store.js'
import type { GatewayDeps } from '../model/gateway-deps.js'
import { type Merchant, liveSecrets } from '../model/merchant/merchant.js'
import type { Refund, RefundId } from '../model/refund/refund.js'
import type { Transaction } from '../model/transaction/transaction.js'
import {
  type TransactionCode,
  transactionCodeSchema,
} from '../model/transaction/transaction-code.js'
import { recordStatus } from '../payment/card-activation-service.js'

export interface BackOfficeDeps extends GatewayDeps {
  readonly backOffice: BackOfficeStore
}

/**
 * What people see and do in one environment. Codes and refund ids are decimal text; a text that
 * cannot be one is not found.
 */
export interface BackOffice extends Pick<
  BackOfficeStore,
  'listTransactions' | 'listNotifications' | 'milestones' | 'revision'
> {
  findMerchant(merchantId: string): Promise<Merchant | undefined>
  /** The enabled store with these credentials; undefined if wrong. Compares in constant time. */
  signIn(merchantId: string, secret: string): Promise<Merchant | undefined>
  /**
   * Gives a store a new secret, in the panel's name. The old one signs for another 24 hours of the
   * machine's time.
   * @param replaces - Only of an enabled store of which this is the current secret.
   * @returns until when, in epoch milliseconds; undefined when there is no such store
   */
  rotateSecret(
    merchantId: string,
    secret: Secret<string>,
    replaces?: Secret<string>,
  ): Promise<number | undefined>
  findTransaction(merchantId: string, code: string): Promise<TransactionDetails | undefined>
  /** Changes a status where allowed, and notifies. The current status is notified again. */
  changeStatus(merchantId: string, code: string, to: TransactionStatus): Promise<ChangeResult>
  /** A bank's report on any store's transaction, taken once its creation was answered. */
  report(code: string, to: TransactionStatus): Promise<ReportResult>
  /** Ends a refund that is PROCESSING, and notifies. */
  finishRefund(merchantId: string, refundId: string, to: RefundEnd): Promise<ChangeResult>
  /** A bank's report on a refund of any store. */
  reportRefund(refundId: string, to: RefundEnd): Promise<void>
  /** The transaction that a refund of the store belongs to. */
  transactionOfRefund(merchantId: string, refundId: string): Promise<string | undefined>
  /** Makes a notification due again; false when there is none. */
  resendNotification(merchantId: string, code: string, position: number): Promise<boolean>
  /**
   * Deletes answered transactions with all that belongs to them.
   * @throws Error outside the sandbox
   */
  deleteTestData(merchantId: string): Promise<void>
}

const PREVIOUS_SECRET_LIVES_MS = DAY_MS

export function createBackOffice(deps: BackOfficeDeps): BackOffice {
  const { backOffice: store, clock, merchants, machineClock, notifications, refunds } = deps
  return {
    listTransactions: (merchantId, query) => store.listTransactions(merchantId, query),
    listNotifications: (merchantId, page) => store.listNotifications(merchantId, page),
    milestones: (merchantId) => store.milestones(merchantId),
    revision: (merchantId) => store.revision(merchantId),
    findMerchant: (merchantId) => merchants.find(merchantId),
    signIn: (merchantId, secret) => signIn(deps, merchantId, secret),

    async rotateSecret(merchantId, secret, replaces) {
      const previousUntilMs = machineClock.now() + PREVIOUS_SECRET_LIVES_MS
      const rotation = {
        previousUntilMs,
        actor: 'panel',
        ...(replaces !== undefined && { replaces }),
      } as const
      const isFound = await merchants.rotateSecret(merchantId, secret, rotation)
      return isFound ? previousUntilMs : undefined
    },

    async findTransaction(merchantId, code) {
      const transaction = await findOwn(deps, merchantId, code)
      return transaction && (await detailsOf(deps, transaction))
    },

    async changeStatus(merchantId, code, to) {
      const transaction = await findOwn(deps, merchantId, code)
      return transaction === undefined ? 'not-found' : await changeStatus(deps, transaction, to)
    },

    report: (code, to) => report(deps, Number(code) as TransactionCode, to),

    async finishRefund(merchantId, refundId, to) {
      const refund = await findRefund(deps, merchantId, refundId)
      if (refund === undefined) return 'not-found'
      return (await refunds.finish(refund.id, to, clock.now())) ? 'changed' : 'not-allowed'
    },

    async reportRefund(refundId, to) {
      await refunds.finish(Number(refundId) as RefundId, to, clock.now())
    },

    async transactionOfRefund(merchantId, refundId) {
      const refund = await findRefund(deps, merchantId, refundId)
      return refund && String(refund.transactionCode)
    },

    async resendNotification(merchantId, code, position) {
      const found = await findOwn(deps, merchantId, code)
      return found !== undefined && notifications.resend(found.code, position, clock.now())
    },

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
  // PostgreSQL takes no NUL in a text.
  const merchant = merchantId.includes('\0') ? undefined : await merchants.find(merchantId)
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

async function detailsOf(
  { backOffice, refunds }: BackOfficeDeps,
  transaction: Transaction,
): Promise<TransactionDetails> {
  const { code } = transaction
  const [firstStatus, refundsByCode, notifications] = await Promise.all([
    backOffice.firstStatusOf(code),
    refunds.findOf([code]),
    backOffice.notificationsOf(code),
  ])
  const changes = notifications.map(({ notification }) => notification)
  return {
    transaction,
    history: historyOf(transaction, firstStatus, changes),
    refunds: refundsByCode.get(code) ?? [],
    notifications,
  }
}

async function changeStatus(
  deps: BackOfficeDeps,
  { code, status }: Transaction,
  to: TransactionStatus,
): Promise<ChangeResult> {
  const isChanged =
    status === to
      ? await deps.backOffice.notifyAgain(code, to, deps.clock.now())
      : (await recordStatus(deps, code, to)) !== undefined
  return isChanged ? 'changed' : 'not-allowed'
}

async function report(
  deps: BackOfficeDeps,
  code: TransactionCode,
  to: TransactionStatus,
): Promise<ReportResult> {
  const transaction = await deps.transactions.findByCode(code)
  if (transaction === undefined) return 'not-found'
  if (transaction.open) return 'open'
  return (await recordStatus(deps, code, to)) === undefined ? 'not-allowed' : 'changed'
}

async function findRefund(
  { backOffice }: BackOfficeDeps,
  merchantId: string,
  refundId: string,
): Promise<Refund | undefined> {
  const id = transactionCodeSchema.safeParse(refundId)
  return id.success
    ? await backOffice.findRefund(merchantId, id.data as number as RefundId)
    : undefined
}
