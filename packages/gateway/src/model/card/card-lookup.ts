import {
  ApiError,
  type CardBrand,
  CARD_BRANDS,
  type ErrorName,
  type Failure,
  type MinorUnits,
  brandOf,
  parseAmount,
} from '@cofre/contracts'

/** Query parameters of a lookup, as sent. */
export type LookupQuery = Readonly<Record<string, string | undefined>>

/** What a lookup may ask for, by parameter: its codes and its reading. */
const readers = {
  bin: { missing: 'bin_missing', invalid: 'bin_invalid', read: readBin },
  brand: { missing: 'brand_missing', invalid: 'brand_invalid', read: readBrand },
  country: { missing: 'country_missing', invalid: 'country_invalid', read: exactly('BR') },
  amount: { missing: 'amount_missing', invalid: 'amount_invalid', read: readAmount },
  currency: { missing: 'currency_missing', invalid: 'currency_invalid', read: exactly('BRL') },
} as const satisfies Record<
  string,
  { missing: ErrorName; invalid: ErrorName; read: (text: string) => unknown }
>

type Parameter = keyof typeof readers
type Reading<P extends Parameter> = NonNullable<ReturnType<(typeof readers)[P]['read']>>

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
    const { missing, invalid, read } = readers[property]
    const text = query[property]
    const value = text === undefined || text === '' ? undefined : read(text)
    if (value === undefined) {
      const absent = text === undefined || text === ''
      failures.push({
        name: absent ? missing : invalid,
        property,
        constraint: absent ? 'required' : 'invalid',
      })
    }
    return [property, value] as const
  })
  if (failures.length > 0) throw new ApiError(failures)
  return Object.fromEntries(values) as { [Name in P]: Reading<Name> }
}

function readBin(text: string): BinFacts | undefined {
  const brand = /^\d{6}$/.test(text) ? brandOf(text) : undefined
  return brand?.accepted === true ? { digits: text, brand } : undefined
}

function readBrand(text: string): CardBrand | undefined {
  return CARD_BRANDS.find(({ name, accepted }) => accepted && name === text)
}

function readAmount(text: string): MinorUnits | undefined {
  const amount = parseAmount(text)
  return amount !== undefined && amount > 0 ? amount : undefined
}

function exactly(expected: string): (text: string) => string | undefined {
  return (text) => (text === expected ? text : undefined)
}
