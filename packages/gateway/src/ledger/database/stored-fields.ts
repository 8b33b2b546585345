// How records stand in rows: one table of fields for each record gives its row's type, its columns
// and both conversions.

/** How a value is kept: as it is, or NULL where it is undefined; as 0 or 1; as JSON or NULL. */
type Form = 'plain' | 'optional' | 'flag' | 'json'

/** The column of each field, and the form of its values. */
export type StoredFields<Item> = Readonly<Record<keyof Item, readonly [column: string, form: Form]>>

/** A branded number is a number in the database. */
type Plain<Value> = Value extends number ? number : Value

interface Stored<Value> {
  readonly plain: Plain<Value>
  readonly optional: Plain<Exclude<Value, undefined>> | null
  readonly flag: number
  readonly json: undefined extends Value ? string | null : string
}

/** The columns of a record's fields. */
export type RowOf<Item, Fields extends StoredFields<Item>> = {
  [Field in keyof Item as Fields[Field][0]]-?: Stored<Item[Field]>[Fields[Field][1]]
}

/** The conversions between a record and its columns; other columns of its table are left alone. */
export interface Conversion<Item, Fields extends StoredFields<Item>> {
  readonly fields: readonly (keyof Item)[]
  readonly columns: readonly Fields[keyof Item][0][]
  readonly rowOf: (item: Item) => RowOf<Item, Fields>
  /** The columns of some fields. */
  readonly partOf: <Field extends keyof Item>(
    part: Pick<Item, Field>,
  ) => RowOf<Pick<Item, Field>, Fields>
  /** Rows hold only what was converted here: what is read back needs no second validation. */
  readonly read: (row: RowOf<Item, Fields>) => Item
}

export function conversion<Item extends object, Fields extends StoredFields<Item>>(
  fields: Fields,
): Conversion<Item, Fields> {
  const table = Object.entries<readonly [string, Form]>(fields)
  const valueOf = (item: object, name: string): unknown => item[name as keyof typeof item]
  const rowOf = (item: object, names: typeof table): object =>
    Object.fromEntries(
      names.map(([field, [column, form]]) => [column, stored(valueOf(item, field), form)]),
    )
  return {
    fields: Object.keys(fields) as (keyof Item)[],
    columns: table.map(([, [column]]) => column),
    rowOf: (item) => rowOf(item, table) as RowOf<Item, Fields>,
    partOf: <Field extends keyof Item>(part: Pick<Item, Field>) => {
      const named = table.filter(([field]) => field in part)
      return rowOf(part, named) as RowOf<Pick<Item, Field>, Fields>
    },
    read: (row) =>
      Object.fromEntries(
        table.map(([field, [column, form]]) => [field, readStored(valueOf(row, column), form)]),
      ) as Item,
  }
}

function stored(value: unknown, form: Form): unknown {
  switch (form) {
    case 'plain':
      return value
    case 'optional':
      return value ?? null
    case 'flag':
      return Number(value)
    case 'json':
      return value === undefined ? null : JSON.stringify(value)
  }
}

function readStored(value: unknown, form: Form): unknown {
  switch (form) {
    case 'plain':
      return value
    case 'optional':
      return value ?? undefined
    case 'flag':
      return value === 1
    case 'json':
      return typeof value === 'string' ? (JSON.parse(value) as unknown) : undefined
  }
}
