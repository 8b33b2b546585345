import type { CardDetails } from '@cofre/contracts/card'
import { encryptDirectToken } from './direct-token-jwe.js'
import { DirectTokenError } from './errors.js'
import { pause } from './pause.js'
import type { SessionPool } from './session-pool.js'
import { postToVault } from './vault-request.js'

export interface DepositDeps {
  readonly baseUrl: string
  readonly sessions: SessionPool
  /** Milliseconds. */
  readonly sessionTimeout: number
  /** The only store that may pay with the tokens; any store when absent. */
  readonly store: string | undefined
}

const RETRY_PAUSE_MS = 400
const CREATED = 201
const SESSION_GONE = 410
const CARD_REFUSED = 422
const TOO_MANY_REQUESTS = 429
// Not an HTTP status, but treated as a failure of the vault.
const NO_ANSWER = 599

/**
 * Encrypts the card, or a saved card's security code, and deposits it in the vault, then opens the
 * next session in the background.
 * @param mayRenew - True if a session that the vault lost may be replaced.
 * @returns the direct token
 * @throws DirectTokenError `creditcard_invalid_fields` when the vault refuses the card, and those
 *   of {@link SessionPool.takeSession}; any other error when the card could not be stored
 */
export async function depositCard(
  deps: DepositDeps,
  card: CardDetails | Pick<CardDetails, 'cvv'>,
  mayRenew = true,
): Promise<string> {
  const { baseUrl, sessions, sessionTimeout, store } = deps
  const token = await encryptDirectToken(
    { ...card, store },
    await sessions.takeSession(sessionTimeout),
  )
  const post = (): Promise<number> =>
    postToVault(baseUrl + '/direct-tokens', token).then(
      ([status]) => status,
      () => NO_ANSWER,
    )
  let status = await post()
  if (status === TOO_MANY_REQUESTS || status >= 500) {
    // The vault returns the same token again, so a lost response is harmless.
    await pause(RETRY_PAUSE_MS)
    status = await post()
  }
  if (status === SESSION_GONE && mayRenew) {
    sessions.dropWaiting()
    return depositCard(deps, card, false)
  }
  // The caller that waits for the token continues first.
  setTimeout(sessions.prepare)
  if (status === CREATED) return token
  if (status === CARD_REFUSED) throw new DirectTokenError('creditcard_invalid_fields')
  throw new TypeError()
}
