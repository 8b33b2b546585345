import { brandOf } from '@cofre/contracts'

/** What an acquirer keeps and shows of a card: never the whole number. */
export interface ShownCard {
  readonly firstSix: string
  readonly lastFour: string
  /** As contracts names it; empty for one that we do not know. */
  readonly brand: string
  /** `MM/YYYY`. */
  readonly expiry: string
  readonly holder: string
}

interface Card {
  readonly number: string
  readonly expiry: string
  readonly holder: string
}

export function showCard({ number, expiry, holder }: Card): ShownCard {
  const brand = brandOf(number)?.name ?? ''
  return { firstSix: number.slice(0, 6), lastFour: number.slice(-4), brand, expiry, holder }
}

/** As acquirers write it: `455187******0183`. */
export function maskedNumber({ firstSix, lastFour }: ShownCard): string {
  return `${firstSix}******${lastFour}`
}
