import type { CofreProcess } from './cofre-process.js'
import type { RecordedRequest } from './recording-proxy.js'

const NUMBERS = ['4111111111111111', '4000000000000002', '378282246310005']
const CVVS = ['737', '7373']

/** A PAN in any grouping; a CVV as a value of JSON, a form, a query or a header. */
const PATTERNS: readonly RegExp[] = [
  ...NUMBERS.map((number) => new RegExp(number.split('').join('[ .-]?'))),
  ...CVVS.map((cvv) => new RegExp(`(["':= ]|%22)${cvv}(["',}& \\n]|%22|$)`)),
]

function holdsCardData(text: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(text))
}

export interface Evidence {
  readonly cofre: CofreProcess
  readonly shopRequests: readonly string[]
  readonly gatewayRequests: readonly RecordedRequest[]
}

/** Names every place outside the vault's memory where the test card's number or CVV stands in the clear. */
export function placesWithCardData({ cofre, shopRequests, gatewayRequests }: Evidence): string[] {
  // The start prints the public test cards; what comes after it must not.
  const printed = cofre.output().split('Press Ctrl-C to stop.')[1] ?? ''
  const places: readonly (readonly [string, string])[] = [
    ['printed output', printed],
    ...cofre.files().map(({ name, bytes }) => [name, bytes.toString('latin1')] as const),
    ...shopRequests.map((request) => ['request to the shop', request] as const),
    ...gatewayRequests.map(
      ({ method, target, headers, body }) =>
        ['request to the gateway', `${method} ${target}\n${headers}\n${body}`] as const,
    ),
  ]
  return places.filter(([, text]) => holdsCardData(text)).map(([name]) => name)
}
