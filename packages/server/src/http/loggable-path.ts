import { brandOf, claimedStore, isCardNumber } from '@cofre/contracts'

/** Whoever knows these addresses sees a boleto, PIX code, wallet page or inbox. */
const CAPABILITY = /^\/(b|q|w|inbox)\/[^/]+/
const CODE_LENGTH_MAX = 15
/** Also as people write numbers, with spaces, dots, commas or hyphens between. */
const NUMBER = /\p{Nd}(?:[^\p{Nd}a-z/]{0,3}\p{Nd})*/giu
const NUMBER_LENGTH_MAX = 8

/**
 * What of a path may be kept. A shop may ask after a whole card number by mistake: only a
 * transaction's code is as long, and none is a card's number.
 * @param route - The pattern of the route; it stands for an address that nobody else may know.
 */
export function loggablePath(path: string, route: string): string {
  if (CAPABILITY.test(route)) return route
  const isCode = (digits: string): boolean =>
    path.startsWith('/transactions/') &&
    /^\d+$/.test(digits) &&
    digits.length <= CODE_LENGTH_MAX &&
    !isCardNumber(digits, brandOf(digits))
  const read = withoutEscapes(path)
  const kept = withoutLongNumbers(read.replace(CAPABILITY, '/$1/[address]'), isCode)
  return kept === read ? path : kept
}

function withoutLongNumbers(text: string, isKept: (number: string) => boolean): string {
  return text.replaceAll(NUMBER, (number) =>
    number.replaceAll(/\P{Nd}/gu, '').length <= NUMBER_LENGTH_MAX || isKept(number)
      ? number
      : '[digits]',
  )
}

/** Decoded as the routes do: an escaped digit is a digit of the number. */
function withoutEscapes(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path.replaceAll(/%([2-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
  }
}

/** The store that a request claims to come from, without the digits of a card number. */
export function loggableStore(request: Request): string | undefined {
  const id = claimedStore(request.headers.get('Authorization'))
  return id === undefined ? undefined : withoutLongNumbers(id, () => false)
}
