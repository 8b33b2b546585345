// Refunds: one after another for each charge, and requested until their acquirer has decided.
import {
  type CardRefundAnswer,
  type CardRefundOrder,
  type Clock,
  type Log,
  type MinorUnits,
  MINUTE_MS,
  retryAfterMsOf,
} from '@cofre/contracts'
import { type Lanes, PROVIDER_TIMEOUT_MS } from '@cofre/work'
import {
  type Acquirer,
  type AcquirerAnswer,
  type ReturnDecision,
  returnOutcomeOf,
} from '@cofre/provider-kit/card'
import { workAtAccounts } from '../authorization/account-lanes.js'
import { callAcquirer, nameOf } from '../authorization/acquirer-call.js'
import { isLeased, isClosedForChanges, isTimeForCall } from '../authorization/card-charge.js'
import { type OrderedCharge, findCharge } from '../authorization/card-charge-sql.js'
import { findPayment } from '../authorization/found-charge-service.js'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import { reclaimReason } from './dispute.js'
import { eventsOfCharge } from './event-sql.js'
import {
  type CardReturn,
  afterAttempt,
  answerIfUnpaid,
  chargedMinorOf,
  isDue,
  isUndecided,
  pauseMs,
  refundAnswer,
  repetitionObjection,
  returnedMinor,
  sumObjection,
} from './card-return.js'
import { announceEnd, endAsReported, recordReturned } from './found-returns-sql.js'
import {
  dueReturns,
  findReturn,
  insertReturnIfAbsent,
  returnsOfCharge,
  updateReturn,
  type DueReturn,
  postponeReturn,
} from './return-sql.js'
import { endTurn, leaseTurn, lockCharge } from './turn-sql.js'

export interface RefundDeps {
  readonly database: VaultDatabase
  readonly clock: Clock
  readonly log: Log
  /** The acquirer of a known account, also of a disabled one. */
  readonly acquirerOf: (accountId: string) => Promise<Acquirer>
  readonly acquirerTimeoutMs?: number | undefined
}

/** Requests a refund. A repeated request gets its present state, and nothing more goes back. */
export async function refundCharge(
  deps: RefundDeps,
  order: CardRefundOrder,
): Promise<CardRefundAnswer> {
  const { database, clock, log } = deps
  const { environment, transactionCode, refundId: name } = order
  const charge = await findCharge(database.reader, order)
  if (charge === undefined) return { kind: 'no_charge' }
  const unpaid = answerIfUnpaid(charge)
  if (unpaid !== undefined) return unpaid
  const isLate = isClosedForChanges(charge, clock.now())
  if (isLate && (await findReturn(database.reader, { environment, name })) === undefined)
    return { kind: 'refused', detail: 'its charge is too old' }
  const wanted = newRefund(order, clock.now())
  await database.transact((trx) => insertReturnIfAbsent(trx, wanted))
  const refund = await findReturn(database.reader, { environment, name })
  if (refund === undefined || !isSame(refund, wanted)) {
    log.error({ environment, transactionCode, refund: name }, 'another refund has the id of this')
    return { kind: 'refused', detail: 'another refund has this id' }
  }
  if (isDue(refund, clock.now())) await attemptReturn(deps, refund)
  return refundAnswer((await findReturn(database.reader, refund)) ?? refund)
}

function newRefund(order: CardRefundOrder, nowMs: number): CardReturn {
  const { environment, transactionCode, refundId: name, amountMinor } = order
  const { reference, identity } = order
  return {
    environment,
    name,
    transactionCode,
    origin: 'gateway',
    amountMinor,
    reference,
    identity,
    state: 'wanted',
    attempts: 0,
    firstAttemptAtMs: undefined,
    absentSinceMs: undefined,
    returnedBeforeMinor: undefined,
    nextAskAtMs: nowMs,
    notBeforeMs: undefined,
    returnId: undefined,
    detail: undefined,
    createdAtMs: nowMs,
    endedAtMs: undefined,
  }
}

