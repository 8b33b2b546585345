import { type Answer, type Clock, type Log, isLimited, retryAfterMsOf } from '@cofre/contracts'
import { type BankSweep, SWEEP_PAUSE_MS, isLate, pagesAtOnce } from '../model/bank-charge.js'
import type { PixBankPayment } from '@cofre/provider-kit/bank'
import { isUnavailable } from '@cofre/sql'
import { type Lanes, NOTHING_DUE, createLanes, doEach } from '@cofre/work'
import type { BankChargeStore, BankSweepStore } from './ports.js'
import { type RandomBelow, drawTransactionCode } from '@cofre/gateway/method'
import { type AccountBanks, detailOf } from './account-bank-service.js'
import type { ArrivedMoney } from '../model/arrived-money.js'
import type { RecordCharge } from './charge-record-service.js'

export interface BankSweepDeps {
  readonly machineClock: Clock
  readonly log: Log
  readonly randomBelow: RandomBelow
  readonly bankCharges: BankChargeStore
  readonly bankSweeps: BankSweepStore
  readonly money: Pick<ArrivedMoney, 'recordList'>
  readonly recordCharge: RecordCharge
  readonly banks: AccountBanks
}

/**
 * Reads the payments of accounts with live charges, and once a day of all accounts. Every PIX
 * payment is found without a single notice. For boletos, it reads which notices were missed, for
 * both kinds of payment.
 * @throws RoundFailedError when no list could be read
 */
export async function sweepAccounts(
  deps: BankSweepDeps,
  signal?: AbortSignal,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  if (!deps.banks.arePresent) return NOTHING_DUE
  const { log, machineClock, bankSweeps } = deps
  return await doEach(await bankSweeps.claim(machineClock.now(), lanes.busy()), {
    work: (sweep) =>
      lanes.run(sweep.accountId, async () => {
        try {
          if (sweep.kind === 'notices') await readNotices(deps, sweep)
          else await sweepAccount(deps, sweep, signal)
        } catch (error) {
          await bankSweeps.startAgain(sweep, machineClock.now())
          throw error
        }
      }),
    name: ({ accountId, kind }) => `the ${kind} list of account ${accountId}`,
    logFailure({ accountId: account }, error) {
      log.error({ account, error }, 'the payments of an account are not read')
    },
  })
}

/** A lost notice counts like a delivered one: the boletos that it names are read. */
async function readNotices(deps: BankSweepDeps, sweep: BankSweep): Promise<void> {
  const { log, machineClock, bankCharges, bankSweeps } = deps
  const { accountId: account, fromMs, kind, toMs } = sweep
  const bank = await deps.banks.boletos(account)
  const answer = await bank.listNotices?.(fromMs, toMs)
  if (answer === undefined || answer.kind === 'done') {
    if (answer !== undefined)
      await bankCharges.planReadsByName(account, answer.value, machineClock.now())
    await bankSweeps.finish(sweep, machineClock.now())
    return
  }
  if (!isLimited(answer))
    log.warn(
      { account, kind, error: detailOf(answer) },
      'a bank did not list the notices that it has sent',
    )
  await stopAt(deps, sweep, answer)
}

async function sweepAccount(
  deps: BankSweepDeps,
  sweep: BankSweep,
  signal?: AbortSignal,
): Promise<void> {
  const { log, machineClock, bankCharges, bankSweeps } = deps
  const { accountId: account, firstPage, fromMs, kind, toMs } = sweep
  if (fromMs >= toMs) {
    // No payment is that old yet.
    await bankSweeps.finish(sweep, machineClock.now())
    return
  }
  const endPage = firstPage + pagesAtOnce(kind)
  const bank = await deps.banks.pix(account)
  let page = firstPage
  for (;;) {
    const answer = await bank.listPayments({ fromMs, toMs, isOld: isLate(kind) }, page)
    if (answer.kind !== 'done') {
      if (!isLimited(answer))
        log.warn(
          { account, kind, page, error: detailOf(answer) },
          'a bank did not list the payments of an account',
        )
      await stopAt(deps, sweep, answer)
      return
    }
    const { payments, nextPage } = answer.value
    for (const listed of await bankCharges.news(account, payments)) await recordListed(deps, listed)
    if (kind === 'daily') await recordListedPayments(deps, account, payments)
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

type ListedPayment = Awaited<ReturnType<BankChargeStore['news']>>[number]

/** A payment that cannot be recorded blocks no other one. It is listed again for days. */
async function recordListed(
  deps: BankSweepDeps,
  { transactionCode, payment }: ListedPayment,
): Promise<void> {
  try {
    await deps.recordCharge(transactionCode, { payments: [payment] })
  } catch (error) {
    // The database is down: end the list.
    if (isUnavailable(error)) throw error
    deps.log.error({ transaction: transactionCode, error }, 'a payment could not be recorded')
  }
}

/** Compares the bank's list with the recorded payments, including those of other systems. */
async function recordListedPayments(
  { machineClock, money, randomBelow }: BankSweepDeps,
  accountId: string,
  payments: readonly PixBankPayment[],
): Promise<void> {
  const machineNowMs = machineClock.now()
  const newId = drawTransactionCode(machineNowMs, randomBelow)
  await money.recordList({ accountId, payments, newId, machineNowMs })
}

/** A bank may refuse because the list has changed. */
async function stopAt(
  { machineClock, bankSweeps }: BankSweepDeps,
  sweep: BankSweep,
  answer: Exclude<Answer<never>, { kind: 'done' }>,
): Promise<void> {
  const nowMs = machineClock.now()
  if (answer.kind === 'refused' || answer.kind === 'absent')
    await bankSweeps.startAgain(sweep, nowMs)
  else await bankSweeps.postpone(sweep, nowMs, retryAfterMsOf(answer))
}
