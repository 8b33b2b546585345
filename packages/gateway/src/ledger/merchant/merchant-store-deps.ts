import type { Clock } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { SecretWrapping } from './secret-wrapping.js'

/** The dependencies of the stores and their keys. */
export interface MerchantStoreDeps {
  readonly database: Database<GatewayTables>
  /** The machine's own time. */
  readonly clock: Clock
  readonly secrets: SecretWrapping
}
