// The capture or the void of an authorized charge, and what its acquirer's answers make of it.
import {
  type CaptureAnswer,
  type Environment,
  HOUR_MS,
  type MinorUnits,
  SECOND_MS,
  minorUnits,
} from '@cofre/contracts'
import { growingMs, hasCome } from '@cofre/work'
import {
  type AcquirerAnswer,
  type CaptureDecision,
  type Doubt,
  type FoundPayment,
  type ReturnDecision,
  isNotDone,
} from '@cofre/provider-kit/card'
import type { CardCharge } from '../authorization/card-charge.js'
import type { VaultTables } from '../database/vault-tables.js'

type Row = VaultTables['card_captures']

/** See `card_captures`. */
export interface CardCapture {
  readonly environment: Environment
  readonly transactionCode: string
  readonly operation: Row['operation']
  /** For a void, the authorized amount. */
  readonly amountMinor: MinorUnits
  readonly state: Row['state']
  readonly attempts: number
  readonly firstAttemptAtMs: number | undefined
  readonly absentSinceMs: number | undefined
  readonly nextAskAtMs: number | undefined
  readonly operationId: string | undefined
  readonly detail: string | undefined
  readonly createdAtMs: number
  readonly endedAtMs: number | undefined
}

type Wanted = Pick<CardCapture, 'operation' | 'amountMinor'>

const PAUSE_MIN_MS = 5 * SECOND_MS
export const CAPTURE_PAUSE_MAX_MS: number = HOUR_MS

export function capturePauseMs(attempts: number): number {
  return growingMs(PAUSE_MIN_MS, CAPTURE_PAUSE_MAX_MS, attempts)
}

/** True if it is time to request it, or to ask for its outcome. */
export function isCaptureDue({ nextAskAtMs }: CardCapture, nowMs: number): boolean {
  return nextAskAtMs !== undefined && hasCome(nextAskAtMs, nowMs, CAPTURE_PAUSE_MAX_MS)
}

export function isSameOperation(one: Wanted, other: Wanted): boolean {
  return one.operation === other.operation && one.amountMinor === other.amountMinor
}

type OpenCapture = CardCapture & { readonly endedAtMs: undefined }

/** True if a capture or a void has begun whose end is unknown. */
export function isOpen(capture: CardCapture | undefined): capture is OpenCapture {
  return capture !== undefined && capture.endedAtMs === undefined
}

/** The end of a charge's authorization. */
export type AuthorizationEnd =
  | { readonly kind: 'captured'; readonly amountMinor: MinorUnits }
  | { readonly kind: 'released'; readonly by: 'void' | 'expired' | 'provider' }

/** The end of an authorization that its acquirer has released, unless a void did it. */
export function releasedAt(
  { captureEndsAtMs = Infinity }: Pick<CardCharge, 'captureEndsAtMs'>,
  nowMs: number,
): AuthorizationEnd {
  return { kind: 'released', by: nowMs < captureEndsAtMs ? 'provider' : 'expired' }
}

/** The end of an authorization in its acquirer's records; undefined if they have none. */
export function endInRecords(
  { state, capturedMinor }: FoundPayment,
  charge: Pick<CardCharge, 'captureEndsAtMs'> & Pick<CardCapture, 'amountMinor'>,
  { capture, nowMs }: { readonly capture: CardCapture | undefined; readonly nowMs: number },
): AuthorizationEnd | undefined {
  const wanted = isOpen(capture) && capture.operation === 'capture' ? capture : charge
  const unstated = state === 'approved' ? wanted.amountMinor : minorUnits(0)
  const amountMinor = capturedMinor ?? unstated
  if (amountMinor > 0) return { kind: 'captured', amountMinor }
  return state === 'returned' || state === 'declined' ? releasedAt(charge, nowMs) : undefined
}

