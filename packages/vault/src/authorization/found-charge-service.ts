// Charges, as acquirers find them.
import { type Log, MINUTE_MS, type MinorUnits, retryAfterMsOf } from '@cofre/contracts'
import type { Acquirer, AcquirerAnswer, FindRequest, FoundPayment } from '@cofre/provider-kit/card'
import type { SealingDeps } from '../data-key/data-key-service.js'
import { announceSettled } from '../outbox/change-sql.js'
import { callAcquirer } from './acquirer-call.js'
import { type ChargeKey, NOT_CHARGED, LONGEST_CHARGE_PAUSE_MS } from './card-charge.js'
import { type OrderedCharge, releaseLease } from './card-charge-sql.js'
import { type ChargeEnd, endCharge } from './charge-end-service.js'

interface ReadingDeps {
  readonly log: Log
  readonly acquirerTimeoutMs?: number | undefined
}

const UNREAD = { kind: 'unknown', detail: 'this acquirer cannot be read' } as const

/** A charge's payment at its acquirer. */
export async function findPayment(
  deps: ReadingDeps,
  charge: OrderedCharge & Pick<FindRequest, 'urgency'>,
  acquirer: Acquirer,
): Promise<AcquirerAnswer<FoundPayment>> {
  const { key, accountId, payment, amountMinor, card, urgency } = charge
  const { environment, transactionCode } = key
  const request: FindRequest = {
    key,
    paymentId: payment?.paymentId,
    amountMinor,
    brand: card.brand,
    ...(urgency !== undefined && { urgency }),
  }
  const facts = { environment, transactionCode, account: accountId }
  return await callAcquirer<FoundPayment>(
    deps,
    facts,
    () => acquirer.find?.(request) ?? Promise.resolve(UNREAD),
  )
}

/** The pause before an acquirer that knew no outcome is asked again. */
const AGAIN_MS = 15 * MINUTE_MS

/** The pause before the next look: as long as the acquirer wants, within limits. */
export function pauseAfter(answer: AcquirerAnswer<unknown>, leastMs: number): number {
  return Math.min(Math.max(retryAfterMsOf(answer) ?? 0, leastMs), LONGEST_CHARGE_PAUSE_MS)
}

/**
 * Finds an open charge at its acquirer, and ends the caller's lease. An outcome that the acquirer
 * knows ends the charge and is reported to its gateway. False if the acquirer could not be read.
 */
export async function endByFind(
  deps: SealingDeps & ReadingDeps,
  charge: OrderedCharge,
  acquirer: Acquirer,
): Promise<boolean> {
  // Searches by its key: every payment under it counts, not only the one that an answer has named.
  const answer = await findPayment(deps, { ...charge, payment: undefined }, acquirer)
  const end = endOf(charge, answer)
  if (end !== undefined) {
    await endAndReport(deps, charge.key, end)
    return true
  }
  const { state, nextAskAtMs, absentSinceMs } = charge
  const isAskedAgain = state === 'asked'
  await deps.database.transact((trx) =>
    releaseLease(trx, charge, {
      absentSinceMs,
      // Its gateway requests it in its own time.
      nextAskAtMs: isAskedAgain ? nextAskAtMs : deps.clock.now() + pauseAfter(answer, AGAIN_MS),
    }),
  )
  return answer.kind === 'done' || answer.kind === 'absent'
}

/** Ends a charge whose answer no gateway waits for, and reports it to the gateway. */
export async function endAndReport(
  deps: SealingDeps,
  key: ChargeKey,
  end: ChargeEnd,
): Promise<void> {
  const nowMs = deps.clock.now()
  await endCharge(deps, key, {
    ...end,
    also: (trx, answer) => announceSettled(trx, { ...key, answer }, { atMs: nowMs, nowMs }),
  })
}

/** Undefined while the charge is open. */
function endOf(
  { state, amountMinor, captureDays }: OrderedCharge,
  answer: AcquirerAnswer<FoundPayment>,
): ChargeEnd | undefined {
  if (answer.kind === 'done')
    return captureDays === undefined
      ? endOfFound(state, answer.value)
      : endOfAuthorized(amountMinor, answer.value)
  // A payment that is absent after a day was never there.
  return answer.kind === 'absent' && state === 'ending' ? undone([]) : undefined
}

function endOfFound(
  charge: OrderedCharge['state'],
  { state, payment, decline, surplus }: FoundPayment,
): ChargeEnd | undefined {
  switch (state) {
    case 'approved':
      return { outcome: 'approved', payment, decline: undefined, surplus }
    case 'declined':
      return { outcome: 'declined', payment, decline: decline ?? NOT_CHARGED, surplus }
    case 'authorized':
      // A further request captures the charge; later there is none.
      return charge === 'asked' ? undefined : undone([payment.paymentId, ...surplus])
    case 'returned':
      return undone(surplus)
    case 'pending':
      return undefined
  }
}

/** Like {@link endOfFound}, for a charge that is captured later: people may have captured it. */
function endOfAuthorized(authorizedMinor: MinorUnits, found: FoundPayment): ChargeEnd | undefined {
  const { payment, surplus, capturedMinor = authorizedMinor } = found
  const approved = { outcome: 'approved', payment, decline: undefined, surplus } as const
  switch (found.state) {
    case 'authorized':
      return approved
    case 'approved':
      return { ...approved, capturedMinor }
    case 'declined':
    case 'returned':
    case 'pending':
      return endOfFound('ending', found)
  }
}

/** The end of a charge that was not made, for no reason of the card. */
export function undone(surplus: readonly string[]): ChargeEnd {
  return { outcome: 'declined', payment: undefined, decline: NOT_CHARGED, surplus }
}
