import type { CardAnswer } from '@cofre/contracts'
import type {
  AcquirerAnswer,
  AuthorizeRequest,
  ChargeDecision,
  EarlierAttempts,
} from '@cofre/provider-kit/card'
import { auditEntry } from '../audit/audit-entry.js'
import { appendEntry } from '../audit/audit-sql.js'
import { announceSettled } from '../outbox/change-sql.js'
import { callAcquirer } from './acquirer-call.js'
import {
  type AnsweredOrder,
  type ChargeContent,
  type OpenAuthorization,
  type SettledAuthorization,
  answerTo,
  authorizationEvent,
  unknownAnswer,
} from './authorization.js'
import {
  type KnownEnd,
  findAuthorization,
  settleAuthorization,
  settlePending,
  settleWithin,
} from './authorization-sql.js'
import { type NewWait, answerWithAction, prepareWait } from './begun-authentication-service.js'
import { eraseAuthentication } from './card-authentication-sql.js'
import { savePrepared, prepareCardToSave } from './charge-end-service.js'
import type { ChargingDeps } from './charging-deps.js'

/** A stored authorization, which may be requested. */
export interface OpenOrder {
  readonly order: OpenAuthorization
  readonly content: ChargeContent
}

/**
 * Asks the simulated acquirer. Its answer is always the same, so several processes may ask at once.
 * @param earlier - Undefined if the order was just stored.
 */
export async function chargeWithoutAccount(
  deps: ChargingDeps,
  open: OpenOrder,
  earlier: EarlierAttempts | undefined,
): Promise<CardAnswer> {
  const { order } = open
  const asked = await askWithoutAccount(deps, open, earlier)
  const answer = asked.kind === 'done' ? await storeDecision(deps, open, asked.value) : undefined
  if (answer !== undefined) return answer
  // Another process may have asked at the same time and stored its answer: that one counts.
  const stored = await findAuthorization(deps.database.reader, order)
  return stored?.state === 'settled' ? await answerWithAction(deps, stored) : unknownAnswer(order)
}

/** Stores the simulated acquirer's decision; undefined if the order was settled already. */
async function storeDecision(
  deps: ChargingDeps,
  open: OpenOrder,
  decision: ChargeDecision,
): Promise<AnsweredOrder | undefined> {
  const { outcome } = decision
  if (outcome !== 'authenticate') {
    const decline = outcome === 'declined' ? decision.decline : undefined
    return await storeEnd(deps, open, { outcome, decline })
  }
  const { action } = decision
  const wait = await prepareWait(deps, open.order, { action, content: open.content })
  const end = { outcome: 'pending', decline: undefined, wait } as const
  const answer = await storeEnd(deps, open, end)
  return answer && { ...answer, authentication: wait.authentication }
}

async function askWithoutAccount(
  deps: ChargingDeps,
  { order, content }: OpenOrder,
  earlier: EarlierAttempts | undefined,
): Promise<AcquirerAnswer<ChargeDecision>> {
  const { installation, played } = deps
  const acquirer = played[order.environment]
  const { environment, transactionCode, card, amountMinor, installments, isCapturedLater } = order
  const request: AuthorizeRequest = {
    key: { installation, environment, transactionCode },
    earlier,
    card: content.card,
    brand: card.brand,
    amountMinor,
    installments,
    payer: content.payer,
    storedCredential: content.storedCredential,
    threeDSecure: content.threeDSecure,
    isFromLink: content.isFromLink,
    authenticationReturnUrl: content.authenticationReturnUrl,
    isCapturedLater,
  }
  return await callAcquirer<ChargeDecision>(
    deps,
    { environment, transactionCode },
    () => acquirer?.authorize(request) ?? Promise.resolve(NO_ACQUIRER),
  )
}

const NO_ACQUIRER = { kind: 'unknown', detail: 'no acquirer is played' } as const

/** Stores the answer, and the card if requested; undefined if the order was settled already. */
async function storeEnd(
  deps: ChargingDeps,
  { order, content }: OpenOrder,
  { wait, ...end }: KnownEnd & { readonly wait?: NewWait },
): Promise<AnsweredOrder | undefined> {
  const toSave = await prepareCardToSave(deps, { order, content }, { ...end, payment: undefined })
  const entry = auditEntry(authorizationEvent(order, end.outcome), deps.clock.now())
  if (toSave === undefined && wait === undefined) {
    const settled = await settleAuthorization(deps.database, order, { ...end, entry })
    return settled ? answerTo(order, { ...end, savedCard: undefined }) : undefined
  }
  return await deps.database.transact(async (trx) => {
    if (!(await settleWithin(trx, order, end))) return undefined
    await appendEntry(trx, entry)
    await wait?.store(trx)
    const savedCard = toSave && (await savePrepared(trx, order, toSave))
    return answerTo(order, { ...end, savedCard })
  })
}

/** Ends an order that waited for its payer, once, and reports it to its gateway. */
export async function endWithoutAccount(
  { clock, database }: ChargingDeps,
  order: SettledAuthorization,
  end: KnownEnd,
): Promise<void> {
  const nowMs = clock.now()
  const { savedCard } = order.answer
  await database.transact(async (trx) => {
    if (!(await settlePending(trx, order, end))) return
    await eraseAuthentication(trx, order)
    await appendEntry(trx, auditEntry(authorizationEvent(order, end.outcome), nowMs))
    const answer = answerTo(order, { ...end, savedCard })
    await announceSettled(trx, { ...order, answer }, { atMs: nowMs, nowMs })
  })
}
