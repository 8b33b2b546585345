import { Secret, type WireError } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  type SendOptions,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import { servesRooms } from '../../rooms.fixture.js'

import { ORIGIN, signedByLibrary } from './message-signature.fixture.js'

const [sqlite] = TEST_ENGINES
const FOREIGN = { ...MERCHANT, secret: new Secret('another secret of the store') }
const RAW_CARD = { number: '4111111111111111', cvv: '737', 'expiration-date': '2030-12' }
const PROFILE = `cofre=("@method" "@target-uri");keyid="store-1";alg="hmac-sha256";created=1790000000`
const RFC9421 = {
  authorization: undefined,
  'signature-input': PROFILE,
  signature: `cofre=:${'A'.repeat(43)}=:`,
}

describe('the message of a refusal', () => {
  let test: TestGateway
  const open = async (environment: 'production' | 'sandbox' = 'sandbox') => {
    test = await openTestGateway(sqlite!, { environment, ...servesRooms })
  }
  afterEach(() => test.close())

  const refuse = async (method: string, target: string, options: SendOptions = {}) => {
    const headers = { 'accept-language': 'en', ...options.headers }
    const { json } = await test.send(method, target, { ...options, headers })
    return (json.errors as WireError[])[0]
  }
  const messages = async (...request: Parameters<typeof refuse>) =>
    (await refuse(...request))?.message ?? ''

  it('shows in the sandbox what a wrong signature should have signed', async () => {
    await open()
    const body = cardRequest('order-1')
    expect(await messages('POST', '/transactions', { body, merchant: FOREIGN })).toMatch(
      /begins with `\/transactions[A-Za-z0-9+/]{8}…`: path and query, followed by the Base64/,
    )
    const search = '/transactions?page=2'
    expect(await messages('GET', search, { merchant: FOREIGN })).toContain(
      'begins with `/transactions?page=2`: path and query, followed by nothing',
    )
    const refund = { body: { 'transaction-id': 1 }, merchant: FOREIGN }
    expect(await messages('POST', '/refunds', refund)).toMatch(
      /begins with `\/refunds[0-9a-f]{8}…`: .* hexadecimal MD5/,
    )
  })

  it('shows in the sandbox how the base of a wrong signature by RFC 9421 begins', async () => {
    test = await openTestGateway(sqlite!, { environment: 'sandbox', origins: [ORIGIN] })
    const target = '/transactions/1'
    const message = { origin: 'https://another.example' }
    const signed = await signedByLibrary('GET', target, message)
    const headers = { 'accept-language': 'en', authorization: undefined, ...signed }
    const { json } = await test.send('GET', target, { headers })
    const [error] = json.errors as WireError[]
    expect(error?.message).toContain(
      `begins with the lines \`"@method": GET\` and \`"@target-uri": ${ORIGIN}${target}\``,
    )
  })

  it.each<[string, 'GET' | 'POST', Record<string, string | undefined>, string]>([
    ['upper case', 'GET', { authorization: `store-1:${'A'.repeat(64)}` }, '64 lower-case'],
    ['both ways', 'GET', { ...RFC9421, authorization: 'x' }, 'Send only one'],
    ['milliseconds', 'GET', { ...RFC9421, 'signature-input': PROFILE + '000' }, 'whole seconds'],
    ['one header', 'GET', { ...RFC9421, signature: undefined }, '`cofre=:<Base64 of 32 bytes>:`'],
    [
      'a key that is not covered',
      'GET',
      { ...RFC9421, 'idempotency-key': 'k' },
      'Sign `("@method" "@target-uri" "idempotency-key")`',
    ],
    ['no nonce', 'POST', RFC9421, 'needs a `nonce`'],
    [
      'a Bearer',
      'GET',
      { authorization: 'Bearer secret' },
      'a Bearer credential, and the secret is',
    ],
    [
      'a Basic',
      'GET',
      { authorization: 'basic c3RvcmU6c2U=' },
      'a Basic credential, and the secret',
    ],
    [
      'what signing is',
      'GET',
      { authorization: 'Bearer x' },
      'signing (https://sandbox.example.com/docs/signing.md)',
    ],
  ])('says what the form of a signature lacks: %s', async (_, method, headers, words) => {
    await open('production')
    expect(await refuse(method, '/transactions', { headers })).toMatchObject({
      code: 10002,
      message: expect.stringContaining(words) as string,
    })
  })

  it('names an unknown query parameter, unless it may be a card or a person', async () => {
    await open()
    const first = '/transactions?reference=order-1'
    expect(await messages('GET', `${first}&estado=1`)).toMatch(
      /`estado` is unknown\. .*`reference`, `initial/,
    )
    expect(await messages('GET', '/transactions/1?estado=1')).toBe(
      'The query parameter `estado` is unknown: this path has no parameters. Omit it. Only the sandbox refuses it; production ignores it.',
    )
    const card = await refuse('GET', `${first}&4111111111111111=1`)
    expect(card).toMatchObject({ code: 90015, property: '************' })
    expect(card?.message).toContain('parameter `…`')
  })

  it.each([
    '/card/bin/4111111111111111',
    '/transactions?page=4111%201111%201111%201111',
    '/transactions?page=411111111111111%31',
  ])('never shows a card number of what was signed: %s', async (target) => {
    await open()
    const message = await messages('GET', target, { merchant: FOREIGN })
    expect(message).toContain('************')
    expect(message).not.toContain('1111')
  })

  it('shows a wrong Content-MD5 in the sandbox, and not whether a store is disabled or absent', async () => {
    await open()
    const headers = { 'content-md5': 'f'.repeat(32) }
    const body = cardRequest('order-1')
    expect(await messages('POST', '/transactions', { body, headers })).toContain(
      '`Content-MD5` doesn’t match',
    )
    await test.gateway.saveMerchant({ ...MERCHANT, enabled: false })
    const disabled = await messages('GET', '/transactions/1')
    expect(disabled).toContain('no store `store-1`, or it is disabled. Send the id')
    expect(disabled).not.toContain('{')
    const unknown = await messages('GET', '/transactions/1', {
      merchant: { ...MERCHANT, id: 'store-9' },
    })
    expect(unknown).toBe(disabled.replace('store-1', 'store-9'))
  })

  it('shows none of it in production', async () => {
    await open('production')
    const general = await messages('GET', '/transactions/1', { merchant: FOREIGN })
    expect(general).toMatch(/^The store is unknown or disabled, or the signature doesn’t match/)
    const unknown = { ...MERCHANT, id: 'store-9' }
    expect(await messages('GET', '/transactions/1', { merchant: unknown })).toBe(general)
    await test.gateway.saveMerchant({ ...MERCHANT, enabled: false })
    expect(await messages('GET', '/transactions/1')).toBe(general)
  })

  it('names how many installments an amount allows, not how many the field does', async () => {
    await open()
    const { charge, cart, ...rest } = cardRequest('order-1', { installments: 12 })
    const body = {
      ...rest,
      charge: [{ ...charge[0], amount: 42.5 }],
      cart: [{ ...cart[0], quantity: 1, 'unit-price': 42.5 }],
    }
    expect(await refuse('POST', '/transactions', { body })).toMatchObject({
      code: 210214,
      constraint: 'maximum',
      maximum: 9,
      message: expect.stringContaining('at most 9 installments') as string,
    })
  })

  it('names both sums of a cart that does not add up', async () => {
    await open()
    const body = railRequest('order-1', 'boleto')
    const [charge] = body.charge
    const wrong = { ...body, charge: [{ ...charge, amount: 99.99 }] }
    expect(await messages('POST', '/transactions', { body: wrong })).toContain(
      '`charge[0].amount` is R$ 99.99, but the cart and `shipping.cost` come to R$ 100.00.',
    )
  })

  it.each([
    ['raw-card', 'The store isn’t allowed to send raw cards.'],
    ['no-account', 'The store has no account at a bank or acquirer'],
  ])('says why a method is unavailable: %s', async (cause, beginning) => {
    await open()
    test.answerCards(() => Promise.resolve({ kind: 'refused', reason: 'no_account' }))
    const card = { token: undefined, 'credit-card': RAW_CARD }
    const { payer, charge, ...rest } = cardRequest('order-1', cause === 'raw-card' ? card : {})
    const body = {
      ...rest,
      payer: { ...payer, ip: '203.0.113.7' },
      charge: [{ ...charge[0], currency: 'BRL' }],
    }
    const message = await messages('POST', '/transactions', { body })
    expect(message.startsWith(beginning)).toBe(true)
  })

  it.each([
    ['used', 'was used before'],
    ['expired', 'is older than 15 minutes'],
    ['foreign', 'was made for another store'],
    ['unknown', 'doesn’t know this direct token'],
    ['malformed', 'This is not a valid direct token'],
    [undefined, 'can’t pay: it was used before, is older'],
  ] as const)('tells a token apart that is %s', async (tokenFault, words) => {
    await open()
    const reason = 'token_invalid'
    test.answerCards(() => Promise.resolve({ kind: 'refused', reason, tokenFault }))
    expect(await refuse('POST', '/transactions', { body: cardRequest('order-1') })).toMatchObject({
      code: 210216,
      constraint: reason,
      message: expect.stringContaining(words) as string,
    })
  })

  it('names what a refund may still ask for, and the status that forbids one', async () => {
    await open()
    const created = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    const { code } = created.json.transaction as { code: string }
    const refund = (id: string, amount?: number) =>
      refuse('POST', '/refunds', {
        body: { 'transaction-id': id, 'notify-url': 'https://shop.example/n', amount },
      })
    expect(await refund(code, 101)).toMatchObject({
      code: 20609,
      maximum: 100,
      message: expect.stringContaining('Send at most `100.00`') as string,
    })
    const boleto = await test.send('POST', '/transactions', {
      body: railRequest('order-2', 'boleto'),
    })
    const waiting = boleto.json.transaction as { code: string }
    expect((await refund(waiting.code))?.message).toContain('The transaction is PENDING')
  })

  it('names the values of a query, and its bounds', async () => {
    await open()
    const first = '/transactions?initial-order-date=2026-11-01T00:00:00.0Z'
    expect(await refuse('GET', `${first}&max-page-results=11`)).toMatchObject({
      minimum: 1,
      maximum: 10,
      message: '`max-page-results` cannot be `11`. A number from 1 to 10.',
    })
    expect(await messages('GET', `${first}&page=0`)).toContain('A number from 1 to 1000000.')
    expect(await refuse('GET', `${first}&status=PAID`)).toMatchObject({
      code: 22119,
      allowed: expect.arrayContaining(['COMPLETE']) as string[],
    })
    expect(await messages('GET', '/card/bin/41111')).not.toContain('41111')
  })

  it('names the methods of a path', async () => {
    await open()
    expect(await refuse('DELETE', '/refunds')).toMatchObject({
      code: 90002,
      allowed: ['POST', 'GET'],
      message: 'The path doesn’t accept this method. Send `POST` or `GET`.',
    })
    const { headers } = await test.send('PUT', '/transactions/1')
    expect(headers.get('allow')).toBe('GET')
  })

  it('leads from an unknown path to the nearest and to the reference, never showing it', async () => {
    await open()
    expect(await refuse('POST', '/v1/transaction?card=4111111111111111')).toMatchObject({
      code: 90001,
      message:
        'This path doesn’t exist. Did you mean `POST /transactions`? All paths: https://sandbox.example.com/docs',
    })
    const unknown = await messages('GET', '/4111111111111111')
    expect(unknown).toBe(
      'This path doesn’t exist. Check the path, port and environment. All paths: https://sandbox.example.com/docs',
    )
  })

  it.each([
    ['/transactions', 210005],
    ['/refunds', 20698],
    ['/payment-links', 90501],
    ['/interest/changes', 90511],
  ])('names the first byte of a body that is not UTF-8: %s', async (target, code) => {
    await open()
    const body = Buffer.concat([Buffer.from('{"a":"é'), Buffer.from([0xe9]), Buffer.from('"}')])
    expect(await refuse('POST', target, { body })).toMatchObject({
      code,
      message: expect.stringContaining('byte at offset 8 (from 0)') as string,
    })
  })
})
