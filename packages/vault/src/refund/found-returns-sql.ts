import { HOUR_MS, type MinorUnits, minorUnits } from '@cofre/contracts'
import type { OrderedCharge } from '../authorization/card-charge-sql.js'
import type { VaultConnection } from '../database/vault-database.js'
import { announce } from '../outbox/change-sql.js'
import { type CardReturn, ended, isUndecided } from './card-return.js'
import { insertReturnIfAbsent, returnsOfCharge, updateReturn } from './return-sql.js'

/** How long an acquirer's sum may lack a recent refund. */
const SUM_LAG_MS = HOUR_MS

/**
 * Compares an acquirer's sum of a charge's refunds with those that are known here:
 *
 * - `clear`: they agree, perhaps since refunds that were made at the acquirer were added, or one
 *   that is no longer in the sum has ended otherwise;
 * - `lagging`: the sum lacks a recent refund;
 * - `unclear`: the difference cannot be explained here.
 *
 * The caller has locked the charge.
 */
export async function recordReturned(
  trx: VaultConnection,
  charge: OrderedCharge,
  { returned, nowMs }: { readonly returned: MinorUnits; readonly nowMs: number },
): Promise<'clear' | 'lagging' | 'unclear'> {
  const all = await returnsOfCharge(trx, charge.key)
  const done = all.filter(({ state }) => state === 'done')
  const more = returned - done.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  if (more === 0) return 'clear'
  if (more > 0) return await recordMore(trx, { charge, all, more: minorUnits(more), nowMs })
  if (done.some(({ endedAtMs = 0 }) => nowMs - endedAtMs < SUM_LAG_MS)) return 'lagging'
  const undone = done.findLast(({ amountMinor }) => amountMinor === -more)
  if (undone === undefined) return 'unclear'
  await endAsReported(trx, {
    refund: undone,
    outcome: 'REJECTED',
    detail: UNDONE,
    nowMs,
    atMs: nowMs,
  })
  return 'clear'
}

const UNDONE = 'the acquirer has undone it'

interface More {
  readonly charge: OrderedCharge
  readonly all: readonly CardReturn[]
  readonly more: MinorUnits
  readonly nowMs: number
}

/** An amount below an open refund's is certainly not that refund. */
async function recordMore(
  trx: VaultConnection,
  { charge, all, more, nowMs }: More,
): Promise<'clear' | 'unclear'> {
  const open = all.filter((one) => isUndecided(one) || one.state === 'in_process')
  if (open.some(({ amountMinor }) => amountMinor <= more)) return 'unclear'
  for (const one of open) {
    const { returnedBeforeMinor = minorUnits(0) } = one
    await updateReturn(trx, { ...one, returnedBeforeMinor: minorUnits(returnedBeforeMinor + more) })
  }
  // This acquirer has no names for its refunds.
  const count = all.filter(({ origin }) => origin === 'provider').length
  const returnId = `${charge.payment?.paymentId ?? ''}-${count + 1}`
  await addProviderReturn(trx, charge, { returnId, amountMinor: more, atMs: nowMs, nowMs })
  return 'clear'
}

/** A refund that was made at the acquirer. */
interface ProviderReturn {
  /** The acquirer's name for it. */
  readonly returnId: string
  readonly amountMinor: MinorUnits
  readonly atMs: number
  readonly nowMs: number
}

/** Records a refund that was made at the acquirer, and reports it, once. */
export async function addProviderReturn(
  trx: VaultConnection,
  { key, accountId }: OrderedCharge,
  { returnId, amountMinor, atMs, nowMs }: ProviderReturn,
): Promise<void> {
  const { environment, transactionCode } = key
  const refund: CardReturn = {
    environment,
    transactionCode,
    name: `${accountId}:${returnId}`,
    origin: 'provider',
    amountMinor,
    reference: undefined,
    identity: undefined,
    state: 'done',
    attempts: 0,
    firstAttemptAtMs: undefined,
    absentSinceMs: undefined,
    returnedBeforeMinor: undefined,
    nextAskAtMs: undefined,
    notBeforeMs: undefined,
    returnId,
    detail: undefined,
    createdAtMs: nowMs,
    endedAtMs: nowMs,
  }
  if (await insertReturnIfAbsent(trx, refund)) await announceEnd(trx, refund, { atMs, nowMs })
}

interface ReportedEnd {
  readonly refund: CardReturn
  readonly outcome: 'PROCESSED' | 'REJECTED'
  readonly detail: string | undefined
  readonly atMs: number
  readonly nowMs: number
}

/** Ends a refund on its acquirer's report, and reports it to the gateway. */
export async function endAsReported(
  trx: VaultConnection,
  { refund, outcome, detail, atMs, nowMs }: ReportedEnd,
): Promise<void> {
  const state = outcome === 'PROCESSED' ? 'done' : 'refused'
  const after = ended({ ...refund, detail }, state, nowMs)
  await updateReturn(trx, after)
  await announceEnd(trx, after, { atMs, nowMs })
}

/** Reports the end of a refund to the gateway. */
export async function announceEnd(
  trx: VaultConnection,
  refund: CardReturn,
  { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
): Promise<void> {
  const { environment, transactionCode, name, origin, amountMinor, detail } = refund
  const { reference, identity } = refund
  const outcome = refund.state === 'done' ? 'PROCESSED' : 'REJECTED'
  const change =
    origin === 'gateway'
      ? ({
          kind: 'refund_ended',
          refundId: name,
          amountMinor,
          reference,
          identity,
          outcome,
        } as const)
      : ({
          kind: 'provider_refund',
          providerRefundId: refund.returnId ?? name,
          amountMinor,
          outcome,
        } as const)
  await announce(trx, { environment, transactionCode, atMs, change, detail }, nowMs)
}
