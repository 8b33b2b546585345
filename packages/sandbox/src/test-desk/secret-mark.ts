import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@cofre/contracts'

/** What a session may keep of the secret it was opened with: nobody signs with it, and no other secret has it. */
export function secretMarkOf(storeId: string, secret: Secret<string>): string {
  const text = JSON.stringify(['panel session', storeId])
  return createHmac('sha256', secret.reveal()).update(text).digest('base64url')
}

export function isMarkOf(mark: string, storeId: string, secret: Secret<string>): boolean {
  const given = Buffer.from(mark)
  const expected = Buffer.from(secretMarkOf(storeId, secret))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
