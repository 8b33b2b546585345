import type { Kysely } from 'kysely'
import type { GatewayTables } from './gateway-tables.js'

/**
 * Makes the units of work that change a transaction, its refunds or its notifications take turns. It comes before any of
 * their rows is changed, so that no two units wait for each other. False when there is no such transaction.
 */
export async function lockTransaction(unit: Kysely<GatewayTables>, code: number): Promise<boolean> {
  const row = await unit
    .selectFrom('transactions')
    .select('code')
    .where('code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}
