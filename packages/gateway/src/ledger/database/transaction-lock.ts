import { type Step, prepare } from '@cofre/sql'
import type { Kysely } from 'kysely'
import type { GatewayTables } from './gateway-tables.js'

const lockRow = prepare((unit: Kysely<GatewayTables>, { code }: { readonly code: number }) =>
  unit.selectFrom('transactions').select('code').where('code', '=', code).forUpdate(),
)

/**
 * Makes the units of work that change a transaction, its refunds or its notifications take turns. It comes before any of
 * their rows is changed, so that no two units wait for each other; a group of units, which locks several, yields. False when there
 * is no such transaction.
 */
export async function lockTransaction(unit: Kysely<GatewayTables>, code: number): Promise<boolean> {
  return (await lockRow.first(unit, { code })) !== undefined
}

/** The same, as the first step of a unit of work. */
export function lockingStep(code: number): Step<GatewayTables, unknown> {
  return lockRow.step({ code })
}
