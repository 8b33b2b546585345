/** Brands as the API names them, with the name a customer knows. */
export const BRAND_NAMES = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  elo: 'Elo',
  hipercard: 'Hipercard',
  diners: 'Diners Club',
} as const

export type BrandName = keyof typeof BRAND_NAMES

/** What a receipt may tell about a card. */
export interface CardSummary {
  readonly brand: BrandName
  readonly lastFour: string
}

/** A card kept by the payment service. */
export interface SavedCard extends CardSummary {
  /** 32 alphanumeric characters; pays in place of a token. */
  readonly code: string
  /** `YYYY-MM`. */
  readonly expirationDate: string
}

export function parseBrand(text: string): BrandName | undefined {
  return Object.keys(BRAND_NAMES).find((brand): brand is BrandName => brand === text)
}

/** Reads what is shown on a receipt; undefined unless all of it has the right shape. */
export function parseCardSummary(brandText: string, lastFour: string): CardSummary | undefined {
  const brand = parseBrand(brandText)
  return brand !== undefined && /^\d{4}$/.test(lastFour) ? { brand, lastFour } : undefined
}
