import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { newCookieId } from '@cofre/pages'
import { hashSessionId } from '@cofre/people'
import { SESSION_LIFETIME_MS, type Session } from './session.js'
import type { SessionStore } from './session-store.js'
import { type SignIn, type StoreSecretDeps, isSignedIn } from './store-secret.js'

/** A session that nobody uses for so long has ended. */
const SESSION_IDLE_MS = HOUR_MS
/** How exactly the time of a session's last use is kept. */
const SESSION_USE_STEP_MS = MINUTE_MS

export interface SessionDeps extends Omit<StoreSecretDeps, 'secretKeeper'> {
  readonly sessions: SessionStore
}

/** Opens a session and returns the id for the browser's cookie, which nobody else has. */
export function openSession({ sessions, clock }: SessionDeps, signIn: SignIn): string {
  const id = newCookieId()
  const usedAtMs = clock.now()
  const expiresAtMs = usedAtMs + SESSION_LIFETIME_MS
  sessions.add({ ...signIn, idHash: hashSessionId(id), expiresAtMs, usedAtMs })
  return id
}

/**
 * The session of an id's hash. Undefined when there is none or it has ended: by its lifetime, by an
 * hour without use, or because its secret no longer signs.
 */
export async function findSession(deps: SessionDeps, idHash: string): Promise<Session | undefined> {
  const { sessions, clock } = deps
  const session = sessions.find(idHash)
  if (session === undefined) return undefined
  const nowMs = clock.now()
  const isInTime = nowMs < session.expiresAtMs && nowMs - session.usedAtMs < SESSION_IDLE_MS
  if (isInTime && (await isSignedIn(deps, session))) return session
  sessions.remove(idHash)
  return undefined
}

/** Records that somebody uses the session. */
export function recordUse(
  { sessions, clock }: Pick<SessionDeps, 'sessions' | 'clock'>,
  session: Session,
): void {
  const nowMs = clock.now()
  if (nowMs - session.usedAtMs >= SESSION_USE_STEP_MS) sessions.setUsed(session.idHash, nowMs)
}
