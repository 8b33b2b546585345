import {
  type Environment,
  Secret,
  type ThreeDSecureResult,
  sealedThreeDSecureSchema,
} from '@cofre/contracts'
import { type DirectTokenDeps, decryptFor } from './direct-token-service.js'
import { sessionIdOf } from './direct-token.js'

interface OrderKey {
  readonly environment: Environment
  readonly transactionCode: string
}

/**
 * Opens the 3-DS result that a gateway has sealed for one order to a session, and erases the
 * session: it cannot be opened twice. Undefined if the session is gone, or the result is for
 * another order.
 */
export async function openThreeDSecure(
  { dataKeys, sessions, clock }: DirectTokenDeps,
  sealed: string,
  order: OrderKey,
): Promise<ThreeDSecureResult | undefined> {
  const id = sessionIdOf(sealed)
  const session = id === undefined ? undefined : await sessions.find(id)
  if (session === undefined || session.expiresAtMs <= clock.now()) return undefined
  const plaintext = await decryptFor(dataKeys, session, sealed)
  const result = plaintext && parseResult(plaintext, order)
  if (result === undefined) return undefined
  return (await sessions.erase(session.id)) ? result : undefined
}

function parseResult(plaintext: Uint8Array, order: OrderKey): ThreeDSecureResult | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(plaintext))
  } catch {
    return undefined
  }
  const parsed = sealedThreeDSecureSchema.safeParse(value).data
  if (parsed?.environment !== order.environment) return undefined
  if (parsed.transactionCode !== order.transactionCode) return undefined
  const { version, eci, cavv, directoryServerTransactionId } = parsed
  return { version, eci, cavv: new Secret(cavv), directoryServerTransactionId }
}
