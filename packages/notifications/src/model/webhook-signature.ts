import { createHmac } from 'node:crypto'
import type { Secret } from '@cofre/contracts'

/** What is signed, exactly as it is sent, and by whom. */
export interface WebhookMessage {
  /** Of the notification, not of the attempt. */
  readonly id: string
  /** When this attempt was made, in whole seconds since 1970. */
  readonly timestampSeconds: number
  readonly body: string
  /** One signature each, so that a receiver can change from one secret to the next. */
  readonly secrets: readonly [Secret<string>, ...Secret<string>[]]
}

/** The headers of Standard Webhooks 1.0.0. */
export interface WebhookHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

// Without the standard's separator, a dot, in the id, no other id, time and body sign as the same
// text. API requests are signed with the same secret, but their text begins with a slash.
const ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * Signs a notification in the form of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of
 * `id.timestamp.body`. The key is the secret's text in UTF-8, as for API requests, so libraries
 * that take `whsec_…` are given `whsec_` and its base64.
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
