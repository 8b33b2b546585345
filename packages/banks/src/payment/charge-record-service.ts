import type { Clock, Log } from '@cofre/contracts'
import type { BankChargeStore } from './ports.js'
import { type RandomBelow, type TransactionCode, drawRefundId } from '@cofre/gateway/method'

type Recording = Parameters<BankChargeStore['record']>[0]

/** The end of an unpaid charge. */
export type RecordedEnd = NonNullable<Recording['ended']>

/** A bank's report on a charge. */
export type ChargeReport = Pick<Recording, 'payments' | 'ended' | 'isUnshown' | 'issued' | 'reason'>

/** The charge and its transaction afterwards; undefined if there is no such charge. */
export type RecordedCharge = Awaited<ReturnType<BankChargeStore['record']>>

/** See {@link recordCharge}. */
export type RecordCharge = (code: TransactionCode, report: ChargeReport) => Promise<RecordedCharge>

export interface ChargeRecordDeps {
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly randomBelow: RandomBelow
  readonly bankCharges: BankChargeStore
}

/**
 * Commits a bank's report on a charge, and logs unexpected content. A payment is identified by its
 * end-to-end id: a repeated report, also from a bank's file, changes nothing.
 */
export async function recordCharge(
  deps: ChargeRecordDeps,
  transactionCode: TransactionCode,
  report: ChargeReport,
): Promise<RecordedCharge> {
  const { clock, machineClock, bankCharges, randomBelow } = deps
  const atMs = clock.now()
  const recorded = await bankCharges.record({
    ...report,
    transactionCode,
    atMs,
    machineNowMs: machineClock.now(),
    newRefundId: () => drawRefundId(atMs, randomBelow),
  })
  if (recorded !== undefined) logChanges(deps, recorded)
  return recorded
}

function logChanges(
  { log }: ChargeRecordDeps,
  { charge, refunds, surpluses }: NonNullable<RecordedCharge>,
): void {
  const { accountId: account, transactionCode: transaction } = charge
  for (const { id, before, status, reason } of refunds) {
    const facts = { transaction, account, refund: id, before, status, reason }
    if (before === undefined) log.info(facts, 'a refund was made at the bank')
    else if (before !== 'PROCESSING') log.warn(facts, 'a bank has changed how a refund ended')
    else if (status === 'REJECTED') log.warn(facts, 'a bank has not made a refund')
  }
  for (const { amountMinor, bankRefunds, purpose, refundStatus } of surpluses) {
    const facts = { transaction, account, amountMinor, purpose }
    const reason = bankRefunds.find(({ state }) => state === 'not-done')?.reason
    if (refundStatus === 'REJECTED') log.warn({ ...facts, reason }, SURPLUS_REFUSED)
    else log.info({ ...facts, becomes: refundStatus }, 'unexpected payment recorded')
  }
}

/** It is not requested again. */
export const SURPLUS_REFUSED = 'a bank does not send a surplus back: the money stays in the account'
