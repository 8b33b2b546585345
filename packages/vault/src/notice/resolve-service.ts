// A person, who gives a reason, ends what acquirers leave undecided.
import { DAY_MS, type MinorUnits, formatAmount, maskCardNumbers } from '@cofre/contracts'
import { type AuditActor, auditEntry } from '../audit/audit-entry.js'
import { appendEntry } from '../audit/audit-sql.js'
import {
  CANCEL_OVERDUE_MS,
  type CancelKey,
  endCancelByHand,
  lockOpenCancel,
} from '../authorization/card-cancel-sql.js'
import {
  type ChargeKey,
  NOT_CHARGED,
  isAuthorizedOnly,
  isLeased,
} from '../authorization/card-charge.js'
import { type OrderedCharge, findCharge } from '../authorization/card-charge-sql.js'
import { endCharge } from '../authorization/charge-end-service.js'
import { endAndReport, undone } from '../authorization/found-charge-service.js'
import { endAuthorization } from '../capture/capture-end-sql.js'
import { findCapture } from '../capture/capture-sql.js'
import {
  type AuthorizationEnd,
  type CardCapture,
  isOpen,
  releasedAt,
} from '../capture/card-capture.js'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import { announceSettled } from '../outbox/change-sql.js'
import type { ReturnKey } from '../refund/card-return.js'
import { endAsReported } from '../refund/found-returns-sql.js'
import { findReturn } from '../refund/return-sql.js'
import { lockCharge } from '../refund/turn-sql.js'

export interface Resolution {
  /** True if the card was charged, or the money has gone back. */
  readonly isDone: boolean
  /** For the audit log. */
  readonly reason: string
  readonly actor: AuditActor
}

export type ResolutionResult =
  | 'resolved'
  /** There is none, or its end is known. */
  | 'not_open'
  /** Its acquirer may still decide. */
  | 'too_early'
  /** More would be captured than was authorized. */
  | 'too_much'

export const UNDECIDED_FOR_MS: number = 7 * DAY_MS
/** Earlier than a charge: authorizations last a few days. */
export const CAPTURE_OVERDUE_MS: number = DAY_MS

/** Ends a charge whose outcome stays unknown. */
export async function resolveCharge(
  deps: SealingDeps,
  key: ChargeKey,
  { isDone, reason, actor }: Resolution,
): Promise<ResolutionResult> {
  const nowMs = deps.clock.now()
  const charge = await findCharge(deps.database.reader, key)
  if (charge === undefined || charge.endedAtMs !== undefined) return 'not_open'
  // A request for it may be under way.
  if (isLeased(charge.leaseUntilMs, nowMs)) return 'too_early'
  if (nowMs - charge.firstAttemptAtMs < UNDECIDED_FOR_MS) return 'too_early'
  const { environment, transactionCode: record } = key
  const end = isDone
    ? ({ outcome: 'approved', payment: charge.payment, decline: undefined } as const)
    : ({ outcome: 'declined', payment: undefined, decline: NOT_CHARGED } as const)
  const ended = await endCharge(deps, key, {
    ...end,
    surplus: [],
    also: async (trx, answer) => {
      await announceSettled(trx, { ...key, answer }, { atMs: nowMs, nowMs })
      // The cancel by our key has nothing left to do.
      await endCancelByHand(trx, { ...key, paymentId: undefined }, { isDone: !isDone, nowMs })
      const outcome = outcomeText(isDone ? 'approved' : 'declined', reason)
      const event = { actor, action: 'charge.resolved', environment, record } as const
      await appendEntry(trx, auditEntry({ ...event, outcome }, nowMs))
    },
  })
  return ended === undefined ? 'not_open' : 'resolved'
}

/** Ends a refund whose end stays unknown. */
export async function resolveRefund(
  { clock, database }: SealingDeps,
  key: ReturnKey,
  { isDone, reason, actor }: Resolution,
): Promise<ResolutionResult> {
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    const found = await findReturn(trx, key)
    if (found === undefined) return 'not_open'
    const charge = await lockCharge(trx, found)
    const refund = await findReturn(trx, key)
    if (refund === undefined || refund.endedAtMs !== undefined) return 'not_open'
    // A request for it may be under way.
    if (charge !== undefined && isLeased(charge.leaseUntilMs, nowMs)) return 'too_early'
    if (nowMs - refund.createdAtMs < UNDECIDED_FOR_MS) return 'too_early'
    const outcome = isDone ? 'PROCESSED' : 'REJECTED'
    await endAsReported(trx, { refund, outcome, detail: BY_A_PERSON, atMs: nowMs, nowMs })
    const { environment, name: record } = key
    const event = { actor, action: 'refund.resolved', environment, record } as const
    await appendEntry(trx, auditEntry({ ...event, outcome: outcomeText(outcome, reason) }, nowMs))
    return 'resolved'
  })
}

