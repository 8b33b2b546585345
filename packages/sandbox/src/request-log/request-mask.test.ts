import { describe, expect, it } from 'vitest'
import { maskJson, maskTarget, maskText } from './request-mask.js'

const PAN = '4235647728025682'
const NOBODY: ReadonlySet<string> = new Set()
const TOKEN = 'eyJhbGciOiJFQ0RILUVTIn0..aXZpdml2aXZpdg.Y2lwaGVydGV4dGNpcGhlcnRleHQ.dGFndGFndGFn'

describe('a masked text', () => {
  it.each([
    PAN,
    `x${PAN}y`,
    '4235 6477 2802 5682',
    '4235-6477-2802-5682',
    '4235.6477.2802.5682',
    '4235 - 6477 - 2802 - 5682'.replaceAll(' - ', '- '),
    '4235,6477,2802,5682',
    '4235\n6477\t2802\u00a05682',
    '4235 | 6477 * 2802 • 5682',
    '\uff1423\uff15 6477 2802 5682',
    `${PAN}123`,
    `000${PAN}999`,
    `${PAN}${PAN}`,
    '378282246310005',
    '36006666333344',
    '6062828888666688',
    '4111111111111111110',
    '423564 7728025682',
    '4235a6477b2802c5682',
    '٤٢٣٥ ٦٤٧٧ ٢٨٠٢ ٥٦٨٢',
  ])('does not hold the card in %s', (text) => {
    const masked = maskText(text, NOBODY)
    expect(masked).toContain('************')
    expect(masked.replaceAll(/\D/g, '').length).toBeLessThanOrEqual(8)
  })

  it.each([
    ['cvv=987', 'cvv=[removed]'],
    ['"cvv": "987"', '"cvv": "[removed]"'],
    ['CVC2 - 9876', 'CVC2 - [removed]'],
    ['security code: 987', 'security code: [removed]'],
    ['código cvv 987', 'código cvv [removed]'],
  ])('does not hold the security code in %s', (text, masked) => {
    expect(maskText(text, NOBODY)).toBe(masked)
  })

  it.each(['Pedido 12345', '+55 41 3333-4444', '52998224725', '2026-11-21T12:00:00', '80010000'])(
    'leaves %s as it is',
    (text) => {
      expect(maskText(text, NOBODY)).toBe(text)
    },
  )

  it('is cut where it is longer than two kilobytes, in no card number', () => {
    for (const text of ['-'.repeat(60_000), 'x'.repeat(2040) + PAN, `${PAN} `.repeat(500) + PAN]) {
      const masked = maskText(text, NOBODY)
      expect(masked.length).toBeLessThanOrEqual(2048)
      expect(masked).not.toMatch(/\d/)
    }
  })

  it('leaves a number that the service gave out', () => {
    expect(maskText(PAN, new Set([PAN]))).toBe(PAN)
    const spaced = '4235 6477 2802 5682'
    expect(maskText(spaced, new Set([PAN]))).toBe(spaced)
    expect(maskText(`${PAN}0`, new Set([PAN]))).not.toContain(PAN)
  })
})