function isSame(one: CardReturn, other: CardReturn): boolean {
  return one.transactionCode === other.transactionCode && one.amountMinor === other.amountMinor
}

const RETURNS_AT_ONCE = 20
/** The pause after a refund that failed here, not at its acquirer. */
const FAILED_PAUSE_MS = 5 * MINUTE_MS

/** A refund whose state is read once its charge is locked. */
type NamedReturn = Omit<DueReturn, 'accountId'>

/** Requests the refunds that are due, in any number of processes; none blocks another. */
export async function processReturns(deps: RefundDeps, lanes: Lanes): Promise<void> {
  const { clock, database } = deps
  await workAtAccounts<DueReturn>(deps, lanes, {
    list: (list) => dueReturns(database.reader, list),
    limit: RETURNS_AT_ONCE,
    work: (refund) => attemptReturn(deps, refund),
    factsOf: pick,
    failure: 'a refund could not be asked for',
    putOff: (refund) =>
      database.transact((trx) => postponeReturn(trx, refund, clock.now() + FAILED_PAUSE_MS)),
  })
}

/** Makes one attempt, if it is the refund's turn. */
async function attemptReturn(deps: RefundDeps, refund: NamedReturn): Promise<void> {
  const { database, log } = deps
  const charge = await findCharge(database.reader, refund)
  if (charge === undefined) throw new Error('a refund has no charge')
  const { environment, name, transactionCode: transaction } = refund
  const facts = { environment, transaction, refund: name, account: charge.accountId }
  let acquirer: Acquirer
  try {
    acquirer = await deps.acquirerOf(charge.accountId)
  } catch (error) {
    log.error({ ...facts, error: nameOf(error) }, 'the acquirer of a refund cannot be asked')
    await putOff(deps, refund, { detail: 'its account cannot be used' })
    return
  }
  const attempt = await beginAttempt(deps, refund, acquirer)
  if (attempt === undefined) return
  const answer = await requestReturn(deps, attempt, acquirer)
  const decision = answer.kind === 'done' ? answer.value : answer
  if ('detail' in decision)
    log.warn(
      { ...facts, outcome: returnOutcomeOf(answer), error: decision.detail },
      'a refund was not made',
    )
  const canBeRead = acquirer.find !== undefined
  await recordAttempt(deps, attempt, { answer, canBeRead })
}

/** Commits an attempt before it is made; undefined if it is not the refund's turn. */
async function beginAttempt(
  deps: RefundDeps,
  refund: NamedReturn,
  acquirer: Acquirer,
): Promise<Attempt | undefined> {
  const turn = await beginTurn(deps, refund, acquirer)
  return turn === undefined || 'attempt' in turn ? turn : await findFirst(deps, turn, acquirer)
}

/** The leased charge and the refund to request. */
interface Turn {
  readonly charge: OrderedCharge
  readonly refund: CardReturn
}

interface Attempt extends Turn {
  /** The refund as it is committed before the request. */
  readonly attempt: CardReturn
}

/**
 * Takes the refund's turn; undefined if it is another's, or the refund is not due. The outcome of
 * every earlier refund of the charge is known before the next one is requested.
 */
