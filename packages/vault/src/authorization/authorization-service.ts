import {
  type AuthorizationOutcome,
  type CardAnswer,
  type CardDetails,
  type CardOrder,
  type CardRefusal,
  type Environment,
  type Log,
  SECOND_MS,
  type Secret,
  wrongCardFields,
} from '@cofre/contracts'
import { answeredWithin } from '@cofre/jobs'
import { auditEntry } from '../audit/audit-entry.js'
import { recordEvent } from '../audit/audit-service.js'
import { appendEntry } from '../audit/audit-sql.js'
import type { SealingDeps } from '../data-key/data-key-service.js'
import { digestOf, directTokenContext, parsePayload } from '../direct-token/direct-token.js'
import { findDirectToken } from '../direct-token/direct-token-sql.js'
import { bindKey, open, seal } from '../keys/sealed-value.js'
import {
  type CardToSave,
  digestPayer,
  openSavedCard,
  prepareToSave,
  saveCard,
} from '../saved-card/saved-card-service.js'
import { activateIfWaiting } from '../saved-card/saved-card-sql.js'
import {
  type AnsweredOrder,
  type Authorization,
  type AuthorizationKey,
  type KnownOutcome,
  type OpenAuthorization,
  activationEvent,
  areSameTerms,
  authorizationContext,
  authorizationEvent,
  binRefusal,
  brandRefusal,
  parseCard,
  recallEvent,
  serializeCard,
  summarizeCard,
} from './authorization.js'
import {
  beginAuthorization,
  findAuthorization,
  insertVoid,
  recordSavedCard,
  settleAuthorization,
  settleWithin,
} from './authorization-sql.js'
import type { AcquirerCard, CardAcquirer } from './card-acquirer.js'

export interface AuthorizationDeps extends SealingDeps {
  readonly acquirers: Readonly<Record<Environment, CardAcquirer>>
  /** Milliseconds that the acquirer has to answer; default 20,000. */
  readonly acquirerTimeoutMs?: number | undefined
  readonly log: Log
}

const ACQUIRER_TIMEOUT_MS = 20 * SECOND_MS

type Refused = Extract<CardAnswer, { kind: 'refused' }>

/** The card of an order, and the token that is spent on it. */
interface FoundCard {
  readonly kind: 'found'
  readonly card: Secret<AcquirerCard>
  readonly tokenDigest?: string
}

/** An authorization that may be asked for: it is stored, durably. */
interface Begun {
  readonly kind: 'begun'
  readonly authorization: OpenAuthorization
  readonly card: Secret<AcquirerCard>
}

/**
 * Authorizes an order, once: asked again with the same environment and transaction code, the answer
 * is the same, and an outcome that was unknown is asked for again under the same key.
 */
export function createAuthorize(
  deps: AuthorizationDeps,
): (order: CardOrder) => Promise<CardAnswer> {
  const inFlight = new Map<string, Promise<CardAnswer>>()
  return (order) => {
    const { environment, transactionCode, merchantId, amountMinor, installments } = order
    const key = [environment, transactionCode, merchantId, amountMinor, installments].join(':')
    const running = inFlight.get(key)
    if (running !== undefined) return running
    const answer = authorize(deps, order).finally(() => inFlight.delete(key))
    inFlight.set(key, answer)
    return answer
  }
}

async function authorize(deps: AuthorizationDeps, order: CardOrder): Promise<CardAnswer> {
  const found = await findCard(deps, order)
  const begun = found.kind === 'refused' ? found : await begin(deps, order, found)
  if (begun.kind === 'begun') return await settle(deps, begun)
  const answer = await answerAgain(deps, order, begun)
  if (answer.kind === 'refused') await recordEvent(deps, authorizationEvent(order, answer.reason))
  return answer
}

/**
 * The order may have been taken before: then it is answered as it was, or asked for again. Never
 * with the answer to another order, which would pass for a charge.
 */
async function answerAgain(
  deps: AuthorizationDeps,
  order: CardOrder,
  otherwise: Refused,
): Promise<CardAnswer> {
  const { environment, transactionCode } = order
  const earlier = await findArrived(deps, order)
  if (earlier === undefined) return otherwise
  if (areSameTerms(earlier, order)) return await answerOf(deps, earlier)
  deps.log.error({ environment, transactionCode }, 'another order came under the code of this one')
  return refused('token_invalid')
}

