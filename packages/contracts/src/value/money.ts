import type { Brand } from './brand-type.js'

/** An amount in centavos: a non-negative safe integer. */
export type MinorUnits = Brand<number, 'MinorUnits'>

/** An exact decimal number: `digits` × 10^-`scale`. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
// Ten times the digits of any amount, price or IEEE 754 double written in full; keeps 10n ** scale
// small.
const EXPONENT_MAX = 400
const CENTS_SCALE = 2
/** A float's noise below a thousandth of a cent is tolerated. */
const TOLERANCE_SCALE = 5

/**
 * A checked amount in centavos.
 * @throws RangeError if it is negative, fractional or not a safe integer.
 */
export function minorUnits(cents: number): MinorUnits {
  if (!Number.isSafeInteger(cents) || cents < 0)
    throw new RangeError(`not an amount in centavos: ${cents}`)
  return cents as MinorUnits
}

/** Parses a JSON number or a numeric string exactly; undefined for any other text. */
export function parseDecimal(value: number | string): Decimal | undefined {
  const match = DECIMAL.exec(String(value))
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  if (Math.abs(shift) > EXPONENT_MAX || whole.length + fraction.length > EXPONENT_MAX)
    return undefined
  const digits = BigInt(`${sign ?? ''}${whole}${fraction}`)
  const scale = fraction.length - shift
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

function rescale(decimal: Decimal, scale: number): bigint {
  return decimal.digits * 10n ** BigInt(scale - decimal.scale)
}

/** The exact sum of quantity × price over the lines. */
export function sumOfLines(
  lines: readonly { readonly quantity: number; readonly price: Decimal }[],
): Decimal {
  const scale = Math.max(0, ...lines.map((line) => line.price.scale))
  const digits = lines.reduce(
    (sum, { quantity, price }) => sum + BigInt(quantity) * rescale(price, scale),
    0n,
  )
  return { digits, scale }
}

/** Rounds half up to centavos; undefined for a negative amount or an unsafe integer. */
export function roundToCents(decimal: Decimal): MinorUnits | undefined {
  const unit = 10n ** BigInt(Math.max(0, decimal.scale - CENTS_SCALE))
  const exact = decimal.scale < CENTS_SCALE ? rescale(decimal, CENTS_SCALE) : decimal.digits
  const cents = Number((exact + unit / 2n) / unit)
  return exact < 0n || !Number.isSafeInteger(cents) ? undefined : (cents as MinorUnits)
}

/**
 * Parses an amount of at most two decimals, a JSON number or a numeric string; undefined for any
 * other value. A double's noise (19.990000000000002) is not a third decimal.
 */
export function parseAmount(value: number | string): MinorUnits | undefined {
  const decimal = parseDecimal(value)
  const cents = decimal === undefined ? undefined : roundToCents(decimal)
  if (decimal === undefined || cents === undefined) return undefined
  const scale = Math.max(decimal.scale, TOLERANCE_SCALE)
  const noise =
    rescale(decimal, scale) - rescale({ digits: BigInt(cents), scale: CENTS_SCALE }, scale)
  const limit = 10n ** BigInt(scale - TOLERANCE_SCALE)
  return noise < limit && -noise < limit ? cents : undefined
}

/** The amount as text with two decimals: `1234.50`. */
export function formatAmount(amount: MinorUnits): string {
  const text = String(amount).padStart(CENTS_SCALE + 1, '0')
  return `${text.slice(0, -CENTS_SCALE)}.${text.slice(-CENTS_SCALE)}`
}
