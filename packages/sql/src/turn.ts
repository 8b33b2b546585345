import type { Dialect } from './dialect.js'
import type { Step } from './prepared-query.js'

/**
 * The first step of units of work of which those with one name take turns, each until it is committed. Others do not wait for
 * them: see PostgresGroups.
 */
export function takeTurn<Tables>({ takeTurn: sql }: Dialect, name: string): Step<Tables, unknown> {
  return { statementOn: () => ({ name: 'cofre_turn', sql, parameters: [name], turn: name }) }
}
