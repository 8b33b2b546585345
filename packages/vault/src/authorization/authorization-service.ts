import { type CardAnswer, type CardOrder, type Decline } from '@cofre/contracts'
import { beginDeadline } from '@cofre/work'
import { auditEntry } from '../audit/audit-entry.js'
import { recordEvent } from '../audit/audit-service.js'
import { appendEntry } from '../audit/audit-sql.js'
import { countedDeclines, findRetryRefusal } from '../card-testing/card-testing-service.js'
import { seal } from '../keys/sealed-value.js'
import { isUnlinked } from '../saved-card/card-links.js'
import { digestPayer } from '../saved-card/saved-card-service.js'
import { activateIfWaiting } from '../saved-card/saved-card-sql.js'
import {
  type Arrived,
  type AuthorizationKey,
  type ChargeContent,
  type OpenAuthorization,
  activationEvent,
  answerTo,
  areSameTerms,
  authorizationContext,
  authorizationEvent,
  payerOf,
  recallEvent,
  refusalTo,
  serializeContent,
  summarizeCard,
  unknownAnswer,
} from './authorization.js'
import { beginAuthorization, insertSettled } from './authorization-begin-sql.js'
import { findAuthorization, insertVoid } from './authorization-sql.js'
import { type ChargeAccount, newCharge } from './card-charge.js'
import { answerWithAction } from './begun-authentication-service.js'
import { openContent } from './charge-end-service.js'
import { chargeAgain, chargeNewOrder } from './charge-service.js'
import type { ChargingDeps } from './charging-deps.js'
import { type FoundCard, type Refused, findCard, refused } from './order-card-service.js'
import { type OpenOrder, chargeWithoutAccount } from './accountless-charge-service.js'

/**
 * Authorizes an order, once. A repeated request with the same environment and transaction code gets
 * the same answer. An outcome that was unknown is requested again under the same key.
 */
