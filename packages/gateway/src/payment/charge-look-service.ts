import { reasonOf } from '@cofre/jobs'
import type {
  PixBank,
  PixBankAnswer,
  PixBankCharge,
  PixBankPayment,
} from '../model/payment-rail/pix-bank.js'
import {
  LOOK_PAUSE_MS,
  type BankCharge,
  type ChargeName,
  type BankChargeState,
  type BankLook,
  type BankLookEnd,
  type BankSweep,
  SWEEP_PAUSE_MS,
  endOf,
  isLate,
  pagesAtOnce,
} from '../model/payment-rail/bank-charge.js'
import { isUnavailable } from '@cofre/sql'
import { pixBankOf, isPutOff } from './account-bank-service.js'
import type { GatewayDeps } from './gateway-deps.js'
import { drawRefundId } from '../model/refund/refund.js'
import { type TransactionCode, drawTransactionCode } from '../model/transaction/transaction.js'

const LOOKS_AT_ONCE = 20

/** Reads at their banks the charges that are due, and commits what was paid. */
export async function lookAtCharges(deps: GatewayDeps): Promise<void> {
  if (deps.bankOf === undefined) return
  const { log, machineClock, bankCharges } = deps
  const claim = { machineNowMs: machineClock.now(), limit: LOOKS_AT_ONCE }
  const looks = await bankCharges.claimLooks(claim)
  await Promise.all(
    looks.map(async (look) => {
      try {
        const { state, end } = await lookAt(deps, look)
        await bankCharges.finishLook({ ...look, state }, end)
      } catch (error) {
        log.error({ transaction: look.transactionCode, error }, 'a PIX charge could not be read')
      }
    }),
  )
}

interface LookOutcome {
  /** Of the charge, after the look. */
  readonly state: BankChargeState
  readonly end: BankLookEnd
}

async function lookAt(deps: GatewayDeps, look: BankLook): Promise<LookOutcome> {
  const { accountId, transactionCode } = look
  const bank = await pixBankOf(deps, accountId)
  const found = await findUnwanted(deps, look, bank)
  const ended =
    found.kind === 'absent'
      ? await endedAbsent(deps, look)
      : endedBy(found, look, deps.machineClock.now())
  if (found.kind !== 'done' && ended === undefined) {
    const error = 'detail' in found ? found.detail : found.kind
    if (!isPutOff(found))
      deps.log.warn(
        { transaction: transactionCode, account: accountId, error },
        'a bank did not answer for a PIX charge',
      )
    return { state: look.state, end: endWithout(found, deps.machineClock.now()) }
  }
  const payments = found.kind === 'done' ? found.value.payments : []
  const recorded = await recordCharge(deps, transactionCode, { payments, ended })
  return { state: recorded?.charge.state ?? look.state, end: { kind: 'answered' } }
}

/** How a look ended that has shown no charge. */
function endWithout(found: PixBankAnswer<PixBankCharge>, nowMs: number): BankLookEnd {
  if (found.kind === 'absent') return { kind: 'answered' }
  if (!isPutOff(found)) return { kind: 'unanswered' }
  return { kind: 'put-off', untilMs: nowMs + Math.max(found.retryAfterMs, LOOK_PAUSE_MS) }
}

/** The charge as the bank has it; removed, where people have ended its transaction by hand. */
async function findUnwanted(
  { machineClock, transactions }: GatewayDeps,
  { state, transactionCode, name, bankExpiresAtMs = Infinity }: BankLook,
  bank: PixBank,
): Promise<PixBankAnswer<PixBankCharge>> {
  const found = await bank.findCharge(name, 'background')
  const isPayable =
    found.kind === 'done' && found.value.state === 'open' && machineClock.now() < bankExpiresAtMs
  if (!isPayable || state === 'closed') return found
  const transaction = await transactions.findByCode(transactionCode)
  return transaction?.status === 'PENDING' ? found : await bank.removeCharge(name)
}

/**
 * A bank that says so of a live charge may be wrong: its list has to show that nobody has paid it.
 */
async function endedAbsent(
  { bankSweeps }: GatewayDeps,
  look: BankLook,
): Promise<'EXPIRED' | undefined> {
  return (await bankSweeps.sweptUntilMs(look.accountId)) > endOf(look) ? 'EXPIRED' : undefined
}

/** How a charge has ended that nobody has paid; undefined while somebody may have. */
function endedBy(
  found: PixBankAnswer<PixBankCharge>,
  look: BankLook,
  nowMs: number,
): 'EXPIRED' | 'CANCELLED' | undefined {
  const isOver = nowMs >= endOf(look)
  if (found.kind !== 'done') return undefined
  const { state, payments } = found.value
  if (state === 'removed') return 'CANCELLED'
  // The bank knows of money that it does not show yet.
  const isUndecided = state === 'paid' && payments.length === 0
  return isOver && !isUndecided ? 'EXPIRED' : undefined
}

/**
 * Removes at its bank a charge that its payer has, and commits what the bank says of it. Where that
 * does not end the transaction, the charge is read again soon: a removal whose answer was lost is
 * found then.
 */
