import { pause } from './pause.js'

/** Longer than a healthy response takes, but short enough to retry while the shopper waits. */
const VAULT_ANSWER_TIMEOUT_MS = 10_000

/** The vault's complete response. */
export type VaultAnswer = readonly [status: number, body: string]

/**
 * POSTs to the vault as a CORS simple request (no preflight; a string body is sent as
 * `text/plain`), without cookies.
 * @throws when the network fails, or the response with its body takes longer than ten seconds
 */
export async function postToVault(url: string, body: string): Promise<VaultAnswer> {
  const abort = new AbortController()
  void pause(VAULT_ANSWER_TIMEOUT_MS).then(() => {
    abort.abort()
  })
  const response = await fetch(url, {
    method: 'POST',
    body,
    credentials: 'omit',
    signal: abort.signal,
  })
  return [response.status, await response.text()]
}
