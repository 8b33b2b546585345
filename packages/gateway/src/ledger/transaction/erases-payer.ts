import type { Connection } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'

/**
 * How a room erases payers from what it keeps of their payments, in the unit of work that erases
 * them there. Of other payments it changes nothing. Of payments in the archive it is asked with the
 * archive's tables.
 */
export type ErasesPayer = (
  trx: Connection<GatewayTables>,
  codes: readonly number[],
) => Promise<void>
