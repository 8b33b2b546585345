/** Brands as the API names them, with the names that customers know. */
export const BRAND_NAMES = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  elo: 'Elo',
  hipercard: 'Hipercard',
  diners: 'Diners Club',
} as const

export type Brand = keyof typeof BRAND_NAMES

/** What a receipt may show of a card. */
export interface CardSummary {
  readonly brand: Brand
  readonly lastFour: string
}

/** A card that the payment service keeps. */
export interface SavedCard extends CardSummary {
  /** 32 alphanumeric characters that pay in place of a token. */
  readonly code: string
  /** `YYYY-MM`. */
  readonly expirationDate: string
  /** Of the customer who saved it: the code pays for no other. */
  readonly email: string
}

export function parseBrand(text: string): Brand | undefined {
  return Object.keys(BRAND_NAMES).find((brand): brand is Brand => brand === text)
}

export function parseCardSummary(brandText: string, lastFour: string): CardSummary | undefined {
  const brand = parseBrand(brandText)
  return brand !== undefined && /^\d{4}$/.test(lastFour) ? { brand, lastFour } : undefined
}
