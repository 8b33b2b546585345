// Records in rows: one table of fields for each record gives its row's type, its columns and both
// conversions.
import { type MinorUnits, minorUnits } from '@cofre/contracts'

/**
 * How a value is stored:
 * - `plain`: as it is;
 * - `optional`: as it is, or NULL if undefined;
 * - `amount`: in centavos, validated when read;
 * - `flag`: as 0 or 1;
 * - `json`: as JSON, or NULL if undefined.
 */
type Form = 'plain' | 'optional' | 'amount' | 'flag' | 'json'

type FormOf<Value> = [Value] extends [MinorUnits]
  ? 'amount'
  : [Value] extends [boolean]
    ? 'flag'
    : [Value] extends [string | number]
      ? 'plain'
      : [Value] extends [string | number | undefined]
        ? 'optional'
        : 'json'

/** The column of each field, and the form of its values. */
export type StoredFields<Item> = {
  readonly [Field in keyof Item]-?: readonly [column: string, form: FormOf<Item[Field]>]
}

/** A branded number is a number in the database. */
type Plain<Value> = Value extends number ? number : Value

interface Stored<Value> {
  readonly plain: Plain<Value>
  readonly optional: Plain<Exclude<Value, undefined>> | null
  readonly amount: number
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
  readonly partOf: <Field extends keyof Item>(
    part: Pick<Item, Field>,
  ) => RowOf<Pick<Item, Field>, Fields>
  /** @throws RangeError for an invalid amount: the database was changed */
  readonly read: (row: RowOf<Item, Fields>) => Item
}

interface Translation {
  readonly write: (value: unknown) => unknown
  readonly read: (value: unknown) => unknown
}

const FORMS: Readonly<Record<Form, Translation>> = {
  plain: { write: (value) => value, read: (value) => value },
  optional: { write: (value) => value ?? null, read: (value) => value ?? undefined },
  amount: { write: (value) => value, read: (value) => minorUnits(Number(value)) },
  flag: { write: Number, read: (value) => value === 1 },
  json: {
    write: (value) => (value === undefined ? null : JSON.stringify(value)),
    read: (value) => (typeof value === 'string' ? (JSON.parse(value) as unknown) : undefined),
  },
}

/** A value's source, target and conversion. */
type Step = readonly [from: string, to: string, translate: (value: unknown) => unknown]

/** A loop, because every payment is converted several times. */
function translated(source: object, steps: readonly Step[]): object {
  const values = source as Readonly<Record<string, unknown>>
  const target: Record<string, unknown> = {}
  for (const [from, to, translate] of steps) target[to] = translate(values[from])
  return target
}

export function conversion<Item extends object, Fields extends StoredFields<Item>>(
  fields: Fields,
): Conversion<Item, Fields> {
  const table = Object.entries<readonly [string, Form]>(fields)
  const writing = table.map(([field, [column, form]]): Step => [field, column, FORMS[form].write])
  const reading = table.map(([field, [column, form]]): Step => [column, field, FORMS[form].read])
  return {
    fields: Object.keys(fields) as (keyof Item)[],
    columns: table.map(([, [column]]) => column),
    rowOf: (item) => translated(item, writing) as RowOf<Item, Fields>,
    partOf: <Field extends keyof Item>(part: Pick<Item, Field>) =>
      translated(
        part,
        writing.filter(([field]) => field in part),
      ) as RowOf<Pick<Item, Field>, Fields>,
    read: (row) => translated(row, reading) as Item,
  }
}
