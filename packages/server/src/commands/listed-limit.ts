import { InvalidArgumentError } from 'commander'

/** How many entries of a log may be listed. */
export const LISTED_MAX = 10_000
export const LISTED = 50

/** @throws InvalidArgumentError */
export function readLimit(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= LISTED_MAX) return Number(text)
  throw new InvalidArgumentError(`It takes a whole number from 1 to ${LISTED_MAX}.`)
}
