import type { CofreProcess } from './cofre-process.js'
import type { RecordedRequest } from './recording-proxy.js'

/** A card that no list of test cards has, so that it can only be where it was sent. */
export const MARKED_CARD = { number: '371449635398431', cvv: '7391' } as const

const NUMBERS = ['4111111111111111', '4000000000000002', '378282246310005', MARKED_CARD.number]
const CVVS = ['737', '7373', MARKED_CARD.cvv]

/** A PAN in any grouping; a CVV as a value of JSON, a form, a query or a header. */
const PATTERNS: readonly RegExp[] = [
  ...NUMBERS.map((number) => new RegExp(number.split('').join('[ .-]?'))),
  ...CVVS.map((cvv) => new RegExp(`(["':= ]|%22)${cvv}(["',}& \\n]|%22|$)`)),
]

function holdsCardData(text: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(text))
}

/** A named text that anybody but the vault's memory has seen. */
export type Place = readonly [name: string, text: string]

/** The places where a test card's number or CVV stands in the clear. */
export function placesWithCardData(places: readonly Place[]): string[] {
  return places.filter(([, text]) => holdsCardData(text)).map(([name]) => name)
}

/** What a process has printed and written. */
export function placesOfProcess(cofre: CofreProcess): Place[] {
  // The start prints the public test cards; what comes after it must not.
  const [before = '', after = before] = cofre.output().split('Press Ctrl-C to stop.')
  return [
    ['printed output', after],
    ...cofre.files().map(({ name, bytes }): Place => [name, bytes.toString('latin1')]),
  ]
}

/** What two said to each other, both ways. */
export function placesOfLine(name: string, requests: readonly RecordedRequest[]): Place[] {
  return requests.map(({ method, target, headers, body, answer }) => [
    name,
    `${method} ${target}\n${headers}\n${body}\n${answer}`,
  ])
}
