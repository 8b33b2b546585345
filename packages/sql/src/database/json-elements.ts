import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './dialect.js'

/**
 * The elements of a JSON array as a table with one column, `value`. With it, one prepared statement
 * accepts any number of rows, and is planned once. An element's parts are `value->>0`, as text.
 */
export function jsonElements(
  engine: Engine,
  json: string,
): RawBuilder<{ readonly value: unknown }> {
  return engine === 'sqlite'
    ? sql`json_each(${json})`
    : sql`json_array_elements(cast(${json} as json))`
}
