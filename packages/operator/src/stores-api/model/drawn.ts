// Ids and secrets that requests draw.
import { hash, randomBytes } from 'node:crypto'
import { type Environment, Secret } from '@cofre/contracts'

/** One of the times that an operator sends a request. */
export interface Attempt {
  /** Empty for a request that does nothing. */
  readonly idempotencyKey: string
  /** True if the same request was begun before, and its answer may be lost. */
  readonly isRetry: boolean
}

export interface Draw {
  /** 8 hexadecimal digits; the same each time that the request is sent. */
  readonly digits: string
  readonly secret: Secret<string>
  /** True of a secret that an earlier attempt at this request drew: no answer showed it. */
  readonly isLost: (secret: Secret<string>) => boolean
}

/**
 * Draws for a request. Its secrets begin with its mark, so that a retry knows what an earlier
 * attempt did; 32 random bytes follow.
 */
export function drawFor(
  { idempotencyKey, isRetry }: Attempt,
  { operator, environment }: { readonly operator: string; readonly environment: Environment },
): Draw {
  const request = JSON.stringify([operator, environment, idempotencyKey])
  const digest = hash('sha256', request, 'buffer')
  const mark = digest.subarray(4, 10).toString('base64url')
  return {
    digits: digest.subarray(0, 4).toString('hex'),
    secret: new Secret(mark + randomBytes(32).toString('base64url')),
    isLost: (secret) => isRetry && secret.reveal().startsWith(mark),
  }
}
