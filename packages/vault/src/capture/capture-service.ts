// Captures and voids of authorized charges: the first one that is committed wins, and is requested
// until its acquirer has decided.
import {
  type CaptureAnswer,
  type CardCaptureOrder,
  type CardVoidOrder,
  retryAfterMsOf,
} from '@cofre/contracts'
import { PROVIDER_TIMEOUT_MS } from '@cofre/work'
import { type Acquirer, type AcquirerAnswer, returnOutcomeOf } from '@cofre/provider-kit/card'
import { callAcquirer, nameOf } from '../authorization/acquirer-call.js'
import {
  type ChargeKey,
  earlierAttempts,
  isAuthorizedOnly,
  isLeased,
  isTimeForCall,
} from '../authorization/card-charge.js'
import { type OrderedCharge, findCharge } from '../authorization/card-charge-sql.js'
import type { ChargingDeps } from '../authorization/charging-deps.js'
import { findPayment } from '../authorization/found-charge-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import { planLaterRead } from '../authorization/planned-read-sql.js'
import { endTurn, leaseTurn, lockCharge } from '../refund/turn-sql.js'
import {
  type AuthorizationEnd,
  type CardCapture,
  CAPTURE_PAUSE_MAX_MS,
  type OperationDecision,
  afterOpenAttempt,
  captureAnswer,
  capturePauseMs,
  endInRecords,
  isCaptureDue,
  isOpen,
  isSameOperation,
  operationIdOf,
  releasedAt,
} from './card-capture.js'
import { endAuthorization, isRefusalUnacknowledged, refuseOpen } from './capture-end-sql.js'
import { findCapture, putCapture } from './capture-sql.js'

export type CaptureDeps = Pick<
  ChargingDeps,
  'database' | 'clock' | 'log' | 'acquirerOf' | 'acquirerTimeoutMs'
>

/** Captures an authorized charge, once. A repeated request gets its present state. */
export async function captureCharge(
  deps: CaptureDeps,
  order: CardCaptureOrder,
): Promise<CaptureAnswer> {
  return await endByOrder(deps, order, ({ amountMinor: authorizedMinor }) => {
    const { amountMinor } = order
    if (amountMinor === 0) return 'there is nothing to capture'
    if (amountMinor > authorizedMinor) return 'more would be captured than was authorized'
    return { operation: 'capture', amountMinor }
  })
}

/** Releases an authorized charge, unless a capture came first. */
export async function voidCharge(deps: CaptureDeps, order: CardVoidOrder): Promise<CaptureAnswer> {
  return await endByOrder(deps, order, ({ amountMinor }) => ({ operation: 'void', amountMinor }))
}

type Wanted = Pick<CardCapture, 'operation' | 'amountMinor'>

async function endByOrder(
  deps: CaptureDeps,
  order: ChargeKey,
  wantedOf: (charge: OrderedCharge) => Wanted | string,
): Promise<CaptureAnswer> {
  const { clock, database } = deps
  const charge = await findCharge(database.reader, order)
  if (charge === undefined) return { kind: 'no_charge' }
  if (charge.state === 'declined') return refused('the card was not charged')
  if (charge.state !== 'approved')
    return { kind: 'in_process', detail: 'whether the card was charged is not known yet' }
  if (charge.captureDays === undefined) return refused('the charge was captured at once')
  if (charge.payment === undefined) return refused('its acquirer has not named the payment')
  const wanted = wantedOf(charge)
  if (typeof wanted === 'string') return refused(wanted)
  await database.transact((trx) => begin(trx, charge.key, { wanted, nowMs: clock.now() }))
  const begun = await findCapture(database.reader, charge.key)
  if (begun !== undefined && isSameOperation(begun, wanted) && isCaptureDue(begun, clock.now()))
    await attemptCapture(deps, charge.key)
  const [now, capture] = await Promise.all([
    findCharge(database.reader, charge.key),
    findCapture(database.reader, charge.key),
  ])
  const answer = captureAnswer(wanted, now ?? charge, capture)
  // Another order has replaced a refused one at this moment.
  return answer ?? { kind: 'in_process' }
}

function refused(detail: string): CaptureAnswer {
  return { kind: 'refused', detail }
}

interface Beginning {
  readonly wanted: Wanted
  readonly nowMs: number
}

/** Commits a capture or a void, unless another came first or the charge has ended. */
async function begin(
  trx: VaultConnection,
  key: ChargeKey,
  { wanted, nowMs }: Beginning,
): Promise<void> {
  const charge = await lockCharge(trx, key)
  if (charge === undefined || !isAuthorizedOnly(charge)) return
  const earlier = await findCapture(trx, key)
  if (isOpen(earlier)) return
  // A repetition after a lost answer must not ask the acquirer again.
  const mayRepeat = earlier !== undefined && isSameOperation(earlier, wanted)
  if (mayRepeat && (await isRefusalUnacknowledged(trx, earlier))) return
  await putCapture(trx, {
    ...wanted,
    environment: key.environment,
    transactionCode: key.transactionCode,
    state: 'wanted',
    attempts: 0,
    firstAttemptAtMs: undefined,
    absentSinceMs: undefined,
    nextAskAtMs: nowMs,
    operationId: undefined,
    detail: undefined,
    createdAtMs: nowMs,
    endedAtMs: undefined,
  })
}

