import type { VaultConnection } from '../database/vault-database.js'
import type { Session } from './session.js'

/**
 * Sessions are not durable: any of them may be lost, and the library then opens another. The sealed
 * key is what a store keeps; one that more than one process uses never keeps the key itself, which
 * an erasure elsewhere would leave behind.
 */
export interface SessionStore {
  find(id: string): Promise<Session | undefined>
  /** How many there are that have not expired. */
  countLive(nowMs: number): Promise<number>
  insert(session: Session): Promise<void>
  /**
   * Forgets a session; true for exactly one caller, even when called concurrently.
   * @param trx - What it is part of, where sessions are in the database.
   */
  erase(id: string, trx: VaultConnection): Promise<boolean>
  /** Forgets the sessions that expired. Returns how many. */
  eraseExpired(nowMs: number): Promise<number>
}
