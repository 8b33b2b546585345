import { EMPTY_CART } from '../cart/cart.js'
import type { Session } from './session.js'

/** Beyond this the session that changed longest ago is forgotten, so that a crawler cannot fill the memory. */
const SESSIONS_MAX = 10_000

interface SessionStoreDeps {
  readonly newId: () => string
  /** Sessions of an earlier process, the last changed last. */
  readonly kept: readonly Session[]
  /** Called after every change. */
  readonly onChange: () => void
}

/** The sessions the shop knows. */
export interface SessionStore {
  /** Opens an empty session under an unguessable id. */
  open(): Session
  find(id: string): Session | undefined
  /** Applies a change to the session as it is at that moment; does nothing when it was forgotten. */
  update(id: string, change: (session: Session) => Session): void
  /** All sessions, the last changed last. */
  list(): readonly Session[]
}

export function createSessionStore({ newId, kept, onChange }: SessionStoreDeps): SessionStore {
  const sessions = new Map(kept.map((session) => [session.id, session]))
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
      onChange()
      return session
    },
    find: (id) => sessions.get(id),
    update(id, change) {
      const session = sessions.get(id)
      if (session === undefined) return
      sessions.delete(id)
      sessions.set(id, change(session))
      onChange()
    },
    list: () => [...sessions.values()],
  }
}
