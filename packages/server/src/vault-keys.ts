import path from 'node:path'
import { isFileThere } from '@cofre/sql'
import {
  type KeyEncryption,
  type KeyFile,
  KeyRingError,
  combineKeyShares,
  createKeyRing,
  loadKeyFile,
  readKeyFile,
} from '@cofre/vault'
import type { Config } from './config/config.js'
import { readSecretFile } from './config/secret-file.js'
import { neededVaultKeys } from './configured-vault-database.js'
import { SetupError } from './setup-error.js'

/** The key-encryption keys of this installation, and who keeps the current one. */
export type VaultKeys =
  | { readonly keeper: 'file'; readonly keys: KeyFile }
  | { readonly keeper: 'variable' | 'custodians'; readonly keys: KeyEncryption }

export function keyFileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'vault-keys')
}

/**
 * Opens the key-encryption keys: custodians' shares, `COFRE_VAULT_KEYS`, or a key file that is created when absent and the
 * database wraps nothing yet. Beside shares, the keys of the variable or of the file unwrap what they have wrapped, and wrap nothing new.
 * @throws KeyRingError, SetupError
 */
export async function openVaultKeys(config: Config): Promise<VaultKeys> {
  const { vaultKeys, vaultKeyShares } = config
  if (vaultKeyShares !== undefined) {
    const split = await combineKeyShares(readShares(vaultKeyShares.reveal()))
    const older = vaultKeys ?? (await readKeyFile(keyFileOf(config)))
    return {
      keeper: 'custodians',
      keys: createKeyRing([...split, ...(older?.keys.values() ?? [])]),
    }
  }
  if (vaultKeys !== undefined) return { keeper: 'variable', keys: vaultKeys }
  await refuseLostKeyFile(config)
  return { keeper: 'file', keys: await loadKeyFile(keyFileOf(config)) }
}

/** A new key would open nothing, and would be taken for the one to back up. */
async function refuseLostKeyFile(config: Config): Promise<void> {
  const file = keyFileOf(config)
  if (isFileThere(file)) return
  const needed = await neededVaultKeys(config)
  // Seen again: another process may have created it, and wrapped, in between.
  if (needed.length > 0 && !isFileThere(file))
    throw new KeyRingError(
      `${file} is gone, and the vault's database needs the key-encryption key ${needed.join(', ')}: bring it back from its backup`,
    )
}

/** A share is given as it is, or as `file:<path>`, so that each custodian can bring a file of their own. @throws SetupError */
function readShares(entries: readonly string[]): string[] {
  return entries.map((entry) => {
    if (!entry.startsWith('file:')) return entry
    const file = entry.slice('file:'.length)
    const read = readSecretFile(file)
    if ('text' in read) return read.text
    throw new SetupError(
      `The share that COFRE_VAULT_KEY_SHARES names cannot be read: ${file}`,
      read.why,
    )
  })
}
