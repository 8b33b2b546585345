// Results that payers bring back from their cards' banks, and the end of charges without one.
import {
  type AuthenticationRequest,
  type CardAnswer,
  MINUTE_MS,
  SECOND_MS,
  Secret,
  retryAfterMsOf,
} from '@cofre/contracts'
import { setTimeout as pause } from 'node:timers/promises'
import { type Lanes, PROVIDER_TIMEOUT_MS, hasCome } from '@cofre/work'
import {
  type AcquirerAnswer,
  type CompletedCharge,
  type CompletionRequest,
  chargeOutcomeOf,
} from '@cofre/provider-kit/card'
import { open, seal } from '../keys/sealed-value.js'
import { announceSettled } from '../outbox/change-sql.js'
import type { AtAccount } from './account-lanes-sql.js'
import { workAtAccounts } from './account-lanes.js'
import { callAcquirer, nameOf } from './acquirer-call.js'
import {
  type AnsweredOrder,
  type AuthorizationKey,
  type SettledAuthorization,
  unknownAnswer,
} from './authorization.js'
import { findAuthorization } from './authorization-sql.js'
import { answerWithAction, contextOf } from './begun-authentication-service.js'
import {
  type WaitingAuthentication,
  dueAuthentications,
  eraseAction,
  eraseAuthentication,
  findAuthentication,
  keepResult,
  recordAuthenticationAttempt,
  waitOn,
} from './card-authentication-sql.js'
import {
  CHARGE_LEASE_MS,
  type CardCharge,
  NOT_AUTHENTICATED,
  isTimeForCall,
  AUTHENTICATION_MS,
} from './card-charge.js'
import { beginEnding, findCharge, releaseLease, leaseCharge } from './card-charge-sql.js'
import { endOfDecision, endOrder } from './charge-end-service.js'
import type { ChargingDeps } from './charging-deps.js'
import { endWithoutAccount } from './accountless-charge-service.js'

const POLL_EVERY_MS = 100
const LEASE_WAIT_MS = 3 * SECOND_MS
const AT_ONCE = 10
/**
 * The first pause between two requests with one result; the pause grows with the time spent asking.
 */
const ASK_AGAIN_MS = 5 * SECOND_MS
const ASK_AGAIN_MS_MAX = 5 * MINUTE_MS

/**
 * The present answer to an order whose payer is to be authenticated. A result is stored before its
 * acquirer is asked: if anything is lost after that, the acquirer is asked again.
 */
export async function authenticate(
  deps: ChargingDeps,
  { environment, transactionCode, result }: AuthenticationRequest,
): Promise<CardAnswer | undefined> {
  const key = { environment, transactionCode }
  const order = await findSettled(deps, key)
  if (order?.state !== 'settled') return order && unknownAnswer(order)
  if (result !== undefined && (await isKept(deps, order, result))) {
    const isAsked = await complete(deps, order)
    if (!isAsked) await waitForOther(deps, order)
  }
  const now = await findSettled(deps, key)
  return now?.state === 'settled' ? await answerWithAction(deps, now) : undefined
}

async function findSettled({ database }: ChargingDeps, key: AuthorizationKey) {
  const found = await findAuthorization(database.reader, key)
  return found?.state === 'void' ? undefined : found
}

async function isKept(
  { clock, database, dataKeys }: ChargingDeps,
  order: SettledAuthorization,
  result: string,
): Promise<boolean> {
  if (order.answer.outcome !== 'pending') return false
  const key = await dataKeys.ofThisHour('authorizations')
  const sealedResult = seal(key, result, contextOf(order, 'result'))
  return await database.transact((trx) =>
    keepResult(trx, order, { sealedResult, nowMs: clock.now() }),
  )
}

/** Waits for another process that calls the acquirer, perhaps with this very result. */
async function waitForOther(
  { database, leaseWaitMs = LEASE_WAIT_MS }: ChargingDeps,
  order: SettledAuthorization,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < leaseWaitMs; waitedMs += POLL_EVERY_MS) {
    await pause(POLL_EVERY_MS)
    const waiting = await findAuthentication(database.reader, order)
    if (waiting?.sealedResult === undefined) return
  }
}

