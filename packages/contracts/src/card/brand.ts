// Elo's ranges, read on 2026-11-28 from public projects that copy the brand's table
// (dev.elo.com.br, tabela de BINs) and its later additions. `elo.test.ts` compares them with two of
// these projects and explains each difference. Order matters: Elo's ranges are inside those of
// Visa, Discover and others.

/** A card brand's rules. */
export interface CardBrand {
  /** Lowercase identifier, as in the lookups and in `payment-method.sub-type`. */
  readonly name: string
  /** Comma-separated prefixes and prefix ranges: `34,37`, `506699-506778`. */
  readonly prefixes: string
  /** Lengths of the PAN, in digits. */
  readonly lengths: readonly number[]
  /** Length of the CVV, in digits. */
  readonly cvvSize: 3 | 4
  /** True if the PAN ends in a Luhn check digit. */
  readonly luhn: boolean
}

/** Rules of most brands. */
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

/** True if the service accepts the brand. Others are recognised only to be refused by name. */
export function isAccepted({ name }: CardBrand): boolean {
  return !REFUSED.includes(name)
}

type BrandRange = readonly [first: string, last: string, brand: CardBrand]

/** First and last prefix of each range, with its brand; parsed once. */
export const BRAND_RANGES: readonly BrandRange[] = CARD_BRANDS.flatMap((brand) =>
  brand.prefixes.split(',').map((range) => {
    const [first, end = first] = range.split('-') as [string, string?]
    return [first, first.slice(0, -end.length) + end, brand] as const
  }),
)

/** Brand of a PAN, or of its first digits; undefined if unknown. */
export function brandOf(digits: string): CardBrand | undefined {
  return BRAND_RANGES.find(([first, last]) => {
    const start = digits.slice(0, last.length)
    return digits.length >= last.length && first <= start && start <= last
  })?.[2]
}
