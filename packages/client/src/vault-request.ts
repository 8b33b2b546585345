import { pause } from './pause.js'

/** Longer than any healthy answer takes, short enough to try again while the shopper is still there. */
const VAULT_ANSWER_TIMEOUT_MS = 10_000

/**
 * POSTs to the vault as a CORS simple request (no preflight; a string body is sent as `text/plain`), without cookies.
 * @throws when the network fails, or the answer, its body included, takes longer than {@link VAULT_ANSWER_TIMEOUT_MS}
 */
export function postToVault(url: string, body: string): Promise<Response> {
  const abort = new AbortController()
  void pause(VAULT_ANSWER_TIMEOUT_MS).then(() => {
    abort.abort()
  })
  return fetch(url, { method: 'POST', body, credentials: 'omit', signal: abort.signal })
}