/** The finding of a person at the acquirer about a capture or a void. */
export interface CaptureResolution extends Pick<Resolution, 'reason' | 'actor'> {
  readonly end: 'captured' | 'released'
  /** The captured part of the charge; undefined for the ordered part, or all of it. */
  readonly capturedMinor?: MinorUnits | undefined
}

/** Ends the capture or the void of an authorized charge, and so the authorization. */
export async function resolveCapture(
  { clock, database }: SealingDeps,
  key: ChargeKey,
  resolution: CaptureResolution,
): Promise<ResolutionResult> {
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    const charge = await lockCharge(trx, key)
    const capture = await findCapture(trx, key)
    if (charge === undefined || !isAuthorizedOnly(charge) || !isOpen(capture)) return 'not_open'
    // A request for it may be under way.
    if (isLeased(charge.leaseUntilMs, nowMs)) return 'too_early'
    if (nowMs - capture.createdAtMs < CAPTURE_OVERDUE_MS) return 'too_early'
    const end = endFound(resolution, charge, { capture, nowMs })
    if (end.kind === 'captured' && end.amountMinor > charge.amountMinor) return 'too_much'
    await endAuthorization(trx, key, { end, detail: BY_A_PERSON, atMs: nowMs, nowMs })
    const { actor, reason } = resolution
    const { environment, transactionCode: record } = key
    const event = { actor, action: 'capture.resolved', environment, record } as const
    const what = end.kind === 'captured' ? `captured ${formatAmount(end.amountMinor)}` : 'released'
    await appendEntry(trx, auditEntry({ ...event, outcome: outcomeText(what, reason) }, nowMs))
    return 'resolved'
  })
}

function endFound(
  { end, capturedMinor }: CaptureResolution,
  charge: OrderedCharge,
  { capture, nowMs }: { readonly capture: CardCapture; readonly nowMs: number },
): AuthorizationEnd {
  // A void has the authorized amount.
  if (end === 'captured')
    return { kind: 'captured', amountMinor: capturedMinor ?? capture.amountMinor }
  return capture.operation === 'void' ? { kind: 'released', by: 'void' } : releasedAt(charge, nowMs)
}

const BY_A_PERSON = 'ended by a person'

/** Ends the cancel of a payment that no order wants: its money has gone back, or stays. */
export async function resolveCancel(
  deps: SealingDeps,
  key: CancelKey,
  { isDone, reason, actor }: Resolution,
): Promise<ResolutionResult> {
  const { clock, database } = deps
  const refusal = await database.transact((trx) => refusalToResolve(trx, key, clock.now()))
  if (refusal !== undefined) return refusal
  // Only our key identifies it, so it is the order's own. The cancel comes later, because its row
  // records the work that is left.
  if (isDone && key.paymentId === undefined) await endAndReport(deps, key, undone([]))
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    const changed = await refusalToResolve(trx, key, nowMs)
    if (changed !== undefined) return changed
    await endCancelByHand(trx, key, { isDone, nowMs })
    const { environment, transactionCode: record, paymentId = 'by our key' } = key
    const event = { actor, action: 'cancel.resolved', environment, record } as const
    const what = `${paymentId} ${isDone ? 'undone' : 'kept'}`
    await appendEntry(trx, auditEntry({ ...event, outcome: outcomeText(what, reason) }, nowMs))
    return 'resolved'
  })
}

async function refusalToResolve(
  trx: VaultConnection,
  key: CancelKey,
  nowMs: number,
): Promise<Exclude<ResolutionResult, 'resolved'> | undefined> {
  const cancel = await lockOpenCancel(trx, key)
  if (cancel === undefined) return 'not_open'
  const { state, createdAtMs, leaseUntilMs } = cancel
  const isOverdue = state === 'refused' || nowMs - createdAtMs >= CANCEL_OVERDUE_MS
  // A request for it may be under way.
  return isOverdue && !isLeased(leaseUntilMs, nowMs) ? undefined : 'too_early'
}

const REASON_LENGTH_MAX = 500

function outcomeText(outcome: string, reason: string): string {
  return `${outcome}: ${maskCardNumbers(reason).slice(0, REASON_LENGTH_MAX)}`
}
