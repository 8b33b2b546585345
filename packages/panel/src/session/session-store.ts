import type { Session } from './session.js'

/** Where sessions are kept, so that a restart signs nobody out. */
export interface SessionStore {
  /** A store that has too many already loses its oldest. */
  add(session: Session): void
  /** Undefined when there is none. The caller judges whether it has expired. */
  find(idHash: string): Session | undefined
  /** Notes when a session was last used; does nothing when it is gone. */
  setUsed(idHash: string, atMs: number): void
  remove(idHash: string): void
  /** Removes every session of the store. */
  removeOf(storeId: string): void
}
