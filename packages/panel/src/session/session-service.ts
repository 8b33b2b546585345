import type { Clock } from '@cofre/contracts'
import type { SignIn, TestDesk } from '@cofre/sandbox'
import {
  SESSION_IDLE_MS,
  SESSION_LIFETIME_MS,
  SESSION_USE_STEP_MS,
  type Session,
  drawId,
  hashSessionId,
} from './session.js'
import type { SessionStore } from './session-store.js'

export interface SessionDeps {
  readonly sessions: SessionStore
  readonly clock: Clock
  readonly desk: Pick<TestDesk, 'isSignedIn'>
}

/** Opens a session and returns the id for the browser's cookie, which nobody else has. */
export function openSession({ sessions, clock }: SessionDeps, signIn: SignIn): string {
  const id = drawId()
  const nowMs = clock.now()
  const { storeId, secretMark } = signIn
  sessions.add({
    idHash: hashSessionId(id),
    storeId,
    secretMark,
    expiresAtMs: nowMs + SESSION_LIFETIME_MS,
    usedAtMs: nowMs,
  })
  return id
}

/**
 * The session of an id's hash. Undefined when there is none, or it has ended: with its time, for want of use, or because the
 * secret it was opened with no longer signs.
 */
export async function findSession(deps: SessionDeps, idHash: string): Promise<Session | undefined> {
  const { sessions, clock, desk } = deps
  const session = sessions.find(idHash)
  if (session === undefined) return undefined
  const nowMs = clock.now()
  const isInTime = nowMs < session.expiresAtMs && nowMs - session.usedAtMs < SESSION_IDLE_MS
  if (isInTime && (await desk.isSignedIn(session))) return session
  sessions.remove(idHash)
  return undefined
}

/** Notes that somebody uses the session. */
export function noteUse({ sessions, clock }: SessionDeps, session: Session): void {
  const nowMs = clock.now()
  if (nowMs - session.usedAtMs >= SESSION_USE_STEP_MS) sessions.setUsed(session.idHash, nowMs)
}

export function closeSession({ sessions }: SessionDeps, session: Session): void {
  sessions.remove(session.idHash)
}

/** Signs out everybody who is signed in for the store. */
export function closeSessionsOf({ sessions }: SessionDeps, storeId: string): void {
  sessions.removeOf(storeId)
}
