import { type Environment, type SavedCardSummary, type Secret, brandOf } from '@cofre/contracts'
import { type AuditActor, auditEntry } from '../audit/audit-entry.js'
import { appendEntry } from '../audit/audit-sql.js'
import type { BrandIds } from '@cofre/provider-kit/card'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { VaultConnection } from '../database/vault-database.js'
import { type SealedText, type SealingKey, open, seal } from '../keys/sealed-value.js'
import { columnsOfNewAgreement } from './card-links.js'
import {
  type SealedCardData,
  type OpenedCard,
  type Payer,
  type PayerDigest,
  type SavedCard,
  type SavedCardIdentity,
  cardFingerprint,
  generateSavedCardCode,
  isSameDigest,
  parseOpened,
  payerDigest,
  savedCardContext,
  serializeCard,
} from './saved-card.js'
import {
  eraseIdsOfCharges,
  findSavedCard,
  hasIdsOfCharges,
  insertSavedCard,
  lockByFingerprint,
  removeSavedCard,
  updateSavedCard,
} from './saved-card-sql.js'

/** A card about to be saved, with all that the transaction needs. */
export interface CardToSave {
  readonly environment: Environment
  readonly merchantId: string
  readonly payer: PayerDigest
  readonly card: Secret<SealedCardData>
  /** The brand's ids for the charge that saves it. */
  readonly ids: BrandIds
  readonly fingerprint: string
  readonly key: SealingKey
  /**
   * True if the card may be used at once; otherwise only when its first transaction is complete.
   */
  readonly active: boolean
  readonly nowMs: number
}

export async function digestPayer({ dataKeys }: SealingDeps, payer: Payer): Promise<PayerDigest> {
  return payerDigest(await dataKeys.of('fingerprints'), payer)
}

/** Looks the keys up, so that the card can be saved inside a transaction. */
export async function prepareToSave(
  { dataKeys, clock }: SealingDeps,
  toSave: Omit<CardToSave, 'fingerprint' | 'key' | 'nowMs'>,
): Promise<CardToSave> {
  const fingerprints = await dataKeys.of('fingerprints')
  return {
    ...toSave,
    fingerprint: cardFingerprint(fingerprints, toSave.payer, toSave.card.reveal().number),
    key: await dataKeys.of(`saved-cards:${toSave.environment}:${toSave.merchantId}`),
    nowMs: clock.now(),
  }
}

export interface JustSaved {
  readonly card: SavedCardSummary
  /** True if the payer had saved it before, and could use it. */
  readonly wasUsable: boolean
}

/**
 * Saves a card, or renews the expiry of the one saved before. Runs inside a transaction.
 */
export async function saveCard(trx: VaultConnection, toSave: CardToSave): Promise<JustSaved> {
  const { environment, merchantId, payer, fingerprint, nowMs } = toSave
  const code = generateSavedCardCode()
  const activatedAtMs = toSave.active ? nowMs : null
  const isNew = await insertSavedCard(trx, {
    code,
    environment,
    merchant_id: merchantId,
    payer,
    fingerprint,
    sealed_card: sealCard(toSave, code),
    activated_at_ms: activatedAtMs,
    created_at_ms: nowMs,
    ...columnsOfNewAgreement(toSave.ids),
    links_asked_at_ms: null,
  })
  if (isNew) return { card: summarize(toSave, code, nowMs), wasUsable: false }
  const known = await lockByFingerprint(trx, fingerprint)
  // Deleted between the two statements.
  if (known === undefined) return await saveCard(trx, toSave)
  await updateSavedCard(trx, {
    code: known.code,
    sealed_card: sealCard(toSave, known.code),
    activated_at_ms: known.activated_at_ms ?? activatedAtMs,
    ...columnsOfNewAgreement(toSave.ids, openWith(toSave.key, known).links),
  })
  const card = summarize(toSave, known.code, known.created_at_ms)
  return { card, wasUsable: known.activated_at_ms !== null }
}

function sealCard(toSave: CardToSave, code: string): SealedText {
  return seal(toSave.key, serializeCard(toSave.card), savedCardContext({ ...toSave, code }))
}

export function openWith(key: SealingKey, saved: SavedCard): OpenedCard {
  const { environment, merchant_id: merchantId, code, sealed_card } = saved
  const context = savedCardContext({ environment, merchantId, code })
  return parseOpened(open(key, sealed_card, context).toString(), saved)
}

function summarize({ card }: CardToSave, code: string, createdAtMs: number): SavedCardSummary {
  const { number, month, year } = card.reveal()
  return {
    code,
    brand: brandOf(number)?.name ?? '',
    lastFour: number.slice(-4),
    expirationDate: `${year}-${month}`,
    createdAtMs,
  }
}

/** The card behind a code: only for the store and payer that saved it, once it is active. */
export async function openSavedCard(
  deps: SealingDeps,
  payer: Payer,
  code: string,
): Promise<OpenedCard | undefined> {
  const { environment, merchantId } = payer
  const saved = await findSavedCard(deps.database.reader, { environment, merchantId, code })
  if (saved?.activated_at_ms == null) return undefined
  if (!isSameDigest(saved.payer, await digestPayer(deps, payer))) return undefined
  return openWith(await deps.dataKeys.of(`saved-cards:${environment}:${merchantId}`), saved)
}

/**
 * Deletes a card, and the brands' ids for its charges.
 * @param actor - The actor in the audit log.
 */
export async function deleteSavedCard(
  deps: Pick<SealingDeps, 'database' | 'clock'>,
  card: SavedCardIdentity,
  actor: AuditActor,
): Promise<boolean> {
  for (;;) {
    try {
      return await deleteOnce(deps, card, actor)
    } catch (error) {
      if (error !== CHARGED_DURING_DELETION) throw error
    }
  }
}

/** Undoes a deletion if a charge of the card ended during it: its ids would stay. */
const CHARGED_DURING_DELETION = new Error('a charge of the card ended while it was being deleted')

async function deleteOnce(
  { database, clock }: Pick<SealingDeps, 'database' | 'clock'>,
  card: SavedCardIdentity,
  actor: AuditActor,
): Promise<boolean> {
  return await database.transact(async (trx) => {
    // Another store's card stays untouched.
    if ((await findSavedCard(trx, card)) === undefined) return false
    await eraseIdsOfCharges(trx, card)
    const isDeleted = await removeSavedCard(trx, card)
    // A later end finds no card and stores no ids; an earlier one is seen here.
    if (isDeleted && (await hasIdsOfCharges(trx, card))) throw CHARGED_DURING_DELETION
    // Only a code that existed is logged: another text may be anything, even a card number.
    if (isDeleted) {
      const { environment, merchantId, code: record } = card
      const event = {
        actor,
        action: 'saved_card.deleted',
        environment,
        merchantId,
        record,
      } as const
      await appendEntry(trx, auditEntry({ ...event, outcome: 'deleted' }, clock.now()))
    }
    return isDeleted
  })
}
