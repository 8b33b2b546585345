import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { type Lanes, PROVIDER_TIMEOUT_MS, growingMs } from '@cofre/work'
import {
  type Acquirer,
  type AcquirerAnswer,
  type Doubt,
  type ReturnDecision,
  isNotDone,
} from '@cofre/provider-kit/card'
import { workAtAccounts } from './account-lanes.js'
import { callAcquirer, nameOf } from './acquirer-call.js'
import { eraseOpenCards } from './authorization-sql.js'
import {
  type CancelResult,
  type CardCancel,
  type DueCancel,
  dueCancels,
  insertCancel,
  postponeCancel,
  recordCancelResult,
  leaseCancel,
} from './card-cancel-sql.js'
import {
  CARD_KEPT_MS,
  earlierAttempts,
  isTimeForCall,
  LONGEST_CHARGE_PAUSE_MS,
} from './card-charge.js'
import {
  type DueEnding,
  beginEndings,
  dueEndings,
  findCharge,
  releaseLease,
  leaseCharge,
} from './card-charge-sql.js'
import type { ChargingDeps } from './charging-deps.js'
import { endAndReport, endByFind, undone } from './found-charge-service.js'

/** The number of items of each kind in one round. */
const AT_ONCE = 10
/** The pause before an acquirer that knew no outcome is asked again. */
const READ_AGAIN_MS = 15 * MINUTE_MS
const CANCEL_AGAIN_MS = 5 * SECOND_MS
const CANCEL_AGAIN_MS_MAX = HOUR_MS
/** The pause after a cancel that failed here, not at its acquirer. */
const CANCEL_FAILED_MS = 5 * MINUTE_MS

/** Erases the cards of orders whose outcome has been unknown for a day. */
export async function eraseOldCards({ database, clock }: ChargingDeps): Promise<number> {
  const beforeMs = clock.now() - CARD_KEPT_MS
  return await database.transact(async (trx) => {
    await beginEndings(trx, beforeMs)
    return await eraseOpenCards(trx, beforeMs)
  })
}

/**
 * Asks acquirers for the outcome of charges whose card is erased. A failed request blocks no other:
 * taking the lease sets the time of the next one.
 */
export async function endCharges(deps: ChargingDeps, lanes: Lanes): Promise<void> {
  await workAtAccounts<DueEnding>(deps, lanes, {
    list: (list) => dueEndings(deps.database.reader, list),
    work: (charge) => endErased(deps, charge),
    ...FOLLOWED_UP,
  })
}

/** Requests the wanted cancels from acquirers, in the same way. */
export async function askForCancels(deps: ChargingDeps, lanes: Lanes): Promise<void> {
  const { clock, database } = deps
  await workAtAccounts<DueCancel>(deps, lanes, {
    list: (list) => dueCancels(database.reader, list),
    work: (cancel) => askCancel(deps, cancel),
    putOff: ({ key }) =>
      database.transact((trx) => postponeCancel(trx, key, clock.now() + CANCEL_FAILED_MS)),
    ...FOLLOWED_UP,
  })
}

const FOLLOWED_UP = { limit: AT_ONCE, factsOf, failure: 'a charge could not be followed up' }

function factsOf({ key, accountId }: DueEnding) {
  const { environment, transactionCode } = key
  return { environment, transactionCode, account: accountId }
}

/** Finds a charge at its acquirer, or has it cancelled if the acquirer can't be searched. */
async function endErased(deps: ChargingDeps, { key, accountId }: DueEnding): Promise<void> {
  const { clock, database } = deps
  const nowMs = clock.now()
  const lease = { state: 'ending', nowMs, nextAskAtMs: nowMs + READ_AGAIN_MS } as const
  const charge = await database.transact((trx) => leaseCharge(trx, key, lease))
  if (charge === undefined) return
  const acquirer = await deps.acquirerOf(accountId)
  if (acquirer.find !== undefined) {
    const ordered = await findCharge(database.reader, key)
    if (ordered !== undefined) await endByFind(deps, { ...ordered, ...charge }, acquirer)
    return
  }
  const wanted = { ...key, paymentId: charge.payment?.paymentId }
  const { nextAskAtMs } = lease
  await database.transact(async (trx) => {
    // Changes the charge's row before its cancels, in the order in which others lock them.
    await releaseLease(trx, charge, { absentSinceMs: undefined, nextAskAtMs })
    await insertCancel(trx, wanted, { accountId, nowMs })
  })
}