describe('a masked body', () => {
  const masked = (body: unknown): unknown =>
    JSON.parse(maskJson(JSON.stringify(body), NOBODY) ?? 'null')

  it('keeps a card’s last four digits and nothing else that is secret', () => {
    const card = { number: PAN, cvv: '987', 'expiration-date': '2030-12', extra: '987' }
    expect(masked({ 'payment-info': { installments: 1, 'credit-card': card } })).toEqual({
      'payment-info': {
        installments: 1,
        'credit-card': {
          number: '************5682',
          cvv: '[removed]',
          'expiration-date': '2030-12',
          extra: '[removed]',
        },
      },
    })
  })

  it.each<[string, unknown]>([
    ['a number', { a: Number(PAN) }],
    ['a name', { [PAN]: 1 }],
    ['a list', [[[PAN]]]],
    ['a code behind its card, as name and value', { [PAN]: '987' }],
    ['a card with its code as the date', { 'credit-card': { 'expiration-date': `${PAN}-987` } }],
    ['a card with its code as the number', { 'credit-card': { number: `${PAN}987` } }],
    ['a card with its code in a text', { reference: `${PAN} 987` }],
    ['a text of JSON', JSON.stringify({ number: PAN, cvv: '987' })],
    ['a card that is a text', { 'credit-card': PAN }],
    ['a card whose number is too short to be masked', { 'credit-card': { number: '987' } }],
    ['a card whose number is a number', { 'credit-card': { number: Number(PAN), cvv: 987 } }],
    ['a card under another name', { card: { pan: PAN, code: '987' } }],
    ['a card and its code in a list', { card: [PAN, '987', 987] }],
    ['a security code by itself', { securityCode: 987, cvv2: '987', card_cvc: ['987'] }],
    ['digits that reading has lost', { a: 4_235_647_728_025_682_000 }],
    ['a deep nest', JSON.parse(`${'['.repeat(100)}"${PAN}"${']'.repeat(100)}`)],
  ])('holds neither card nor security code in %s', (_, body) => {
    const text = JSON.stringify(masked(body))
    expect(text).not.toContain('987')
    expect(text).not.toContain(PAN.slice(0, 12))
  })

  it('holds no value of an authentication', () => {
    const result = { version: '2.2.0', eci: '05' }
    expect(
      masked({ 'three-d-secure': { ...result, cavv: 'AAABBWcSNIdjeUZThmNHAAAAAAA=' } }),
    ).toEqual({ 'three-d-secure': { ...result, cavv: '[removed]' } })
  })

  it.each<[string, unknown]>([
    ['its own names', { 'security-code': '987', cvv: 987, cvc: ['987'], codigo_seguranca: '987' }],
    ['an object of its name', { cvn: { value: '987' } }],
    ['the place of its token', { code: 'a'.repeat(32), 'security-code-token': '987' }],
    ['that place, as a number or a list', [{ 'security-code-token': 987 }, { token: ['987'] }]],
    ['the place of a token, as a card’s end', { token: '4235647728025987' }],
    ['a field that pays', { 'payment-info': { installments: 1, code: '987', save: 987 } }],
    ['one in another spelling', { paymentInfo: { code: '987' }, payment_info: { save: 987 } }],
    ['a saved card’s code, with other signs', { 'payment-info': { code: '#987' } }],
    ['a text that begins as a token does', { token: 'eyJ 987 bbbbbb' }],
    ['a text, behind the name of its token', 'security-code-token: 987, cid=987'],
    ['a list in one', { 'payment-info': { code: ['987', { x: 987 }], save: [[987]] } }],
    ['a name with an accent', 'código de segurança: 987'],
  ])('holds no security code in %s', (_, body) => {
    expect(JSON.stringify(masked(body))).not.toMatch(/987|423564772802/)
  })

  it('holds no secret of an endpoint', () => {
    expect(masked({ secret: 'whsec_c2VjcmV0', 'event-endpoint': { code: 'evp_1' } })).toEqual({
      secret: '[removed]',
      'event-endpoint': { code: 'evp_1' },
    })
  })

  it('shortens a token, wherever it is', () => {
    expect(masked({ token: TOKEN, note: `see ${TOKEN}` })).toEqual({
      token: 'eyJhbGciOiJF…',
      note: 'see eyJhbGciOiJF…',
    })
    expect(masked({ 'security-code-token': TOKEN })).toEqual({
      'security-code-token': 'eyJhbGciOiJF…',
    })
    expect(masked({ token: 'short' })).toEqual({ token: '[removed]' })
  })

  it('is cut wherever a text or a name is long', () => {
    const long = 'x'.repeat(60_000)
    const cut = `${'x'.repeat(2047)}…`
    const card = { 'credit-card': { brand: long } }
    expect(masked({ a: long, [long]: [long], card })).toEqual({
      a: cut,
      [cut]: [cut],
      card: { 'credit-card': { brand: cut } },
    })
  })

  it('leaves what is no card as it is', () => {
    const body = {
      charge: [{ amount: 100.5, 'payment-info': { installments: 3, save: true } }],
      payer: { document: { number: '52998224725' }, address: { number: '987', complement: null } },
    }
    expect(masked(body)).toEqual(body)
  })

  it('is nothing when the body is not JSON, because nothing in it is known', () => {
    for (const text of ['', 'a=b', `{"number": ${PAN}`, '<xml/>'])
      expect(maskJson(text, NOBODY)).toBeUndefined()
  })
})

describe('a masked target', () => {
  it.each([
    `/transactions/${PAN}`,
    `/card?bin=${PAN}`,
    `/card?bin=${PAN.replaceAll(/\d/g, '%3$&')}`,
    `/card?${PAN}=1`,
    '/card?bin=4235+6477+2802+5682&broken=%zz',
    '/card?bin=4235%206477%202802%205682',
    '/card?cvv=987',
    '/card?%63vv=987',
    `/card?token=${TOKEN}`,
    `/card?a?cvv=987`,
  ])('holds no secret of %s', (target) => {
    const masked = maskTarget(target, NOBODY)
    expect(masked).not.toContain('987')
    expect(masked).not.toContain(TOKEN.slice(20))
    expect(masked.replaceAll(/\D/g, '').length).toBeLessThanOrEqual(8)
  })

  it('leaves the others as they were sent', () => {
    const target = '/transactions?initial-order-date=2026-11-01T00%3A00%3A00.0-03%3A00&page=2'
    expect(maskTarget(target, NOBODY)).toBe(target)
  })
})
