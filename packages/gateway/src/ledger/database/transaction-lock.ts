import { type Connection, prepare } from '@cofre/sql'
import type { GatewayTables } from './gateway-tables.js'

/**
 * Makes units of work that change a transaction, its refunds or its notifications wait for each
 * other. It comes before any of their rows is changed, so that no two wait in a ring. Units of work
 * that share a commit lock several: they give way. Returns nothing when there is no such
 * transaction.
 */
export const lockTransaction = prepare(
  (db: Connection<GatewayTables>, { code }: { readonly code: number }) =>
    db.selectFrom('transactions').select('code').where('code', '=', code).forUpdate(),
)
