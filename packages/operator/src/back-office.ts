import type { Environment, TransactionStatus } from '@cofre/contracts'
import type {
  ChangedPayments,
  PaymentCopies,
  RefundOutcome,
  Transaction,
} from '@cofre/gateway/room'
import type {
  ChangeResult,
  PaymentNotifications,
  TransactionDetails,
} from './model/payment-file.js'
import { type PaymentFileDeps, detailsOf, findOwn, findRefund } from './payment-files.js'
import type { DeskStore } from './sql/desk-store-sql.js'
import { type StoreAccount, type StoreAccountDeps, createStoreAccount } from './store-account.js'
import type { StoreSettings } from './model/store-settings.js'
import { type StoreSettingsDeps, storeSettings } from './store-settings.js'

/** The data of one store, for people. */
export interface ShownStore extends Pick<DeskStore, 'dueBetween' | 'milestones' | 'revision'> {
  /** With its whole history; undefined if the store has no transaction with that code. */
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

/** Changes that people make. */
export interface ChangesByHand {
  /** Changes a status if allowed, and notifies. The current status is notified again. */
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
  /**
   * Deletes answered transactions with all their data.
   * @throws Error outside the sandbox
   */
  readonly deleteTestData: (merchantId: string) => Promise<void>
}

/**
 * The people's data and actions in one environment. Codes and refund ids are decimal text; an
 * invalid text is not found.
 */
export interface BackOffice
  extends StoreAccount, StoreSettings, ShownStore, BankSlips, ChangesByHand {}

/** The address of a boleto's slip at its bank. */
type BankSlips = Pick<PaymentCopies, 'bankSlipPath'>

export interface BackOfficeDeps extends StoreAccountDeps, StoreSettingsDeps, ChangesDeps {
  readonly copies: BankSlips
}

export function createBackOffice(deps: BackOfficeDeps): BackOffice {
  return {
    ...createStoreAccount(deps),
    ...storeSettings(deps),
    ...shownStore(deps),
    bankSlipPath: deps.copies.bankSlipPath,
    ...changesByHand(deps),
  }
}

export interface ShownStoreDeps extends PaymentFileDeps {
  readonly store: DeskStore
}

export function shownStore(deps: ShownStoreDeps): ShownStore {
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
    milestones: store.milestones,
    dueBetween: store.dueBetween,
    revision: store.revision,
  }
}

interface ChangesDeps extends Pick<ShownStoreDeps, 'payments' | 'store'> {
  readonly environment: Environment
  readonly changes: ChangedPayments
  readonly notifications: PaymentNotifications
}

function changesByHand(deps: ChangesDeps): ChangesByHand {
  const { changes, environment } = deps
  return {
    async changeStatus(merchantId, code, to) {
      const found = await findOwn(deps, merchantId, code)
      return found === undefined ? 'not-found' : await changeStatus(deps, found, to)
    },
    async finishRefund(merchantId, refundId, to) {
      const refund = await findRefund(deps, merchantId, refundId)
      if (refund === undefined) return 'not-found'
      return (await changes.finishRefund(refund.id, to)) ? 'changed' : 'not-allowed'
    },
    async deleteTestData(merchantId) {
      if (environment !== 'sandbox') throw new Error('only test data may be deleted')
      await changes.deleteAnswered(merchantId)
    },
  }
}

async function changeStatus(
  { changes, notifications }: Pick<ChangesDeps, 'changes' | 'notifications'>,
  { code, status }: Transaction,
  to: TransactionStatus,
): Promise<ChangeResult> {
  const isChanged =
    status === to ? await notifications.notifyAgain(code, to) : await changes.changeStatus(code, to)
  return isChanged ? 'changed' : 'not-allowed'
}
