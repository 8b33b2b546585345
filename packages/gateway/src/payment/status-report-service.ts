import type { Clock, TransactionStatus } from '@cofre/contracts'
import type { RefundId, RefundOutcome } from '../model/refund/refund.js'
import type { Transaction, TransactionCode } from '../model/transaction/transaction.js'
import { ACTIVATION_LEASE_MS } from './card-activation-service.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { RefundStore, TransactionStore } from './ports.js'

export interface StatusReportDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
}

/**
 * Moves a transaction to a status that a bank, a wallet or a review has reported; its method
 * follows. Undefined, with nothing changed, if it may not go there.
 */
export async function recordStatus(
  { clock, machineClock, methods, transactions }: StatusReportDeps,
  code: TransactionCode,
  to: TransactionStatus,
): Promise<Transaction | undefined> {
  const moved = await transactions.changeStatus(code, {
    to,
    atMs: clock.now(),
    activateAtMs: machineClock.now() + ACTIVATION_LEASE_MS,
  })
  if (moved !== undefined) await methods.of(moved.paymentType).follow?.(moved)
  return moved
}

/** The result of a report. `open`: the creation is not answered yet; report again later. */
export type ReportResult = 'changed' | 'not-found' | 'not-allowed' | 'open'

/** A bank's reports on any store's payments. Codes and refund ids are decimal text. */
export interface BankReports {
  /** Accepted once the transaction's creation was answered. */
  readonly report: (code: string, to: TransactionStatus) => Promise<ReportResult>
  readonly reportRefund: (refundId: string, to: RefundOutcome) => Promise<void>
}

export interface BankReportsDeps extends StatusReportDeps {
  readonly refunds: RefundStore
}

export function createBankReports(deps: BankReportsDeps): BankReports {
  const { clock, refunds, transactions } = deps
  return {
    async report(codeText, to) {
      const code = Number(codeText) as TransactionCode
      const transaction = await transactions.findByCode(code)
      if (transaction === undefined) return 'not-found'
      if (transaction.open) return 'open'
      return (await recordStatus(deps, code, to)) === undefined ? 'not-allowed' : 'changed'
    },
    async reportRefund(refundId, to) {
      await refunds.finish(Number(refundId) as RefundId, to, clock.now())
    },
  }
}
