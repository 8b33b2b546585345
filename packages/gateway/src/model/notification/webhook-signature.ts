import { createHmac } from 'node:crypto'
import type { Secret } from '@cofre/contracts'

type SigningSecret = Secret<string> | Secret<Buffer>

/** The signed text, exactly as it is sent, and the signing secrets. */
export interface WebhookMessage {
  /** The message's id, not the attempt's. */
  readonly id: string
  /** The time of this attempt, in whole seconds since 1970. */
  readonly timestampSeconds: number
  readonly body: string
  /** One signature each, so that a receiver can change its secret. A text is a key in UTF-8. */
  readonly secrets: readonly [SigningSecret, ...SigningSecret[]]
}

/** The headers of Standard Webhooks 1.0.0. */
export interface WebhookHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

// The id contains no dot, the standard's separator, so no other id, time and body have the same
// signed text. API requests are signed with the same secret, but their text begins with a slash.
const ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Signs a message in the form of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`. A store's secret is a key by its text in UTF-8, as for API requests. A
 * library that requires `whsec_…` therefore needs `whsec_` and that secret's base64.
 * @throws RangeError when id or timestamp could be mistaken for another part of the text
 */
export function signedHeaders(message: WebhookMessage): WebhookHeaders {
  const { id, timestampSeconds, body, secrets } = message
  if (!ID.test(id) || !Number.isSafeInteger(timestampSeconds)) {
    throw new RangeError('not an id and time for a webhook')
  }
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret.reveal()).update(`${id}.${timestampSeconds}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
