/** Brands as the API names them, with their display names. */
export const BRAND_NAMES = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  elo: 'Elo',
  hipercard: 'Hipercard',
  diners: 'Diners Club',
} as const

export type Brand = keyof typeof BRAND_NAMES

/** The parts of a card that a receipt may show. */
export interface CardSummary {
  readonly brand: Brand
  readonly lastFour: string
}

/** A card saved at the payment service. */
export interface SavedCard extends CardSummary {
  /** 32 alphanumeric characters that pay in place of a token. */
  readonly code: string
  /** `YYYY-MM`. */
  readonly expirationDate: string
  /** The customer who saved it: the code pays for no other customer. */
  readonly email: string
}

export function parseBrand(text: string): Brand | undefined {
  return Object.keys(BRAND_NAMES).find((brand): brand is Brand => brand === text)
}

export function parseCardSummary(brandText: string, lastFour: string): CardSummary | undefined {
  const brand = parseBrand(brandText)
  return brand !== undefined && /^\d{4}$/.test(lastFour) ? { brand, lastFour } : undefined
}
