// The ids by which brands link charges of a saved card.
import type { RandomBytes } from '../authority/authority.js'
import type { ShownCard } from './shown-card.js'

/** `strict` refuses charges of saved cards that do not name the charge they follow. */
export type LinkRule = 'free' | 'strict'

export interface Links {
  /** The id of most brands. */
  readonly networkId?: string | undefined
  /** Mastercard's TLID. */
  readonly linkId?: string | undefined
}

const WANTED: Readonly<Record<string, readonly (keyof Links)[]>> = {
  visa: ['networkId'],
  mastercard: ['networkId', 'linkId'],
  elo: ['networkId'],
  amex: ['networkId'],
}
const NAMES = { networkId: 'network id', linkId: 'transaction link id' } as const

/**
 * The violation of the brand's rule by a later charge of a saved card; undefined if there is none.
 * @param given - Ids of earlier charges of the card here. If there are none, the ids come from
 *   another acquirer.
 */
export function linkFault(
  { brand }: ShownCard,
  sent: Links,
  given: readonly Links[],
): string | undefined {
  for (const name of WANTED[brand] ?? []) {
    const id = sent[name]
    if (id === undefined) return `no ${NAMES[name]}`
    const known = given.flatMap((one) => one[name] ?? [])
    if (known.length > 0 && !known.includes(id)) return `unknown ${NAMES[name]}`
  }
  return undefined
}

export function isSameCard(one: ShownCard, other: ShownCard): boolean {
  return one.firstSix === other.firstSix && one.lastFour === other.lastFour
}

const LINK_ID_BYTES = 16

/** As Mastercard's: 22 letters, digits, `-` and `_`; other brands have none. */
export function newLinkId(randomBytes: RandomBytes, { brand }: ShownCard): string | undefined {
  if (brand !== 'mastercard') return undefined
  return Buffer.from(randomBytes(LINK_ID_BYTES)).toString('base64url')
}
