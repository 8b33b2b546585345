import { ApiError, type Clock, type Log, SECOND_MS } from '@cofre/contracts'
import { hasCome } from '@cofre/work'
import type { ServiceKeys } from '../client/service-key.js'
import {
  SERVICE_CLOCK_TOLERANCE_SECONDS,
  type ServiceRequest,
  isRequestSignature,
  readCredential,
} from '../client/service-signature.js'

/**
 * Recognizes requests that one of the keys has just signed, for the first time. Every refusal looks
 * the same to its sender; the log has the reason. The returned function throws ApiError
 * `service_not_authenticated`.
 */
export function createServiceAuthentication(
  keys: ServiceKeys,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) {
  const isNewNonce = createNonceMemory(clock)
  const refuse = (reason: string, fields: Record<string, unknown> = {}): ApiError => {
    log.warn({ reason, ...fields }, 'a request to the vault’s service port was refused')
    return new ApiError('service_not_authenticated')
  }
  return (request: ServiceRequest, authorization: string | undefined) => {
    const credential = readCredential(authorization)
    if (credential === undefined) throw refuse('no credential')
    const { keyId, timeSeconds, nonce } = credential
    const key = keys.all.get(keyId)
    if (key === undefined) throw refuse('unknown key', { keyId })
    if (!isRequestSignature(key, request, credential)) throw refuse('wrong signature', { keyId })
    const aheadSeconds = timeSeconds - Math.floor(clock.now() / SECOND_MS)
    if (Math.abs(aheadSeconds) > SERVICE_CLOCK_TOLERANCE_SECONDS)
      throw refuse('clocks differ', { keyId, aheadSeconds })
    if (!isNewNonce(nonce)) throw refuse('repeated', { keyId })
    return { key, credential }
  }
}

/** The clocks may differ, so a request may come that early, and be repeated that late. */
const NONCE_LIFETIME_MS = 2 * SERVICE_CLOCK_TOLERANCE_SECONDS * SECOND_MS + SECOND_MS

/** Remembers the nonces that may come again. Returns false for one that was seen before. */
function createNonceMemory(clock: Clock): (nonce: string) => boolean {
  // In the order of arrival, which is also the order of removal.
  const forgetAtMs = new Map<string, number>()
  return (nonce) => {
    const nowMs = clock.now()
    for (const [old, atMs] of forgetAtMs) {
      if (!hasCome(atMs, nowMs, NONCE_LIFETIME_MS)) break
      forgetAtMs.delete(old)
    }
    if (forgetAtMs.has(nonce)) return false
    forgetAtMs.set(nonce, nowMs + NONCE_LIFETIME_MS)
    return true
  }
}