/** Makes one attempt, if it is the turn of the charge's capture or void. */
export async function attemptCapture(deps: CaptureDeps, key: ChargeKey): Promise<void> {
  const { database, log } = deps
  const charge = await findCharge(database.reader, key)
  if (charge === undefined) throw new Error('a capture has no charge')
  const facts = { ...factsOf(key), account: charge.accountId }
  let acquirer: Acquirer
  try {
    acquirer = await deps.acquirerOf(charge.accountId)
  } catch (error) {
    log.error({ ...facts, error: nameOf(error) }, 'the acquirer of a capture cannot be asked')
    await putOff(deps, key, { detail: 'its account cannot be used' })
    return
  }
  const turn = await beginTurn(deps, key, acquirer)
  if (turn === undefined) return
  const attempt = 'attempt' in turn ? turn : await findFirst(deps, turn, acquirer)
  if (attempt === undefined) return
  const answer = await requestOperation(deps, attempt, acquirer)
  const decision = answer.kind === 'done' ? answer.value : answer
  if ('detail' in decision)
    log.warn(
      { ...facts, outcome: returnOutcomeOf(answer), error: decision.detail },
      `a ${attempt.capture.operation} was not made`,
    )
  await recordAttempt(deps, attempt, { answer, canBeRead: acquirer.find !== undefined })
}

/** The leased charge and the capture or void to request. */
interface Turn {
  readonly charge: OrderedCharge
  readonly capture: CardCapture
}

interface Attempt extends Turn {
  /** As it is committed before the request. */
  readonly attempt: CardCapture
}

/** Takes the turn; undefined if it is another's, or nothing is due. */
async function beginTurn(
  { clock, database }: CaptureDeps,
  key: ChargeKey,
  acquirer: Acquirer,
): Promise<Turn | Attempt | undefined> {
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    const charge = await lockCharge(trx, key)
    const capture = await findCapture(trx, key)
    if (charge === undefined || !isOpen(capture) || !isCaptureDue(capture, nowMs)) return undefined
    if (isLeased(charge.leaseUntilMs, nowMs)) {
      // Postponed: one that stays due would come before all others.
      await putCapture(trx, { ...capture, nextAskAtMs: nowMs + capturePauseMs(0) })
      return undefined
    }
    const turn = { charge: await leaseTurn(trx, charge, nowMs), capture }
    const isRepeated = capture.firstAttemptAtMs !== undefined
    return isRepeated && acquirer.find !== undefined ? turn : await attemptOf(trx, turn, nowMs)
  })
}

/** Commits an attempt. The call that follows may reach the acquirer: it ends an absence. */
async function attemptOf(trx: VaultConnection, turn: Turn, nowMs: number): Promise<Attempt> {
  const { capture } = turn
  const attempt: CardCapture = {
    ...capture,
    attempts: capture.attempts + 1,
    firstAttemptAtMs: capture.firstAttemptAtMs ?? nowMs,
    absentSinceMs: undefined,
    nextAskAtMs: nowMs + capturePauseMs(capture.attempts),
  }
  await putCapture(trx, attempt)
  return { ...turn, attempt }
}

/**
 * Before a repeated request, looks for the outcome in the acquirer's records. Undefined if it has
 * one, or is still deciding.
 */
async function findFirst(
  deps: CaptureDeps,
  turn: Turn,
  acquirer: Acquirer,
): Promise<Attempt | undefined> {
  const { clock, database } = deps
  const { charge } = turn
  const found = await findPayment(deps, charge, acquirer)
  if (found.kind !== 'done') {
    const detail = 'detail' in found ? found.detail : 'the acquirer does not find the payment'
    await putOff(deps, charge.key, { charge, detail, retryAfterMs: retryAfterMsOf(found) })
    return undefined
  }
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    const held = await lockCharge(trx, charge.key)
    const capture = await findCapture(trx, charge.key)
    if (held?.leaseUntilMs !== charge.leaseUntilMs || !isOpen(capture)) return undefined
    const end = endInRecords(found.value, held, { capture, nowMs })
    if (end !== undefined) await endAuthorization(trx, held.key, { end, atMs: nowMs, nowMs })
    else if (capture.state === 'wanted' && found.value.state === 'authorized')
      return await attemptOf(trx, { charge: await leaseTurn(trx, held, nowMs), capture }, nowMs)
    else await putCapture(trx, postponed(capture, nowMs))
    await endTurn(trx, held)
    return undefined
  })
}

function postponed(capture: CardCapture, nowMs: number, retryAfterMs = 0): CardCapture {
  const { attempts } = capture
  const pauseMs = Math.max(capturePauseMs(attempts), retryAfterMs)
  const nextAskAtMs = nowMs + Math.min(pauseMs, CAPTURE_PAUSE_MAX_MS)
  return { ...capture, attempts: attempts + 1, nextAskAtMs }
}

const LEASE_EXPIRED = 'the turn was over before it was asked for'

