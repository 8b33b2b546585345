// Prepared queries with conditions from their callers.
import { type Compilable, type Expression, type SqlBool, expressionBuilder } from 'kysely'
import { type Connection, type SqlValue, type Statement, prepare } from './connection.js'

type Values = Readonly<Record<string, SqlValue>>

/** A prepared condition with its values: for {@link prepareGuarded}. */
export interface Condition {
  /** Identifies the condition, whatever its values are. */
  readonly prepared: object
  readonly values: Values
  /** @param values - Placeholders for its values. */
  on(db: Connection<unknown>, values: Values): Expression<SqlBool>
}

/**
 * Prepares a condition whose SQL is always the same. Called with its values, it can guard a query.
 * @param build - Like that of `prepare`.
 */
export function prepareCondition<
  Tables,
  Input extends { readonly [Name in keyof Input]-?: SqlValue },
>(
  build: (db: Connection<Tables>, input: Input) => Expression<SqlBool>,
): (input: Input) => Condition {
  return (input) => ({
    prepared: build,
    values: input,
    on: (db, values) => build(db as Connection<Tables>, values as Input),
  })
}

interface PreparedFor {
  readonly conditions: readonly object[]
  /** The names of each condition's values, with their names in the query. */
  readonly names: readonly (readonly (readonly [string, string])[])[]
  readonly query: (input: Values) => Statement
}

/**
 * Prepares a query that is guarded by conditions: once for each list of them, in order.
 * @param build - Like that of `prepare`; `guard` is true if all conditions are.
 */
export function prepareGuarded<
  Tables,
  Input extends { readonly [Name in keyof Input]-?: SqlValue },
>(
  build: (db: Connection<Tables>, input: Input, guard: Expression<SqlBool>) => Compilable,
): (input: Input, conditions: readonly Condition[]) => Statement {
  const known: PreparedFor[] = []
  const prepareFor = (conditions: readonly Condition[]): PreparedFor => ({
    conditions: conditions.map(({ prepared }) => prepared),
    names: conditions.map(({ values }, index) =>
      Object.keys(values).map((name) => [name, nameIn(index, name)] as const),
    ),
    query: prepare((db: Connection<Tables>, placed: Values) => {
      const guards = conditions.map((condition, index) =>
        condition.on(db as Connection<unknown>, ownOf(condition.values, placed, index)),
      )
      return build(db, placed as unknown as Input, expressionBuilder().and(guards))
    }),
  })
  return (input, conditions) => {
    const isSame = (one: PreparedFor) =>
      one.conditions.length === conditions.length &&
      one.conditions.every((prepared, index) => prepared === conditions[index]?.prepared)
    let found = known.find(isSame)
    if (found === undefined) {
      found = prepareFor(conditions)
      known.push(found)
    }
    const values: Record<string, SqlValue> = { ...input }
    for (const [index, names] of found.names.entries())
      for (const [name, placed] of names) values[placed] = conditions[index]?.values[name] ?? null
    return found.query(values)
  }
}

/** Two conditions may use the same name for a value. */
function nameIn(index: number, name: string): string {
  return `${index} ${name}`
}

function ownOf(values: Values, placed: Values, index: number): Values {
  const names = Object.keys(values)
  return Object.fromEntries(names.map((name) => [name, placed[nameIn(index, name)] ?? null]))
}
