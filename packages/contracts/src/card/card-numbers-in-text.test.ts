import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CARD_BRANDS, brandOf } from './brand.js'
import { holdsCardNumber, maskCardNumbers } from './card-numbers-in-text.js'
import { isCardNumber, passesLuhn } from './card-rules.js'

/** Public test cards, one of each brand and length. */
const TEST_CARDS = [
  '4111111111111111',
  '4222222222222',
  '4111111111111111110',
  '5555444433331111',
  '2223520443560010',
  '378282246310005',
  '36006666333344',
  '3056930009020004',
  '5066991111111118',
  '6062828888666688',
  '6011111111111117',
  '3566002020360505',
  '5078601870000127985',
]

const DIGITS = Array.from('0123456789')
/** As many digits as the longest number has. */
const digits = fc.stringMatching(/^[0-9]{19}$/)
const starts = CARD_BRANDS.flatMap(({ prefixes, lengths }) =>
  prefixes
    .split(',')
    .flatMap((range) => lengths.map((length) => [range.split('-')[0] ?? '', length] as const)),
)

/** A valid number of any brand and length. */
const cardNumber = fc
  .tuple(fc.constantFrom(...starts), digits)
  .map(([[prefix, length], rest]) => (prefix + rest).slice(0, length))
  .map((number) => {
    const base = number.slice(0, -1)
    return base + (DIGITS.find((digit) => passesLuhn(base + digit)) ?? '')
  })
  // Products and companies also have numbers of the shorter lengths.
  .filter((number) => number.length > 14 && isCardNumber(number, brandOf(number)))

const word = fc.stringMatching(/^[A-Za-zçãé(),:;#]{0,12}$/)

describe('card numbers in a text', () => {
  it.each(TEST_CARDS)('are masked: %s', (number) => {
    expect(maskCardNumbers(`Pedido (${number}).`)).toBe('Pedido (************).')
    expect(maskCardNumbers(`x${number}y${number}`)).toBe('x************y************')
    expect(holdsCardNumber(number)).toBe(true)
    expect(maskCardNumbers(Array.from(number).join(' '))).toBe('************')
  })

  it.each([
    '4111 1111 1111 1111',
    '4111.1111.1111.1111',
    '4111-1111-1111-1111',
    '4111\u22121111\u22121111\u22121111',
    '4111 - 1111 - 1111 - 1111',
    '4111  1111\n1111\u00a01111',
    '4111\u20131111\u200b1111/1111',
    '41\u200b11111111\ufeff111111',
    '4111\u2060111111111111',
    '4111 11\u00ad11 1111 1111',
    '4111 1111 1111 1111 110',
    '41111111 11111111',
    '4111,1111,1111,1111',
    '4111: 1111: 1111: 1111',
    '4111|1111|1111|1111',
    '4111*1111·1111•1111',
    '\uff14111 1111 1111 111\uff11',
    '3782 822463 10005',
    '3600 666633 3344',
    '3782 8224 6310 005',
    '3600 6666 3333 44',
    '411111 1111111111',
    '41111 11111 111111',
    '4111 11111111 1111',
    '37828 22463 10005',
    '٤١١١ ١١١١ ١١١١ ١١١١',
    '४१११११११११११११११',
    '𝟒𝟏𝟏𝟏-𝟏111-1111-1111',
    '④①①①11111111111¹',
    '4111a1111b1111c1111',
    '4111 e 1111 e 1111/1111',
    '411111xx1111111111',
    '4111) (1111) (1111) (1111',
    '4111=1111+1111"1111',
    '4111 and 1111 and 1111 and 1111',
    '3782x822463x10005',
  ])('are masked in groups: %j', (number) => {
    expect(maskCardNumbers(`12 cartão ${number} fim`)).toBe('12 cartão ************ fim')
    expect(maskCardNumbers(`12 ${number} 123`)).toBe('12 ************ 123')
  })

  it('are masked wherever they stand, whatever their brand', () => {
    fc.assert(
      fc.property(word, cardNumber, word, (before, number, after) => {
        const text = `${before}${number}${after}`
        expect(maskCardNumbers(text)).toBe(`${before}************${after}`)
        expect(holdsCardNumber(text)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('are not what is wrong in brand, length or check digit', () => {
    fc.assert(
      fc.property(cardNumber, fc.constantFrom(...DIGITS), (number, digit) => {
        const others = [number.slice(0, -1) + digit, number + digit, `0${number}`]
        for (const other of others)
          expect(holdsCardNumber(other)).toBe(isCardNumber(other, brandOf(other)))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['a transaction’s code', '61234567891234 100000000000001'],
    ['a boleto’s barcode', '03391234500000100009012345678901234567890123'],
    ['a boleto’s line', '34191.79001 01043.510047 91020.150008 5 96610000014500'],
    ['phones', '+5541987654321 (41) 3333-4444 / 41 98765-4321 +4915112345678 4133-4444'],
    ['a CPF and a CNPJ', '529.982.247-25 52998224725 11.222.333/0001-81'],
    ['a CNPJ with the look of a Diners card', '36000009000140'],
    ['a product’s bars with the look of a Visa', '4006381333924'],
    ['dates', '2026-11-21T12:00:00 21/11/2026 12:30:45 30012026 20261121120000'],
    ['sizes', '36 37 38 39 40 41 42 43, 400 500 600 700 800'],
    ['a money order', 'R$ 4.111,11 4111,1111'],
    ['a card number in a longer one', '41111111111111110000'],
    ['a test card of a brand that we do not know', '6370950000000005'],
    ['MD5', 'c08a4111111111111111f0d5e2b7a9c3'],
    ['SHA-1', 'n?k=c08a4111111111111111f0d5e2b7a9c3d4e5f607'],
    ['SHA-256', `wc_${'c08a4111111111111111f0d5e2b7a9c3'.repeat(2).toUpperCase()}`],
    ['SHA-512', '3f4111111111111111c0'.repeat(6) + 'ab12cd34'],
    ['an object’s id', '4111111111111111a0b1c2d3'],
    ['a boleto’s line in fives', '34191 79001 01043 510047 91020 150008 5 96610000014500'],
    ['groups of other sizes with letters', '41111a11111b111111 4111111111a111111'],
    ['letters of a txid', 'PED4111a1111b1111c1111XYZ99'],
    ['an end-to-end id', 'E4111a1111b1111c1111202611210'],
    ['letters of a JWE', 'eyJ0eXAiOiJKV1QifQ.4111a1111b1111c1111-x_yzabcd.e'],
    ['words', '4111 rua 1111 casa 1111 bloco 1111'],
    ['a UUID', 'a1b2c3d4-4111-4111-8111-0005abcdef01'],
  ])('are not %s', (_, text) => {
    expect(maskCardNumbers(text)).toBe(text)
    expect(holdsCardNumber(text)).toBe(false)
  })

  // Counted with a million of each kind in release 0.3.
  it('are not identifiers, whatever is drawn for them', () => {
    const bytes = fc.uint8Array({ minLength: 12, maxLength: 64 })
    const ulid = fc.ulid().map((drawn) => `01${drawn.slice(2)}`)
    const hex = bytes.map((drawn) => Buffer.from(drawn).toString('hex'))
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), hex, ulid), (text) => {
        expect(holdsCardNumber(text)).toBe(false)
        expect(holdsCardNumber(`pedido ${text.toUpperCase()}, ${text}`)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('leave every other text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(maskCardNumbers(text.replaceAll(/\d/g, ''))).toBe(text.replaceAll(/\d/g, ''))
      }),
    )
  })
})
