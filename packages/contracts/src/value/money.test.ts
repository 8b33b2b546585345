import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Decimal,
  formatAmount,
  minorUnits,
  parseAmount,
  parseDecimal,
  roundToCents,
  sumOfLines,
} from './money.js'

const cents = fc.maxSafeNat()
/** Amounts small enough for a double to represent every centavo. */
const centsOfDoubles = fc.nat(1_000_000_000_00)
const decimals: fc.Arbitrary<Decimal> = fc.record({
  digits: fc.bigInt({ min: 0n, max: 10n ** 30n }),
  scale: fc.nat(25),
})

const decimalText = ({ digits, scale }: Decimal): string => {
  const text = String(digits).padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

describe('minorUnits', () => {
  it.each([0, 1, Number.MAX_SAFE_INTEGER])('takes %s', (amount) => {
    expect(minorUnits(amount)).toBe(amount)
  })

  it.each([-1, 0.5, Number.NaN, Infinity, -Infinity, Number.MAX_SAFE_INTEGER + 1])(
    'refuses %s',
    (amount) => {
      expect(() => minorUnits(amount)).toThrow(RangeError)
    },
  )
})

describe('parseDecimal', () => {
  it.each<[number | string, bigint, number]>([
    [0, 0n, 0],
    ['007', 7n, 0],
    [-1.5, -15n, 1],
    ['100.00', 10000n, 2],
    [1e21, 10n ** 21n, 0],
    [1e-7, 1n, 7],
    ['1.25e1', 125n, 1],
    ['1.25E+2', 125n, 0],
    ['125e-2', 125n, 2],
    ['1e400', 10n ** 400n, 0],
    ['1e-400', 1n, 400],
    [Number.MAX_VALUE, BigInt(Number.MAX_VALUE), 0],
    [Number.MIN_VALUE, 5n, 324],
  ])('reads %s exactly', (value, digits, scale) => {
    const decimal = parseDecimal(value)
    // 1.7976931348623157e+308 is the shortest text of the double, not its expansion.
    if (value === Number.MAX_VALUE) expect(Number(decimal?.digits)).toBe(value)
    else expect(decimal).toEqual({ digits, scale })
  })

  it.each([
    Number.NaN,
    Infinity,
    -Infinity,
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '1,5',
    '1.000,50',
    '1_000',
    '.5',
    '5.',
    '+1',
    '--1',
    '1e',
    '1e1.5',
    '1e401',
    '1e-401',
    '1e999',
    '1e99999999999999999999',
    '0x10',
    '١',
    'R$ 1',
    'NaN',
    'Infinity',
    '9'.repeat(401),
    `0.${'0'.repeat(400)}`,
    '9'.repeat(100_000),
  ])('does not read %j', (value) => {
    expect(parseDecimal(value)).toBeUndefined()
  })

  it('keeps every digit of a decimal text', () => {
    fc.assert(
      fc.property(decimals, (decimal) => {
        expect(parseDecimal(decimalText(decimal))).toEqual(decimal)
      }),
    )
  })
})

describe('parseAmount', () => {
  it('reads back what formatAmount writes', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(parseAmount(formatAmount(minorUnits(amount)))).toBe(amount)
      }),
    )
  })

  it('reads the JSON number that a shop sends for an amount', () => {
    fc.assert(
      fc.property(centsOfDoubles, (amount) => {
        expect(parseAmount(Number(formatAmount(minorUnits(amount))))).toBe(amount)
        expect(parseAmount(amount / 100)).toBe(amount)
      }),
    )
  })

  it('reads a sum of doubles as the sum of their centavos', () => {
    const prices = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(prices, (amounts) => {
        const noisy = amounts.reduce((sum, amount) => sum + amount / 100, 0)
        expect(parseAmount(noisy)).toBe(amounts.reduce((sum, amount) => sum + amount, 0))
      }),
    )
  })

  it('never reads a third decimal', () => {
    fc.assert(
      fc.property(centsOfDoubles, fc.integer({ min: 1, max: 999 }), (amount, thousandths) => {
        const text = `${formatAmount(minorUnits(amount))}${String(thousandths).padStart(3, '0')}`
        expect(parseAmount(text)).toBeUndefined()
      }),
    )
  })

  it.each<[number | string, number]>([
    [0, 0],
    ['0', 0],
    ['-0', 0],
    [1, 100],
    ['1', 100],
    ['1.5', 150],
    ['0001.50', 150],
    ['1.5000', 150],
    ['1e2', 10_000],
    [0.1 + 0.2, 30],
    [1.1 + 2.2, 330],
    [19.990000000000002, 1999],
    [19.989999999999998, 1999],
    ['0.00000999', 0],
    ['0.30000999', 30],
    ['0.29999001', 30],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('reads %j as %s centavos', (value, amount) => {
    expect(parseAmount(value)).toBe(amount)
  })

  it.each([
    '-1',
    -0.01,
    '-0.000001',
    0.001,
    0.005,
    1.234,
    '1.005',
    '0.00001',
    '0.30001',
    '0.29999',
    '90071992547409.92',
    1e21,
    Infinity,
    Number.NaN,
    '',
    ' 1',
    '1,5',
    '1e999',
    '1e400',
    '9'.repeat(400),
    '9'.repeat(100_000),
  ])('does not read %j', (value) => {
    expect(parseAmount(value)).toBeUndefined()
  })
})

