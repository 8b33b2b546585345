import {
  ApiError,
  type CardBrand,
  CARD_BRANDS,
  type Failure,
  type MinorUnits,
  brandOf,
  isAccepted,
  parseAmount,
  shownBin,
  shownValue,
} from '@cofre/contracts'

/** Query parameters of a lookup, as sent. */
export type LookupQuery = Readonly<Record<string, string | undefined>>

/** The reader of each parameter. */
const readers = {
  bin: readBin,
  brand: readBrand,
  country: exactly('BR'),
  amount: readAmount,
  currency: exactly('BRL'),
} as const satisfies Record<string, (text: string) => unknown>

const ALLOWED: Readonly<Partial<Record<Parameter, readonly string[]>>> = {
  brand: CARD_BRANDS.filter(isAccepted).map(({ name }) => name),
  country: ['BR'],
  currency: ['BRL'],
}

type Parameter = keyof typeof readers
type Reading<P extends Parameter> = NonNullable<ReturnType<(typeof readers)[P]>>

/** The brand behind a BIN. */
export interface BinFacts {
  /** Six or eight digits. */
  readonly digits: string
  readonly brand: CardBrand
}

/** Reads the parameters of a lookup. @throws ApiError with every wrong one (30301-30310) */
export function readLookup<P extends Parameter>(
  query: LookupQuery,
  parameters: readonly P[],
): { readonly [Name in P]: Reading<Name> } {
  const failures: Failure[] = []
  const values = parameters.map((property) => {
    const text = query[property] ?? ''
    const value = text === '' ? undefined : readers[property](text)
    if (value === undefined) {
      failures.push(
        text === ''
          ? { name: `${property}_missing`, property, constraint: 'required' }
          : invalidParameter(property, text),
      )
    }
    return [property, value] as const
  })
  if (failures.length > 0) throw new ApiError(failures)
  return Object.fromEntries(values) as { [Name in P]: Reading<Name> }
}

/** The failure for a brand that no account of the store charges. */
export function unchargedBrand(property: 'bin' | 'brand', { name: brand }: CardBrand): Failure {
  const name = `${property}_invalid` as const
  return { name, property, constraint: 'invalid', cause: 'not-charged', named: { brand } }
}

/** The failure for a wrong value of a parameter. */
function invalidParameter(property: Parameter, text: string): Failure {
  const named = { sent: property === 'bin' ? undefined : shownValue(text) }
  const allowed = ALLOWED[property]
  return { name: `${property}_invalid`, property, constraint: 'invalid', allowed, named }
}

function readBin(text: string): BinFacts | undefined {
  // More digits could be a whole card number, which must not reach a gateway.
  const brand = /^\d{6,12}$/.test(text) ? brandOf(text) : undefined
  if (brand === undefined || !isAccepted(brand)) return undefined
  return { digits: shownBin(text, brand), brand }
}

function readBrand(text: string): CardBrand | undefined {
  return CARD_BRANDS.find((brand) => isAccepted(brand) && brand.name === text)
}

function readAmount(text: string): MinorUnits | undefined {
  const amount = parseAmount(text)
  return amount !== undefined && amount > 0 ? amount : undefined
}

function exactly(expected: string): (text: string) => string | undefined {
  return (text) => (text === expected ? text : undefined)
}
