import type { AuthorizationOutcome, Decline, MinorUnits } from '@cofre/contracts'
import type { AcquirerPayment, CompletedCharge } from '@cofre/provider-kit/card'
import { auditEntry } from '../audit/audit-entry.js'
import { appendEntry } from '../audit/audit-sql.js'
import { countDecline, fingerprintOfCard } from '../card-testing/card-testing-service.js'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import { open } from '../keys/sealed-value.js'
import { announce } from '../outbox/change-sql.js'
import { NO_LINK, hasAny } from '../saved-card/card-links.js'
import { type CardToSave, prepareToSave, saveCard } from '../saved-card/saved-card-service.js'
import { type SavedCardUse, eraseIdsOfCharge, recordCardUse } from '../saved-card/saved-card-sql.js'
import {
  type AnsweredOrder,
  type Arrived,
  type AuthorizationKey,
  type ChargeContent,
  type KnownOutcome,
  type OpenAuthorization,
  answerTo,
  authorizationContext,
  authorizationEvent,
  parseContent,
} from './authorization.js'
import { findAuthorization, recordOutcome, recordSavedCard } from './authorization-sql.js'
import { dropCancels, insertCancel } from './card-cancel-sql.js'
import { eraseAuthentication, findAuthentication } from './card-authentication-sql.js'
import { type CardCharge, NOT_AUTHENTICATED, NOT_CHARGED, captureEndOf } from './card-charge.js'
import { findCharge, recordCaptureEnd, recordReport } from './card-charge-sql.js'
import { endPlainly } from './charge-end-sql.js'

/** The end of a charge, as its acquirer reports it. */
export interface ChargeEnd {
  readonly outcome: KnownOutcome
  readonly payment: AcquirerPayment | undefined
  readonly decline: Decline | undefined
  /** Set if people at the acquirer have captured a charge that is captured later. */
  readonly capturedMinor?: MinorUnits | undefined
  /** The ids of further payments of the same charge: each is cancelled. */
  readonly surplus: readonly string[]
  /** Further writes in the same transaction, with the order's answer from now on. */
  readonly also?: (trx: VaultConnection, answer: AnsweredOrder) => Promise<void>
}

export function endOfDecision(decision: CompletedCharge): ChargeEnd {
  const { outcome, payment } = decision
  return {
    outcome,
    payment,
    decline: outcome === 'declined' ? decision.decline : undefined,
    surplus: outcome === 'approved' ? decision.surplus : [],
  }
}

/** An order whose account was asked. */
export type ChargedOrder = Arrived & { readonly charge: CardCharge }

/**
 * Ends a charge on a later report of its acquirer: settles its order, and saves its card if that is
 * still there. Undefined if the charge had ended before; then a second payment is cancelled.
 */
export async function endCharge(
  deps: SealingDeps,
  key: AuthorizationKey,
  end: ChargeEnd,
): Promise<AnsweredOrder | undefined> {
  const found = await findAuthorization(deps.database.reader, key)
  if (found === undefined || found.state === 'void' || found.charge === undefined) return undefined
  const order = { ...found, charge: found.charge }
  const content = found.state === 'open' ? await openContent(deps, found) : undefined
  return await endOrder(deps, { order, content }, end)
}

/** The content of an open authorization. */
export async function openContent(
  { dataKeys }: SealingDeps,
  authorization: OpenAuthorization,
): Promise<ChargeContent> {
  const { sealedContent } = authorization
  const key = await dataKeys.thatSealed(sealedContent)
  return parseContent(open(key, sealedContent, authorizationContext(authorization)).toString())
}

export interface OrderToEnd {
  /** With the account that reported the end. */
  readonly order: ChargedOrder
  /** Undefined if its card is erased. */
  readonly content: ChargeContent | undefined
}

/** Like {@link endCharge}, with the order and its content at hand. */
export async function endOrder(
  deps: SealingDeps,
  { order, content }: OrderToEnd,
  end: ChargeEnd,
): Promise<AnsweredOrder | undefined> {
  const { outcome, payment, capturedMinor } = end
  const waited =
    order.state === 'settled' ? await findAuthentication(deps.database.reader, order) : undefined
  const isGivenUp = waited !== undefined && end.decline === NOT_CHARGED
  const decline = isGivenUp ? NOT_AUTHENTICATED : end.decline
  const use = useOfSavedCard({ order, content }, end)
  const [toSave, count] = await Promise.all([
    prepareCardToSave(deps, { order, content }, end),
    declineToCount(deps, { order, content, fingerprint: waited?.fingerprint }, { decline }),
  ])
  const nowMs = deps.clock.now()
  const state = outcome === 'review' ? 'pending' : outcome
  const { accountId, provider } = order.charge
  const captureEndsAtMs = state === 'approved' ? captureEndOf(order.charge, nowMs) : undefined
  const report = { state, accountId, provider, payment, captureEndsAtMs, atMs: nowMs } as const
  const entry = auditEntry(authorizationEvent(order, outcome), nowMs)
  const named = payment ?? order.charge.payment
  const charge = { ...order.charge, state, payment: named, captureEndsAtMs, capturedMinor }
  const isPlain =
    order.state === 'open' &&
    [decline, toSave, use, capturedMinor, end.also, ...end.surplus].every(isUndefined)
  if (isPlain && payment !== undefined) {
    const isFirst = await endPlainly(deps.database, order, { ...report, payment, outcome, entry })
    const plain = { outcome, decline: undefined, savedCard: undefined }
    if (isFirst) return answerTo({ ...order, charge }, plain)
  }
  return await deps.database.transact(async (trx) => {
    const isFirst = await recordReport(trx, order, report)
    await cancelTooMany(trx, { order, nowMs }, end)
    if (!isFirst) return undefined
    const { environment, transactionCode } = order
    const kept = { environment, transactionCode, paymentId: charge.payment?.paymentId }
    if (state === 'approved') await dropCancels(trx, kept, nowMs)
    await recordOutcome(trx, order, { outcome, decline })
    await appendEntry(trx, entry)
    if (waited !== undefined) await eraseAuthentication(trx, order)
    await count?.(trx)
    // If the card was deleted meanwhile, the deletion did not erase these ids: they are new.
    if (use !== undefined && !(await recordCardUse(trx, use))) await eraseIdsOfCharge(trx, order)
    const savedCard =
      toSave === undefined ? savedBefore(order) : await savePrepared(trx, order, toSave)
    const answer = answerTo({ ...order, charge }, { outcome, decline, savedCard })
    await end.also?.(trx, answer)
    if (capturedMinor !== undefined) {
      const change = { kind: 'captured', amountMinor: capturedMinor } as const
      await recordCaptureEnd(trx, order, { capturedMinor, nowMs })
      await announce(trx, { environment, transactionCode, atMs: nowMs, change }, nowMs)
    }
    return answer
  })
}