async function beginTurn(
  { database, clock }: RefundDeps,
  key: NamedReturn,
  acquirer: Acquirer,
): Promise<Turn | Attempt | undefined> {
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    const charge = await lockCharge(trx, key)
    const all = await returnsOfCharge(trx, key)
    const refund = all.find(({ name }) => name === key.name)
    if (refund === undefined || !isDue(refund, nowMs)) return undefined
    // Postponed: a refund that stays due would come before all others.
    const waitFor = async (detail: string | undefined): Promise<Turn | Attempt | undefined> => {
      await updateReturn(trx, { ...refund, nextAskAtMs: nowMs + pauseMs(0), detail })
      return undefined
    }
    if (charge?.payment === undefined) return await waitFor('its payment is not known')
    if (isLeased(charge.leaseUntilMs, nowMs)) return await waitFor(refund.detail)
    if (all.some((other) => other.name !== refund.name && isUndecided(other)))
      return await waitFor(WAITS)
    const isFirst = refund.firstAttemptAtMs === undefined
    const objection = isFirst
      ? (reclaimReason(charge, await eventsOfCharge(trx, key)) ??
        repetitionObjection(refund, all) ??
        sumObjection(refund, charge, returnedMinor(all)))
      : undefined
    if (objection !== undefined) {
      await refuse(trx, { refund, detail: objection, nowMs })
      return undefined
    }
    const leased = await leaseTurn(trx, charge, nowMs)
    if (isFirst && acquirer.find !== undefined) return { charge: leased, refund }
    const attempt = attemptOf(refund, returnedMinor(all), nowMs)
    await updateReturn(trx, attempt)
    return { charge: leased, refund, attempt }
  })
}

interface Refusal {
  readonly refund: CardReturn
  readonly detail: string
  readonly nowMs: number
}

/** Ends a refund without asking an acquirer. */
async function refuse(trx: VaultConnection, { refund, detail, nowMs }: Refusal): Promise<void> {
  await endAsReported(trx, { refund, outcome: 'REJECTED', detail, atMs: nowMs, nowMs })
}

const WAITS = 'another refund of this payment is not decided yet'

/**
 * A refund's state for its request. The record of an absence is erased: the call that follows may
 * reach the acquirer.
 */
function attemptOf(refund: CardReturn, returnedBefore: MinorUnits, nowMs: number): CardReturn {
  return {
    ...refund,
    attempts: refund.attempts + 1,
    firstAttemptAtMs: refund.firstAttemptAtMs ?? nowMs,
    absentSinceMs: undefined,
    notBeforeMs: undefined,
    returnedBeforeMinor: refund.returnedBeforeMinor ?? returnedBefore,
    nextAskAtMs: nowMs + pauseMs(refund.attempts),
  }
}

/**
 * Before a refund is requested, asks a readable acquirer for the sum of its refunds so far. In
 * doubt, its sum will later show whether this refund was made.
 */
async function findFirst(
  deps: RefundDeps,
  { charge, refund }: Turn,
  acquirer: Acquirer,
): Promise<Attempt | undefined> {
  const { database, clock, log } = deps
  const found = await findPayment(deps, charge, acquirer)
  if (found.kind !== 'done') {
    const detail = 'detail' in found ? found.detail : 'the acquirer does not find the payment'
    await putOff(deps, refund, { charge, detail, retryAfterMs: retryAfterMsOf(found) })
    return undefined
  }
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    const held = await lockCharge(trx, charge.key)
    if (held?.leaseUntilMs !== charge.leaseUntilMs) return undefined
    const current = await findReturn(trx, refund)
    if (current === undefined || current.endedAtMs !== undefined) {
      await endTurn(trx, held)
      return undefined
    }
    const { returnedMinor: returned } = found.value
    const state = await recordReturned(trx, held, { returned, nowMs })
    if (state === 'lagging') {
      await updateReturn(trx, { ...current, nextAskAtMs: nowMs + pauseMs(current.attempts + 4) })
      await endTurn(trx, held)
      return undefined
    }
    if (state === 'unclear')
      log.warn({ transaction: charge.key.transactionCode, returned }, SUM_UNCLEAR)
    const objection = sumObjection(current, held, returned)
    if (objection !== undefined) {
      await refuse(trx, { refund: current, detail: objection, nowMs })
      await endTurn(trx, held)
      return undefined
    }
    const leased = await leaseTurn(trx, held, nowMs)
    const attempt = attemptOf(current, returned, nowMs)
    await updateReturn(trx, attempt)
    return { charge: leased, refund: current, attempt }
  })
}

export const SUM_UNCLEAR = 'an acquirer has returned another sum of a charge than is known here'

const LEASE_EXPIRED = 'the turn was over before it was asked for'