async function askCancel(deps: ChargingDeps, wanted: DueCancel): Promise<void> {
  const { clock, database } = deps
  const nowMs = clock.now()
  const lease = { nowMs, nextAskAtMs: nowMs + growingPauseMs(wanted) }
  const cancel = await database.transact((trx) => leaseCancel(trx, wanted.key, lease))
  if (cancel === undefined) return
  const result = resultOf(deps, cancel, await cancelAt(deps, cancel))
  // Only our key identifies it, so it is the order's own.
  if (result.state === 'done' && cancel.paymentId === undefined)
    await endAndReport(deps, cancel.key, undone([]))
  await database.transact((trx) =>
    recordCancelResult(trx, cancel, { ...result, atMs: clock.now() }),
  )
}

async function cancelAt(
  deps: ChargingDeps,
  cancel: CardCancel,
): Promise<AcquirerAnswer<ReturnDecision>> {
  const { clock, log, acquirerTimeoutMs = PROVIDER_TIMEOUT_MS } = deps
  const { key, paymentId, chargedMinor, chargedAtMs, firstAttemptAtMs, absentSinceMs } = cancel
  const facts = factsOf(cancel)
  let acquirer: Acquirer
  try {
    acquirer = await deps.acquirerOf(cancel.accountId)
  } catch (error) {
    log.error({ ...facts, error: nameOf(error) }, 'an account cannot be used')
    return notAsked('the account cannot be used')
  }
  if (!isTimeForCall(cancel.leaseUntilMs, clock.now(), acquirerTimeoutMs))
    return notAsked('too late for a call')
  const earlier =
    firstAttemptAtMs === undefined
      ? undefined
      : earlierAttempts({ firstAttemptAtMs, absentSinceMs })
  const request = { key, earlier, paymentId, chargedMinor, chargedAtMs }
  const answer = await callAcquirer(deps, facts, () => acquirer.cancel(request))
  const isInProcess = answer.kind === 'done' && answer.value.state === 'in_process'
  // If no notice reports its end, the next request does.
  return isInProcess && acquirer.find !== undefined
    ? { kind: 'unknown', detail: 'in process at the acquirer' }
    : answer
}

function notAsked(detail: string): AcquirerAnswer<never> {
  return { kind: 'not-sent', cause: 'no-connection', detail }
}

function growingPauseMs({ attempts }: Pick<CardCancel, 'attempts'>): number {
  return growingMs(CANCEL_AGAIN_MS, CANCEL_AGAIN_MS_MAX, attempts)
}

function resultOf(
  { clock, log }: ChargingDeps,
  cancel: CardCancel,
  answer: AcquirerAnswer<ReturnDecision>,
): CancelResult {
  const { paymentId } = cancel
  const decision = answer.kind === 'done' ? answer.value : undefined
  const later = (retryAfterMs = growingPauseMs(cancel)): number =>
    clock.now() + Math.min(retryAfterMs, LONGEST_CHARGE_PAUSE_MS)
  switch (decision?.state) {
    case 'done':
    case 'in_process':
      return { state: decision.state, returnId: decision.returnId }
    case 'refused': {
      const { reason, detail } = decision
      // A payment that our key doesn't find was never charged.
      if (reason === 'payment_not_found' && paymentId === undefined)
        return { state: 'done', detail }
      log.error(
        { ...factsOf(cancel), payment: paymentId, error: detail },
        'acquirer refused to cancel an unwanted payment; cancel it there, then run cofre transactions resolve',
      )
      return { state: 'refused', detail }
    }
    case 'too_early': {
      const { detail, retryAfterMs } = decision
      return { state: 'wanted', wasNotDone: true, nextAskAtMs: later(retryAfterMs), detail }
    }
    case undefined: {
      const {
        absentSinceMs,
        detail,
        retryAfterMs,
      }: Omit<Partial<Doubt>, 'kind'> = 'detail' in answer ? answer : {}
      const wasNotDone = isNotDone(answer)
      return {
        state: 'wanted',
        wasNotDone,
        absentSinceMs,
        nextAskAtMs: later(retryAfterMs),
        detail,
      }
    }
  }
}
