import { createHash, createHmac } from 'node:crypto'
import { digestFormOf, signedMessage, spellBodyDigest } from '@cofre/contracts/shop'

/**
 * The `hex_hmac` of a request (specification, section 5).
 * @param target - Path with its query, exactly as it will be sent.
 * @param body - The exact body; undefined for a request without one.
 */
export function signRequest(secret: string, target: string, body: string | undefined): string {
  const digest =
    body === undefined
      ? ''
      : spellBodyDigest(createHash('md5').update(body).digest('hex'), digestFormOf(target))
  return createHmac('sha256', secret).update(signedMessage(target, digest)).digest('hex')
}