/** The answer to an order; undefined if it may begin. */
export function captureAnswer(
  wanted: Wanted,
  { capturedMinor }: Pick<CardCharge, 'capturedMinor'>,
  capture: CardCapture | undefined,
): CaptureAnswer | undefined {
  if (capturedMinor === undefined) return openAnswer(wanted, capture)
  if (capturedMinor > 0)
    return isSameOperation(wanted, { operation: 'capture', amountMinor: capturedMinor })
      ? { kind: 'done' }
      : { kind: 'overtaken', by: 'capture' }
  if (capture?.operation !== 'void' || capture.state !== 'done') return { kind: 'released' }
  return wanted.operation === 'void' ? { kind: 'done' } : { kind: 'overtaken', by: 'void' }
}

function openAnswer(wanted: Wanted, capture: CardCapture | undefined): CaptureAnswer | undefined {
  if (capture === undefined) return undefined
  const { detail, operation, state } = capture
  const isSame = isSameOperation(wanted, capture)
  if (state === 'refused')
    return isSame ? { kind: 'refused', detail: detail ?? NOT_DONE } : undefined
  return isSame ? { kind: 'in_process', detail } : { kind: 'overtaken', by: operation }
}

const NOT_DONE = 'the acquirer does not do it'

/** An acquirer's decision about a capture or a void. */
export type OperationDecision = CaptureDecision | ReturnDecision

/** The result of an attempt. */
export interface AttemptedCapture {
  readonly capture: CardCapture
  readonly answer: AcquirerAnswer<OperationDecision>
  /** True if the acquirer can be asked for its outcome. */
  readonly canBeRead: boolean
}

/** A capture or a void whose attempt did not end it. It may become a first attempt again. */
export function afterOpenAttempt(
  { capture, answer, canBeRead }: AttemptedCapture,
  nowMs: number,
): CardCapture {
  const decision = answer.kind === 'done' ? answer.value : undefined
  const pauseMs = capturePauseMs(capture.attempts)
  if (decision?.state === 'in_process')
    return {
      ...capture,
      state: 'in_process',
      operationId: operationIdOf(decision),
      nextAskAtMs: canBeRead ? nowMs + pauseMs : undefined,
      detail: undefined,
    }
  const isTooEarly = decision?.state === 'too_early'
  const given = isTooEarly ? decision : answer
  const {
    absentSinceMs,
    detail,
    retryAfterMs = 0,
  }: Omit<Partial<Doubt>, 'kind'> = 'detail' in given ? given : {}
  const nextAskAtMs = nowMs + Math.min(Math.max(pauseMs, retryAfterMs), CAPTURE_PAUSE_MAX_MS)
  const firstAttemptAtMs = isTooEarly || isNotDone(answer) ? undefined : capture.firstAttemptAtMs
  return { ...capture, detail, absentSinceMs, nextAskAtMs, firstAttemptAtMs }
}

/** The acquirer's id of a capture or a void. */
export function operationIdOf(decision: OperationDecision): string | undefined {
  if ('captureId' in decision) return decision.captureId
  return 'returnId' in decision ? decision.returnId : undefined
}

export function captureOfRow(row: Row): CardCapture {
  return {
    environment: row.environment,
    transactionCode: String(row.transaction_code),
    operation: row.operation,
    amountMinor: minorUnits(row.amount_minor),
    state: row.state,
    attempts: row.attempts,
    firstAttemptAtMs: row.first_attempt_at_ms ?? undefined,
    absentSinceMs: row.absent_since_ms ?? undefined,
    nextAskAtMs: row.next_ask_at_ms ?? undefined,
    operationId: row.operation_id ?? undefined,
    detail: row.detail ?? undefined,
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms ?? undefined,
  }
}

export function rowOfCapture(capture: CardCapture): Row {
  return {
    environment: capture.environment,
    transaction_code: Number(capture.transactionCode),
    operation: capture.operation,
    amount_minor: capture.amountMinor,
    state: capture.state,
    attempts: capture.attempts,
    first_attempt_at_ms: capture.firstAttemptAtMs ?? null,
    absent_since_ms: capture.absentSinceMs ?? null,
    next_ask_at_ms: capture.nextAskAtMs ?? null,
    operation_id: capture.operationId ?? null,
    detail: capture.detail ?? null,
    created_at_ms: capture.createdAtMs,
    ended_at_ms: capture.endedAtMs ?? null,
  }
}