async function requestOperation(
  deps: CaptureDeps,
  { charge, capture }: Attempt,
  acquirer: Acquirer,
): Promise<AcquirerAnswer<OperationDecision>> {
  const { key, amountMinor: authorizedMinor, endedAtMs: chargedAtMs = 0, payment } = charge
  const { amountMinor, createdAtMs: orderedAtMs, firstAttemptAtMs, absentSinceMs } = capture
  if (payment === undefined) throw new Error('a capture is asked for whose payment has no name')
  const isFirst = firstAttemptAtMs === undefined
  const notAsked = (detail: string, retryAfterMs: number): AcquirerAnswer<never> =>
    isFirst
      ? { kind: 'not-sent', cause: 'limited', detail, retryAfterMs }
      : { kind: 'unknown', detail }
  // This process may have slept since it took its turn.
  const { acquirerTimeoutMs = PROVIDER_TIMEOUT_MS, clock } = deps
  if (!isTimeForCall(charge.leaseUntilMs, clock.now(), acquirerTimeoutMs))
    return notAsked(LEASE_EXPIRED, 0)
  const { paymentId } = payment
  const earlier = isFirst ? undefined : earlierAttempts({ firstAttemptAtMs, absentSinceMs })
  const request = { key, earlier, paymentId }
  return await callAcquirer<OperationDecision>(
    deps,
    { ...factsOf(key), account: charge.accountId },
    async () =>
      capture.operation === 'void'
        ? await acquirer.cancel({
            ...request,
            chargedMinor: authorizedMinor,
            chargedAtMs,
            isUncaptured: true,
            orderedAtMs,
          })
        : ((await acquirer.capture?.({ ...request, authorizedMinor, amountMinor, orderedAtMs })) ??
          notAsked('its account captures no charges later', 0)),
  )
}

interface Answered {
  readonly answer: AcquirerAnswer<OperationDecision>
  readonly canBeRead: boolean
}

async function recordAttempt(
  deps: CaptureDeps,
  { charge, attempt }: Attempt,
  { answer, canBeRead }: Answered,
): Promise<void> {
  const { clock, database, log } = deps
  await database.transact(async (trx) => {
    const nowMs = clock.now()
    const held = await lockCharge(trx, charge.key)
    const capture = await findCapture(trx, charge.key)
    if (held === undefined || capture === undefined) return
    // Another process may have ended it, and a further order may have replaced it.
    const isAlone = held.leaseUntilMs === charge.leaseUntilMs && isOpen(capture)
    const decision = answer.kind === 'done' ? answer.value : undefined
    if (decision?.state === 'done') {
      if (!isAlone)
        log.error({ ...factsOf(held.key), account: held.accountId }, ENDED_DURING_ATTEMPT)
      if (isOpen(capture))
        await putCapture(trx, { ...capture, operationId: operationIdOf(decision) })
      const end = endOf(attempt)
      await endAuthorization(trx, held.key, { end, atMs: nowMs, nowMs })
    } else if (isAlone && decision?.state === 'refused') {
      const { detail } = decision
      const end = decision.reason === 'released' ? releasedAt(held, nowMs) : undefined
      const times = { detail, atMs: nowMs, nowMs }
      if (end !== undefined) await endAuthorization(trx, held.key, { end, ...times })
      else await refuseOpen(trx, held, { capture, ...times })
      // People at the acquirer may have captured or cancelled it.
      if (end === undefined && canBeRead) await planLaterRead(trx, held.key, nowMs)
    } else if (isAlone)
      await putCapture(trx, afterOpenAttempt({ capture, answer, canBeRead }, nowMs))
    // The lease keeps others from calling while this call may still run.
    const isUnderWay = answer.kind === 'unknown' && answer.unanswered === 'under-way'
    if (!isUnderWay) await endTurn(trx, charge)
  })
}

const ENDED_DURING_ATTEMPT =
  'a capture or a void was made after another process had worked on it: look at its payment'

function endOf({ operation, amountMinor }: CardCapture): AuthorizationEnd {
  return operation === 'capture'
    ? { kind: 'captured', amountMinor }
    : { kind: 'released', by: 'void' }
}

interface PuttingOff {
  /** The turn that ends. */
  readonly charge?: OrderedCharge
  readonly detail: string
  readonly retryAfterMs?: number | undefined
}

/** Postpones a capture or a void that could not be requested. */
async function putOff(
  { clock, database }: CaptureDeps,
  key: ChargeKey,
  { charge, detail, retryAfterMs = 0 }: PuttingOff,
): Promise<void> {
  await database.transact(async (trx) => {
    const nowMs = clock.now()
    const held = await lockCharge(trx, key)
    if (charge !== undefined && held?.leaseUntilMs !== charge.leaseUntilMs) return
    const capture = await findCapture(trx, key)
    if (isOpen(capture)) {
      await putCapture(trx, { ...postponed(capture, nowMs, retryAfterMs), detail })
    }
    if (charge !== undefined) await endTurn(trx, charge)
  })
}

function factsOf({ environment, transactionCode }: ChargeKey) {
  return { environment, transaction: transactionCode }
}
