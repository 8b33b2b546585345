// Ends of authorizations, and refusals to end one: each is reported to the gateway once.
import { type CardChange, minorUnits } from '@cofre/contracts'
import { type AuditAction, auditEntry } from '../audit/audit-entry.js'
import { appendEntry } from '../audit/audit-sql.js'
import { type ChargeKey, isAuthorizedOnly } from '../authorization/card-charge.js'
import {
  type OrderedCharge,
  findCharge,
  recordCaptureEnd,
} from '../authorization/card-charge-sql.js'
import type { VaultConnection } from '../database/vault-database.js'
import { announce } from '../outbox/change-sql.js'
import { type AuthorizationEnd, type CardCapture, isOpen } from './card-capture.js'
import { findCapture, putCapture } from './capture-sql.js'

interface Times {
  /** The acquirer's time, or that of its answer. */
  readonly atMs: number
  readonly nowMs: number
}

export interface ToEnd extends Times {
  readonly end: AuthorizationEnd
  /** One redacted line for an operator. */
  readonly detail?: string | undefined
}

/**
 * Ends the authorization of a charge, which the caller has locked. It ends the capture or the void
 * that is open, and reports the end. A released charge may still turn out to be captured.
 */
export async function endAuthorization(
  trx: VaultConnection,
  key: ChargeKey,
  { end, detail, ...times }: ToEnd,
): Promise<void> {
  const charge = await findCharge(trx, key)
  if (charge === undefined || !changesCapture(charge, end)) return
  const { atMs, nowMs } = times
  const capturedMinor = end.kind === 'captured' ? end.amountMinor : minorUnits(0)
  await recordCaptureEnd(trx, key, { capturedMinor, nowMs })
  const capture = await findCapture(trx, key)
  const isOfVoid = isOpen(capture) && capture.operation === 'void'
  const isVoided = isOfVoid && end.kind === 'released' && end.by === 'provider'
  if (isOpen(capture)) await endOpen(trx, charge, { capture, end, ...times })
  const { environment, transactionCode } = key
  const change: CardChange['change'] = isVoided ? { ...end, by: 'void' } : end
  await announce(trx, { environment, transactionCode, atMs, change, detail }, nowMs)
}

function changesCapture(charge: OrderedCharge, { kind }: AuthorizationEnd): boolean {
  return isAuthorizedOnly(charge) || (kind === 'captured' && charge.capturedMinor === 0)
}

interface OfOpen extends Times {
  readonly capture: CardCapture
  readonly end: AuthorizationEnd
}

/** Ends the open capture or void as its charge has ended. */
async function endOpen(
  trx: VaultConnection,
  charge: OrderedCharge,
  { capture, end, nowMs }: OfOpen,
): Promise<void> {
  const isCapture = capture.operation === 'capture'
  const isDone = isCapture === (end.kind === 'captured')
  // People may have captured another amount.
  const { amountMinor } = isCapture && end.kind === 'captured' ? end : capture
  const refusal = isCapture ? 'the authorization was released' : 'the charge was captured'
  await putCapture(trx, {
    ...capture,
    amountMinor,
    state: isDone ? 'done' : 'refused',
    detail: isDone ? undefined : refusal,
    nextAskAtMs: undefined,
    endedAtMs: nowMs,
  })
  const outcome = isDone ? 'done' : end.kind
  await appendEntry(trx, auditEntry(captureEvent(charge, capture, outcome), nowMs))
}

interface Refusing extends Pick<Times, 'nowMs'> {
  readonly capture: CardCapture
  readonly detail: string | undefined
}

/** Refuses an open capture or void: the charge, which the caller has locked, stays authorized. */
export async function refuseOpen(
  trx: VaultConnection,
  charge: OrderedCharge,
  { capture, detail, nowMs }: Refusing,
): Promise<void> {
  const ended = { state: 'refused', detail, nextAskAtMs: undefined, endedAtMs: nowMs } as const
  await putCapture(trx, { ...capture, ...ended })
  await appendEntry(trx, auditEntry(captureEvent(charge, capture, 'refused'), nowMs))
  const { environment, transactionCode } = charge.key
  const change = refusalOf(capture)
  // An acquirer's time may be rounded: the gateway compares it with the time of its order.
  await announce(trx, { environment, transactionCode, atMs: nowMs, change, detail }, nowMs)
}

function refusalOf({ operation: after }: Pick<CardCapture, 'operation'>) {
  return { kind: 'still_authorized', after } as const
}

/** True if the gateway has not acknowledged the refusal yet, so that it may repeat its order. */
export async function isRefusalUnacknowledged(
  db: VaultConnection,
  { environment, transactionCode, ...capture }: CardCapture,
): Promise<boolean> {
  const change = await db
    .selectFrom('card_changes')
    .select('id')
    .where('transaction_code', '=', Number(transactionCode))
    .where('environment', '=', environment)
    .where('acknowledged_at_ms', 'is', null)
    .where('change', '=', JSON.stringify(refusalOf(capture)))
    .executeTakeFirst()
  return change !== undefined
}

const ACTIONS = {
  capture: 'card.captured',
  void: 'card.voided',
} as const satisfies Record<CardCapture['operation'], AuditAction>

function captureEvent(
  { merchantId }: OrderedCharge,
  { environment, operation, transactionCode: record }: CardCapture,
  outcome: 'done' | 'refused' | AuthorizationEnd['kind'],
) {
  const actor = `store:${merchantId}` as const
  return { actor, action: ACTIONS[operation], environment, merchantId, record, outcome }
}
