import { type Answer, type Clock, type Log, isLimited } from '@cofre/contracts'
import { isUnavailable } from '@cofre/sql'
import { type Lanes, NOTHING_DUE, createLanes, doEach } from '@cofre/work'
import type { PixBankRefund, PixRefundOrder } from '@cofre/provider-kit/bank'
import { type Surplus, READ_PAUSE_MS } from '../model/bank-charge.js'
import {
  type BankCharge,
  type Refund,
  type RefundOutcome,
  REFUND_PAUSE_MAX_MS,
  bankRefundId,
} from '@cofre/gateway/method'
import type { BankChargeStore, RefundStore, SurplusStore } from './ports.js'
import { surplusRefundId } from '../model/pix-refund.js'
import { type AccountBanks, detailOf } from './account-bank-service.js'
import type { ChargeBank } from './charge-bank.js'
import { SURPLUS_REFUSED } from './charge-record-service.js'

export interface RefundAtBankDeps {
  readonly machineClock: Clock
  readonly log: Log
  readonly refunds: RefundStore
  readonly bankCharges: BankChargeStore
  readonly surpluses: SurplusStore
  readonly banks: AccountBanks
}

/**
 * Requests a refund from the bank of a charge, or reads the result of one that people made there.
 * `unknown` means retry later.
 */
export async function refundAtBank(
  deps: RefundAtBankDeps,
  refund: Refund,
  charge: BankCharge,
): Promise<RefundOutcome | 'unknown'> {
  const { id, transactionCode } = refund
  const amountMinor = refund.chargedMinor ?? refund.amountMinor
  const { accountId: account } = charge
  const readAgain = () => deps.bankCharges.planRead(transactionCode, deps.machineClock.now())
  if (refund.providerRefundId !== undefined) {
    await readAgain()
    await deps.refunds.postponeInProcess(refund, deps.machineClock.now())
    return 'unknown'
  }
  const endToEndId = await deps.surpluses.orderPayment(transactionCode)
  if (endToEndId === undefined) {
    deps.log.warn({ refund: id, account }, 'the bank has no payment of the order to send back')
    return 'REJECTED'
  }
  const order = { endToEndId, refundId: bankRefundId(refund), amountMinor }
  const answer = await returnMoney(deps, charge, order)
  if (isLimited(answer)) await deps.refunds.putOff(refund, endOfPause(deps, answer))
  if (answer.kind !== 'done') return 'unknown'
  const outcome = answer.value
  if (outcome === 'in-process') {
    await deps.refunds.postponeInProcess(refund, deps.machineClock.now())
    return 'unknown'
  }
  // People may have made a refund at the bank.
  if (outcome === 'REJECTED') await readAgain()
  return outcome
}

const SURPLUSES_AT_ONCE = 10

export interface BankRefundDeps extends RefundAtBankDeps {
  readonly clock: Clock
}

/**
 * Sends back money that is not the order's. Unknown outcomes are retried.
 * @throws RoundFailedError when none could be sent; the database's error when it is down
 */
export async function refundSurpluses(
  deps: BankRefundDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  if (!deps.banks.arePresent) return NOTHING_DUE
  const { log, machineClock, surpluses } = deps
  const claim = { nowMs: machineClock.now(), limit: SURPLUSES_AT_ONCE, busy: lanes.busy() }
  return await doEach(await surpluses.claim(claim), {
    work: (surplus) => lanes.run(surplus.accountId, () => refundSurplus(deps, surplus)),
    name: ({ code }) => `a surplus of transaction ${code}`,
    logFailure({ code: transaction }, error) {
      // The database is down: end the round.
      if (isUnavailable(error)) throw error
      log.error({ transaction, error }, 'a surplus could not be sent back')
    },
  })
}

async function refundSurplus(deps: BankRefundDeps, surplus: Surplus): Promise<void> {
  const { accountId, amountMinor, endToEndId } = surplus
  const refundId = surplusRefundId(endToEndId)
  const answer = await returnMoney(deps, surplus, { endToEndId, refundId, amountMinor })
  if (isLimited(answer)) await deps.surpluses.putOff(surplus, endOfPause(deps, answer))
  if (answer.kind !== 'done') return
  const outcome = answer.value
  if (outcome === 'in-process') {
    await deps.surpluses.postponeInProcess(surplus, deps.machineClock.now())
    return
  }
  await deps.surpluses.finish(surplus, outcome, deps.clock.now())
  const facts = { transaction: surplus.code, account: accountId, amountMinor }
  if (outcome === 'REJECTED') deps.log.warn(facts, SURPLUS_REFUSED)
}

function endOfPause(
  { machineClock }: RefundAtBankDeps,
  { retryAfterMs }: { readonly retryAfterMs: number },
): number {
  const pauseMs = Math.min(Math.max(retryAfterMs, READ_PAUSE_MS), REFUND_PAUSE_MAX_MS)
  return machineClock.now() + pauseMs
}

/** Reads first: a bank refuses a repeated request for a refund that it has made. */
async function returnMoney(
  deps: RefundAtBankDeps,
  at: Pick<BankCharge, 'accountId' | 'method'>,
  order: PixRefundOrder,
): Promise<Answer<RefundOutcome | 'in-process'>> {
  const { accountId: account } = at
  const bank = await deps.banks.of(at)
  const answer = await requestPixRefund(bank, order)
  if (isLimited(answer)) return answer
  const isIt = answer.kind === 'done' && answer.value.amountMinor === order.amountMinor
  if (isIt && answer.value.state === 'returned') return { kind: 'done', value: 'PROCESSED' }
  if (isIt && answer.value.state === 'in-process') return { kind: 'done', value: 'in-process' }
  const detail = answer.kind === 'done' && !isIt ? 'it has another amount there' : reasonIn(answer)
  deps.log.warn({ account, refund: order.refundId, error: detail }, 'a bank has not made a refund')
  const isRejected = isIt || answer.kind === 'refused' || answer.kind === 'absent'
  return isRejected ? { kind: 'done', value: 'REJECTED' } : { kind: 'unknown', detail }
}

/** Refused only if the bank has nothing under the refund's name. */
async function requestPixRefund(
  bank: Pick<ChargeBank, 'refund' | 'findRefund'>,
  order: PixRefundOrder,
): Promise<Answer<PixBankRefund>> {
  const undecided = (answer: Answer<PixBankRefund>): Answer<PixBankRefund> =>
    answer.kind === 'done' || isLimited(answer)
      ? answer
      : { kind: 'unknown', detail: reasonIn(answer) }
  const found = await bank.findRefund(order)
  if (found.kind !== 'absent') return undecided(found)
  const asked = await bank.refund(order)
  if (asked.kind !== 'refused' && asked.kind !== 'absent') return asked
  const after = await bank.findRefund(order)
  return after.kind === 'absent' ? asked : undecided(after)
}

function reasonIn(answer: Answer<PixBankRefund>): string {
  if (answer.kind === 'done') return answer.value.reason ?? answer.value.state
  return detailOf(answer)
}
