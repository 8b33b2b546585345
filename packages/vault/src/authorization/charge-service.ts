import { setTimeout as pause } from 'node:timers/promises'
import {
  type CardAnswer,
  type Deadline,
  type Decline,
  type DeclineReason,
  HOUR_MS,
  SECOND_MS,
  retryAfterMsOf,
} from '@cofre/contracts'
import { ACQUIRER_NEEDS_MS, PROVIDER_TIMEOUT_MS } from '@cofre/work'
import {
  type Acquirer,
  type AcquirerAnswer,
  type AuthorizeRequest,
  type ChargeDecision,
  type Doubt,
  type EarlierAttempts,
  isNotDone,
  chargeOutcomeOf,
} from '@cofre/provider-kit/card'
import { findRetryRefusal } from '../card-testing/card-testing-service.js'
import { callAcquirer, nameOf } from './acquirer-call.js'
import { answerWithAction, beginAuthentication } from './begun-authentication-service.js'
import {
  type Arrived,
  type ChargeContent,
  type OpenAuthorization,
  unknownAnswer,
} from './authorization.js'
import { type SpentToken, removeAuthorization } from './authorization-begin-sql.js'
import { findAuthorization } from './authorization-sql.js'
import {
  CARD_KEPT_MS,
  type CardCharge,
  type ChargeAccount,
  type RoutedAccount,
  earlierAttempts,
  isLeased,
  isTimeForCall,
  newCharge,
  LONGEST_CHARGE_PAUSE_MS,
} from './card-charge.js'
import { releaseLease, removeCharge, routeOn, leaseCharge } from './card-charge-sql.js'
import { type ChargedOrder, declineToCount, endOfDecision, endOrder } from './charge-end-service.js'
import type { ChargingDeps } from './charging-deps.js'
import { refused } from './order-card-service.js'

const LEASE_WAIT_MS = 3 * SECOND_MS
const POLL_EVERY_MS = 100
/** The pause before an account that gave no outcome is asked again, unless it names a time. */
const ASK_AGAIN_MS = 5 * SECOND_MS

/** An open order at an account whose lease this process holds. */
type OpenCharge = OpenAuthorization & ChargedOrder

/** An order that was just stored, before any account is asked. */
export interface NewOrder {
  readonly order: OpenCharge
  readonly content: ChargeContent
  /** When its shop stops waiting. */
  readonly deadline: Deadline
  /** The token that it has spent. */
  readonly token: SpentToken | undefined
  /** The account in its row. */
  readonly first: RoutedAccount
  /** The store's further accounts, in order. */
  readonly others: readonly ChargeAccount[]
  readonly routesDeclines: boolean
}

/** One attempt to charge an order. */
interface Attempt {
  readonly order: OpenCharge
  readonly content: ChargeContent
  readonly acquirer: () => Promise<Acquirer>
  readonly earlier?: EarlierAttempts
}

interface Asked {
  readonly order: OpenCharge
  readonly content: ChargeContent
  readonly answer: AcquirerAnswer<ChargeDecision>
}

/**
 * Asks the accounts of a store for a new order. Each next account is written into the order's row
 * before it is asked. It is asked while the shop still waits, after an answer which proves that
 * nothing was charged. A decline is such an answer if the store wants that, and if another acquirer
 * may decide otherwise.
 */
export async function chargeNewOrder(deps: ChargingDeps, begun: NewOrder): Promise<CardAnswer> {
  const { order, content, deadline, first, others } = begun
  let asked = await ask(deps, { order, content, acquirer: first.acquirer })
  /** A decline after which another account was asked: it counts if that one charges nothing. */
  let declined: Asked | undefined
  for (const account of others) {
    if (!deadline.allows(ACQUIRER_NEEDS_MS) || !(await isRoutedOn(deps, begun, asked))) break
    if (declineOf(asked) !== undefined) declined = asked
    const next = nextCharge(asked.order, account, deps.clock.now())
    if (!(await routeOnFrom(deps, asked, next))) return await storedAnswer(deps, asked.order)
    // The first may have taken seconds: this account is read anew.
    const acquirer = () => deps.acquirerOf(account.id)
    asked = await ask(deps, { order: { ...asked.order, charge: next }, content, acquirer })
  }
  if (!isNotDone(asked.answer)) return await conclude(deps, asked)
  if (declined !== undefined) return await conclude(deps, declined)
  return await withdraw(deps, asked.order, begun.token)
}

/** Reasons of the acquirer, or between it and the issuer: another acquirer may decide otherwise. */
const ROUTED_DECLINES: readonly DeclineReason[] = [
  'generic',
  'issuer_unavailable',
  'system_failure',
  'merchant_problem',
  'refused_by_risk_rules',
]
/** A longer wait is about the card, at any acquirer. */
const ROUTED_WAIT_MS = HOUR_MS

