import { type Clock, type Log, isLimited } from '@cofre/contracts'
import { type Lanes, NOTHING_DUE, createLanes, doEach, reasonOf } from '@cofre/work'
import { isUnavailable } from '@cofre/sql'
import type { BankCharge } from '@cofre/gateway/method'
import type { BankChargeStore, BankSweepStore, TransactionStore } from './ports.js'
import {
  type ChargeRead,
  type ChargeReadEnd,
  type IssuedBoleto,
  READ_PAUSE_MS,
  endOf,
} from '../model/bank-charge.js'
import { nextReadAtMs } from '../model/charge-read-times.js'
import { chargeKindOf } from '../model/charge-kind.js'
import { type AccountBanks, detailOf } from './account-bank-service.js'
import {
  type ChargeAnswer,
  type ChargeBank,
  type ChargeReading,
  objectionTo,
} from './charge-bank.js'
import type { RecordCharge, RecordedEnd } from './charge-record-service.js'

const READS_AT_ONCE = 20

export interface ChargeReadDeps {
  readonly machineClock: Clock
  readonly log: Log
  readonly transactions: TransactionStore
  readonly bankCharges: BankChargeStore
  readonly bankSweeps: BankSweepStore
  readonly recordCharge: RecordCharge
  readonly banks: AccountBanks
}

/**
 * Reads due charges at their banks, and commits their payments.
 * @throws RoundFailedError when none could be read
 */
export async function readCharges(
  deps: ChargeReadDeps,
  lanes: Lanes = createLanes(),
): Promise<unknown> {
  if (!deps.banks.arePresent) return NOTHING_DUE
  const { log, machineClock, bankCharges } = deps
  const claim = {
    machineNowMs: machineClock.now(),
    limit: READS_AT_ONCE,
    busy: lanes.busy(),
    unreadable(error: unknown, transaction: number) {
      log.error({ transaction, error }, 'a charge could not be read')
    },
  }
  return await doEach(await bankCharges.claimReads(claim), {
    work: (read) =>
      lanes.run(read.accountId, async () => {
        const { charge, end } = await readAtBank(deps, read)
        await bankCharges.finishRead(readAfter(read, charge, machineClock.now()), end)
      }),
    name: ({ transactionCode }) => `the charge of transaction ${transactionCode}`,
    logFailure({ transactionCode: transaction }, error) {
      log.error({ transaction, error }, 'a charge could not be read')
    },
  })
}

/** The look with its findings. An issued boleto is read less often. */
function readAfter(read: ChargeRead, charge: BankCharge, nowMs: number): ChargeRead {
  const after = { ...read, state: charge.state }
  return charge.issuedAtMs === read.issuedAtMs
    ? after
    : { ...after, plannedAtMs: nextReadAtMs(charge, read.looks, nowMs) }
}

interface ReadOutcome {
  /** The charge after the look. */
  readonly charge: BankCharge
  readonly end: ChargeReadEnd
}

async function readAtBank(deps: ChargeReadDeps, read: ChargeRead): Promise<ReadOutcome> {
  const { accountId, transactionCode } = read
  const bank = await deps.banks.of(read)
  const { found, objection } = await findUnwanted(deps, read, bank)
  const nowMs = deps.machineClock.now()
  const ended =
    found.kind === 'absent' ? await endedAbsent(deps, read) : endedBy(found, read, nowMs)
  if (found.kind !== 'done' && ended === undefined) {
    if (!isLimited(found))
      deps.log.warn(
        { transaction: transactionCode, account: accountId, error: detailOf(found) },
        'a bank did not answer for a charge',
      )
    return { charge: read, end: endWithout(found, nowMs) }
  }
  const recorded = await deps.recordCharge(transactionCode, {
    payments: found.kind === 'done' ? found.value.payments : [],
    issued: objection === undefined ? issuedBy(found, read) : undefined,
    ended,
    reason: objection,
  })
  return { charge: recorded?.charge ?? read, end: { kind: 'answered' } }
}

/** The end of a look that has found no charge. */
function endWithout(found: ChargeAnswer, nowMs: number): ChargeReadEnd {
  if (found.kind === 'absent') return { kind: 'answered' }
  if (!isLimited(found)) return { kind: 'unanswered' }
  return { kind: 'put-off', untilMs: nowMs + Math.max(found.retryAfterMs, READ_PAUSE_MS) }
}

interface FoundCharge {
  readonly found: ChargeAnswer
  /** Why no payer may see or pay the charge. */
  readonly objection?: string | undefined
}

/**
 * The charge as the bank has it. It is removed if a person has ended its transaction, or if the
 * bank issued a different boleto from the requested one.
 */
