import { Secret } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { type WebhookMessage, signedHeaders } from './webhook-signature.js'

const message: WebhookMessage = {
  id: '123456789012345-1',
  timestampSeconds: 1_790_000_000,
  body: 'transaction-code=123456789012345&notification-type=transaction&test-mode=true',
  secrets: [new Secret('segredo-çã-0123')],
}

// printf '%s' "$ID.1790000000.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64
const SIGNATURE = 'v1,R3xdH5mK1flF3XL5QacXrlfuEwqXV4KYLPvUQzPkGOI='
const NEXT_SIGNATURE = 'v1,3/iOKlX7DZDoVzRR2TBEKPlbTgPCboPMvpbcGy3mhPM='

describe('signedHeaders', () => {
  it('signs as openssl does', () => {
    expect(signedHeaders(message)).toEqual({
      'webhook-id': '123456789012345-1',
      'webhook-timestamp': '1790000000',
      'webhook-signature': SIGNATURE,
    })
  })

  it('signs with every secret', () => {
    const secrets = [...message.secrets, new Secret('next-secret')] as const
    const headers = signedHeaders({ ...message, secrets })
    expect(headers['webhook-signature']).toBe(`${SIGNATURE} ${NEXT_SIGNATURE}`)
  })

  it.each(['', 'a.1', '/transactions', 'a\r\nb', 'a b', 'ç', 'x'.repeat(65)])(
    'refuses the id "%s"',
    (id) => {
      expect(() => signedHeaders({ ...message, id })).toThrow(RangeError)
    },
  )

  it.each([1.5, NaN, Infinity])('refuses the timestamp %d', (timestampSeconds) => {
    expect(() => signedHeaders({ ...message, timestampSeconds })).toThrow(RangeError)
  })
})
