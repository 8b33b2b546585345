import type { Environment, TransactionStatus } from '@cofre/contracts'
import type {
  ChangedPayments,
  GivenAgain,
  Merchant,
  Notification,
  RefundOutcome,
  Transaction,
} from '@cofre/gateway/room'
import type { ChangeResult, NotificationCopy, TransactionDetails } from './model/payment-file.js'
import { type PaymentFileDeps, detailsOf, findOwn, findRefund } from './payment-files.js'
import type { DeskStore } from './sql/desk-store-sql.js'
import { type StoreAccount, type StoreAccountDeps, createStoreAccount } from './store-account.js'
import type { StoreSettings } from './model/store-settings.js'
import { type StoreSettingsDeps, storeSettings } from './store-settings.js'

/** What people see of a store, and of no other one. */
export interface ShownStore extends Pick<
  DeskStore,
  'dueBetween' | 'listNotifications' | 'milestones' | 'notificationsAfter' | 'revision'
> {
  /** With everything that happened to it; undefined when the store has none of that code. */
  readonly findTransaction: (
    merchantId: string,
    code: string,
  ) => Promise<TransactionDetails | undefined>
  /** The transaction that a refund of the store belongs to. */
  readonly transactionOfRefund: (
    merchantId: string,
    refundId: string,
  ) => Promise<string | undefined>
}

/** What a payer or a shop was given, once more. */
export interface Copies extends Pick<GivenAgain, 'bankSlipPath'> {
  readonly copyNotification: (merchant: Merchant, notification: Notification) => NotificationCopy
}

/** What people change by hand. */
export interface ChangesByHand {
  /** Changes a status where allowed, and notifies. The current status is notified again. */
  readonly changeStatus: (
    merchantId: string,
    code: string,
    to: TransactionStatus,
  ) => Promise<ChangeResult>
  /** Ends a refund that is PROCESSING, and notifies. */
  readonly finishRefund: (
    merchantId: string,
    refundId: string,
    to: RefundOutcome,
  ) => Promise<ChangeResult>
  /** Makes a notification due again; false when there is none. */
  readonly resendNotification: (
    merchantId: string,
    code: string,
    position: number,
  ) => Promise<boolean>
  /**
   * Deletes answered transactions with all that belongs to them.
   * @throws Error outside the sandbox
   */
  readonly deleteTestData: (merchantId: string) => Promise<void>
}

/**
 * What people see and do in one environment. Codes and refund ids are decimal text; a text that
 * cannot be one is not found.
 */
export interface BackOffice
  extends StoreAccount, StoreSettings, ShownStore, Copies, ChangesByHand {}

export interface BackOfficeDeps extends StoreAccountDeps, StoreSettingsDeps, PaymentFileDeps {
  readonly changes: ChangedPayments
  readonly copies: GivenAgain
}

export function createBackOffice(deps: BackOfficeDeps): BackOffice {
  return {
    ...createStoreAccount(deps),
    ...storeSettings(deps),
    ...shownStore(deps),
    ...copiesOf(deps.copies),
    ...changesByHand(deps),
  }
}

export function shownStore(deps: PaymentFileDeps): ShownStore {
  const { store } = deps
  return {
    async findTransaction(merchantId, code) {
      const transaction = await findOwn(deps, merchantId, code)
      return transaction && (await detailsOf(deps, transaction))
    },
    async transactionOfRefund(merchantId, refundId) {
      const refund = await findRefund(deps, merchantId, refundId)
      return refund && String(refund.transactionCode)
    },
    listNotifications: store.listNotifications,
    notificationsAfter: store.notificationsAfter,
    milestones: store.milestones,
    dueBetween: store.dueBetween,
    revision: store.revision,
  }
}

function copiesOf({ bankSlipPath, outgoing }: GivenAgain): Copies {
  return {
    bankSlipPath,
    copyNotification: (merchant, notification) => ({
      notification,
      outgoing: outgoing(merchant, notification),
    }),
  }
}

interface ChangesDeps extends PaymentFileDeps {
  readonly environment: Environment
  readonly changes: ChangedPayments
}

function changesByHand(deps: ChangesDeps): ChangesByHand {
  const { changes, environment } = deps
  return {
    async changeStatus(merchantId, code, to) {
      const found = await findOwn(deps, merchantId, code)
      return found === undefined ? 'not-found' : await changeStatus(changes, found, to)
    },
    async finishRefund(merchantId, refundId, to) {
      const refund = await findRefund(deps, merchantId, refundId)
      if (refund === undefined) return 'not-found'
      return (await changes.finishRefund(refund.id, to)) ? 'changed' : 'not-allowed'
    },
    async resendNotification(merchantId, code, position) {
      const found = await findOwn(deps, merchantId, code)
      return found !== undefined && (await changes.resend(found.code, position))
    },
    async deleteTestData(merchantId) {
      if (environment !== 'sandbox') throw new Error('only test data may be deleted')
      await changes.deleteAnswered(merchantId)
    },
  }
}

async function changeStatus(
  changes: ChangedPayments,
  { code, status }: Transaction,
  to: TransactionStatus,
): Promise<ChangeResult> {
  const isChanged =
    status === to ? await changes.notifyAgain(code, to) : await changes.changeStatus(code, to)
  return isChanged ? 'changed' : 'not-allowed'
}
