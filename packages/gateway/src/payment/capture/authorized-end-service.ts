// Orders that end authorized payments: each is committed before the vault is asked.
import {
  type CaptureAnswer,
  type CardService,
  type Clock,
  type Environment,
  HOUR_MS,
  type Log,
  type MinorUnits,
  assertNever,
} from '@cofre/contracts'
import {
  type CaptureOrder,
  type JudgedEnd,
  type WantedEnd,
  judgeEnd,
} from '../../model/card/capture-order.js'
import { refundPauseMs } from '../../model/refund/refund.js'
import { isAuthorized } from '../../model/transaction/capture.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import type { CaptureListener, CaptureStore, TransactionStore } from '../ports.js'

export interface CarryOutDeps {
  readonly environment: Environment
  readonly clock: Clock
  readonly log: Log
  readonly cards: CardService
  readonly captures: CaptureStore
  readonly transactions: TransactionStore
  readonly captureEnded?: CaptureListener | undefined
}

export interface EndAuthorizedDeps extends CarryOutDeps {
  readonly machineClock: Clock
}

/**
 * The result of an order. `in-process`: it is committed, and a worker asks until it has ended.
 * `refused`: the payment stays authorized.
 */
export type EndResult =
  | Exclude<JudgedEnd, { readonly kind: 'ordered' }>
  | { readonly kind: 'in-process' | 'refused' }

/** The capture of an authorized payment. */
export interface AskedCapture {
  /** The part of the amount, without interest; undefined for all of it. */
  readonly amountMinor: MinorUnits | undefined
  /** `store`, or the person who orders it. */
  readonly orderedBy: string
}

/** Captures an authorized payment once, whole or in part; the rest is released. */
export async function capturePayment(
  deps: EndAuthorizedDeps,
  payment: Transaction,
  asked: AskedCapture,
): Promise<EndResult> {
  return await endAuthorized(deps, payment, { operation: 'capture', ...asked })
}

/**
 * Releases an authorized payment, unless a capture came first.
 * @param orderedBy - `store`, or the person who orders it.
 */
export async function voidPayment(
  deps: EndAuthorizedDeps,
  payment: Transaction,
  orderedBy: string,
): Promise<EndResult> {
  return await endAuthorized(deps, payment, { operation: 'void', orderedBy })
}

/** Ends an authorized payment, once: the first order counts. */
async function endAuthorized(
  deps: EndAuthorizedDeps,
  payment: Transaction,
  asked: Omit<WantedEnd, 'orderedAtMs'>,
): Promise<EndResult> {
  const { captures, log, machineClock, transactions } = deps
  const orderedAtMs = machineClock.now()
  const wanted = { ...asked, orderedAtMs }
  const { code } = payment
  const judged = isAuthorized(payment)
    ? await captures.order(code, wanted, orderedAtMs + refundPauseMs(0))
    : judgeEnd(payment, undefined, wanted)
  if (judged.kind !== 'ordered') return judged
  const progress = await carryOut(deps, payment, judged.order).catch((error: unknown) => {
    log.warn({ transaction: code, error }, 'the vault did not answer a capture or a void')
    return 'in-process' as const
  })
  if (progress !== 'ended') return { kind: progress }
  const current = (await transactions.findByCode(code)) ?? payment
  const ended = judgeEnd(current, undefined, wanted)
  return ended.kind === 'ordered' ? { kind: 'in-process' } : ended
}

/** A pause before the rule acts again on a payment that its acquirer did not release. */
const RULE_PAUSE_MS = HOUR_MS

/**
 * Asks the vault to carry out a committed order, and commits its answer.
 * @throws Error if the vault does not answer: ask again later
 */
export async function carryOut(
  deps: CarryOutDeps,
  { code, merchantId }: Pick<Transaction, 'code' | 'merchantId'>,
  order: CaptureOrder,
): Promise<'ended' | 'in-process' | 'refused'> {
  const { captures, clock, log } = deps
  const { chargedMinor, operation } = order
  const answer = simulatedAnswer(deps, await ask(deps, { code, merchantId }, order))
  const atMs = clock.now()
  const facts = { transaction: code, operation }
  switch (answer.kind) {
    case 'done': {
      const isFit = await endAs(
        deps,
        code,
        operation === 'capture'
          ? { to: 'captured', chargedMinor, atMs }
          : { to: 'released', by: 'void', atMs },
      )
      if (!isFit) log.error(facts, 'a capture or a void conflicts with its payment; compare both')
      return 'ended'
    }
    case 'released':
      return await endReleased(deps, code)
    case 'refused': {
      log.warn({ ...facts, error: answer.detail }, 'an acquirer refused a capture or a void')
      const dueAtMs = order.orderedBy === 'rule' ? atMs + RULE_PAUSE_MS : undefined
      const isNew = await captures.refuse(code, { ...order, dueAtMs })
      if (isNew) deps.captureEnded?.('refused')
      return 'refused'
    }
    case 'overtaken':
      // A change reports the end of the first order.
      log.warn({ ...facts, by: answer.by }, 'the vault has another order for an authorized payment')
      return 'in-process'
    case 'in_process':
      return 'in-process'
    default:
      return assertNever(answer)
  }
}

/** Without an account, the sandbox simulates the charge. Elsewhere, the vault has lost it. */
function simulatedAnswer(
  { environment }: CarryOutDeps,
  answer: CaptureAnswer,
): Exclude<CaptureAnswer, { kind: 'no_charge' }> {
  if (answer.kind !== 'no_charge') return answer
  if (environment === 'sandbox') return { kind: 'done' }
  return { kind: 'refused', detail: 'the vault has no charge of this payment: compare both' }
}

type Payment = Pick<Transaction, 'code' | 'merchantId'>

async function ask(
  { cards, environment }: CarryOutDeps,
  { code, merchantId }: Payment,
  { operation, chargedMinor: amountMinor }: CaptureOrder,
): Promise<CaptureAnswer> {
  const key = { environment, merchantId, transactionCode: String(code) }
  return operation === 'capture'
    ? await cards.capture({ ...key, amountMinor })
    : await cards.voidCharge(key)
}

/** False if the payment has ended otherwise. */
async function endAs(
  { captureEnded, captures }: CarryOutDeps,
  code: Transaction['code'],
  end: Parameters<CaptureStore['end']>[1],
): Promise<boolean> {
  const { isFit, outcome } = await captures.end(code, end)
  if (outcome !== undefined) captureEnded?.(outcome)
  return isFit
}

async function endReleased(deps: CarryOutDeps, code: Transaction['code']): Promise<'ended'> {
  const { clock, transactions } = deps
  const atMs = clock.now()
  const endsAtMs = (await transactions.findByCode(code))?.capture?.endsAtMs ?? atMs
  await endAs(deps, code, { to: 'released', by: atMs < endsAtMs ? 'provider' : 'expired', atMs })
  return 'ended'
}