/** One process's turn to ask with a result. */
interface Turn {
  readonly order: SettledAuthorization
  /** Under a lease; undefined if the acquirer is simulated. */
  readonly charge: CardCharge | undefined
  readonly waiting: WaitingAuthentication
}

/** Asks the acquirer with the stored result; false if another process does. */
async function complete(deps: ChargingDeps, order: SettledAuthorization): Promise<boolean> {
  const turn = await claimTurn(deps, order)
  if (turn === undefined) return false
  const answer = await askWithResult(deps, turn)
  if (answer.kind === 'done') await end(deps, turn, answer.value)
  else await keepWaiting(deps, turn, answer)
  return true
}

async function claimTurn(
  { clock, database }: ChargingDeps,
  order: SettledAuthorization,
): Promise<Turn | undefined> {
  return await database.transact(async (trx) => {
    const nowMs = clock.now()
    const charge = order.charge && (await leaseCharge(trx, order, { state: 'pending', nowMs }))
    if (order.charge !== undefined && charge === undefined) return undefined
    const waiting = await findAuthentication(trx, order)
    if (waiting?.sealedResult === undefined) {
      if (charge !== undefined) await releaseLease(trx, charge, charge)
      return undefined
    }
    const nextAskAtMs = Math.min(nowMs + CHARGE_LEASE_MS, waiting.expiresAtMs)
    await recordAuthenticationAttempt(trx, waiting, { nowMs, nextAskAtMs })
    return { order, charge, waiting }
  })
}

async function askWithResult(
  deps: ChargingDeps,
  turn: Turn,
): Promise<AcquirerAnswer<CompletedCharge>> {
  const { environment, transactionCode, card } = turn.order
  const { accountId = 'played', provider = '' } = turn.charge ?? {}
  const facts = { environment, transactionCode, account: accountId }
  let answer: AcquirerAnswer<CompletedCharge>
  try {
    const ask = await askerOf(deps, turn)
    const request = await requestOf(deps, turn)
    const { acquirerTimeoutMs = PROVIDER_TIMEOUT_MS } = deps
    const { leaseUntilMs = Infinity } = turn.charge ?? {}
    if (ask === undefined || !isTimeForCall(leaseUntilMs, deps.clock.now(), acquirerTimeoutMs))
      return { kind: 'unknown', detail: 'nobody could be asked' }
    answer = await callAcquirer(deps, facts, () => ask(request))
  } catch (error) {
    deps.log.error({ ...facts, error: nameOf(error) }, 'an authentication cannot be judged')
    return { kind: 'unknown', detail: 'the account cannot be used' }
  }
  const outcome = chargeOutcomeOf(answer)
  if ('detail' in answer)
    deps.log.warn({ ...facts, error: answer.detail }, `an acquirer answered ${outcome}`)
  if (turn.charge !== undefined)
    deps.observer?.attemptAnswered({
      environment,
      accountId,
      provider,
      brand: card.brand,
      outcome,
    })
  return answer
}

async function askerOf({ acquirerOf, played }: ChargingDeps, { order, charge }: Turn) {
  const acquirer =
    charge === undefined ? played[order.environment] : await acquirerOf(charge.accountId)
  return acquirer?.completeAuthentication
}

async function requestOf(
  { dataKeys, installation }: ChargingDeps,
  { order, charge, waiting }: Turn,
): Promise<CompletionRequest> {
  const { environment, transactionCode, amountMinor, card } = order
  const { sealedResult, firstAttemptAtMs: firstAtMs } = waiting
  if (sealedResult === undefined) throw new Error('a turn has a result')
  const key = await dataKeys.thatSealed(sealedResult)
  return {
    key: charge?.key ?? { installation, environment, transactionCode },
    earlier: firstAtMs === undefined ? undefined : { firstAtMs, absentSinceMs: undefined },
    amountMinor,
    brand: card.brand,
    result: new Secret(open(key, sealedResult, contextOf(order, 'result')).toString()),
  }
}

