import {
  ApiError,
  type CardBrand,
  CARD_BRANDS,
  type Failure,
  type MinorUnits,
  brandOf,
  isAccepted,
  parseAmount,
  shownValue,
} from '@cofre/contracts'

/** Query parameters of a lookup, as sent. */
export type LookupQuery = Readonly<Record<string, string | undefined>>

/** How each parameter of a lookup is read. */
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
  /** Six digits. */
  readonly digits: string
  readonly brand: CardBrand
}

/** Reads the parameters of a lookup. @throws ApiError with every wrong one (30301-30310). */
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

/** What is said of a parameter whose value is none, or a brand that the store does not charge. */
export function invalidParameter(property: Parameter, text: string): Failure {
  const named = { sent: property === 'bin' ? undefined : shownValue(text) }
  const allowed = ALLOWED[property]
  return { name: `${property}_invalid`, property, constraint: 'invalid', allowed, named }
}

function readBin(text: string): BinFacts | undefined {
  const brand = /^\d{6}$/.test(text) ? brandOf(text) : undefined
  return brand !== undefined && isAccepted(brand) ? { digits: text, brand } : undefined
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
