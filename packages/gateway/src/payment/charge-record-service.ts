import { drawRefundId } from '../model/refund/refund.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import type { MethodDeps } from './gateway-deps.js'

type RecordDeps = Pick<MethodDeps, 'bankCharges' | 'clock' | 'log' | 'machineClock' | 'randomBelow'>
type RecordCharge = MethodDeps['bankCharges']['record']

/** How a charge has ended that nobody has paid. */
export type RecordedEnd = NonNullable<Parameters<RecordCharge>[0]['ended']>

/**
 * Commits what a bank says of a charge, and logs what nobody could expect. A payment is known by
 * its end-to-end id: said again, also by a file of the bank, it changes nothing.
 */
export async function recordCharge(
  deps: RecordDeps,
  transactionCode: TransactionCode,
  said: Pick<Parameters<RecordCharge>[0], 'payments' | 'ended' | 'isUnseen' | 'issued' | 'reason'>,
) {
  const { clock, machineClock, bankCharges, randomBelow } = deps
  const atMs = clock.now()
  const recorded = await bankCharges.record({
    ...said,
    transactionCode,
    atMs,
    machineNowMs: machineClock.now(),
    newRefundId: () => drawRefundId(atMs, randomBelow),
  })
  if (recorded !== undefined) logNews(deps, recorded)
  return recorded
}

function logNews(
  { log }: RecordDeps,
  { charge, refunds, surpluses }: NonNullable<Awaited<ReturnType<RecordCharge>>>,
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
    else log.info({ ...facts, becomes: refundStatus }, "money came that is no order's")
  }
}

/** From now on nobody asks for it again. */
export const SURPLUS_REFUSED = 'a bank does not send a surplus back: the money stays in the account'
