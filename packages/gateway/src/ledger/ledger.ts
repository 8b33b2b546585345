import type { Clock, Environment } from '@cofre/contracts'
import { type PasswordCost, createPeople, createSqlStoreSessions } from '@cofre/people'
import type { Database } from '@cofre/sql'
import { createGatewayAccounts } from './account/gateway-accounts-sql.js'
import { createSqlCaptureStore } from './capture/capture-store-sql.js'
import { createSqlCardChangeStore } from './card/card-change-store-sql.js'
import type { IntentRemoval } from '../method/intent-part.js'
import type { GatewayTables } from './database/gateway-tables.js'
import { createSqlIdempotencyStore } from './idempotency/idempotency-store-sql.js'
import { createSqlKeyDigests } from './idempotency/key-digest-sql.js'
import { createSqlFieldAnnouncements } from './merchant/field-announcement-sql.js'
import { createSqlMerchantStore } from './merchant/merchant-store-sql.js'
import { createSqlNonceStore } from './merchant/request-nonce-sql.js'
import { type SecretKey, createSecretWrapping } from './merchant/secret-wrapping.js'
import { createSqlRefundStore } from './refund/refund-store-sql.js'
import { createSqlDeclineLedger } from './transaction/decline-limit.js'
import { findPayerBlock } from './transaction/purchase-limit.js'
import { createSqlTransactionStore } from './transaction/transaction-store-sql.js'

export interface LedgerOptions {
  readonly environment: Environment
  readonly database: Database<GatewayTables>
  /** The first key wraps the stores' secrets; the others open what they wrapped before. */
  readonly secretKeys: readonly [SecretKey, ...SecretKey[]]
  /** Remove all that rooms write with intents, when an intent is withdrawn. */
  readonly intentRemovals: readonly IntentRemoval[]
  /** The machine's own time. */
  readonly machineClock: Clock
  /** The cost of a guess at a console password. Lower in tests. */
  readonly passwordCost?: PasswordCost | undefined
  /** The store whose owner may sign in to the console by a link: see People. */
  readonly demoStoreId?: string | undefined
}

export type Ledger = ReturnType<typeof createLedger>

export function createLedger({
  environment,
  database,
  secretKeys,
  intentRemovals,
  machineClock,
  passwordCost,
  demoStoreId,
}: LedgerOptions) {
  const secrets = createSecretWrapping(environment, secretKeys)
  return {
    merchants: createSqlMerchantStore({ database, clock: machineClock, secrets }),
    fieldAnnouncements: createSqlFieldAnnouncements({ database, clock: machineClock }),
    transactions: createSqlTransactionStore(database, intentRemovals),
    refunds: createSqlRefundStore(database),
    declines: createSqlDeclineLedger(database),
    payerBlock: (payer: Parameters<typeof findPayerBlock>[1]) =>
      findPayerBlock(database.reader, payer),
    idempotency: createSqlIdempotencyStore(database),
    keyDigests: createSqlKeyDigests({
      database,
      sealing: createSecretWrapping(environment, secretKeys, 'digest-key'),
    }),
    nonces: createSqlNonceStore(database),
    cardChanges: createSqlCardChangeStore(database),
    captures: createSqlCaptureStore(database),
    accounts: createGatewayAccounts({
      database,
      environment,
      clock: machineClock,
      sealing: createSecretWrapping(environment, secretKeys, 'provider-account'),
    }),
    /** People who work in the console. Only those of production's database are used. */
    people: createPeople({
      database,
      clock: machineClock,
      sealing: createSecretWrapping(environment, secretKeys, 'person-totp'),
      passwordCost,
      demoStoreId,
    }),
    /** Sessions in the sandbox's console that a store's secret opened. */
    storeSessions: createSqlStoreSessions({ database, clock: machineClock }),
  }
}
