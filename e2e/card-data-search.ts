import { hash } from 'node:crypto'
import { type CofreProcess, readFiles } from './cofre-process.js'
import type { RecordedRequest } from './recording-proxy.js'

/** A card that is on no list of test cards, so that it only occurs where it was sent. */
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
/** Measurements in a log line: one of a thousand durations has the digits of a CVV. */
const MEASURED = /"(?:durationMs|receivedBytes)":\d+/g
/** Length of the text before a finding in its report. */
const CHARACTERS_BEFORE = 40

/**
 * A PAN in any grouping, encoded or hashed; a CVV as a value in JSON, a form, a query or a header.
 */
const PATTERNS: readonly RegExp[] = [
  ...NUMBERS.map((number) => new RegExp(number.split('').join('[ .-]?'))),
  ...NUMBERS.map((number) => new RegExp(disguises(number).map(escapeRegExp).join('|'))),
  ...CVVS.map((cvv) => new RegExp(`(["':= ]|%22)${cvv}(["',}& \\n]|%22|$)`)),
]

/** Base64 and UTF-16 at any place of a longer text, and the common digests. */
function disguises(number: string): string[] {
  // Whole groups of three bytes inside the number, for each offset of the groups.
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

/** Index of the first card data in a text; -1 if there are none. */
function indexOfCardData(text: string): number {
  const found = PATTERNS.map((pattern) => text.search(pattern)).filter((index) => index >= 0)
  return found.length === 0 ? -1 : Math.min(...found)
}

/** A named text from outside the vault's memory. */
export type Place = readonly [name: string, text: string]

/**
 * The places that contain a test card's number or CVV in the clear. Each has the text before it,
 * which shows if three digits are a CVV or a duration.
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

/** The output and files of a process. */
export function placesOfProcess(cofre: CofreProcess): Place[] {
  // The start prints the public test cards; later output must contain none.
  const [before = '', after = before] = cofre.output().split('Press Ctrl-C to stop.')
  return [['printed output', after], ...placesOfFolder(cofre.dataDir)]
}

/** The requests and responses on a line. */
export function placesOfLine(name: string, requests: readonly RecordedRequest[]): Place[] {
  return requests.map(({ method, target, headers, body, answer }) => [
    name,
    `${method} ${target}\n${headers}\n${body}\n${answer}`,
  ])
}
