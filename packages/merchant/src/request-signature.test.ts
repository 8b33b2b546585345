import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { signMessage } from './request-signature.js'

const SECRET = 'a secret of the store'
const FACTS = { createdSeconds: 1_790_000_000, keyid: 'store-1' }

it.each(['signing.md', 'pt-BR/signing.md'])('docs/%s shows what is signed', (page) => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../docs', page), 'utf8')
  const refund = {
    method: 'POST',
    targetUri: 'https://api.shop.example/refunds',
    body: '{"transaction-id":1}',
    idempotencyKey: 'return-1',
  }
  const search = {
    method: 'GET',
    targetUri: 'https://api.shop.example/transactions?page=2',
    body: undefined,
    idempotencyKey: undefined,
  }
  const signed = [
    signMessage(SECRET, refund, { ...FACTS, nonce: 'AAECAwQFBgcICQoLDA0ODw' }),
    signMessage(SECRET, search, FACTS),
  ]
  for (const headers of signed)
    for (const [name, value] of Object.entries(headers)) expect(text).toContain(`${name}: ${value}`)
  expect(text).toContain('"@method": POST\n"@target-uri": https://api.shop.example/refunds\n')
})
