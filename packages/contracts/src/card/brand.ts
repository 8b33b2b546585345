// Ranges: Elo's own list as relayed by public BIN projects; 650057-650081 and 651680-651704 are
// from a Brazilian integrator (2026) and not confirmed by the brand. Order matters: Elo lies inside
// Visa's, Discover's and others' ranges.

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
  /** Whether the service takes the brand; the others are recognised only to be refused by name. */
  readonly accepted: boolean
}

/** Most brands: sixteen digits with a check digit, a CVV of three, accepted. */
const usual = { lengths: [16], cvvSize: 3, luhn: true, accepted: true } as const
const refused = { ...usual, lengths: [16, 19], accepted: false }

/** Every brand we recognise, most specific first. */
export const CARD_BRANDS: readonly CardBrand[] = [
  {
    ...usual,
    name: 'elo',
    prefixes:
      '401178-401179,431274,438935,451416,457393,457631-457632,504175,506699-506778,509000-509999,627780,636297,636368,' +
      '650031-650033,650035-650051,650057-650081,650405-650439,650485-650538,650541-650598,650700-650718,' +
      '650720-650727,650901-650978,651652-651704,655000-655019,655021-655058',
  },
  {
    ...usual,
    name: 'hipercard',
    prefixes: '606282,384100,384140,384160',
    lengths: [16, 19],
    luhn: false,
  },
  { ...usual, name: 'amex', prefixes: '34,37', lengths: [15], cvvSize: 4 },
  { ...usual, name: 'diners', prefixes: '300-305,36,38,39', lengths: [14, 16, 19] },
  { ...usual, name: 'mastercard', prefixes: '51-55,2221-2720' },
  { ...usual, name: 'visa', prefixes: '4', lengths: [13, 16, 19] },
  { ...refused, name: 'discover', prefixes: '6011,644-649,65' },
  { ...refused, name: 'jcb', prefixes: '3528-3589' },
  { ...refused, name: 'aura', prefixes: '507860' },
]

/** Each brand's prefix ranges, taken apart once. */
const RANGES = CARD_BRANDS.map(({ prefixes }) =>
  prefixes.split(',').map((range) => {
    const [first = '', last = first] = range.split('-')
    return [first, last] as const
  }),
)

/** The brand of a PAN, or of its first digits; undefined when none is recognised. */
export function brandOf(digits: string): CardBrand | undefined {
  return CARD_BRANDS.find((_, i) =>
    RANGES[i]?.some(([first, last]) => {
      const start = digits.slice(0, first.length)
      return start.length === first.length && start >= first && start <= last
    }),
  )
}
