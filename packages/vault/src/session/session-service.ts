import { SECOND_MS, type SessionAnswer } from '@cofre/contracts'
import type { SealingDeps } from '../data-key/data-key-service.js'
import { seal } from '../keys/sealed-value.js'
import {
  SESSION_LIFETIME_MS,
  generateSessionId,
  generateSessionKeyPair,
  sessionContext,
} from './session.js'
import type { SessionStore } from './session-store.js'

interface SessionDeps extends SealingDeps {
  readonly sessions: SessionStore
}

/** Opens a session: a key pair to which one direct token can be encrypted. */
export async function openSession(deps: SessionDeps): Promise<SessionAnswer> {
  const id = generateSessionId()
  const { publicKey, privateKey, privateJwk } = generateSessionKeyPair()
  const plain = JSON.stringify(privateJwk.reveal())
  const key = await deps.dataKeys.ofThisHour('sessions')
  const sealedPrivateKey = seal(key, plain, sessionContext(id))
  const expiresAtMs = deps.clock.now() + SESSION_LIFETIME_MS
  await deps.sessions.insert({ id, sealedPrivateKey, privateKey, expiresAtMs })
  return { id, 'public-key': publicKey, 'expires-in': SESSION_LIFETIME_MS / SECOND_MS }
}