async function findUnwanted(
  { log, machineClock, transactions }: ChargeReadDeps,
  read: ChargeRead,
  bank: ChargeBank,
): Promise<FoundCharge> {
  const { accountId, state, transactionCode, bankExpiresAtMs = Infinity } = read
  const found = await bank.find(read, 'background')
  if (found.kind !== 'done' || state === 'closed') return { found }
  const transaction = await transactions.findByCode(transactionCode)
  const isNew = chargeKindOf(read).isIssuedLater && read.issuedAtMs === undefined
  const objection =
    isNew && transaction !== undefined ? objectionTo(found.value, transaction) : undefined
  const isPayable =
    ['open', 'issuing'].includes(found.value.state) && machineClock.now() < bankExpiresAtMs
  const isWanted = transaction?.status === 'PENDING' && objection === undefined
  if (!isPayable || isWanted) return { found, objection }
  if (objection !== undefined)
    log.warn(
      { transaction: transactionCode, account: accountId, error: objection },
      'a charge of a bank cannot be shown',
    )
  const { bankId } = found.value
  return { found: await bank.remove({ ...read, bankId }), objection }
}

/** The boleto that the bank has issued since the last look. */
function issuedBy(found: ChargeAnswer, read: ChargeRead): IssuedBoleto | undefined {
  const isIssued = !chargeKindOf(read).isIssuedLater || read.issuedAtMs !== undefined
  if (isIssued || found.kind !== 'done') return undefined
  const { bankId, codes, ourNumber, state } = found.value
  if (state === 'issuing' || codes?.kind !== 'held') return undefined
  return { bankId, ourNumber, codes: codes.codes }
}

/**
 * A bank that does not know a live charge may be wrong: a PIX must also be absent from its list of
 * payments, and a boleto must have ended.
 */
async function endedAbsent(
  { bankSweeps, machineClock }: ChargeReadDeps,
  read: ChargeRead,
): Promise<RecordedEnd | undefined> {
  const { isListedWhenPaid, unpaidEnd } = chargeKindOf(read)
  const isOver = isListedWhenPaid
    ? (await bankSweeps.sweptUntilMs(read.accountId)) > endOf(read)
    : machineClock.now() >= endOf(read)
  return isOver ? unpaidEnd : undefined
}

/** The end of an unpaid charge; undefined while it may have been paid. */
function endedBy(found: ChargeAnswer, read: ChargeRead, nowMs: number): RecordedEnd | undefined {
  if (found.kind !== 'done') return undefined
  const { state } = found.value
  if (state === 'removed' || state === 'failed') return 'CANCELLED'
  if (nowMs < endOf(read) || isUndecided(found.value, read)) return undefined
  return chargeKindOf(read).unpaidEnd
}

/** The bank does not yet show the money that it knows of, or its answer is ambiguous. */
function isUndecided({ payments, state }: ChargeReading, read: ChargeRead): boolean {
  if (state === 'paid') return payments.length === 0
  return state === 'not-known' && !chargeKindOf(read).isListedWhenPaid
}

export interface RemoveLiveChargeDeps {
  readonly machineClock: Clock
  readonly log: Log
  readonly bankCharges: BankChargeStore
  readonly recordCharge: RecordCharge
  readonly banks: AccountBanks
}

/**
 * Removes a payer's charge at its bank, and commits the bank's answer. If that does not end the
 * transaction, the charge is read again soon, which also finds a removal whose answer was lost.
 */
export async function removeLiveCharge(
  deps: RemoveLiveChargeDeps,
  charge: BankCharge,
): Promise<void> {
  const { log, machineClock, bankCharges } = deps
  const { accountId, transactionCode } = charge
  const removed = await requestRemoval(deps, charge)
  if (typeof removed !== 'string') {
    const { payments, state } = removed
    // Paid with another amount: it cannot be paid once more.
    const isSpent = state === 'paid' && payments.length > 0
    const isOver = isSpent || ['removed', 'expired', 'failed'].includes(state)
    const ended = isOver ? 'CANCELLED' : undefined
    const recorded = await deps.recordCharge(transactionCode, { payments, ended })
    if (recorded?.transaction.status !== 'PENDING') return
  }
  const error = typeof removed === 'string' ? removed : removed.state
  log.warn({ transaction: transactionCode, account: accountId, error }, 'a charge is not removed')
  await bankCharges.planRead(transactionCode, machineClock.now())
}

/** The charge as the bank has it afterwards, or why it was not removed. */
async function requestRemoval(
  deps: RemoveLiveChargeDeps,
  charge: BankCharge,
): Promise<ChargeReading | string> {
  try {
    const bank = await deps.banks.of(charge)
    const answer = await bank.remove(charge)
    if (answer.kind === 'done') return answer.value
    return detailOf(answer)
  } catch (error) {
    if (isUnavailable(error)) throw error
    return reasonOf(error)
  }
}
