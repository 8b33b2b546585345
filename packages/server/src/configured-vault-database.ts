import { inspectVaultDatabase, openVaultDatabase, sealedBy } from '@cofre/vault'
import type { Config } from './config/config.js'
import { openNamed } from './opened-database.js'

const VARIABLE = 'COFRE_VAULT_DATABASE_URL'

/** The vault's database of this installation, with its tables up to date. @throws SetupError */
export function openConfiguredVaultDatabase({
  vaultDatabaseUrl,
}: Config): ReturnType<typeof openVaultDatabase> {
  return openNamed(VARIABLE, () => openVaultDatabase(vaultDatabaseUrl))
}

/** The ids of the key-encryption keys that the vault's database needs. Makes no database. @throws SetupError */
export async function neededVaultKeys(config: Config): Promise<readonly string[]> {
  const { isNew } = await openNamed(VARIABLE, () => inspectVaultDatabase(config.vaultDatabaseUrl))
  if (isNew) return []
  const database = await openConfiguredVaultDatabase(config)
  try {
    const rows = await database.reader.selectFrom('data_keys').select('wrapped_key').execute()
    return [...new Set(rows.map((row) => sealedBy(row.wrapped_key)))]
  } finally {
    await database.close()
  }
}
