import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import {
  SESSION_LIFETIME_MS,
  type StoreSession,
  type StoreSessions,
  hashSessionId,
} from '@cofre/people'

/** Sessions by the hash of their id. */
export type StoredSessions = Map<string, StoreSession>

const TRIES = 5

/** Sessions in memory. Only addresses are counted; tests of the rows cover other counters. */
export function memoryStoreSessions(
  sessions: StoredSessions,
  clock: { readonly nowMs: number },
): StoreSessions {
  const tries = new Map<string, number[]>()
  let opened = 0
  return {
    begin(storeId, { address }) {
      const key = `${storeId} ${address}`
      const recent = (tries.get(key) ?? []).filter((atMs) => atMs > clock.nowMs - 15 * MINUTE_MS)
      const isAllowed = recent.length < TRIES
      tries.set(key, isAllowed ? [...recent, clock.nowMs] : recent)
      return Promise.resolve(isAllowed ? 0 : 15 * MINUTE_MS)
    },
    succeed(storeId, { address }) {
      tries.delete(`${storeId} ${address}`)
      return Promise.resolve()
    },
    open(signIn) {
      opened += 1
      const id = String(opened).padStart(43, 's')
      const [idHash, usedAtMs] = [hashSessionId(id), clock.nowMs]
      sessions.set(idHash, {
        ...signIn,
        idHash,
        usedAtMs,
        expiresAtMs: usedAtMs + SESSION_LIFETIME_MS,
      })
      return Promise.resolve(id)
    },
    find(idHash) {
      const session = sessions.get(idHash)
      if (session === undefined) return Promise.resolve(undefined)
      const { expiresAtMs, usedAtMs } = session
      const isLive = clock.nowMs < expiresAtMs && clock.nowMs < usedAtMs + HOUR_MS
      return Promise.resolve(isLive ? session : undefined)
    },
    recordUse(session) {
      sessions.set(session.idHash, { ...session, usedAtMs: clock.nowMs })
      return Promise.resolve()
    },
    end(idHash) {
      sessions.delete(idHash)
      return Promise.resolve()
    },
    endOf(storeId) {
      for (const session of sessions.values())
        if (session.storeId === storeId) sessions.delete(session.idHash)
      return Promise.resolve()
    },
  }
}
