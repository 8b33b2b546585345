import { type CardAnswer, SECOND_MS } from '@cofre/contracts'
import { answeredWithin } from '@cofre/jobs'
import type { AuthorizeRequest, EarlierAttempts } from '../acquirer/acquirer.js'
import { auditEntry } from '../audit/audit-entry.js'
import { appendEntry } from '../audit/audit-sql.js'
import {
  type AnsweredOrder,
  type ChargeContent,
  type OpenAuthorization,
  answerTo,
  authorizationEvent,
  unknownAnswer,
} from './authorization.js'
import {
  type KnownEnd,
  findAuthorization,
  settleAuthorization,
  settleWithin,
} from './authorization-sql.js'
import { saveWished, wishToSave } from './charge-end-service.js'
import type { ChargingDeps } from './charging-deps.js'

const PLAYED_TIMEOUT_MS = 20 * SECOND_MS

/** An authorization that may be asked for: it is stored, durably. */
export interface OpenOrder {
  readonly order: OpenAuthorization
  readonly content: ChargeContent
}

/**
 * Asks the played acquirer. Its answer is always the same, so that several may ask at once.
 * @param earlier - Undefined when the order was stored just now.
 */
export async function playCharge(
  deps: ChargingDeps,
  open: OpenOrder,
  earlier: EarlierAttempts | undefined,
): Promise<CardAnswer> {
  const { order } = open
  const end = await askPlayed(deps, open, earlier)
  // An unknown outcome is not stored: an authorization is open until it is settled.
  const answer = end && (await storeEnd(deps, open, end))
  if (answer !== undefined) return answer
  // Another process may have asked at the same time and stored its answer: that one counts.
  const stored = await findAuthorization(deps.database.reader, order)
  return stored?.state === 'settled' ? stored.answer : unknownAnswer(order)
}

/** Undefined while the outcome is unknown. */
async function askPlayed(
  { installation, played, acquirerTimeoutMs = PLAYED_TIMEOUT_MS, log }: ChargingDeps,
  { order, content }: OpenOrder,
  earlier: EarlierAttempts | undefined,
): Promise<KnownEnd | undefined> {
  const acquirer = played[order.environment]
  const { environment, transactionCode, card, amountMinor, installments } = order
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
  }
  try {
    const result = await answeredWithin(acquirerTimeoutMs, async () => acquirer?.authorize(request))
    if (result === undefined || result.kind === 'not_done' || result.kind === 'unknown')
      return undefined
    const decline = result.kind === 'declined' ? result.decline : undefined
    return { outcome: result.kind, decline }
  } catch (error) {
    // Only the error's name: an adapter's message may quote its request, and with it the card.
    const name = error instanceof Error ? error.name : typeof error
    log.error({ environment, transactionCode, error: name }, 'the acquirer did not answer')
    return undefined
  }
}

/** Stores the answer, and the card if asked to; undefined when it was settled already. */
async function storeEnd(
  deps: ChargingDeps,
  { order, content }: OpenOrder,
  end: KnownEnd,
): Promise<AnsweredOrder | undefined> {
  const wish = await wishToSave(deps, { order, content }, { ...end, payment: undefined })
  const entry = auditEntry(authorizationEvent(order, end.outcome), deps.clock.now())
  if (wish === undefined) {
    const settled = await settleAuthorization(deps.database, order, { ...end, entry })
    return settled ? answerTo(order, { ...end, savedCard: undefined }) : undefined
  }
  return await deps.database.transact(async (trx) => {
    if (!(await settleWithin(trx, order, end))) return undefined
    await appendEntry(trx, entry)
    return answerTo(order, { ...end, savedCard: await saveWished(trx, order, wish) })
  })
}
