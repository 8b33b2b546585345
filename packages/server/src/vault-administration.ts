import type { Clock } from '@cofre/contracts'
import { isFileThere } from '@cofre/sql'
import { type VaultAdministration, createVaultAdministration } from '@cofre/vault'
import type { Config } from './config/config.js'
import { openConfiguredVaultDatabase } from './configured-vault-database.js'
import { SetupError } from './setup-error.js'
import { type VaultKeys, keyFileOf, openVaultKeys } from './vault-keys.js'

/** Runs a command's work on the vault of this installation, beside the processes that serve it. */
export async function administerVault<T>(
  config: Config,
  clock: Clock,
  work: (administration: VaultAdministration, keys: VaultKeys) => Promise<T>,
): Promise<T> {
  refuseMissingKeys(config)
  const keys = await openVaultKeys(config)
  const database = await openConfiguredVaultDatabase(config)
  try {
    return await work(createVaultAdministration({ database, keys: keys.keys, clock }), keys)
  } finally {
    await database.close()
  }
}

/** Only a start of the vault creates a key: here it would be one more that opens nothing. */
function refuseMissingKeys(config: Config): void {
  const file = keyFileOf(config)
  const isGiven = config.vaultKeys !== undefined || config.vaultKeyShares !== undefined
  if (isGiven || isFileThere(file)) return
  const { url } = config.vaultService
  throw url !== undefined
    ? new SetupError(
        `The vault is another process (COFRE_VAULT_SERVICE_URL=${url}): run this where that one runs, with its variables`,
        `no key file ${file}`,
      )
    : new SetupError(
        'There is no vault here yet: check COFRE_DATA_DIR, or start Cofre once',
        `no key file ${file}`,
      )
}
