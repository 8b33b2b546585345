import { expect, it } from 'vitest'
import { base64url } from './bytes.js'
import { concatKdf } from './concat-kdf.js'

it('derives the key of RFC 7518 Appendix C', async () => {
  const sharedSecret = Uint8Array.of(
    ...[158, 86, 217, 29, 129, 113, 53, 211, 114, 131, 66, 131, 191, 132, 38, 156],
    ...[251, 49, 110, 163, 218, 128, 106, 72, 246, 218, 167, 121, 140, 254, 144, 196],
  )
  const key = await concatKdf(sharedSecret.buffer, 128, ['A128GCM', 'Alice', 'Bob'])
  expect(base64url(new Uint8Array(key))).toBe('VqqN6vgjbSBcIijNcacQGg')
})
