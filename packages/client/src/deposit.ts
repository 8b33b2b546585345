import type { DirectTokenPayload } from '@cofre/contracts/direct-token'
import { encryptDirectToken } from './direct-token-jwe.js'
import { DirectTokenError } from './errors.js'
import { pause } from './pause.js'
import type { SessionPool } from './session-pool.js'
import { postToVault } from './vault-request.js'

export interface DepositDeps {
  readonly baseUrl: string
  readonly sessions: SessionPool
  readonly sessionTimeoutMs: number
}

const RETRY_PAUSE_MS = 400
const CREATED = 201
const SESSION_GONE = 410
const CARD_REFUSED = 422
const TOO_MANY_REQUESTS = 429
// No status of HTTP, but to be treated as the vault's failures are.
const NO_ANSWER = 599

function postToken(baseUrl: string, token: string): Promise<number> {
  return postToVault(baseUrl + '/direct-tokens', token).then(
    (answer) => answer.status,
    () => NO_ANSWER,
  )
}

/**
 * Encrypts the card and leaves it in the vault, then lets the next session open in the background.
 * @param renewals - How many times a session that the vault has lost is replaced.
 * @returns the direct token
 * @throws DirectTokenError `creditcard_invalid_fields` when the vault refuses the card,
 *   `credit_card_internal_error`, and those of {@link SessionPool.take}
 */
export async function depositCard(
  deps: DepositDeps,
  payload: DirectTokenPayload,
  renewals = 1,
): Promise<string> {
  const token = await encryptDirectToken(payload, await deps.sessions.take(deps.sessionTimeoutMs))
  let status = await postToken(deps.baseUrl, token)
  if (status === TOO_MANY_REQUESTS || status >= 500) {
    // The vault answers the same token as before, so a lost answer does no harm.
    await pause(RETRY_PAUSE_MS)
    status = await postToken(deps.baseUrl, token)
  }
  if (status === SESSION_GONE && renewals > 0) {
    deps.sessions.discard()
    return depositCard(deps, payload, renewals - 1)
  }
  deps.sessions.prepare()
  if (status === CREATED) return token
  throw new DirectTokenError(
    status === CARD_REFUSED ? 'creditcard_invalid_fields' : 'credit_card_internal_error',
  )
}
