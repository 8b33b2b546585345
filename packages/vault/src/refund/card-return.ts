import {
  type CardRefundAnswer,
  DAY_MS,
  type Environment,
  HOUR_MS,
  type MinorUnits,
  SECOND_MS,
  minorUnits,
} from '@cofre/contracts'
import { growingMs, hasCome } from '@cofre/work'
import {
  type AcquirerAnswer,
  type Doubt,
  type ReturnDecision,
  isNotDone,
} from '@cofre/provider-kit/card'
import { type CardCharge, isAuthorizedOnly } from '../authorization/card-charge.js'
import type { OrderedCharge } from '../authorization/card-charge-sql.js'
import type { VaultTables } from '../database/vault-tables.js'

type Row = VaultTables['card_returns']

/** A refund of a charge, in part or in full. See `card_returns`. */
export interface CardReturn {
  readonly environment: Environment
  readonly name: string
  readonly transactionCode: string
  readonly origin: Row['origin']
  readonly amountMinor: MinorUnits
  /** The store's own identifier, if it gave one. */
  readonly reference: string | undefined
  /** Identifies it among those of its charge; undefined if only the reference does. */
  readonly identity: string | undefined
  readonly state: Row['state']
  readonly attempts: number
  readonly firstAttemptAtMs: number | undefined
  readonly absentSinceMs: number | undefined
  readonly returnedBeforeMinor: MinorUnits | undefined
  readonly nextAskAtMs: number | undefined
  /** Its acquirer does not make it before this time. */
  readonly notBeforeMs: number | undefined
  readonly returnId: string | undefined
  readonly detail: string | undefined
  readonly createdAtMs: number
  readonly endedAtMs: number | undefined
}

export type ReturnKey = Pick<CardReturn, 'environment' | 'name'>

/** A refund that is in process for longer needs an operator. */
export const SLOW_AFTER_MS: number = 3 * DAY_MS

const PAUSE_MIN_MS = 5 * SECOND_MS
const PAUSE_MAX_MS = HOUR_MS

/** Cielo returns a captured charge only from the next day on. */
export const LONGEST_RETURN_PAUSE_MS: number = DAY_MS

/** The pause before the next attempt: Cielo wants five seconds between two. */
export function pauseMs(attempts: number): number {
  return growingMs(PAUSE_MIN_MS, PAUSE_MAX_MS, attempts)
}

/** True if it is time to request it, or to ask for its outcome. */
export function isDue({ nextAskAtMs }: CardReturn, nowMs: number): boolean {
  return nextAskAtMs !== undefined && hasCome(nextAskAtMs, nowMs, LONGEST_RETURN_PAUSE_MS)
}

/** True if its acquirer may have carried it out: until that is known, no other is requested. */
export function isUndecided({ state, firstAttemptAtMs }: CardReturn): boolean {
  return state === 'wanted' && firstAttemptAtMs !== undefined
}

/** The amount that has gone back, or will unless its acquirer reports otherwise. */
export function returnedMinor(returns: readonly CardReturn[]): MinorUnits {
  const counted = returns.filter(({ state }) => state === 'done' || state === 'in_process')
  return minorUnits(counted.reduce((sum, { amountMinor }) => sum + amountMinor, 0))
}

/**
 * A gateway that was restored from an older copy may have lost a refund. It then gives it another
 * id when the store requests it again. Release 0.2 distinguished refunds by their reference alone.
 */
export function repetitionObjection(
  { name, reference, identity = reference }: CardReturn,
  all: readonly CardReturn[],
): string | undefined {
  const isRepeated = all.some(
    (other) =>
      other.name !== name &&
      identity !== undefined &&
      (other.identity ?? other.reference) === identity &&
      other.state !== 'refused',
  )
  return isRepeated ? 'this refund has been asked for before, under another id' : undefined
}

/** The answer to a refund of a charge without money that could go back. */
export function answerIfUnpaid(charge: CardCharge): CardRefundAnswer | undefined {
  if (charge.state === 'declined') return { kind: 'refused', detail: 'the card was not charged' }
  if (charge.state !== 'approved')
    return { kind: 'in_process', detail: 'whether the card was charged is not known yet' }
  if (isAuthorizedOnly(charge) || charge.capturedMinor === 0)
    return { kind: 'refused', detail: 'the charge is not captured' }
  return charge.payment === undefined
    ? { kind: 'refused', detail: 'its acquirer has not named the payment' }
    : undefined
}

/** The amount of a charge that can go back. */
export function chargedMinorOf({
  amountMinor,
  capturedMinor = amountMinor,
}: Pick<OrderedCharge, 'amountMinor' | 'capturedMinor'>): MinorUnits {
  return capturedMinor
}

/** Acquirers check the sum as well, but not all of them at once. */
export function sumObjection(
  { amountMinor }: CardReturn,
  charge: Pick<OrderedCharge, 'amountMinor' | 'capturedMinor'>,
  returned: MinorUnits,
): string | undefined {
  return amountMinor + returned > chargedMinorOf(charge)
    ? 'more would go back than was charged'
    : undefined
}

