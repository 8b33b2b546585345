import creditCardType from 'credit-card-type'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CARD_BRANDS, brandOf, isAccepted } from './brand.js'

const nameOf = (digits: string): string => brandOf(digits)?.name ?? 'none'

/** First and last prefix of every range, with the brands just below and just above. */
const RANGES: readonly [
  first: string,
  last: string,
  brand: string,
  below: string,
  above: string,
][] = [
  ['401178', '401179', 'elo', 'visa', 'visa'],
  ['431274', '431274', 'elo', 'visa', 'visa'],
  ['438935', '438935', 'elo', 'visa', 'visa'],
  ['451416', '451416', 'elo', 'visa', 'visa'],
  ['457393', '457393', 'elo', 'visa', 'visa'],
  ['457631', '457632', 'elo', 'visa', 'visa'],
  ['504175', '504175', 'elo', 'none', 'none'],
  ['506699', '506778', 'elo', 'none', 'none'],
  ['509', '509', 'elo', 'none', 'mastercard'],
  ['627780', '627780', 'elo', 'none', 'none'],
  ['636297', '636298', 'elo', 'none', 'none'],
  ['636368', '636369', 'elo', 'none', 'none'],
  ['650031', '650033', 'elo', 'discover', 'discover'],
  ['650035', '650051', 'elo', 'discover', 'discover'],
  ['650057', '650081', 'elo', 'discover', 'discover'],
  ['650405', '650439', 'elo', 'discover', 'discover'],
  ['650485', '650538', 'elo', 'discover', 'discover'],
  ['650541', '650598', 'elo', 'discover', 'discover'],
  ['650700', '650718', 'elo', 'discover', 'discover'],
  ['650720', '650727', 'elo', 'discover', 'discover'],
  ['6509', '6509', 'elo', 'discover', 'discover'],
  ['651652', '651704', 'elo', 'discover', 'discover'],
  ['655000', '655019', 'elo', 'discover', 'discover'],
  ['655021', '655058', 'elo', 'discover', 'discover'],
  ['606282', '606282', 'hipercard', 'none', 'none'],
  ['384100', '384100', 'hipercard', 'diners', 'diners'],
  ['384140', '384140', 'hipercard', 'diners', 'diners'],
  ['384160', '384160', 'hipercard', 'diners', 'diners'],
  ['34', '34', 'amex', 'none', 'none'],
  ['37', '37', 'amex', 'diners', 'diners'],
  ['300', '305', 'diners', 'none', 'none'],
  ['36', '36', 'diners', 'none', 'amex'],
  ['38', '39', 'diners', 'amex', 'visa'],
  ['51', '55', 'mastercard', 'elo', 'none'],
  ['2221', '2720', 'mastercard', 'none', 'none'],
  ['4', '4', 'visa', 'diners', 'none'],
  ['6011', '6011', 'discover', 'none', 'none'],
  ['644', '649', 'discover', 'none', 'discover'],
  ['65', '65', 'discover', 'discover', 'none'],
  ['3528', '3589', 'jcb', 'none', 'none'],
  ['507860', '507860', 'aura', 'none', 'none'],
]

const lowest = (prefix: string): number => Number(prefix.padEnd(9, '0'))
const highest = (prefix: string): number => Number(prefix.padEnd(9, '9'))

/** Public test PANs of the brands' processors. */
const TEST_PANS: Readonly<Record<string, readonly string[]>> = {
  visa: [
    '4111111111111111',
    '4242424242424242',
    '4000000760000002',
    '4235647728025682',
    '4988438843884305',
    '4073020000000002',
    '4024007153763191',
  ],
  mastercard: [
    '5555444433331111',
    '2223520443560010',
    '5555555555554444',
    '2223003122003222',
    '5480832801033311',
  ],
  amex: ['370000000000002', '378282246310005', '375365153556885'],
  diners: ['36006666333344', '30569309025904', '36227206271667', '3056930009020004'],
  elo: ['5066991111111118', '6362970000457013', '5067766783888311', '5067310000000010'],
  hipercard: ['6062828888666688', '6062820524845321', '6062826786276634', '6062825624254001'],
  discover: ['6011601160116611', '6011111111111117', '6445644564456445'],
  jcb: ['3569990010095841', '3566002020360505'],
  aura: ['5078601870000127985'],
  // Mercado Pago's Mastercard test number is outside Mastercard's ranges; Hiper is not in this API.
  none: ['5031433215406351', '6370950000000005'],
}

