import {
  type CardOrder,
  type Clock,
  type Environment,
  type SavedCardSummary,
  Secret,
  brandOf,
} from '@cofre/contracts'
import { type AuditActor, type AuditEvent, auditEntry } from '../audit/audit-entry.js'
import type { DataKeys } from '../keys/data-key-service.js'
import { type SealedText, type SealingKey, open, seal } from '../keys/sealed-value.js'
import type { VaultStore } from '../vault-store.js'
import {
  type KeptCard,
  type PayerDigest,
  type SavedCard,
  type SavedCardIdentity,
  cardFingerprint,
  generateSavedCardCode,
  isSameDigest,
  payerDigest,
  savedCardContext,
} from './saved-card.js'
import type { SavedCardStore } from './saved-card-store.js'

export interface SavedCardDeps {
  readonly store: VaultStore
  readonly dataKeys: DataKeys
  readonly clock: Clock
}

/** A card about to be saved, with all that the unit of work needs. */
export interface CardToSave {
  readonly environment: Environment
  readonly merchantId: string
  readonly payer: PayerDigest
  readonly card: Secret<KeptCard>
  readonly fingerprint: string
  readonly key: SealingKey
  /** Whether the card may be used at once, or when its first transaction is complete. */
  readonly active: boolean
  readonly nowMs: number
}

export type Owner = Pick<CardOrder, 'environment' | 'merchantId' | 'payerEmail'>

export async function digestPayer({ dataKeys }: SavedCardDeps, owner: Owner): Promise<PayerDigest> {
  return payerDigest(await dataKeys.of('fingerprints'), owner)
}

/** Looks the keys up, so that saving itself can happen inside a unit of work. */
export async function prepareToSave(
  { dataKeys, clock }: SavedCardDeps,
  wish: Pick<CardToSave, 'environment' | 'merchantId' | 'payer' | 'card' | 'active'>,
): Promise<CardToSave> {
  const fingerprints = await dataKeys.of('fingerprints')
  return {
    ...wish,
    fingerprint: cardFingerprint(fingerprints, wish.payer, wish.card.reveal().number),
    key: await dataKeys.of(`saved-cards:${wish.environment}:${wish.merchantId}`),
    nowMs: clock.now(),
  }
}

/**
 * Saves a card, or renews the expiry of the one saved before. Runs inside a unit of work.
 * @returns The card to show to the shop; undefined when it could already be used before.
 */
export async function saveCard(
  cards: SavedCardStore,
  wish: CardToSave,
): Promise<SavedCardSummary | undefined> {
  const { environment, merchantId, payer, fingerprint, nowMs } = wish
  const activatedAtMs = wish.active ? nowMs : undefined
  const identity = { code: generateSavedCardCode(), environment, merchantId, payer, fingerprint }
  const fresh: SavedCard = {
    ...identity,
    sealedCard: sealKept(wish, identity),
    activatedAtMs,
    createdAtMs: nowMs,
  }
  if (await cards.insert(fresh)) return summarize(wish, fresh)
  const known = await cards.lockByFingerprint(fingerprint)
  // Deleted between the two statements.
  if (known === undefined) return await saveCard(cards, wish)
  await cards.update({
    code: known.code,
    sealedCard: sealKept(wish, known),
    activatedAtMs: known.activatedAtMs ?? activatedAtMs,
  })
  return known.activatedAtMs === undefined ? summarize(wish, known) : undefined
}

function sealKept(wish: CardToSave, identity: SavedCardIdentity): SealedText {
  const { number, month, year } = wish.card.reveal()
  return seal(wish.key, JSON.stringify({ number, month, year }), savedCardContext(identity))
}

function summarize(
  { card }: CardToSave,
  saved: Pick<SavedCard, 'code' | 'createdAtMs'>,
): SavedCardSummary {
  const { number, month, year } = card.reveal()
  return {
    code: saved.code,
    brand: brandOf(number)?.name ?? '',
    lastFour: number.slice(-4),
    expirationDate: `${year}-${month}`,
    createdAtMs: saved.createdAtMs,
  }
}

/** The card behind a code: only for the store and payer that saved it, and only once it is active. */
export async function openSavedCard(
  deps: SavedCardDeps,
  owner: Owner,
  code: string,
): Promise<Secret<KeptCard> | undefined> {
  const { environment, merchantId } = owner
  const saved = await deps.store.reader.savedCards.find(environment, merchantId, code)
  if (saved?.activatedAtMs === undefined) return undefined
  const payer = await digestPayer(deps, owner)
  if (!isSameDigest(saved.payer, payer)) return undefined
  const key = await deps.dataKeys.of(`saved-cards:${environment}:${merchantId}`)
  const text = open(key, saved.sealedCard, savedCardContext(saved)).toString()
  return new Secret(JSON.parse(text) as KeptCard)
}

/** Makes the card that this transaction saved usable, once the transaction is complete. Harmless when it saved none. */
export async function activateSavedCard(
  { store, clock }: SavedCardDeps,
  environment: Environment,
  transactionCode: string,
): Promise<void> {
  const authorization = await store.reader.authorizations.find(environment, transactionCode)
  const code = authorization?.state === 'settled' ? authorization.answer.savedCard?.code : undefined
  if (code === undefined) return
  await store.transact(async (trx) => {
    const nowMs = clock.now()
    if (await trx.savedCards.activate(code, nowMs))
      await trx.audit.append(auditEntry(activation(environment, code), nowMs))
  })
}

function activation(environment: Environment, code: string): AuditEvent {
  return {
    actor: 'gateway',
    action: 'saved_card.activated',
    environment,
    record: code,
    outcome: 'active',
  }
}

/** @param actor - Who wants it deleted. */
export async function deleteSavedCard(
  { store, clock }: Pick<SavedCardDeps, 'store' | 'clock'>,
  card: SavedCardIdentity,
  actor: AuditActor,
): Promise<boolean> {
  const { environment, merchantId, code } = card
  return await store.transact(async (trx) => {
    const isDeleted = await trx.savedCards.delete(environment, merchantId, code)
    // Only a code that was one: anything else could be anything, a card number too.
    if (isDeleted) await trx.audit.append(auditEntry(deletion(card, actor), clock.now()))
    return isDeleted
  })
}

function deletion(
  { environment, merchantId, code }: SavedCardIdentity,
  actor: AuditActor,
): AuditEvent {
  return {
    actor,
    action: 'saved_card.deleted',
    environment,
    merchantId,
    record: code,
    outcome: 'deleted',
  }
}