type Arrived = Exclude<Authorization, { state: 'void' }>

async function findArrived(
  { database }: AuthorizationDeps,
  key: AuthorizationKey,
): Promise<Arrived | undefined> {
  const found = await findAuthorization(database.reader, key)
  return found?.state === 'void' ? undefined : found
}

/** What became of an order that arrived. */
async function answerOf(deps: AuthorizationDeps, earlier: Arrived): Promise<CardAnswer> {
  if (earlier.state === 'settled') return earlier.answer
  const key = await deps.dataKeys.thatSealed(earlier.sealedCard)
  const card = parseCard(open(key, earlier.sealedCard, authorizationContext(earlier)).toString())
  return await settle(deps, { kind: 'begun', authorization: earlier, card })
}

/**
 * What became of an order whose answer was lost: its answer, asked for again while it is unknown.
 * An order that never arrived is refused from then on, so that whoever gives it up cannot be
 * charged by it later.
 */
export async function recallAuthorization(
  deps: AuthorizationDeps,
  environment: Environment,
  transactionCode: string,
): Promise<CardAnswer | undefined> {
  const key = { environment, transactionCode }
  const neverArrived = await deps.database.transact(async (trx) => {
    const nowMs = deps.clock.now()
    const isVoid = await insertVoid(trx, key, nowMs)
    await appendEntry(trx, auditEntry(recallEvent(key, isVoid ? 'void' : 'found'), nowMs))
    return isVoid
  })
  const earlier = neverArrived ? undefined : await findArrived(deps, key)
  return earlier && (await answerOf(deps, earlier))
}

/** Makes the card that this order saved usable. Harmless when it saved none. */
export async function activateSavedCard(
  { database, clock }: Pick<AuthorizationDeps, 'database' | 'clock'>,
  key: AuthorizationKey,
): Promise<void> {
  const authorization = await findAuthorization(database.reader, key)
  const code = authorization?.state === 'settled' ? authorization.answer.savedCard?.code : undefined
  if (code === undefined) return
  await database.transact(async (trx) => {
    const nowMs = clock.now()
    if (await activateIfWaiting(trx, code, nowMs))
      await appendEntry(trx, auditEntry(activationEvent(key.environment, code), nowMs))
  })
}

async function findCard(deps: AuthorizationDeps, order: CardOrder): Promise<FoundCard | Refused> {
  const found = await findCardOf(deps, order)
  if (found.kind === 'refused') return found
  const { number } = found.card.reveal()
  const reason = brandRefusal(number, order.brand) ?? binRefusal(number, order.refusedBins)
  return reason === undefined ? found : refused(reason)
}

async function findCardOf(deps: AuthorizationDeps, order: CardOrder): Promise<FoundCard | Refused> {
  const { source } = order
  switch (source.kind) {
    case 'token':
      return await findDepositedCard(deps, order.merchantId, source.token)
    case 'code': {
      const card = await openSavedCard(deps, order, source.code)
      return card === undefined ? refused('code_not_found') : { kind: 'found', card }
    }
    case 'raw':
      return findRawCard(source.card, deps.clock.now())
  }
}

async function findDepositedCard(
  { database, dataKeys, clock }: AuthorizationDeps,
  merchantId: string,
  token: string,
): Promise<FoundCard | Refused> {
  const digest = digestOf(token)
  const deposited = await findDirectToken(database.reader, digest)
  if (deposited?.sealed_card == null || deposited.expires_at_ms <= clock.now())
    return refused('token_invalid')
  const key = bindKey(await dataKeys.thatSealed(deposited.sealed_card), token)
  const payload = parsePayload(open(key, deposited.sealed_card, directTokenContext(digest)))
  const isForStore = payload?.store === undefined || payload.store === merchantId
  if (payload === undefined || !isForStore) return refused('token_invalid')
  return { kind: 'found', card: payload.card, tokenDigest: digest }
}

function findRawCard(card: Secret<CardDetails>, nowMs: number): FoundCard | Refused {
  return wrongCardFields(card.reveal(), nowMs).length > 0
    ? refused('card_invalid')
    : { kind: 'found', card }
}

/**
 * Spends the token and stores the intent, durably and together, before anybody is asked for money.
 */
