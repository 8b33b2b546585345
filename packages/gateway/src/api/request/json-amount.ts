import { type MinorUnits, formatAmount } from '@cofre/contracts'

// In V8 since Node 21 (ECMAScript proposal JSON.parse source text access); TypeScript's libraries do not know it yet.
declare global {
  interface JSON {
    rawJSON(text: string): unknown
  }
}

/** An amount that is rendered as a JSON number with two decimals: `100.00`. */
export function jsonAmount(amount: MinorUnits): number {
  return JSON.rawJSON(formatAmount(amount)) as number
}
