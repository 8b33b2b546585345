import type { VaultConnection } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import type { SavedCard, SavedCardIdentity } from './saved-card.js'

export async function findSavedCard(
  unit: VaultConnection,
  { code, environment, merchantId }: SavedCardIdentity,
): Promise<SavedCard | undefined> {
  const row = await unit
    .selectFrom('saved_cards')
    .selectAll()
    .where((card) => card.and({ code, environment, merchant_id: merchantId }))
    .executeTakeFirst()
  return row && savedCard(row)
}

export async function countSavedCards(unit: VaultConnection): Promise<number> {
  const { kept } = await unit
    .selectFrom('saved_cards')
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow()
  return kept
}

/** Stores the card; false when one with its fingerprint is there, even when called concurrently. */
export async function insertSavedCard(unit: VaultConnection, card: SavedCard): Promise<boolean> {
  const inserted = await unit
    .insertInto('saved_cards')
    .values(rowOf(card))
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('code')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Finds the card and keeps others from changing it until the transaction ends. */
export async function lockByFingerprint(
  unit: VaultConnection,
  fingerprint: string,
): Promise<SavedCard | undefined> {
  const row = await unit
    .selectFrom('saved_cards')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .forUpdate()
    .executeTakeFirst()
  return row && savedCard(row)
}

/** Replaces the sealed card and the activation time of the card with this code. */
export async function updateSavedCard(
  unit: VaultConnection,
  { code, sealedCard, activatedAtMs }: Pick<SavedCard, 'code' | 'sealedCard' | 'activatedAtMs'>,
): Promise<void> {
  await unit
    .updateTable('saved_cards')
    .set({ sealed_card: sealedCard, activated_at_ms: activatedAtMs ?? null })
    .where('code', '=', code)
    .execute()
}

/** False when the card was active, or is gone. */
export async function activateIfWaiting(
  unit: VaultConnection,
  code: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await unit
    .updateTable('saved_cards')
    .set({ activated_at_ms: nowMs })
    .where('code', '=', code)
    .where('activated_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** False when there is no such card. */
export async function removeSavedCard(
  unit: VaultConnection,
  { code, environment, merchantId }: SavedCardIdentity,
): Promise<boolean> {
  const { numDeletedRows } = await unit
    .deleteFrom('saved_cards')
    .where((card) => card.and({ code, environment, merchant_id: merchantId }))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

function rowOf(card: SavedCard): VaultTables['saved_cards'] {
  return {
    code: card.code,
    environment: card.environment,
    merchant_id: card.merchantId,
    payer: card.payer,
    fingerprint: card.fingerprint,
    sealed_card: card.sealedCard,
    activated_at_ms: card.activatedAtMs ?? null,
    created_at_ms: card.createdAtMs,
  }
}

function savedCard(row: VaultTables['saved_cards']): SavedCard {
  return {
    code: row.code,
    environment: row.environment,
    merchantId: row.merchant_id,
    payer: row.payer,
    fingerprint: row.fingerprint,
    sealedCard: row.sealed_card,
    activatedAtMs: row.activated_at_ms ?? undefined,
    createdAtMs: row.created_at_ms,
  }
}
