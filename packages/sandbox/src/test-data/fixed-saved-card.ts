import type { CardSummary, SavedCardSummary } from '@cofre/contracts'

/** What the sandbox answers as saved, whatever card was sent (specification, section 5). */
export const FIXED_SAVED_CARD: SavedCardSummary = {
  code: 'SANDBOXSAVEDCARD0000000000000001',
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2040-12',
  createdAtMs: Date.UTC(2026, 0, 1),
}

/** The card behind {@link FIXED_SAVED_CARD}. */
export const FIXED_CARD: CardSummary = { brand: 'visa', bin: '411111', lastFour: '1111' }
