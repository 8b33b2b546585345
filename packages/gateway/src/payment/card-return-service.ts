import { type CardChange, SECOND_MS } from '@cofre/contracts'
import { pause } from '@cofre/jobs'
import { isUnavailable } from '@cofre/sql'
import type { ChangeOutcome } from '../ledger/card/card-change-store-sql.js'
import { type Refund, type RefundOutcome, drawRefundId } from '../model/refund/refund.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import { settleByAnswer } from './card-payment-service.js'
import type { GatewayDeps } from './gateway-deps.js'

/** Asks for a refund of a card's charge. `unknown` means ask again later. */
export async function refundCard(
  { cards, environment, log }: GatewayDeps,
  { id, transactionCode: code, merchantId, amountMinor, chargedMinor, reference }: Refund,
): Promise<RefundOutcome | 'unknown'> {
  const answer = await cards.refund({
    environment,
    merchantId,
    transactionCode: String(code),
    refundId: String(id),
    // One from before shares were kept goes back as it was asked for.
    amountMinor: chargedMinor ?? amountMinor,
    reference,
  })
  switch (answer.kind) {
    case 'done':
      return 'PROCESSED'
    case 'in_process':
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

/** Applies what acquirers have reported of charges by themselves, each change once. */
export async function applyCardChanges(deps: GatewayDeps, signal: AbortSignal): Promise<void> {
  const { cards, environment, log } = deps
  const changes = await cards.changes(environment)
  const ended: string[] = []
  for (const change of changes) {
    try {
      if (await applyChange(deps, change)) ended.push(change.id)
    } catch (error) {
      // The database is down: end the round.
      if (isUnavailable(error)) throw error
      log.error({ transaction: change.transactionCode, error }, 'a change could not be applied')
    }
  }
  if (ended.length > 0) await cards.acknowledge(environment, ended)
  if (changes.length === 0) await pause(CHANGES_PAUSE_MS, signal)
}

/** Whether the change is at its end: then it does not come again. */
async function applyChange(deps: GatewayDeps, change: CardChange): Promise<boolean> {
  const { cardChanges, clock, machineClock, randomBelow } = deps
  await settleOpen(deps, change)
  const atMs = clock.now()
  const outcome = await cardChanges.apply(change, {
    atMs,
    machineNowMs: machineClock.now(),
    newRefundId: () => drawRefundId(atMs, randomBelow),
  })
  logOutcome(deps, change, outcome)
  return outcome !== 'too-early'
}

/** Settles an intent that still waits for the vault's answer. */
async function settleOpen(
  deps: GatewayDeps,
  { transactionCode, change }: CardChange,
): Promise<void> {
  if (change.kind !== 'settled') return
  const code = Number(transactionCode) as TransactionCode
  const intent = await deps.transactions.findByCode(code)
  if (intent?.open === true) await settleByAnswer(deps, intent, change.answer)
}

function logOutcome(
  { log }: GatewayDeps,
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
    case 'too-early':
      log.warn(facts, 'a change waits for the end of its transaction')
      return
    case 'unfit':
      log.warn(facts, 'a change does not fit its transaction: look at both')
      return
    case 'no-transaction':
      log.error(facts, 'an acquirer has reported of a charge without a transaction')
  }
}
