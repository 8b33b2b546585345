import { BlockList } from 'node:net'
import type { Secret } from '@cofre/contracts'
import { type KeyRing, parseKeyRing } from '@cofre/vault'
import type { Variables } from './variable.js'
import * as rules from './variable-rules.js'

/** What the vault's variables say. */
export interface VaultConfig {
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

// One address may be a whole mobile network, and a page opens a session each time it is loaded.
const SESSIONS_PER_MINUTE = 1200
const DEPOSITS_PER_MINUTE = 600

/** @throws ConfigError */
export function readVaultConfig(variables: Variables): VaultConfig {
  return {
    vaultKeys: variables.optional('COFRE_VAULT_KEYS', {
      accepts:
        'key-encryption keys as id:key,id:key, each key 32 bytes in base64url; the first one is current',
      read: parseKeyRing,
      secret: true,
    }),
    vaultKeyShares: variables.optional('COFRE_VAULT_KEY_SHARES', rules.keyShares),
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
