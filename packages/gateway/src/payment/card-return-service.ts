import {
  type CardChange,
  type CardService,
  type Clock,
  type Environment,
  type Log,
  SECOND_MS,
} from '@cofre/contracts'
import { pause } from '@cofre/work'
import { isUnavailable } from '@cofre/sql'
import type { ChangeEnd, ChangeOutcome } from '../model/card/card-change.js'
import { type Refund, type RefundOutcome, drawRefundId } from '../model/refund/refund.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import { type SettleByAnswerDeps, settleByAnswer } from './card-payment-service.js'
import type {
  CaptureListener,
  CardChangeStore,
  ChangeListener,
  RandomBelow,
  RefundStore,
} from './ports.js'

export interface RefundCardDeps {
  readonly environment: Environment
  readonly log: Log
  readonly cards: CardService
  readonly refunds: RefundStore
}

/** Requests a refund of a card's charge. `unknown` means that it must be requested again later. */
export async function refundCard(
  { cards, environment, log, refunds }: RefundCardDeps,
  refund: Refund,
): Promise<RefundOutcome | 'unknown'> {
  const { id, transactionCode: code, merchantId, amountMinor, chargedMinor } = refund
  const { identity, reference } = refund
  const answer = await cards.refund({
    environment,
    merchantId,
    transactionCode: String(code),
    refundId: String(id),
    // A refund from before shares were stored has only its amount.
    amountMinor: chargedMinor ?? amountMinor,
    reference,
    ...(identity !== undefined && { identity }),
  })
  switch (answer.kind) {
    case 'done':
      return 'PROCESSED'
    case 'in_process':
      if (answer.notBeforeMs !== refund.notBeforeMs)
        await refunds.setNotBefore(refund, answer.notBeforeMs)
      return 'unknown'
    case 'refused':
      log.warn({ refund: id, error: answer.detail }, 'an acquirer has not made a refund')
      return 'REJECTED'
    case 'no_charge':
      log.warn({ refund: id, transaction: code }, 'no account has the charge of a refund')
      return 'REJECTED'
  }
}

const CHANGES_PAUSE_MS = SECOND_MS

export interface CardChangeRoundsDeps extends ApplyCardChangesDeps {
  readonly cardChanges: CardChangeStore
}

/**
 * Runs rounds of {@link applyCardChanges}. The vault parks a change that it has sent too often.
 * After an outage of the database, no change is requested until the database accepts writes again.
 */
export function createCardChangeRounds(
  deps: CardChangeRoundsDeps,
): (signal: AbortSignal) => Promise<void> {
  let isDatabaseAway = false
  return async (signal) => {
    if (isDatabaseAway) await deps.cardChanges.probe()
    isDatabaseAway = false
    try {
      await applyCardChanges(deps, signal)
    } catch (error) {
      isDatabaseAway ||= isUnavailable(error)
      throw error
    }
  }
}

export interface ApplyCardChangesDeps {
  readonly environment: Environment
  readonly log: Log
  readonly cards: CardService
  readonly cardChangeEnded?: ChangeListener | undefined
  readonly applyChange: ApplyChange
}

/** Applies acquirers' own reports on charges, each change once, those of a charge in order. */
export async function applyCardChanges(
  deps: ApplyCardChangesDeps,
  signal: AbortSignal,
): Promise<void> {
  const { cards, environment } = deps
  const changes = await cards.changes(environment)
  const ended: string[] = []
  const heldUp = new Set<string>()
  for (const change of changes) {
    const { id, transactionCode } = change
    // A later change could undo the held one. Only the end that a transaction waits for may
    // overtake.
    if (heldUp.has(transactionCode) && change.change.kind !== 'settled') continue
    const outcome = await tryChange(deps, change)
    if (outcome === 'failed' || outcome === 'too-early') heldUp.add(transactionCode)
    else ended.push(id)
  }
  if (ended.length > 0) await cards.acknowledge(environment, ended)
  if (changes.length === 0) await pause(CHANGES_PAUSE_MS, signal)
}

/** The outcome of a change; one that failed or is too early is sent again. */
async function tryChange(deps: ApplyCardChangesDeps, change: CardChange): Promise<ChangeEnd> {
  let outcome: ChangeEnd
  try {
    outcome = await deps.applyChange(change)
    logOutcome(deps, change, outcome)
  } catch (error) {
    // The database is down: end the round.
    if (isUnavailable(error)) throw error
    const { transactionCode: transaction } = change
    deps.log.error({ transaction, error }, 'a change could not be applied')
    outcome = 'failed'
  }
  deps.cardChangeEnded?.(change.change.kind, outcome)
  return outcome
}

export type ApplyChange = (change: CardChange) => Promise<ChangeOutcome>

export interface CardReturnDeps extends SettleByAnswerDeps {
  readonly machineClock: Clock
  readonly randomBelow: RandomBelow
  readonly cardChanges: CardChangeStore
  readonly captureEnded?: CaptureListener | undefined
}

export async function applyChange(
  deps: CardReturnDeps,
  change: CardChange,
): Promise<ChangeOutcome> {
  const { cardChanges, clock, machineClock, randomBelow } = deps
  await settleOpen(deps, change)
  const atMs = clock.now()
  const { outcome, capture } = await cardChanges.apply(change, {
    atMs,
    machineNowMs: machineClock.now(),
    newRefundId: () => drawRefundId(atMs, randomBelow),
  })
  if (capture !== undefined) deps.captureEnded?.(capture)
  return outcome
}

/** Settles an intent that still waits for the vault's answer. */
async function settleOpen(
  deps: CardReturnDeps,
  { transactionCode, change }: CardChange,
): Promise<void> {
  if (change.kind !== 'settled') return
  const code = Number(transactionCode) as TransactionCode
  const intent = await deps.transactions.findByCode(code)
  if (intent?.open === true) await settleByAnswer(deps, intent, change.answer)
}

function logOutcome(
  { log }: ApplyCardChangesDeps,
  { transactionCode: transaction, change, detail }: CardChange,
  outcome: ChangeOutcome,
): void {
  const facts = { transaction, change: change.kind, detail }
  switch (outcome) {
    case 'known':
      return
    case 'applied':
      log.info(facts, 'an acquirer has reported a change of a charge')
      return
    case 'excess':
      log.error(facts, 'refunds exceed the charged amount')
      return
    case 'too-early':
      log.warn(facts, 'a change waits for the end of its transaction')
      return
    case 'unfit':
      log.warn(facts, 'a reported change conflicts with its transaction; compare both')
      return
    case 'no-transaction':
      log.error(facts, 'an acquirer has reported of a charge without a transaction')
  }
}
