import type { AccountDescription } from '@cofre/provider-kit/account'
import type { Clock, Environment } from '@cofre/contracts'
import {
  type GatewayTables,
  type MerchantStore,
  type SecretKey,
  createSecretWrapping,
  StoreSecretError,
  createGatewayAccounts,
  type GatewayAccounts,
  createSqlKeyDigests,
  createSqlMerchantStore,
} from '@cofre/gateway'
import { type People, createPeople } from '@cofre/people'
import type { Database } from '@cofre/sql'
import { SealError } from '@cofre/vault'

interface StoresDeps {
  readonly environment: Environment
  readonly database: Database<GatewayTables>
  readonly keys: readonly [SecretKey, ...SecretKey[]]
  readonly clock: Clock
}

/** What a command works on. */
export interface OpenedStores {
  readonly stores: MerchantStore
  readonly accounts: GatewayAccounts
  /** Those of production are the console's. */
  readonly people: People
  /** The key of digests. */
  readonly keyDigests: Pick<ReturnType<typeof createSqlKeyDigests>, 'rewrap'>
}

/** The stores of an environment, their accounts and people, for work beside its gateway. */
export function openStores({ environment, database, keys, clock }: StoresDeps): OpenedStores {
  const secrets = createSecretWrapping(environment, keys)
  const sealing = createSecretWrapping(environment, keys, 'provider-account')
  const totps = createSecretWrapping(environment, keys, 'person-totp')
  return {
    stores: createSqlMerchantStore({ database, clock, secrets }),
    accounts: createGatewayAccounts({ database, environment, clock, sealing }),
    people: createPeople({ database, clock, sealing: totps }),
    keyDigests: createSqlKeyDigests({
      database,
      sealing: createSecretWrapping(environment, keys, 'digest-key'),
    }),
  }
}

/** Whether what an account's secrets were sealed with is gone, or another. */
export function isUnopened(error: unknown): error is StoreSecretError | SealError {
  return error instanceof StoreSecretError || error instanceof SealError
}

/** The bank of an account, as its provider calls it; undefined where there is one alone. */
export function profileOf({ settings }: AccountDescription): string | undefined {
  return typeof settings.profile === 'string' ? settings.profile : undefined
}

/** One of few names. */
export function bankNameOf(account: AccountDescription): string {
  return profileOf(account) ?? account.provider
}
