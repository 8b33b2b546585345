import { hasCome } from '@cofre/work'
import { SESSION_LIFETIME_MS, type Session } from './session.js'
import type { SessionStore } from './session-store.js'

/** The most sessions in memory, and the most that have their key ready to use. */
export interface MemorySessionBounds {
  /** About 40 MB. */
  readonly sessionsMax: number
  /** About 14 MB. */
  readonly keysMax: number
}

const BOUNDS: MemorySessionBounds = { sessionsMax: 50_000, keysMax: 4096 }

/**
 * Sessions of one process, oldest first. If it is full, the oldest is dropped. The newest have
 * their keys ready to use. The others have only the sealed key, which takes a fifth of the memory.
 */
export function createMemorySessionStore(bounds: Partial<MemorySessionBounds> = {}): SessionStore {
  const { sessionsMax, keysMax } = { ...BOUNDS, ...bounds }
  const sessions = new Map<string, Session>()
  const withKey = new Set<string>()

  const forget = (id: string): boolean => {
    withKey.delete(id)
    return sessions.delete(id)
  }
  const dropOldestKey = (): void => {
    const [id = ''] = withKey
    const session = sessions.get(id)
    withKey.delete(id)
    if (session === undefined) return
    const { sealedPrivateKey, expiresAtMs } = session
    sessions.set(id, { id, sealedPrivateKey, expiresAtMs })
  }

  return {
    areRows: false,

    find: (id) => Promise.resolve(sessions.get(id)),

    countLive: (nowMs) =>
      Promise.resolve(
        [...sessions.values()].filter(({ expiresAtMs }) => expiresAtMs > nowMs).length,
      ),

    insert(session) {
      const [oldest] = sessions.keys()
      if (sessions.size >= sessionsMax && oldest !== undefined) forget(oldest)
      sessions.set(session.id, session)
      if (session.privateKey !== undefined) withKey.add(session.id)
      if (withKey.size > keysMax) dropOldestKey()
      return Promise.resolve()
    },

    erase: (id) => Promise.resolve(forget(id)),

    eraseExpired(nowMs) {
      const before = sessions.size
      for (const { id, expiresAtMs } of sessions.values())
        if (hasCome(expiresAtMs, nowMs, SESSION_LIFETIME_MS)) forget(id)
      return Promise.resolve(before - sessions.size)
    },
  }
}
