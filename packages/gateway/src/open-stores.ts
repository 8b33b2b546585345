import type { Clock, Environment } from '@cofre/contracts'
import { type People, createPeople } from '@cofre/people'
import type { Database } from '@cofre/sql'
import {
  type GatewayAccounts,
  createGatewayAccounts,
} from './ledger/account/gateway-accounts-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { createSqlKeyDigests } from './ledger/idempotency/key-digest-sql.js'
import { type MerchantStore, createSqlMerchantStore } from './ledger/merchant/merchant-store-sql.js'
import { type SecretKey, createSecretWrapping } from './ledger/merchant/secret-wrapping.js'

export interface StoresOptions {
  readonly environment: Environment
  readonly database: Database<GatewayTables>
  /** The first wraps what is written; the others open what they wrapped before. */
  readonly keys: readonly [SecretKey, ...SecretKey[]]
  /** The machine's clock. */
  readonly clock: Clock
}

/** The stores that a command works on. */
export interface OpenedStores {
  readonly stores: MerchantStore
  readonly accounts: GatewayAccounts
  /** Production's people are those of the console. */
  readonly people: People
  /** The keys of digests. */
  readonly keyDigests: {
    /** Wraps them with the first key; returns their number. */
    rewrap(): Promise<number>
  }
}

/** The stores of an environment, their accounts and people, for work beside its gateway. */
export function openStores({ environment, database, keys, clock }: StoresOptions): OpenedStores {
  const secrets = createSecretWrapping(environment, keys)
  const sealing = createSecretWrapping(environment, keys, 'provider-account')
  const totps = createSecretWrapping(environment, keys, 'person-totp')
  const digests = createSecretWrapping(environment, keys, 'digest-key')
  return {
    stores: createSqlMerchantStore({ database, clock, secrets }),
    accounts: createGatewayAccounts({ database, environment, clock, sealing }),
    people: createPeople({ database, clock, sealing: totps }),
    keyDigests: createSqlKeyDigests({ database, sealing: digests }),
  }
}