function isUndefined(value: unknown): boolean {
  return value === undefined
}

/** One payment counts; the others are cancelled, however late they are reported. */
async function cancelTooMany(
  trx: VaultConnection,
  { order, nowMs }: { readonly order: ChargedOrder; readonly nowMs: number },
  { outcome, payment, surplus }: ChargeEnd,
): Promise<void> {
  const charged = outcome === 'approved' && payment !== undefined ? [payment.paymentId] : []
  const all = [...charged, ...surplus]
  if (all.length === 0) return
  const stored = await findCharge(trx, order)
  // An order that has ended otherwise keeps none.
  const kept = stored?.state === 'approved' ? (stored.payment?.paymentId ?? all[0]) : undefined
  const { accountId } = order.charge
  const { environment, transactionCode } = order
  for (const paymentId of all)
    if (paymentId !== kept)
      await insertCancel(trx, { environment, transactionCode, paymentId }, { accountId, nowMs })
}

function savedBefore(order: ChargedOrder): AnsweredOrder['savedCard'] {
  return order.state === 'settled' ? order.answer.savedCard : undefined
}

/** Saves the card of an order, and records it in the order's answer. */
export async function savePrepared(
  trx: VaultConnection,
  order: Arrived,
  toSave: CardToSave,
): Promise<AnsweredOrder['savedCard']> {
  const { card: savedCard, wasUsable } = await saveCard(trx, toSave)
  if (wasUsable) return undefined
  await recordSavedCard(trx, order, savedCard)
  const { code: record } = savedCard
  const event = authorizationEvent(order, 'approved')
  const saved = { action: 'saved_card.saved', record, outcome: 'saved' } as const
  await appendEntry(trx, auditEntry({ ...event, ...saved }, toSave.nowMs))
  return savedCard
}

interface MaybeCharged {
  readonly order: Arrived
  readonly content: ChargeContent | undefined
}

/** Undefined if the order's card is not to be saved. */
export async function prepareCardToSave(
  deps: SealingDeps,
  { order, content }: MaybeCharged,
  { outcome, payment }: Pick<ChargeEnd, 'payment'> & { readonly outcome: AuthorizationOutcome },
): Promise<CardToSave | undefined> {
  if (order.state !== 'open' || content === undefined) return undefined
  const { environment, merchantId, saveForPayer: payer } = order
  if (payer === undefined || outcome === 'declined') return undefined
  return await prepareToSave(deps, {
    environment,
    merchantId,
    payer,
    card: content.card,
    ids: payment ?? NO_LINK,
    active: outcome === 'approved',
  })
}

/** The use of a saved card by an approved charge, with the ids for it. */
function useOfSavedCard(
  { order, content }: MaybeCharged,
  { outcome, payment }: ChargeEnd,
): SavedCardUse | undefined {
  const savedBy = order.state === 'settled' ? order.answer.savedCard?.code : undefined
  const code = content?.savedCardCode ?? savedBy
  if (outcome !== 'approved' || code === undefined || payment === undefined) return undefined
  const { environment, merchantId } = order
  return hasAny(payment) ? { environment, merchantId, code, ids: payment } : undefined
}

interface TriedOrder extends OrderToEnd {
  /** The fingerprint of an erased card, if it is kept. */
  readonly fingerprint?: string | undefined
}

/** Counts a decline against its card; undefined without a decline, or if no card is left. */
export async function declineToCount(
  deps: SealingDeps,
  { order, content, fingerprint }: TriedOrder,
  { decline }: Pick<ChargeEnd, 'decline'>,
): Promise<((trx: VaultConnection) => Promise<void>) | undefined> {
  if (decline === undefined) return undefined
  const { transactionCode, charge } = order
  const tried = content === undefined ? fingerprint : await fingerprintOf(deps, order, content)
  // An attempt that is reported twice counts once.
  const times = { atMs: charge.firstAttemptAtMs, heardAtMs: deps.clock.now() }
  return tried === undefined
    ? undefined
    : countDecline(tried, { transactionCode, decline, ...times })
}

/** Identifies the card's declines at its store, and nothing else. */
export async function fingerprintOf(
  deps: SealingDeps,
  { environment, merchantId }: Pick<ChargedOrder, 'environment' | 'merchantId'>,
  { card }: ChargeContent,
): Promise<string> {
  return await fingerprintOfCard(deps, { environment, merchantId, number: card.reveal().number })
}
