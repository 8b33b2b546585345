import { BlockList } from 'node:net'
import type { Secret } from '@cofre/contracts'
import { type KeyRing, parseKeyRing } from '@cofre/vault'
import type { ServiceKeys } from '@cofre/vault/client'
import { ConfigError, type Variables } from './variable.js'
import * as rules from './variable-rules.js'

/** How a vault and gateways in other processes find and know each other. */
export interface VaultServiceConfig {
  /** Where gateways of this process find the vault; undefined when it is to be in this process. */
  readonly url: string | undefined
  /** Undefined when the vault answers nobody but this process. */
  readonly keys: ServiceKeys | undefined
  /** Where a vault in this process answers. */
  readonly host: string
  readonly port: number
}

/** What the vault's variables say. */
export interface VaultConfig {
  readonly vaultService: VaultServiceConfig
  /** Undefined: a key file in the data directory. */
  readonly vaultKeys: KeyRing | undefined
  /** Shares of the current key, or `file:<path>` of one each. */
  readonly vaultKeyShares: Secret<readonly string[]> | undefined
  /** For each address; 0 is without limit. */
  readonly sessionsPerMinute: number
  readonly depositsPerMinute: number
  /** Whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: BlockList
}

export const VAULT_SERVICE_PORT = 'COFRE_VAULT_SERVICE_PORT'

// One address may be a whole mobile network, and a page opens a session each time it is loaded.
const SESSIONS_PER_MINUTE = 1200
const DEPOSITS_PER_MINUTE = 600

/** @param host - What the vault listens on unless it is told another for gateways. @throws ConfigError */
export function readVaultConfig(variables: Variables, host: string): VaultConfig {
  return {
    vaultService: readVaultService(variables, host),
    vaultKeys: variables.secret('COFRE_VAULT_KEYS', {
      accepts:
        'key-encryption keys as id:key,id:key, each key 32 bytes in base64url; the first one is current',
      read: parseKeyRing,
      secret: true,
    }),
    vaultKeyShares: variables.secret('COFRE_VAULT_KEY_SHARES', rules.keyShares),
    sessionsPerMinute: variables.read(
      'COFRE_SESSIONS_PER_MINUTE',
      rules.perMinute,
      SESSIONS_PER_MINUTE,
    ),
    depositsPerMinute: variables.read(
      'COFRE_DEPOSITS_PER_MINUTE',
      rules.perMinute,
      DEPOSITS_PER_MINUTE,
    ),
    trustedProxies: variables.read('COFRE_TRUSTED_PROXIES', rules.networks, new BlockList()),
  }
}

function readVaultService(variables: Variables, otherwise: string): VaultServiceConfig {
  const url = variables.optional('COFRE_VAULT_SERVICE_URL', rules.origin)
  const keys = variables.secret('COFRE_VAULT_SERVICE_KEY', rules.serviceKeys)
  if (url !== undefined && keys === undefined) {
    throw new ConfigError('COFRE_VAULT_SERVICE_KEY', undefined, rules.serviceKeys.accepts)
  }
  const host = variables.read('COFRE_VAULT_SERVICE_HOST', rules.host, otherwise)
  const port = variables.read(VAULT_SERVICE_PORT, rules.port, 8086)
  return { url, keys, host, port }
}
