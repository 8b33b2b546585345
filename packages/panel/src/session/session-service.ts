import { randomBytes } from 'node:crypto'
import type { Clock } from '@cofre/contracts'
import { SESSION_ID_BYTES, SESSION_LIFETIME_MS, type Session, hashSessionId } from './session.js'
import type { SessionStore } from './session-store.js'

export interface SessionDeps {
  readonly sessions: SessionStore
  readonly clock: Clock
}

/** Opens a session and returns the id for the browser's cookie, which nobody else has. */
export function openSession({ sessions, clock }: SessionDeps, storeId: string): string {
  const id = randomBytes(SESSION_ID_BYTES).toString('base64url')
  const expiresAtMs = clock.now() + SESSION_LIFETIME_MS
  sessions.add({ idHash: hashSessionId(id), storeId, expiresAtMs })
  return id
}

/** The session of a cookie's id; undefined when there is none or it has expired. */
export function findSession(deps: SessionDeps, id: string): Session | undefined {
  return findSessionByHash(deps, hashSessionId(id))
}

export function findSessionByHash(
  { sessions, clock }: SessionDeps,
  idHash: string,
): Session | undefined {
  const session = sessions.find(idHash)
  if (session === undefined || clock.now() < session.expiresAtMs) return session
  sessions.remove(idHash)
  return undefined
}

export function closeSession({ sessions }: SessionDeps, session: Session): void {
  sessions.remove(session.idHash)
}

/** Signs out whoever else is signed in for the store. */
export function closeOtherSessions({ sessions }: SessionDeps, session: Session): void {
  sessions.removeOthers(session.storeId, session.idHash)
}
