import type { Session } from './session.js'
import type { SessionStore } from './session-store.js'

/** About 40 MB. */
const SESSIONS_MAX = 50_000

/** Sessions of one process, oldest first. When full, the oldest is dropped. */
export function createMemorySessionStore(sessionsMax: number = SESSIONS_MAX): SessionStore {
  const sessions = new Map<string, Session>()
  return {
    find: (id) => Promise.resolve(sessions.get(id)),

    countLive: (nowMs) =>
      Promise.resolve(
        [...sessions.values()].filter(({ expiresAtMs }) => expiresAtMs > nowMs).length,
      ),

    insert(session) {
      const [oldest] = sessions.keys()
      if (sessions.size >= sessionsMax && oldest !== undefined) sessions.delete(oldest)
      sessions.set(session.id, session)
      return Promise.resolve()
    },

    erase: (id) => Promise.resolve(sessions.delete(id)),

    eraseExpired(nowMs) {
      const before = sessions.size
      for (const { id, expiresAtMs } of sessions.values())
        if (expiresAtMs <= nowMs) sessions.delete(id)
      return Promise.resolve(before - sessions.size)
    },
  }
}
