import { createHash } from 'node:crypto'
import process from 'node:process'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestGateway, openTestGateway } from '../gateway.fixture.js'
import type { IdempotencyClaim } from '../model/idempotency/idempotency.js'
import { turnsDuring } from '../../../../test/turns.js'
import { respondOnce } from './idempotency-service.js'

const TARGET = '/transactions'
const infoWith = (fields: string) => `{"charge":[{"payment-info":{"code":"x",${fields}}}]}`
const SEALED_CODE = `"security-code-token":"eyJ${'x'.repeat(40)}"`
const CARDS = ['4111111111111111', '4235647728025682'] as const

describe('the fingerprint of a request', () => {
  let test: TestGateway
  beforeEach(async () => {
    test = await openTestGateway(TEST_ENGINES.find(({ name }) => name === 'sqlite')!)
  })
  afterEach(() => test.close())

  const fingerprintOf = async (body: string, target = TARGET): Promise<string> => {
    const claims: IdempotencyClaim[] = []
    const idempotency = {
      ...test.parts.idempotency,
      claim: (claim: IdempotencyClaim) => {
        claims.push(claim)
        return Promise.resolve({ kind: 'replay', response: { status: 201, body: '' } } as never)
      },
    }
    const request = {
      merchantId: MERCHANT.id,
      key: 'key-1',
      target,
      body: new TextEncoder().encode(body),
    }
    await respondOnce({ ...test.parts, idempotency }, request, () => Promise.reject(new Error()))
    return claims[0]!.fingerprint
  }
  const digestOf = (text: string): string =>
    createHash('sha256').update(`${TARGET}\n${text}`).digest('base64url')

  it.each([
    ['a text', (card: string) => `{"note":"${card}"}`],
    ['a number', (card: string) => `{"note":${card}}`],
    ['a number of 19 digits', (card: string) => `{"note":${card}000}`],
    ['a text of lines', (card: string) => `{"note":"${card.replace(/.{4}/g, '$&\\n')}"}`],
    ['a power of ten', (card: string) => `{"note":${card}0e-1}`],
    ['the name of a field', (card: string) => `{"${card}":1}`],
    ['a field that is there twice', (card: string) => `{"note":"${card}","note":""}`],
    [
      'such a field, escaped',
      (card: string) => `{"note":"\\u003${card[0]!}${card.slice(1)}","note":""}`,
    ],
    ['a card', (card: string) => `{"credit-card":{"number":"${card}"}}`],
  ])('covers no card number that is %s', async (_, bodyWith) => {
    const [one, other] = await Promise.all(CARDS.map((card) => fingerprintOf(bodyWith(card))))
    expect(one).toBe(other)
  })

  it.each([
    ['a field of its name', (code: string) => `{"cvv":"${code}"}`],
    ['a longer name', (code: string) => `{"metadata":{"card-cvv-value":"${code}"}}`],
    ['a number', (code: string) => `{"cvv2":${code}}`],
    ['a text after its name', (code: string) => `{"note":"cvv: ${code}"}`],
    ['the name of a field', (code: string) => `{"cvv-${code}":"x"}`],
    ['a field beside a token', (code: string) => `{"token":"t","security-code":"${code}"}`],
    ['in the place of a token', (code: string) => `{"token":"${code}","payer":{}}`],
    ['a number there', (code: string) => `{"token":${code},"payer":{}}`],
    ['in the place of an order’s token', (code: string) => infoWith(`"token":"${code}"`)],
    [
      'in the place of its own token',
      (code: string) => infoWith(`"security-code-token":"${code}"`),
    ],
    ['a number in that place', (code: string) => infoWith(`"security-code-token":${code}`)],
    [
      'in the place of a saved card’s code',
      (code: string) => `{"payment-info":{"code":"${code}"}}`,
    ],
    ['a list in that place', (code: string) => infoWith(`"security-code-token":["${code}"]`)],
    ['beside its own token', (code: string) => infoWith(`"cvv":${code},${SEALED_CODE}`)],
    [
      'sent before its own token',
      (code: string) => infoWith(`"security-code-token":"${code}",${SEALED_CODE}`),
    ],
    ['sent before an empty one', (code: string) => `{"cvv":"${code}","cvv":""}`],
    ['in a list', (code: string) => `{"cvv":["${code}"]}`],
    ['in an object', (code: string) => `{"security-code":{"value":"${code}"}}`],
    ['the payer’s', (code: string) => `{"token":"t","payer":{"cvv":"${code}"}}`],
  ])('covers no security code that is %s', async (_, bodyWith) => {
    expect(await fingerprintOf(bodyWith('737'))).toBe(await fingerprintOf(bodyWith('738')))
  })

  it.each(['token', 'code', 'security-code-token'])(
    'covers what a shop itself names %s',
    async (name) => {
      const [one, other] = ['A', 'B'].map((value) =>
        fingerprintOf(JSON.stringify({ amount: 1, metadata: { [name]: value } })),
      )
      expect(await one).not.toBe(await other)
    },
  )

  it('is that of the text itself where a token is long, however it is written', async () => {
    const text = `{ "token" :  "eyJ${'x'.repeat(40)}" }`
    expect(await fingerprintOf(text)).toBe(digestOf(text))
  })

  it('covers the token of a security code', async () => {
    const [one, other] = ['737', '738'].map((digits) =>
      fingerprintOf(infoWith(`"security-code-token":"eyJ${'x'.repeat(40)}-${digits}-"`)),
    )
    expect(await one).not.toBe(await other)
  })

  it('differs for bodies whose values are no texts', async () => {
    const bodyWith = (amount: number) => `{"note":"security","x":{"toString":1},"amount":${amount}}`
    expect(await fingerprintOf(bodyWith(1))).not.toBe(await fingerprintOf(bodyWith(2)))
  })

  it('takes no longer for deep lists', async () => {
    const depth = 1000
    const body = `{"cvv":"x","a":${'[1,'.repeat(depth)}"${'y'.repeat(150_000)}"${']'.repeat(depth)}}`
    const before = process.cpuUsage()
    await fingerprintOf(body)
    // Joined at each level, the texts would take seconds.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  })

  it('lets the event loop turn after each look at a long body', async () => {
    const long = (text: string) => JSON.stringify({ note: text.repeat(100_000) })
    expect(await turnsDuring(() => fingerprintOf(long('4-')))).toBeGreaterThanOrEqual(2)
    const withCard = `{"other":"${CARDS[0]}",${long('4-').slice(1)}`
    expect(await turnsDuring(() => fingerprintOf(withCard))).toBeGreaterThanOrEqual(4)
  })

  it('covers no card number of a query', async () => {
    const targets = CARDS.map((card) => `${TARGET}?n=%3${card[0]!}${card.slice(1)}`)
    const [one, other] = await Promise.all(targets.map((target) => fingerprintOf('{}', target)))
    expect(one).toBe(other)
  })

  it.each(['{ "amount" : 1.50 }', '{"reference":"41111","id":1234567890123}'])(
    'is of %s as it came',
    async (body) => {
      expect(await fingerprintOf(body)).toBe(digestOf(body))
    },
  )
})
