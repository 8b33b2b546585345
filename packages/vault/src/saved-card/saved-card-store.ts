import type { Environment } from '@cofre/contracts'
import type { SavedCard } from './saved-card.js'

export interface SavedCardReader {
  find(environment: Environment, merchantId: string, code: string): Promise<SavedCard | undefined>
}

export interface SavedCardStore extends SavedCardReader {
  /** Stores the card; false when one with its fingerprint is there, even when called concurrently. */
  insert(card: SavedCard): Promise<boolean>
  /** Finds the card and keeps others from changing it until the unit of work ends. */
  lockByFingerprint(fingerprint: string): Promise<SavedCard | undefined>
  /** Replaces the sealed card and the activation time of the card with this code. */
  update(card: Pick<SavedCard, 'code' | 'sealedCard' | 'activatedAtMs'>): Promise<void>
  /** Activates the card; false when it was active, or is gone. */
  activate(code: string, nowMs: number): Promise<boolean>
  /** False when there is no such card. */
  delete(environment: Environment, merchantId: string, code: string): Promise<boolean>
}
