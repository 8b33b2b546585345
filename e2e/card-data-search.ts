import { hash } from 'node:crypto'
import { type CofreProcess, readFiles } from './cofre-process.js'
import type { RecordedRequest } from './recording-proxy.js'

/** A card that no list of test cards has, so that it can only be where it was sent. */
export const MARKED_CARD = { number: '371449635398431', cvv: '7391' } as const

const NUMBERS = [
  '4111111111111111',
  '4000000000000002',
  '378282246310005',
  '5066991111111050',
  '5066991111100012',
  MARKED_CARD.number,
]
const CVVS = ['737', '7373', MARKED_CARD.cvv]
/** What a log line has measured: of a thousand requests one takes as many milliseconds as a CVV. */
const MEASURED = /"(?:durationMs|receivedBytes)":\d+/g
/** How much of a place's text is told before what was found. */
const CHARACTERS_BEFORE = 40

/**
 * A PAN in any grouping, encoded or hashed; a CVV as a value of JSON, a form, a query or a header.
 */
const PATTERNS: readonly RegExp[] = [
  ...NUMBERS.map((number) => new RegExp(number.split('').join('[ .-]?'))),
  ...NUMBERS.map((number) => new RegExp(disguises(number).map(escapeRegExp).join('|'))),
  ...CVVS.map((cvv) => new RegExp(`(["':= ]|%22)${cvv}(["',}& \\n]|%22|$)`)),
]

/** Base64 and UTF-16 at any place of a longer text, and the digests that can be searched. */
function disguises(number: string): string[] {
  // Whole groups of three bytes inside the number, wherever the groups begin.
  const encoded = [0, 1, 2].map((skipped) => {
    const digits = number.slice(skipped)
    return Buffer.from(digits.slice(0, digits.length - (digits.length % 3))).toString('base64')
  })
  const digests = ['md5', 'sha1', 'sha256'].flatMap((algorithm) =>
    (['hex', 'base64', 'base64url'] as const).map((encoding) => hash(algorithm, number, encoding)),
  )
  return [...encoded, ...digests, Buffer.from(number, 'utf16le').toString('latin1')]
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[$+./]/g, String.raw`\$&`)
}

/** Where card data begin in a text; -1 where there are none. */
function indexOfCardData(text: string): number {
  const found = PATTERNS.map((pattern) => text.search(pattern)).filter((index) => index >= 0)
  return found.length === 0 ? -1 : Math.min(...found)
}

/** A named text that anybody but the vault's memory has seen. */
export type Place = readonly [name: string, text: string]

/**
 * The places where a test card's number or CVV stands in the clear, each with what stands before
 * it: whether three digits are a CVV, or how long something took.
 */
export function placesWithCardData(places: readonly Place[]): string[] {
  return places.flatMap(([name, content]) => {
    const text = content.replaceAll(MEASURED, '')
    const index = indexOfCardData(text)
    if (index === -1) return []
    const before = text.slice(Math.max(0, index - CHARACTERS_BEFORE), index)
    return [`${name}, after ${JSON.stringify(before)}`]
  })
}

/** Every file in a folder and below. */
export function placesOfFolder(folder: string): Place[] {
  return readFiles(folder).map(({ name, bytes }) => [name, bytes.toString('latin1')])
}

/** What a process has printed and written. */
export function placesOfProcess(cofre: CofreProcess): Place[] {
  // The start prints the public test cards; what comes after it must not.
  const [before = '', after = before] = cofre.output().split('Press Ctrl-C to stop.')
  return [['printed output', after], ...placesOfFolder(cofre.dataDir)]
}

/** What two said to each other, both ways. */
export function placesOfLine(name: string, requests: readonly RecordedRequest[]): Place[] {
  return requests.map(({ method, target, headers, body, answer }) => [
    name,
    `${method} ${target}\n${headers}\n${body}\n${answer}`,
  ])
}
