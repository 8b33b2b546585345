import { type AliasedRawBuilder, sql } from 'kysely'

/** The columns of a complete row: a prepared query has all its values. */
export const columnsOf = <Row extends object>(row: Row) =>
  Object.keys(row) as (keyof Row & string)[]

/**
 * A row's values as a `select` returns them, for an insert that depends on another row.
 * @param columns - Default: all columns of the row.
 */
export const valuesOf = <Row extends object, Column extends keyof Row & string>(
  row: Row,
  columns: readonly Column[] = Object.keys(row) as Column[],
): AliasedRawBuilder<Row[Column], Column>[] =>
  columns.map((column) => sql.val(row[column]).as(column))
