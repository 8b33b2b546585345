import { EMPTY_CART } from '../cart/cart.js'
import type { Session } from './session.js'

/** Beyond this the oldest session is forgotten, so that a crawler cannot fill the memory. */
const SESSIONS_MAX = 10_000

/** The sessions of this process. */
export interface SessionStore {
  /** Opens an empty session under an unguessable id. */
  open(): Session
  find(id: string): Session | undefined
  /** Applies a change to the session as it is at that moment; does nothing when it was forgotten. */
  update(id: string, change: (session: Session) => Session): void
}

export function createSessionStore(newId: () => string): SessionStore {
  const sessions = new Map<string, Session>()
  return {
    open() {
      const [oldest] = sessions.keys()
      if (sessions.size >= SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest)
      const session: Session = {
        id: newId(),
        cart: EMPTY_CART,
        contact: undefined,
        savedCards: new Map(),
      }
      sessions.set(session.id, session)
      return session
    },
    find: (id) => sessions.get(id),
    update(id, change) {
      const session = sessions.get(id)
      if (session !== undefined) sessions.set(id, change(session))
    },
  }
}
