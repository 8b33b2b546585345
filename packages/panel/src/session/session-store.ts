import type { Session } from './session.js'

/** Where sessions are kept, so that a restart signs nobody out. */
export interface SessionStore {
  add(session: Session): void
  /** Undefined when there is none. The caller judges whether it has expired. */
  find(idHash: string): Session | undefined
  remove(idHash: string): void
  /** Removes every session of the store but one. */
  removeOthers(storeId: string, idHash: string): void
}