function declineOf({ answer }: Asked): Decline | undefined {
  const isDeclined = answer.kind === 'done' && answer.value.outcome === 'declined'
  return isDeclined ? answer.value.decline : undefined
}

/** Never true for an unknown outcome. */
async function isRoutedOn(
  deps: ChargingDeps,
  { routesDeclines }: NewOrder,
  asked: Asked,
): Promise<boolean> {
  const { answer, content, order } = asked
  if (isNotDone(answer)) return true
  const decline = declineOf(asked)
  if (decline === undefined || !routesDeclines) return false
  const { reason, retry } = decline
  if (retry.kind !== 'allowed' || retry.by === 'brand' || retry.afterMs > ROUTED_WAIT_MS)
    return false
  // A 3-DS result can be used only once.
  if (!ROUTED_DECLINES.includes(reason) || content.threeDSecure !== undefined) return false
  const { environment, merchantId, card } = order
  const { number } = content.card.reveal()
  const tried = { environment, merchantId, number, brand: card.brand }
  return (await findRetryRefusal(deps, tried, [decline])) === undefined
}

function nextCharge({ charge }: OpenCharge, account: ChargeAccount, nowMs: number): CardCharge {
  // The attempts of an order, and so its declines, differ by their time.
  const laterMs = Math.max(nowMs, charge.firstAttemptAtMs + 1)
  const { key, sentEci, savedCardCode, isUnlinked } = charge
  return newCharge(key, account, { nowMs: laterMs, sentEci, savedCardCode, isUnlinked })
}

/** Moves an order to its next account, and counts a decline; false if the lease was lost. */
async function routeOnFrom(deps: ChargingDeps, asked: Asked, next: CardCharge): Promise<boolean> {
  const { content, order } = asked
  const decline = declineOf(asked)
  const count = await declineToCount(deps, { order, content }, { decline })
  const isOurs = await deps.database.transact(async (trx) => {
    const isRouted = await routeOn(trx, order.charge, next)
    if (isRouted) await count?.(trx)
    return isRouted
  })
  if (isOurs && decline !== undefined) {
    const { environment, transactionCode, charge } = order
    const facts = { environment, transactionCode, account: charge.accountId, to: next.accountId }
    deps.log.info(
      { ...facts, reason: decline.reason },
      'a declined charge goes to the next account',
    )
  }
  return isOurs
}

/**
 * Asks the account of an order of unknown outcome again. If another process does so, waits for that
 * one.
 */
export async function chargeAgain(
  deps: ChargingDeps,
  order: OpenCharge,
  content: () => Promise<ChargeContent>,
): Promise<CardAnswer> {
  const { clock, database, leaseWaitMs = LEASE_WAIT_MS } = deps
  const nowMs = clock.now()
  if (isLeased(order.charge.leaseUntilMs, nowMs))
    return await waitForOther(deps, order, leaseWaitMs)
  const isTooEarly = nowMs < order.charge.nextAskAtMs
  // Its card is about to be erased.
  const isTooLate = nowMs - order.createdAtMs >= CARD_KEPT_MS
  if (isTooEarly || isTooLate || order.charge.state !== 'asked') return unknownAnswer(order)
  const opened = await content()
  const charge = await database.transact((trx) =>
    leaseCharge(trx, order, { state: 'asked', nowMs }),
  )
  if (charge === undefined) return await waitForOther(deps, order, leaseWaitMs)
  const asked = await ask(deps, {
    order: { ...order, charge },
    content: opened,
    acquirer: () => deps.acquirerOf(charge.accountId),
    earlier: earlierAttempts(charge),
  })
  return await conclude(deps, asked)
}

/** Polls for the other process's result, for as long as a gateway waits for a second answer. */
async function waitForOther(
  deps: ChargingDeps,
  order: ChargedOrder,
  leaseWaitMs: number,
): Promise<CardAnswer> {
  for (let waitedMs = 0; waitedMs < leaseWaitMs; waitedMs += POLL_EVERY_MS) {
    await pause(POLL_EVERY_MS)
    const found = await findAuthorization(deps.database.reader, order)
    // Withdrawn: no account has charged it.
    if (found === undefined) return refused('acquirer_unavailable')
    if (found.state !== 'open') return await storedAnswer(deps, order)
    const { charge } = found
    if (charge !== undefined && !isLeased(charge.leaseUntilMs, deps.clock.now())) break
  }
  return unknownAnswer(order)
}

async function ask(deps: ChargingDeps, attempt: Attempt): Promise<Asked> {
  const { order, content } = attempt
  const { environment, card, charge } = order
  const { accountId, provider } = charge
  const facts = { environment, accountId, provider, brand: card.brand }
  if (charge.isUnlinked === true && attempt.earlier === undefined)
    deps.observer?.sentUnlinked(facts)
  const answer = await answerOfAcquirer(deps, attempt)
  deps.observer?.attemptAnswered({ ...facts, outcome: chargeOutcomeOf(answer) })
  return { order, content, answer }
}