describe('sumOfLines', () => {
  it('is exact for any quantities and prices', () => {
    const lines = fc.array(fc.record({ quantity: fc.nat(999_999_999), price: decimals }))
    fc.assert(
      fc.property(lines, (list) => {
        const { digits, scale } = sumOfLines(list)
        const exact = list.reduce(
          (sum, { quantity, price }) =>
            sum + BigInt(quantity) * price.digits * 10n ** BigInt(25 - price.scale),
          0n,
        )
        expect(digits * 10n ** BigInt(25 - scale)).toBe(exact)
      }),
    )
  })

  it('of no lines is zero', () => {
    expect(sumOfLines([])).toEqual({ digits: 0n, scale: 0 })
  })
})

describe('roundToCents', () => {
  it.each<[string, number]>([
    ['0', 0],
    ['0.004', 0],
    ['0.00499999999999', 0],
    ['0.005', 1],
    ['0.0149', 1],
    ['0.015', 2],
    ['1.005', 101],
    ['99.999999', 10_000],
    ['5', 500],
    ['5.5', 550],
    ['90071992547409.914', Number.MAX_SAFE_INTEGER],
  ])('rounds %s to %s centavos', (text, amount) => {
    expect(roundToCents(parseDecimal(text)!)).toBe(amount)
  })

  it.each(['-1', '-0.001', '90071992547409.915', '1e400'])('does not round %s', (text) => {
    expect(roundToCents(parseDecimal(text)!)).toBeUndefined()
  })

  it('is never half a centavo or more away, and goes up from the half', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat(20), (digits, extra) => {
        const scale = 7 + extra
        const rounded = BigInt(roundToCents({ digits, scale }) ?? -1) * 10n ** BigInt(scale - 2)
        const half = 10n ** BigInt(scale - 2) / 2n
        expect(rounded - digits <= half).toBe(true)
        expect(digits - rounded < half).toBe(true)
      }),
    )
  })

  it('rounds a sum once, not line by line', () => {
    const line = { quantity: 1, price: parseDecimal('0.335')! }
    expect(roundToCents(sumOfLines([line, line, line]))).toBe(101)
  })
})

describe('formatAmount', () => {
  it.each([
    [0, '0.00'],
    [1, '0.01'],
    [20, '0.20'],
    [100, '1.00'],
    [123_450, '1234.50'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('writes %s centavos as %s', (amount, text) => {
    expect(formatAmount(minorUnits(amount))).toBe(text)
  })
})
