import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'

/**
 * Erases payers from a room's data of their payments, in the unit of work that erases them from the
 * payments. Other payments do not change. For archived payments, it is called with the archive's
 * tables.
 */
export type ErasesPayer = (
  trx: Connection<GatewayTables>,
  codes: readonly number[],
) => Promise<void>