/** The request to the account's acquirer. */
function requestFor({ order, content, earlier }: Attempt): AuthorizeRequest {
  const { card, charge, amountMinor, installments, isCapturedLater } = order
  const { payer, storedCredential, threeDSecure, isFromLink, authenticationReturnUrl } = content
  return {
    key: charge.key,
    earlier,
    card: content.card,
    brand: card.brand,
    amountMinor,
    installments,
    payer,
    storedCredential,
    threeDSecure,
    isFromLink,
    authenticationReturnUrl,
    isCapturedLater,
  }
}

async function answerOfAcquirer(
  deps: ChargingDeps,
  attempt: Attempt,
): Promise<AcquirerAnswer<ChargeDecision>> {
  const { acquirerTimeoutMs = PROVIDER_TIMEOUT_MS, clock, log } = deps
  const { charge, environment, transactionCode } = attempt.order
  const facts = { environment, transactionCode, account: charge.accountId }
  const request = requestFor(attempt)
  const isFirst = request.earlier === undefined
  let acquirer: Acquirer
  try {
    acquirer = await attempt.acquirer()
  } catch (error) {
    log.error({ ...facts, error: nameOf(error) }, 'an account cannot be used')
    return notAsked(isFirst, 'the account cannot be used')
  }
  if (!isTimeForCall(charge.leaseUntilMs, clock.now(), acquirerTimeoutMs)) {
    log.warn(facts, 'there was no time left to ask an acquirer')
    return notAsked(isFirst, 'too late for a call')
  }
  const answer = await callAcquirer(deps, facts, () => acquirer.authorize(request))
  if ('detail' in answer && !('unanswered' in answer))
    log.warn({ ...facts, error: answer.detail }, `an acquirer answered ${chargeOutcomeOf(answer)}`)
  // Certain only for a first attempt.
  return isNotDone(answer) && !isFirst ? { kind: 'unknown', detail: answer.detail } : answer
}

/** After a further attempt, nothing is certain. */
function notAsked(isFirst: boolean, detail: string): AcquirerAnswer<never> {
  return isFirst
    ? { kind: 'not-sent', cause: 'no-connection', detail }
    : { kind: 'unknown', detail }
}

/** Stores the answer of the last account. */
async function conclude(
  deps: ChargingDeps,
  { order, content, answer }: Asked,
): Promise<CardAnswer> {
  if (answer.kind !== 'done') return await keepOpen(deps, order, answer)
  const decision = answer.value
  if (decision.outcome === 'authenticate') {
    const begun = await beginAuthentication(deps, { order, content }, decision.action)
    return begun ?? (await storedAnswer(deps, order))
  }
  const stored = await endOrder(deps, { order, content }, endOfDecision(decision))
  // Another process asked too, and stored its answer: that one counts.
  return stored ?? (await storedAnswer(deps, order))
}

async function keepOpen(
  { clock, database }: ChargingDeps,
  order: OpenCharge,
  answer: Exclude<AcquirerAnswer<never>, { kind: 'done' }>,
): Promise<CardAnswer> {
  const { absentSinceMs, payment, unanswered }: Partial<Doubt> =
    answer.kind === 'unknown' ? answer : {}
  // The lease keeps others from calling while this call may still run.
  if (unanswered === 'under-way') return unknownAnswer(order)
  const pauseMs = retryAfterMsOf(answer) ?? ASK_AGAIN_MS
  const nextAskAtMs = clock.now() + Math.min(pauseMs, LONGEST_CHARGE_PAUSE_MS)
  const doubt = { absentSinceMs, payment, nextAskAtMs }
  await database.transact((trx) => releaseLease(trx, order.charge, doubt))
  return unknownAnswer(order)
}

/** Removes an order that no account has charged, as if it had never come. */
async function withdraw(
  deps: ChargingDeps,
  order: OpenCharge,
  token: SpentToken | undefined,
): Promise<CardAnswer> {
  const isGone = await deps.database.transact(async (trx) => {
    const isOurs = await removeCharge(trx, order.charge)
    if (isOurs) await removeAuthorization(trx, order, token)
    return isOurs
  })
  return isGone ? refused('acquirer_unavailable') : await storedAnswer(deps, order)
}

/** The order's answer, as another process stored it. */
async function storedAnswer(deps: ChargingDeps, order: Arrived): Promise<CardAnswer> {
  const found = await findAuthorization(deps.database.reader, order)
  return found?.state === 'settled' ? await answerWithAction(deps, found) : unknownAnswer(order)
}