export function createAuthorize(deps: ChargingDeps): (order: CardOrder) => Promise<CardAnswer> {
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

async function authorize(deps: ChargingDeps, order: CardOrder): Promise<CardAnswer> {
  const answer = await answerNew(deps, order)
  if (answer.kind === 'answered') return answer
  const again = await answerAgain(deps, order, answer)
  if (again.kind === 'answered') return again
  await recordEvent(deps, authorizationEvent(order, again.reason))
  return refusalTo(order, again)
}

/** Answers a new order. An order that came before is refused, too: its earlier answer counts. */
async function answerNew(deps: ChargingDeps, order: CardOrder): Promise<CardAnswer> {
  const { deadline = beginDeadline() } = order
  const [found, accountsFor] = await Promise.all([findCard(deps, order), deps.accountsOf(order)])
  if (found.kind === 'refused') return found
  const { isCapturedLater, installments } = order
  const { brand } = summarizeCard(found.card.reveal(), order)
  const route = await accountsFor({ brand, installments, isCapturedLater })
  const all = route?.accounts ?? []
  const isLater = isCapturedLater === true
  const able = isLater ? all.filter(({ captureDays }) => captureDays !== undefined) : all
  if (all.length > 0 && able.length === 0) return refused('capture_later_not_possible')
  const [first, ...others] = able
  const isWithoutAccount = route === undefined && deps.played[order.environment] !== undefined
  if (first === undefined && !isWithoutAccount) return refused('no_account')
  const authorization = await openAuthorization(deps, order, { found, first })
  const { charge } = authorization
  const begun = { order: authorization, content: contentOf(order, found) }
  const refusal = await beginUnlessRefused(deps, begun, { order, found })
  if (refusal !== undefined) return refusal
  if (first === undefined || charge === undefined)
    return await chargeWithoutAccount(deps, begun, undefined)
  return await chargeNewOrder(deps, {
    ...begun,
    order: { ...authorization, charge },
    deadline,
    token: found.token,
    first,
    others,
    routesDeclines: route?.routesDeclines === true,
  })
}

interface PaidOrder {
  readonly order: CardOrder
  readonly found: FoundCard
}

/**
 * Stores a new order, unless the brands forbid to try its card. Most cards were not declined
 * lately: only for one that was are its declines read and judged. Simulated charges have none. If
 * the order was stored before, the caller finds the earlier one and never this refusal.
 */
async function beginUnlessRefused(
  deps: ChargingDeps,
  begun: OpenOrder,
  { order, found: { card, token } }: PaidOrder,
): Promise<CardAnswer | undefined> {
  const { database } = deps
  const { environment, merchantId } = order
  const otherwise = spentRefusal(order)
  if (begun.order.charge !== undefined) {
    const tried = { environment, merchantId, number: card.reveal().number }
    const unless = await countedDeclines(deps, tried)
    if (await beginAuthorization(database, begun.order, { token, unless })) return undefined
    const decline = await findRetryRefusal(deps, { ...tried, brand: begun.order.card.brand })
    if (decline !== undefined)
      return await declineUnasked(deps, begun, { decline, token, otherwise })
  }
  return (await beginAuthorization(database, begun.order, { token })) ? undefined : otherwise
}

/**
 * Answers an order that may have come before: with its earlier answer, or by a new request. Never
 * with the answer to another order, which would pass for a charge.
 */
async function answerAgain(
  deps: ChargingDeps,
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

async function findArrived(
  { database }: ChargingDeps,
  key: AuthorizationKey,
): Promise<Arrived | undefined> {
  const found = await findAuthorization(database.reader, key)
  return found?.state === 'void' ? undefined : found
}

/** The answer to an order that arrived. */
async function answerOf(deps: ChargingDeps, earlier: Arrived): Promise<CardAnswer> {
  if (earlier.state === 'settled') return await answerWithAction(deps, earlier)
  if (earlier.state === 'erased') return unknownAnswer(earlier)
  const { charge } = earlier
  const content = (): Promise<ChargeContent> => openContent(deps, earlier)
  if (charge !== undefined) return await chargeAgain(deps, { ...earlier, charge }, content)
  const attempts = { firstAtMs: earlier.createdAtMs, absentSinceMs: undefined }
  return await chargeWithoutAccount(deps, { order: earlier, content: await content() }, attempts)
}

/**
 * The answer to an order whose answer was lost, requested again while it is unknown. Undefined for
 * an order that never arrived. That one is refused from then on, so that it can't be charged after
 * its gateway has withdrawn it.
 */
export async function recallAuthorization(
  deps: ChargingDeps,
  key: AuthorizationKey,
): Promise<CardAnswer | undefined> {
  const found = await arrivedOrRefused(deps, key)
  if (found === undefined) return undefined
  const answer = await answerOf(deps, found)
  // Withdrawn meanwhile, as if it had never arrived.
  return answer.kind === 'answered' ? answer : await recallAuthorization(deps, key)
}

/** True if an order has arrived; asks no acquirer. One that has not is refused from then on. */
export async function hasArrived(deps: ChargingDeps, key: AuthorizationKey): Promise<boolean> {
  return (await arrivedOrRefused(deps, key)) !== undefined
}

async function arrivedOrRefused(
  deps: ChargingDeps,
  key: AuthorizationKey,
): Promise<Arrived | undefined> {
  const neverArrived = await deps.database.transact(async (trx) => {
    const nowMs = deps.clock.now()
    const isVoid = await insertVoid(trx, key, nowMs)
    await appendEntry(trx, auditEntry(recallEvent(key, isVoid ? 'void' : 'found'), nowMs))
    return isVoid
  })
  if (neverArrived) return undefined
  const found = await findAuthorization(deps.database.reader, key)
  if (found?.state === 'void') return undefined
  // Withdrawn meanwhile, as if it had never arrived.
  return found ?? (await arrivedOrRefused(deps, key))
}

/** Makes the card that this order saved usable. Does nothing if it saved none. */
export async function activateSavedCard(
  { database, clock }: Pick<ChargingDeps, 'database' | 'clock'>,
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

interface Choice {
  readonly found: FoundCard
  /** Undefined if the acquirer is simulated. */
  readonly first: ChargeAccount | undefined
}

async function openAuthorization(
  deps: ChargingDeps,
  order: CardOrder,
  { found, first }: Choice,
): Promise<OpenAuthorization> {
  const { environment, transactionCode, merchantId, amountMinor, installments, threeDSecure } =
    order
  const { installation } = deps
  const nowMs = deps.clock.now()
  const sealing = await deps.dataKeys.ofThisHour('authorizations')
  const text = serializeContent(contentOf(order, found))
  const saves = order.saveCard && order.source.kind !== 'code'
  const key = { installation, environment, transactionCode }
  const card = summarizeCard(found.card.reveal(), order)
  return {
    state: 'open',
    environment,
    transactionCode,
    merchantId,
    amountMinor,
    installments,
    card,
    sealedContent: seal(sealing, text, authorizationContext(order)),
    saveForPayer: saves ? await digestPayer(deps, order) : undefined,
    createdAtMs: nowMs,
    knowsCharges: order.payer !== undefined,
    knowsAuthentication: order.takesLongBin === true,
    isCapturedLater: order.isCapturedLater,
    charge:
      first &&
      newCharge(key, first, {
        nowMs,
        sentEci: threeDSecure?.eci,
        savedCardCode: found.savedCardCode,
        isUnlinked: isUnlinked(card.brand, found.storedCredential),
      }),
  }
}

function contentOf(order: CardOrder, found: FoundCard): ChargeContent {
  const { card, storedCredential, savedCardCode } = found
  const { threeDSecure, isFromLink, authenticationReturnUrl } = order
  const payer = payerOf(order)
  return {
    card,
    payer,
    storedCredential,
    threeDSecure,
    isFromLink,
    authenticationReturnUrl,
    savedCardCode,
  }
}

interface UnaskedDecline {
  readonly decline: Decline
  readonly token: FoundCard['token'] | undefined
  /** The answer if the order came before, or its token is spent. */
  readonly otherwise: Refused
}

/** The refusal of an order whose token another one has spent. */
function spentRefusal({ source }: CardOrder): Refused {
  const isOfCode = source.kind === 'code' && source.securityCodeToken !== undefined
  return refused(isOfCode ? 'security_code_token_invalid' : 'token_invalid')
}

/** Declines an order whose card the brands forbid to try, without asking an acquirer. */
async function declineUnasked(
  deps: ChargingDeps,
  { order }: OpenOrder,
  { decline, token, otherwise }: UnaskedDecline,
): Promise<CardAnswer> {
  const { environment, card } = order
  const outcome = 'declined'
  const entry = auditEntry(authorizationEvent(order, outcome), deps.clock.now())
  const isStored = await insertSettled(deps.database, order, { outcome, decline, entry, token })
  if (!isStored) return otherwise
  deps.observer?.retryRefused({ environment, brand: card.brand })
  return answerTo({ ...order, charge: undefined }, { outcome, decline, savedCard: undefined })
}
