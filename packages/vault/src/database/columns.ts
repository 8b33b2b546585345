import { type AliasedRawBuilder, sql } from 'kysely'

/** The columns of a row that is whole, as every value of a prepared query is. */
export const columnsOf = <Whole extends object>(row: Whole) =>
  Object.keys(row) as (keyof Whole & string)[]

/** The row as what a `select` returns, for an insert that depends on another row. */
export const valuesOf = <Whole extends object>(
  row: Whole,
): AliasedRawBuilder<Whole[keyof Whole & string], keyof Whole & string>[] =>
  columnsOf(row).map((column) => sql.val(row[column]).as(column))
