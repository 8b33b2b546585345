import path from 'node:path'
import { bankDatabaseUrl, sandboxDatabaseUrl } from './sandbox-database-url.js'
import { sqliteFileOf, sqliteUrl } from './sqlite-file.js'
import { ConfigError, type Variables } from './variable.js'
import * as rules from './variable-rules.js'

/** The databases of both zones. @throws ConfigError also when they would have one file: each has tables of its own */
export function readDatabaseUrls(variables: Variables, dataDir: string) {
  const [gateway, vault] = ['COFRE_DATABASE_URL', 'COFRE_VAULT_DATABASE_URL'].map((name) =>
    variables.secret(name, rules.databaseUrl),
  )
  const urls = {
    gatewayDatabaseUrl: gateway ?? sqliteUrl(path.join(dataDir, 'gateway.db')),
    vaultDatabaseUrl: vault ?? sqliteUrl(path.join(dataDir, 'vault.db')),
    namesDatabase: { gateway: gateway !== undefined, vault: vault !== undefined },
  }
  const { gatewayDatabaseUrl: url, vaultDatabaseUrl } = urls
  // On a server each has a schema of its own.
  const file = sqliteFileOf(vaultDatabaseUrl)
  const files = [url, sandboxDatabaseUrl(url), bankDatabaseUrl(url)].map(sqliteFileOf)
  if (file !== undefined && files.includes(file))
    throw new ConfigError(
      vault === undefined ? 'COFRE_DATABASE_URL' : 'COFRE_VAULT_DATABASE_URL',
      file,
      "vault and gateway need a file each: this one would be the vault's, and the gateway's too (docs/operating.md)",
    )
  return urls
}