async function begin(
  deps: AuthorizationDeps,
  order: CardOrder,
  { card, tokenDigest }: FoundCard,
): Promise<Begun | Refused> {
  const authorization = await openAuthorization(deps, order, card)
  if (await beginAuthorization(deps.database, authorization, tokenDigest))
    return { kind: 'begun', authorization, card }
  // When the order was taken before, the caller finds the earlier one and never this refusal.
  return refused('token_invalid')
}

async function openAuthorization(
  deps: AuthorizationDeps,
  order: CardOrder,
  card: Secret<AcquirerCard>,
): Promise<OpenAuthorization> {
  const { environment, transactionCode, merchantId, amountMinor, installments } = order
  const key = await deps.dataKeys.ofThisHour('authorizations')
  const saves = order.saveCard && order.source.kind !== 'code'
  return {
    state: 'open',
    environment,
    transactionCode,
    merchantId,
    amountMinor,
    installments,
    card: summarizeCard(card.reveal()),
    sealedCard: seal(key, serializeCard(card), authorizationContext(order)),
    saveForPayer: saves ? await digestPayer(deps, order) : undefined,
    createdAtMs: deps.clock.now(),
  }
}

async function settle(deps: AuthorizationDeps, begun: Begun): Promise<CardAnswer> {
  const { authorization } = begun
  const { card } = authorization
  const outcome = await askAcquirer(deps, begun)
  // An unknown outcome is not stored: an authorization is open until it is settled.
  const answer = outcome === 'unknown' ? undefined : await storeOutcome(deps, begun, outcome)
  if (answer !== undefined) return answer
  // Another process may have asked at the same time and stored its answer: that one counts.
  const stored = await findArrived(deps, authorization)
  return stored?.state === 'settled' ? stored.answer : { kind: 'answered', outcome, card }
}

/** Stores the answer, and the card if asked to; undefined when it was settled already. */
async function storeOutcome(
  deps: AuthorizationDeps,
  begun: Begun,
  outcome: KnownOutcome,
): Promise<AnsweredOrder | undefined> {
  const { authorization } = begun
  const wish = await wishToSave(deps, begun, outcome)
  const answer = { kind: 'answered', outcome, card: authorization.card } as const
  const event = authorizationEvent(authorization, outcome)
  const entry = auditEntry(event, deps.clock.now())
  if (wish === undefined) {
    const settled = await settleAuthorization(deps.database, authorization, { outcome, entry })
    return settled ? { ...answer, savedCard: undefined } : undefined
  }
  return await deps.database.transact(async (trx) => {
    if (!(await settleWithin(trx, authorization, outcome))) return undefined
    await appendEntry(trx, entry)
    const savedCard = await saveCard(trx, wish)
    if (savedCard !== undefined) {
      await recordSavedCard(trx, authorization, savedCard)
      const saved = {
        action: 'saved_card.saved',
        record: savedCard.code,
        outcome: 'saved',
      } as const
      await appendEntry(trx, auditEntry({ ...event, ...saved }, entry.at_ms))
    }
    return { ...answer, savedCard }
  })
}

async function askAcquirer(
  { acquirers, acquirerTimeoutMs = ACQUIRER_TIMEOUT_MS, log }: AuthorizationDeps,
  { authorization, card }: Begun,
): Promise<AuthorizationOutcome> {
  const { environment, transactionCode, merchantId, amountMinor, installments } = authorization
  try {
    return await answeredWithin(acquirerTimeoutMs, () =>
      acquirers[environment].authorize({
        idempotencyKey: transactionCode,
        environment,
        merchantId,
        card,
        amountMinor,
        installments,
      }),
    )
  } catch (error) {
    // Only the error's name: an adapter's message may quote its request, and with it the card.
    const name = error instanceof Error ? error.name : typeof error
    log.error({ environment, transactionCode, error: name }, 'the acquirer did not answer')
    return 'unknown'
  }
}

async function wishToSave(
  deps: AuthorizationDeps,
  { authorization, card }: Begun,
  outcome: KnownOutcome,
): Promise<CardToSave | undefined> {
  const { environment, merchantId, saveForPayer: payer } = authorization
  if (payer === undefined || outcome === 'declined') return undefined
  const active = outcome === 'approved'
  return await prepareToSave(deps, { environment, merchantId, payer, card, active })
}

function refused(reason: CardRefusal): Refused {
  return { kind: 'refused', reason }
}
