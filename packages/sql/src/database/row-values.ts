import { type AliasedRawBuilder, sql } from 'kysely'

/** The columns of a row that is whole, as every value of a prepared query is. */
export const columnsOf = <Row extends object>(row: Row) =>
  Object.keys(row) as (keyof Row & string)[]

/**
 * Values of a row as what a `select` returns, for an insert that depends on another row.
 * @param columns - Default: all that the row has.
 */
export const valuesOf = <Row extends object, Column extends keyof Row & string>(
  row: Row,
  columns: readonly Column[] = Object.keys(row) as Column[],
): AliasedRawBuilder<Row[Column], Column>[] =>
  columns.map((column) => sql.val(row[column]).as(column))
