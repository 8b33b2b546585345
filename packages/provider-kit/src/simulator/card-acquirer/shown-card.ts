import { brandOf } from '@cofre/contracts'
import { z } from 'zod'

export const shownCardSchema = z.object({
  firstSix: z.string(),
  lastFour: z.string(),
  /** The name in contracts; empty for an unknown brand. */
  brand: z.string(),
  /** `MM/YYYY`. */
  expiry: z.string(),
  holder: z.string(),
})

/** The stored and shown part of a card: never the whole number. */
export type ShownCard = Readonly<z.output<typeof shownCardSchema>>

interface Card {
  readonly number: string
  readonly expiry: string
  readonly holder: string
}

export function showCard({ number, expiry, holder }: Card): ShownCard {
  const brand = brandOf(number)?.name ?? ''
  return { firstSix: number.slice(0, 6), lastFour: number.slice(-4), brand, expiry, holder }
}

/** The acquirers' notation: `455187******0183`. */
export function maskedNumber({ firstSix, lastFour }: ShownCard): string {
  return `${firstSix}******${lastFour}`
}
