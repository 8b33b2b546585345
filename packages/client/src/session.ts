import type { SessionAnswer } from '@cofre/contracts/direct-token'
import { type TokenKey, agreeOnKey } from './direct-token-jwe.js'
import { DirectTokenError } from './errors.js'
import { nowMs } from './page-clock.js'
import { type VaultAnswer, postToVault } from './vault-request.js'

/** One key of the vault, for one card. */
export interface Session extends TokenKey {
  /** Time to open another session, by the page's clock: a fifth of the lifetime is left. */
  readonly renewAtMs: number
}

const RENEW_AFTER_SHARE = 0.8
const SECOND_MS = 1000
// A longer delay makes a timer fire immediately, and renewals would never stop.
const TIMER_MS_END = 2 ** 31

async function readSession([status, body]: VaultAnswer): Promise<Session> {
  // The only place where the vault's response gets its type; agreeOnKey refuses an invalid key.
  const answer = JSON.parse(body) as SessionAnswer
  const lifetimeMs = answer['expires-in'] * SECOND_MS
  if (!(status === 201 && answer.id && lifetimeMs >= SECOND_MS && lifetimeMs < TIMER_MS_END))
    throw new TypeError()
  return {
    ...(await agreeOnKey(answer)),
    renewAtMs: nowMs() + lifetimeMs * RENEW_AFTER_SHARE,
  }
}

/** @throws DirectTokenError `session_network_error`, `session_create_error` */
export async function openSession(baseUrl: string): Promise<Session> {
  // On an insecure page, `crypto` has no `subtle`.
  const missing = baseUrl ? ('subtle' in crypto ? '' : 'HTTPS') : 'baseUrl'
  if (missing) {
    console.error('session_create_error: no ' + missing)
    throw new DirectTokenError('session_create_error')
  }
  const answer = await postToVault(baseUrl + '/sessions', '').catch(() => {
    throw new DirectTokenError('session_network_error')
  })
  return readSession(answer).catch(() => {
    throw new DirectTokenError('session_create_error')
  })
}