export async function removeLiveCharge(
  deps: GatewayDeps,
  { accountId, transactionCode, name }: Pick<BankCharge, 'accountId' | 'transactionCode' | 'name'>,
): Promise<void> {
  const { log, machineClock, bankCharges } = deps
  const removed = await askToRemove(deps, accountId, name)
  if (typeof removed !== 'string') {
    const { payments, state } = removed
    const ended = state === 'removed' ? 'CANCELLED' : undefined
    const recorded = await recordCharge(deps, transactionCode, { payments, ended })
    if (recorded?.transaction.status !== 'PENDING') return
  }
  const error = typeof removed === 'string' ? removed : removed.state
  log.warn({ transaction: transactionCode, account: accountId, error }, 'a charge is not removed')
  await bankCharges.lookAtCharge(transactionCode, machineClock.now())
}

/** The charge as the bank has it then; else why it was not removed. */
async function askToRemove(
  deps: GatewayDeps,
  accountId: string,
  name: ChargeName,
): Promise<PixBankCharge | string> {
  try {
    const bank = await pixBankOf(deps, accountId)
    const answer = await bank.removeCharge(name)
    if (answer.kind === 'done') return answer.value
    return 'detail' in answer ? answer.detail : answer.kind
  } catch (error) {
    if (isUnavailable(error)) throw error
    return reasonOf(error)
  }
}

type RecordCharge = GatewayDeps['bankCharges']['record']

/** Commits what a bank says of a charge, and logs what nobody could expect. */
export async function recordCharge(
  deps: GatewayDeps,
  transactionCode: TransactionCode,
  said: Pick<Parameters<RecordCharge>[0], 'payments' | 'ended' | 'isUnseen'>,
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
  { log }: GatewayDeps,
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

/**
 * Reads what was paid to the accounts that have live charges, and once a day to all: without a
 * single notice every payment is found.
 */
export async function sweepAccounts(deps: GatewayDeps, signal?: AbortSignal): Promise<void> {
  if (deps.bankOf === undefined) return
  const { log, machineClock, bankSweeps } = deps
  const sweeps = await bankSweeps.claim(machineClock.now())
  await Promise.all(
    sweeps.map(async (sweep) => {
      try {
        await sweepAccount(deps, sweep, signal)
      } catch (error) {
        log.error({ account: sweep.accountId, error }, 'the payments of an account are not read')
        await bankSweeps.startAgain(sweep, machineClock.now())
      }
    }),
  )
}

async function sweepAccount(
  deps: GatewayDeps,
  sweep: BankSweep,
  signal?: AbortSignal,
): Promise<void> {
  const { log, machineClock, bankCharges, bankSweeps } = deps
  const { accountId: account, firstPage, fromMs, kind, toMs } = sweep
  if (fromMs >= toMs) {
    // Nothing is that old yet.
    await bankSweeps.finish(sweep, machineClock.now())
    return
  }
  const endPage = firstPage + pagesAtOnce(kind)
  const bank = await pixBankOf(deps, account)
  let page = firstPage
  for (;;) {
    const answer = await bank.listPayments({ fromMs, toMs, isOld: isLate(kind) }, page)
    if (answer.kind !== 'done') {
      const error = 'detail' in answer ? answer.detail : answer.kind
      if (!isPutOff(answer))
        log.warn({ account, kind, page, error }, 'a bank did not list the payments of an account')
      await stopAt(deps, sweep, answer)
      return
    }
    const { payments, nextPage } = answer.value
    for (const listed of await bankCharges.news(account, payments)) await recordListed(deps, listed)
    if (kind === 'daily') await keepListed(deps, account, payments)
    if (nextPage === undefined) break
    if (nextPage <= page) throw new Error('a list of payments runs back')
    page = nextPage
    await bankSweeps.readOn(sweep, page, machineClock.now())
    if (page >= endPage || signal?.aborted === true) {
      await bankSweeps.postpone(sweep, machineClock.now(), SWEEP_PAUSE_MS)
      return
    }
  }
  await bankSweeps.finish(sweep, machineClock.now())
}

type ListedPayment = Awaited<ReturnType<GatewayDeps['bankCharges']['news']>>[number]

/** One that cannot be recorded keeps no other from it. It is listed again for days. */
async function recordListed(
  deps: GatewayDeps,
  { transactionCode, payment }: ListedPayment,
): Promise<void> {
  try {
    await recordCharge(deps, transactionCode, { payments: [payment] })
  } catch (error) {
    // The database is down: end the list.
    if (isUnavailable(error)) throw error
    deps.log.error({ transaction: transactionCode, error }, 'a payment could not be recorded')
  }
}

/** What the bank has listed is compared with what was recorded, whosever it is. */
async function keepListed(
  { machineClock, pixSettlements, randomBelow }: GatewayDeps,
  accountId: string,
  payments: readonly PixBankPayment[],
): Promise<void> {
  const machineNowMs = machineClock.now()
  const newId = drawTransactionCode(machineNowMs, randomBelow)
  await pixSettlements.add({ accountId, payments, newId, machineNowMs })
}

/** A bank that says no may do so because the list has changed. */
async function stopAt(
  { machineClock, bankSweeps }: GatewayDeps,
  sweep: BankSweep,
  answer: Exclude<PixBankAnswer<never>, { kind: 'done' }>,
): Promise<void> {
  const nowMs = machineClock.now()
  if (answer.kind === 'unavailable' || answer.kind === 'unknown')
    await bankSweeps.postpone(sweep, nowMs, answer.retryAfterMs)
  else await bankSweeps.startAgain(sweep, nowMs)
}
