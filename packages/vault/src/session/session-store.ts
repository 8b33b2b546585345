import type { Session } from './session.js'

/**
 * Sessions are not durable: any of them may be lost, and the library then opens another. A store
 * keeps the sealed key. If several processes use it, it never keeps the key itself, because an
 * erasure elsewhere would leave that behind.
 */
export interface SessionStore {
  /** True if they are rows of the vault's database, which a unit of work may read and delete. */
  readonly areRows: boolean
  find(id: string): Promise<Session | undefined>
  /** The number of sessions that have not expired. */
  countLive(nowMs: number): Promise<number>
  insert(session: Session): Promise<void>
  /** Removes a session; true for exactly one caller, even when called concurrently. */
  erase(id: string): Promise<boolean>
  /** Removes expired sessions. Returns their number. */
  eraseExpired(nowMs: number): Promise<number>
}