describe('brandOf', () => {
  it.each(Object.entries(TEST_PANS).flatMap(([name, pans]) => pans.map((pan) => [pan, name])))(
    'knows the test card %s as %s',
    (pan, name) => {
      expect(nameOf(pan)).toBe(name)
    },
  )

  it.each(RANGES)('takes %s to %s for %s', (first, last, name, below, above) => {
    expect(nameOf(String(lowest(first)))).toBe(name)
    expect(nameOf(String(highest(last)))).toBe(name)
    expect(nameOf(String(lowest(first) - 1))).toBe(below)
    expect(nameOf(String(highest(last) + 1))).toBe(above)
  })

  it.each([
    ['', 'none'],
    ['5', 'none'],
    ['4', 'visa'],
    ['40117', 'visa'],
    ['401178', 'elo'],
    ['6500', 'discover'],
    ['6509', 'elo'],
    ['509', 'elo'],
    ['650031', 'elo'],
    ['38410', 'diners'],
    ['384100', 'hipercard'],
    [' 4', 'none'],
    ['x', 'none'],
  ])('judges the first digits %j alone as %s', (digits, name) => {
    expect(nameOf(digits)).toBe(name)
  })

  it('accepts six brands and recognises three more', () => {
    const names = (accepted: boolean): string[] =>
      CARD_BRANDS.filter((brand) => isAccepted(brand) === accepted).map(({ name }) => name)
    expect(names(true).toSorted()).toEqual([
      'amex',
      'diners',
      'elo',
      'hipercard',
      'mastercard',
      'visa',
    ])
    expect(names(false).toSorted()).toEqual(['aura', 'discover', 'jcb'])
  })

  it('asks for a CVV of four digits of amex alone, and exempts hipercard alone from Luhn', () => {
    expect(CARD_BRANDS.filter(({ cvvSize }) => cvvSize === 4).map(({ name }) => name)).toEqual([
      'amex',
    ])
    expect(CARD_BRANDS.filter(({ luhn }) => !luhn).map(({ name }) => name)).toEqual(['hipercard'])
  })
})

describe('brandOf beside credit-card-type', () => {
  // Brands of other countries, which would hide the ones beneath them.
  for (const foreign of ['troy', 'unionpay', 'maestro', 'mir', 'hiper', 'naranja', 'verve'])
    creditCardType.removeCard(foreign)

  const THEIR_NAMES: Readonly<Record<string, string>> = {
    'american-express': 'amex',
    'diners-club': 'diners',
  }

  function theirNameOf(digits: string): string {
    const type = creditCardType(digits)[0]?.type
    return type === undefined ? 'none' : (THEIR_NAMES[type] ?? type)
  }

  /** Known differences: first and last prefix, our name, their name. */
  const DIFFERENCES = [
    ['650057', '650081', 'elo', 'discover'],
    ['651680', '651704', 'elo', 'discover'],
    ['636298', '636298', 'elo', 'none'],
    ['636369', '636369', 'elo', 'none'],
    ['650900', '650900', 'elo', 'discover'],
    ['650979', '650999', 'elo', 'discover'],
    ['384100', '384100', 'hipercard', 'diners'],
    ['384140', '384140', 'hipercard', 'diners'],
    ['384160', '384160', 'hipercard', 'diners'],
    ['507860', '507860', 'aura', 'none'],
    // Former fifteen-digit JCB numbers.
    ['2131', '2131', 'none', 'jcb'],
    ['1800', '1800', 'none', 'jcb'],
  ] as const

  const isKnownDifference = (digits: string): boolean =>
    DIFFERENCES.some(([first, last]) => {
      const start = digits.slice(0, first.length)
      return start >= first && start <= last
    })

  it.each(DIFFERENCES)('differs from %s to %s: %s, not %s', (first, last, ours, theirs) => {
    for (const prefix of [first, last]) {
      const digits = prefix.padEnd(16, '7')
      expect([nameOf(digits), theirNameOf(digits)]).toEqual([ours, theirs])
    }
  })

  it('agrees on everything else', () => {
    const edges = RANGES.flatMap(([first, last]) => [lowest(first), highest(last)])
    const digits = (length: number): fc.Arbitrary<string> =>
      fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
    const aroundEdges = fc
      .tuple(fc.constantFrom(...edges), fc.integer({ min: -2000, max: 2000 }), digits(7))
      .map(([edge, offset, rest]) => `${edge + offset}${rest}`)
    fc.assert(
      fc.property(fc.oneof(aroundEdges, digits(16)), (number) => {
        fc.pre(!isKnownDifference(number))
        expect(nameOf(number)).toBe(theirNameOf(number))
      }),
      { numRuns: 1500 },
    )
  })
})