async function end(
  deps: ChargingDeps,
  { order, charge }: Turn,
  decision: CompletedCharge,
): Promise<void> {
  const ended = endOfDecision(decision)
  if (charge === undefined) {
    await endWithoutAccount(deps, order, { outcome: ended.outcome, decline: ended.decline })
    return
  }
  const nowMs = deps.clock.now()
  await endOrder(
    deps,
    { order: { ...order, charge }, content: undefined },
    {
      ...ended,
      // The caller may never get this answer.
      also: (trx, answer: AnsweredOrder) =>
        announceSettled(trx, { ...order, answer }, { atMs: nowMs, nowMs }),
    },
  )
}

/** Lets the order wait on. A result that the acquirer refused is erased. */
async function keepWaiting(
  { clock, database }: ChargingDeps,
  { charge, waiting }: Turn,
  answer: AcquirerAnswer<unknown>,
): Promise<void> {
  const nowMs = clock.now()
  const { expiresAtMs, firstAttemptAtMs = nowMs } = waiting
  const isKept = answer.kind !== 'refused'
  const askedForMs = Math.max(nowMs - firstAttemptAtMs, ASK_AGAIN_MS)
  const pauseMs = retryAfterMsOf(answer) ?? Math.min(askedForMs, ASK_AGAIN_MS_MAX)
  const nextAskAtMs = isKept ? Math.min(nowMs + pauseMs, expiresAtMs) : expiresAtMs
  await database.transact(async (trx) => {
    if (charge !== undefined) await releaseLease(trx, charge, charge)
    await waitOn(trx, waiting, { isKept, nextAskAtMs })
  })
}

/** Asks again with results whose answer was lost, and ends charges whose payer stays away. */
export async function pursueAuthentications(deps: ChargingDeps, lanes: Lanes): Promise<void> {
  await workAtAccounts<WaitingAuthentication & AtAccount>(deps, lanes, {
    list: (list) => dueAuthentications(deps.database.reader, list),
    limit: AT_ONCE,
    work: (waiting) => pursue(deps, waiting),
    factsOf: ({ key }) => ({ ...key }),
    failure: 'an authentication could not be ended',
    putOff: (waiting) => postpone(deps, waiting),
  })
}

async function pursue(deps: ChargingDeps, waiting: WaitingAuthentication): Promise<void> {
  const order = await findSettled(deps, waiting.key)
  if (order?.state !== 'settled') return
  // It was stored while its order ended otherwise.
  if (order.answer.outcome !== 'pending')
    await deps.database.transact((trx) => eraseAuthentication(trx, order))
  else if (hasCome(waiting.expiresAtMs, deps.clock.now(), AUTHENTICATION_MS))
    await withdraw(deps, order, waiting)
  else if (!(await complete(deps, order))) await postpone(deps, waiting)
}

async function postpone(
  { clock, database }: ChargingDeps,
  waiting: WaitingAuthentication,
): Promise<void> {
  const nextAskAtMs = clock.now() + ASK_AGAIN_MS
  await database.transact((trx) => waitOn(trx, waiting, { isKept: true, nextAskAtMs }))
}

/** Has the charge found or cancelled at its acquirer, like one of long unknown outcome. */
async function withdraw(
  deps: ChargingDeps,
  order: SettledAuthorization,
  waiting: WaitingAuthentication,
): Promise<void> {
  if (order.charge === undefined) {
    await endWithoutAccount(deps, order, { outcome: 'declined', decline: NOT_AUTHENTICATED })
    return
  }
  const nowMs = deps.clock.now()
  const isLeased = await deps.database.transact(async (trx) => {
    const charge = await leaseCharge(trx, order, { state: 'pending', nowMs })
    if (charge === undefined) return (await findCharge(trx, order))?.state === 'pending'
    await beginEnding(trx, charge, nowMs)
    await eraseAction(trx, order)
    return false
  })
  if (isLeased) await postpone(deps, waiting)
}