/** The answer for a refund's present state. */
export function refundAnswer({ state, detail, notBeforeMs }: CardReturn): CardRefundAnswer {
  switch (state) {
    case 'done':
      return { kind: 'done' }
    case 'refused':
      return { kind: 'refused', detail: detail ?? 'the acquirer does not return it' }
    case 'wanted':
    case 'in_process':
      return { kind: 'in_process', detail, notBeforeMs }
  }
}

/** The result of an attempt at a refund. */
export interface Attempted {
  readonly refund: CardReturn
  readonly answer: AcquirerAnswer<ReturnDecision>
  /** True if the acquirer can be asked for its outcome. */
  readonly canBeRead: boolean
  /** True if no other process has worked on the charge since. */
  readonly isAlone: boolean
}

/** A refund after an attempt; if its acquirer's report ended it meanwhile, it stays so. */
export function afterAttempt(attempted: Attempted, nowMs: number): CardReturn {
  const { answer, canBeRead, refund } = attempted
  const decision = answer.kind === 'done' ? answer.value : undefined
  if (refund.endedAtMs !== undefined)
    return decision !== undefined && 'returnId' in decision
      ? { ...refund, returnId: refund.returnId ?? decision.returnId }
      : refund
  switch (decision?.state) {
    case 'done':
      return ended({ ...refund, returnId: decision.returnId, detail: undefined }, 'done', nowMs)
    case 'refused':
      return ended({ ...refund, detail: decision.detail }, 'refused', nowMs)
    case 'in_process':
      return {
        ...refund,
        state: 'in_process',
        returnId: decision.returnId,
        nextAskAtMs: canBeRead ? nowMs + pauseMs(refund.attempts) : undefined,
        detail: undefined,
      }
    case 'too_early':
    case undefined:
      return toRetry(attempted, nowMs)
  }
}

/** Becomes a first attempt again if it was certainly not made. */
function toRetry({ answer, isAlone, refund }: Attempted, nowMs: number): CardReturn {
  const isTooEarly = answer.kind === 'done' && answer.value.state === 'too_early'
  const given = isTooEarly ? answer.value : answer
  const {
    absentSinceMs,
    detail,
    retryAfterMs = 0,
  }: Omit<Partial<Doubt>, 'kind'> = 'detail' in given ? given : {}
  const nextAskAtMs = nowMs + Math.max(pauseMs(refund.attempts), retryAfterMs)
  const later = { ...refund, detail, nextAskAtMs }
  if (!isAlone) return later
  if (!isTooEarly && !isNotDone(answer)) return { ...later, absentSinceMs }
  const notBeforeMs = isTooEarly ? nowMs + retryAfterMs : undefined
  return { ...later, notBeforeMs, firstAttemptAtMs: undefined, returnedBeforeMinor: undefined }
}

export function ended(refund: CardReturn, state: 'done' | 'refused', nowMs: number): CardReturn {
  return { ...refund, state, nextAskAtMs: undefined, endedAtMs: nowMs }
}

export function returnOfRow(row: Row): CardReturn {
  return {
    environment: row.environment,
    name: row.name,
    transactionCode: String(row.transaction_code),
    origin: row.origin,
    amountMinor: minorUnits(row.amount_minor),
    reference: row.reference ?? undefined,
    identity: row.identity ?? undefined,
    state: row.state,
    attempts: row.attempts,
    firstAttemptAtMs: row.first_attempt_at_ms ?? undefined,
    absentSinceMs: row.absent_since_ms ?? undefined,
    returnedBeforeMinor:
      row.returned_before_minor === null ? undefined : minorUnits(row.returned_before_minor),
    nextAskAtMs: row.next_ask_at_ms ?? undefined,
    notBeforeMs: row.not_before_ms ?? undefined,
    returnId: row.return_id ?? undefined,
    detail: row.detail ?? undefined,
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms ?? undefined,
  }
}

export function rowOfReturn(one: CardReturn): Row {
  return {
    environment: one.environment,
    name: one.name,
    transaction_code: Number(one.transactionCode),
    origin: one.origin,
    amount_minor: one.amountMinor,
    reference: one.reference ?? null,
    identity: one.identity ?? null,
    state: one.state,
    attempts: one.attempts,
    first_attempt_at_ms: one.firstAttemptAtMs ?? null,
    absent_since_ms: one.absentSinceMs ?? null,
    returned_before_minor: one.returnedBeforeMinor ?? null,
    next_ask_at_ms: one.nextAskAtMs ?? null,
    not_before_ms: one.notBeforeMs ?? null,
    return_id: one.returnId ?? null,
    detail: one.detail ?? null,
    created_at_ms: one.createdAtMs,
    ended_at_ms: one.endedAtMs ?? null,
  }
}
