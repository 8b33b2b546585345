// Saved cards as their store sees them, without their numbers.
import { type CardsOfPayer, type StoredCard, type StoredCardKey, brandOf } from '@cofre/contracts'
import type { SealingDeps } from '../data-key/data-key-service.js'
import type { SavedCard } from './saved-card.js'
import { digestPayer, openWith } from './saved-card-service.js'
import { findSavedCard, lastUses, listSavedCards } from './saved-card-sql.js'

/** The payer's cards, the newest first. */
export async function storedCardsOf(
  deps: SealingDeps,
  some: CardsOfPayer,
): Promise<readonly StoredCard[]> {
  const { reader } = deps.database
  const digest = await digestPayer(deps, some)
  return await shown(deps, await listSavedCards(reader, digest, some))
}

/** Undefined if the store has no card of this code. */
export async function findStoredCard(
  deps: SealingDeps,
  key: StoredCardKey,
): Promise<StoredCard | undefined> {
  const found = await findSavedCard(deps.database.reader, key)
  return found && (await shown(deps, [found]))[0]
}

async function shown(
  { database, dataKeys }: SealingDeps,
  cards: readonly SavedCard[],
): Promise<readonly StoredCard[]> {
  const [first] = cards
  if (first === undefined) return []
  const { environment, merchant_id: merchantId } = first
  const key = await dataKeys.of(`saved-cards:${environment}:${merchantId}`)
  const codes = cards.map(({ code }) => code)
  const used = await lastUses(database.reader, environment, codes)
  return cards.map((saved) => {
    const { number, month, year } = openWith(key, saved).card.reveal()
    const lastUsedAtMs = used.get(saved.code)
    return {
      code: saved.code,
      brand: brandOf(number)?.name ?? '',
      lastFour: number.slice(-4),
      expirationDate: `${year}-${month}`,
      createdAtMs: saved.created_at_ms,
      ...(lastUsedAtMs !== undefined && { lastUsedAtMs }),
      isActive: saved.activated_at_ms !== null,
    }
  })
}