async function requestReturn(
  deps: RefundDeps,
  { charge, refund, attempt }: Attempt,
  acquirer: Acquirer,
): Promise<AcquirerAnswer<ReturnDecision>> {
  const { key, endedAtMs = 0, captureEndedAtMs: chargedAtMs = endedAtMs, payment } = charge
  const { returnedBeforeMinor, amountMinor, name: refundId } = attempt
  const { firstAttemptAtMs: firstAtMs, absentSinceMs } = refund
  if (payment === undefined || returnedBeforeMinor === undefined)
    throw new Error('a refund is asked for whose payment has no name')
  // This process may have slept since it took its turn.
  const { acquirerTimeoutMs = PROVIDER_TIMEOUT_MS, clock } = deps
  if (!isTimeForCall(charge.leaseUntilMs, clock.now(), acquirerTimeoutMs))
    return firstAtMs === undefined
      ? { kind: 'not-sent', cause: 'limited', detail: LEASE_EXPIRED, retryAfterMs: 0 }
      : { kind: 'unknown', detail: LEASE_EXPIRED }
  const facts = { ...pick(refund), account: charge.accountId }
  return await callAcquirer(deps, facts, () =>
    acquirer.refund({
      key,
      earlier: firstAtMs === undefined ? undefined : { firstAtMs, absentSinceMs },
      refundId,
      paymentId: payment.paymentId,
      chargedMinor: chargedMinorOf(charge),
      chargedAtMs,
      returnedBeforeMinor,
      amountMinor,
    }),
  )
}

interface Answered {
  readonly answer: AcquirerAnswer<ReturnDecision>
  readonly canBeRead: boolean
}

async function recordAttempt(
  { database, clock, log }: RefundDeps,
  { charge, attempt }: Attempt,
  { answer, canBeRead }: Answered,
): Promise<void> {
  await database.transact(async (trx) => {
    const nowMs = clock.now()
    const held = await lockCharge(trx, charge.key)
    const refund = await findReturn(trx, attempt)
    if (held === undefined || refund === undefined) return
    const isAlone = held.leaseUntilMs === charge.leaseUntilMs
    const after = afterAttempt({ refund, answer, canBeRead, isAlone }, nowMs)
    await updateReturn(trx, after)
    await endTurn(trx, charge)
    const isMade = answer.kind === 'done' && answer.value.state === 'done'
    if (refund.endedAtMs !== undefined && !isAlone && isMade)
      log.error({ ...pick(refund), account: held.accountId }, REFUNDED_TWICE)
    // Reports it even if the caller waited: a gateway's database may be restored from before the
    // answer.
    if (refund.endedAtMs === undefined && after.endedAtMs !== undefined)
      await announceEnd(trx, after, { atMs: nowMs, nowMs })
  })
}

const REFUNDED_TWICE = 'a refund was made after another process had ended it: it may be made twice'

const pick = ({ environment, transactionCode, name }: NamedReturn) => ({
  environment,
  transaction: transactionCode,
  refund: name,
})

/** Postpones a refund that could not be requested. */
async function putOff(
  { database, clock }: RefundDeps,
  refund: NamedReturn,
  { charge, detail, retryAfterMs = 0 }: PuttingOff,
): Promise<void> {
  await database.transact(async (trx) => {
    const nowMs = clock.now()
    const held = await lockCharge(trx, refund)
    if (charge !== undefined && held?.leaseUntilMs !== charge.leaseUntilMs) return
    const current = await findReturn(trx, refund)
    if (current === undefined || current.endedAtMs !== undefined) return
    const nextAskAtMs = nowMs + Math.max(retryAfterMs, pauseMs(current.attempts))
    await updateReturn(trx, { ...current, attempts: current.attempts + 1, detail, nextAskAtMs })
    if (charge !== undefined) await endTurn(trx, charge)
  })
}

interface PuttingOff {
  /** The turn that ends. */
  readonly charge?: OrderedCharge
  readonly detail: string
  readonly retryAfterMs?: number | undefined
}
