import type { Clock, Log } from '@cofre/contracts'
import { type ChargeReference, endOf } from '../model/bank-charge.js'
import { chargeKindOf } from '../model/charge-kind.js'
import type { BankChargeStore, TransactionStore } from './ports.js'
import {
  type Transaction,
  OPEN_INTENT_CHECK_AFTER_MS,
  OPEN_INTENT_PAUSE_MAX_MS,
} from '@cofre/gateway/method'
import { type AccountBanks, detailOf, usableBank } from './account-bank-service.js'
import type { ChargeAnswer, ChargeReading } from './charge-bank.js'
import { LIFETIME_MS, unusable } from './charge-opening-service.js'
import type { RecordCharge } from './charge-record-service.js'

/** The pause before the next attempt to remove a charge: it doubles, up to an hour. */
function removalPauseMs(forMs: number): number {
  return Math.min(Math.max(forMs, OPEN_INTENT_CHECK_AFTER_MS), OPEN_INTENT_PAUSE_MAX_MS)
}

/** See {@link removeUnshown}. */
export type RemoveUnshown = (intent: Transaction, unseen: UnshownCharge) => Promise<void>

export interface UnshownCharge {
  readonly charge: ChargeReference
  /** Shown to the staff. */
  readonly reason?: string | undefined
}

export interface ChargeRemovalDeps {
  readonly machineClock: Clock
  readonly log: Log
  readonly transactions: TransactionStore
  readonly bankCharges: BankChargeStore
  readonly recordCharge: RecordCharge
  readonly banks: AccountBanks
}

/**
 * Removes at its bank a charge that no payer has seen, and then its intent. If the bank had
 * accepted a boleto, its transaction ends CANCELLED instead: the payer's own bank may have shown
 * it. The intent goes only after the bank confirms the removal, or after the charge's life. Until
 * then the removal is retried at growing pauses.
 */
export async function removeUnshown(
  deps: ChargeRemovalDeps,
  intent: Transaction,
  { charge, reason }: UnshownCharge,
): Promise<void> {
  const { bankCharges, machineClock } = deps
  const { code } = intent
  const { name } = charge
  // After this commit, no other request can show the charge.
  const removed = { code, name, reason, machineNowMs: machineClock.now() }
  const sinceMs = await bankCharges.beginRemoval(removed)
  if (sinceMs === undefined && (await bankCharges.find(code))?.name === name) return
  const bank = await usableBank(deps.banks.of(charge))
  const answer = typeof bank === 'string' ? unusable(bank) : await bank.remove(charge)
  // The intent is gone, or continues with another charge.
  if (sinceMs === undefined) return
  const endMs = endOfUnshown(charge, sinceMs)
  const isLate = machineClock.now() >= endMs && typeof bank !== 'string' && answer.kind !== 'done'
  const found = isLate ? await bank.find(charge, 'background') : answer
  if (isProvenAbsent(found, charge, machineClock.now() - sinceMs))
    await deps.transactions.withdrawIntent(intent)
  else if (found.kind !== 'done' || mayBePaid(found.value))
    await retryRemovalOrEnd(deps, intent, { charge, found, sinceMs, endMs })
  else await endUnshown(deps, intent, { charge, payments: found.value.payments })
}

/** Every request for it began before the removal. */
function endOfUnshown({ dueDate }: ChargeReference, sinceMs: number): number {
  return endOf({ bankExpiresAtMs: sinceMs + LIFETIME_MS, dueDate })
}

function isProvenAbsent(
  found: ChargeAnswer,
  charge: ChargeReference,
  removingForMs: number,
): boolean {
  const { isListedLateMs } = chargeKindOf(charge)
  const isCertain = isListedLateMs === undefined || removingForMs >= isListedLateMs
  return found.kind === 'absent' && isCertain
}

/** True also if the bank does not yet show the money that it knows of. */
function mayBePaid({ payments, state }: ChargeReading): boolean {
  const isUndecided = state === 'paid' && payments.length === 0
  return isUndecided || ['open', 'issuing', 'not-known'].includes(state)
}

interface RemainingCharge {
  readonly charge: ChargeReference
  readonly found: ChargeAnswer
  readonly sinceMs: number
  readonly endMs: number
}

async function retryRemovalOrEnd(
  deps: ChargeRemovalDeps,
  intent: Transaction,
  { charge, found, sinceMs, endMs }: RemainingCharge,
): Promise<void> {
  const { log, machineClock, transactions } = deps
  const nowMs = machineClock.now()
  const facts = { transaction: intent.code, account: charge.accountId, error: detailOf(found) }
  // A bank may let its charges live longer than requested.
  const bankExpiresAtMs = found.kind === 'done' ? (found.value.expiresAtMs ?? 0) : 0
  const isPastBoth = nowMs >= Math.max(endMs, endOf({ bankExpiresAtMs, dueDate: undefined }))
  if (isPastBoth) {
    log.warn(facts, 'a charge that was not removed is abandoned: its life is over')
    await endUnshown(deps, intent, { charge, payments: [] })
  } else {
    log.warn(facts, 'a charge is not removed yet')
    await transactions.askLater(intent.code, nowMs + removalPauseMs(nowMs - sinceMs))
  }
}

interface EndedCharge {
  readonly charge: ChargeReference
  readonly payments: ChargeReading['payments']
}

/** The charge can no longer be paid. */
async function endUnshown(
  deps: ChargeRemovalDeps,
  intent: Transaction,
  { charge, payments }: EndedCharge,
): Promise<void> {
  const isForgotten = !chargeKindOf(charge).isVisibleElsewhere && payments.length === 0
  if (isForgotten) await deps.transactions.withdrawIntent(intent)
  else await deps.recordCharge(intent.code, { payments, ended: 'CANCELLED', isUnshown: true })
}
