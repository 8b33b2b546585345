import type { Session } from './session.js'

/**
 * Sessions are not durable: any of them may be lost, and the library then opens another. The sealed
 * key is what a store keeps; one that more than one process uses never keeps the key itself, which
 * an erasure elsewhere would leave behind.
 */
export interface SessionStore {
  /** Whether they are rows of the vault's database, which a unit of work may ask for and delete. */
  readonly areRows: boolean
  find(id: string): Promise<Session | undefined>
  /** How many there are that have not expired. */
  countLive(nowMs: number): Promise<number>
  insert(session: Session): Promise<void>
  /** Forgets a session; true for exactly one caller, even when called concurrently. */
  erase(id: string): Promise<boolean>
  /** Forgets the sessions that expired. Returns how many. */
  eraseExpired(nowMs: number): Promise<number>
}
