import { createHash, createHmac } from 'node:crypto'
import {
  SIGNATURE_LABEL,
  type SignatureFacts,
  contentDigestOf,
  digestFormOf,
  signatureBase,
  signatureParameters,
  signedComponents,
  signedMessage,
  spellBodyDigest,
} from '@cofre/contracts/shop'

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

/** A request to sign, exactly as it will be sent. */
export interface UnsignedMessage {
  readonly method: string
  /** With scheme and host. */
  readonly targetUri: string
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
}

/** The headers that sign a request by HTTP Message Signatures (RFC 9421). */
export function signMessage(
  secret: string,
  { body, ...message }: UnsignedMessage,
  facts: SignatureFacts,
): Readonly<Record<string, string>> {
  const contentDigest =
    body === undefined
      ? undefined
      : contentDigestOf(createHash('sha256').update(body).digest('base64'))
  const components = signedComponents({ ...message, contentDigest })
  const parameters = signatureParameters(components, facts)
  const hmac = createHmac('sha256', secret).update(signatureBase(components, parameters))
  return {
    ...(contentDigest !== undefined && { 'Content-Digest': contentDigest }),
    'Signature-Input': `${SIGNATURE_LABEL}=${parameters}`,
    Signature: `${SIGNATURE_LABEL}=:${hmac.digest('base64')}:`,
  }
}
