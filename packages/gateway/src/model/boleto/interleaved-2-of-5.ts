// Interleaved 2 of 5 (ISO/IEC 16390): five bars carry one digit and the five spaces between them
// the next.

const WIDE = 3
const NARROW = 1
/** The wide ones of a digit's five elements. */
const DIGITS = [
  'nnwwn',
  'wnnnw',
  'nwnnw',
  'wwnnn',
  'nnwnw',
  'wnwnn',
  'nwwnn',
  'nnnww',
  'wnnwn',
  'nwnwn',
]
const START = 'nnnn'
const STOP = 'wnn'

/** A dark bar, in modules. */
export interface Bar {
  readonly start: number
  readonly width: number
}

export interface BarPattern {
  readonly bars: readonly Bar[]
  /** Width of the whole code, without the quiet zones. */
  readonly modules: number
}

/** Encodes an even number of digits. @throws RangeError for anything else */
export function interleaved2of5(digits: string): BarPattern {
  if (!/^(\d\d)+$/.test(digits)) throw new RangeError('Interleaved 2 of 5 encodes pairs of digits')
  const pairs = (digits.match(/../g) ?? []).map(interleave)
  const elements = START + pairs.join('') + STOP
  const bars: Bar[] = []
  let modules = 0
  for (const [i, element] of elements.split('').entries()) {
    const width = element === 'w' ? WIDE : NARROW
    if (i % 2 === 0) bars.push({ start: modules, width })
    modules += width
  }
  return { bars, modules }
}

function interleave(pair: string): string {
  const [bars = '', spaces = ''] = pair.split('').map((digit) => DIGITS[Number(digit)] ?? '')
  return Array.from(bars, (bar, i) => bar + spaces.charAt(i)).join('')
}
