// Elo's ranges, read on 2026-11-28: the table of the brand (dev.elo.com.br, tabela de BINs) as
// public projects relay it, with what they took since. `elo.test.ts` compares all of it with two of
// them, and says why each difference stands. Order matters: Elo lies inside Visa's, Discover's and
// others' ranges.

/** A card brand's rules. */
export interface CardBrand {
  /** Lowercase identifier, as the lookups answer it and `payment-method.sub-type` takes it. */
  readonly name: string
  /** Comma-separated prefixes and prefix ranges: `34,37`, `506699-506778`. */
  readonly prefixes: string
  /** Lengths of the PAN, in digits. */
  readonly lengths: readonly number[]
  /** Length of the CVV, in digits. */
  readonly cvvSize: 3 | 4
  /** Whether the PAN ends in a Luhn check digit. */
  readonly luhn: boolean
}

/** Most brands: sixteen digits with a check digit, a CVV of three. */
const usual = { lengths: [16], cvvSize: 3, luhn: true } as const

/** Every brand we recognise, most specific first. */
export const CARD_BRANDS: readonly CardBrand[] = [
  {
    ...usual,
    name: 'elo',
    prefixes:
      '401178-9,431274,438935,451416,457393,457631-2,504175,506699-778,509,627780,636297-8,636368-9,650031-3,' +
      '650035-51,650057-81,650405-39,650485-538,650541-98,650700-18,650720-7,6509,651652-704,655000-19,655021-58',
  },
  {
    ...usual,
    name: 'hipercard',
    prefixes: '606282,384100,384140,384160',
    lengths: [16, 19],
    luhn: false,
  },
  { ...usual, name: 'amex', prefixes: '34,37', lengths: [15], cvvSize: 4 },
  { ...usual, name: 'diners', prefixes: '300-5,36,38,39', lengths: [14, 16, 19] },
  { ...usual, name: 'mastercard', prefixes: '51-5,2221-720' },
  { ...usual, name: 'visa', prefixes: '4', lengths: [13, 16, 19] },
  { ...usual, name: 'discover', prefixes: '6011,644-9,65', lengths: [16, 19] },
  { ...usual, name: 'jcb', prefixes: '3528-89', lengths: [16, 19] },
  { ...usual, name: 'aura', prefixes: '507860', lengths: [16, 19] },
]

const REFUSED = ['discover', 'jcb', 'aura']

/** Whether the service takes the brand; the others are recognised only to be refused by name. */
export function isAccepted({ name }: CardBrand): boolean {
  return !REFUSED.includes(name)
}

type BrandRange = readonly [first: string, last: string, brand: CardBrand]

/** The first and the last prefix of each range, with its brand: taken apart once. */
export const BRAND_RANGES: readonly BrandRange[] = CARD_BRANDS.flatMap((brand) =>
  brand.prefixes.split(',').map((range) => {
    const [first, end = first] = range.split('-') as [string, string?]
    return [first, first.slice(0, -end.length) + end, brand] as const
  }),
)

/** The brand of a PAN, or of its first digits; undefined when none is recognised. */
export function brandOf(digits: string): CardBrand | undefined {
  return BRAND_RANGES.find(([first, last]) => {
    const start = digits.slice(0, last.length)
    return digits.length >= last.length && first <= start && start <= last
  })?.[2]
}
