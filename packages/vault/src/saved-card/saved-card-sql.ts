import type { VaultConnection } from '../database/vault-database.js'
import type { SavedCard, SavedCardIdentity } from './saved-card.js'

export async function findSavedCard(
  db: VaultConnection,
  { code, environment, merchantId }: SavedCardIdentity,
): Promise<SavedCard | undefined> {
  return await db
    .selectFrom('saved_cards')
    .selectAll()
    .where((card) => card.and({ code, environment, merchant_id: merchantId }))
    .executeTakeFirst()
}

export async function countSavedCards(db: VaultConnection): Promise<number> {
  const { kept } = await db
    .selectFrom('saved_cards')
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow()
  return kept
}

/** Stores the card; false when one with its fingerprint is there, even when called concurrently. */
export async function insertSavedCard(db: VaultConnection, card: SavedCard): Promise<boolean> {
  const inserted = await db
    .insertInto('saved_cards')
    .values(card)
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('code')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Finds the card and keeps others from changing it until the transaction ends. */
export async function lockByFingerprint(
  db: VaultConnection,
  fingerprint: string,
): Promise<SavedCard | undefined> {
  return await db
    .selectFrom('saved_cards')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .forUpdate()
    .executeTakeFirst()
}

/** Finds the card by its code, as {@link lockByFingerprint} does. */
export async function lockSavedCard(
  trx: VaultConnection,
  { code, environment, merchantId }: SavedCardIdentity,
): Promise<SavedCard | undefined> {
  return await trx
    .selectFrom('saved_cards')
    .selectAll()
    .where((card) => card.and({ code, environment, merchant_id: merchantId }))
    .forUpdate()
    .executeTakeFirst()
}

/** Replaces the sealed card and the activation time of the card with this code. */
export async function updateSavedCard(
  db: VaultConnection,
  { code, ...changed }: Pick<SavedCard, 'code' | 'sealed_card' | 'activated_at_ms'>,
): Promise<void> {
  await db.updateTable('saved_cards').set(changed).where('code', '=', code).execute()
}

/** False when the card was active, or is gone. */
export async function activateIfWaiting(
  db: VaultConnection,
  code: string,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('saved_cards')
    .set({ activated_at_ms: nowMs })
    .where('code', '=', code)
    .where('activated_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** False when there is no such card. */
export async function removeSavedCard(
  db: VaultConnection,
  { code, environment, merchantId }: SavedCardIdentity,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_cards')
    .where((card) => card.and({ code, environment, merchant_id: merchantId }))
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
