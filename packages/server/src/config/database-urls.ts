import path from 'node:path'
import { ConfigError } from './errors.js'

const SQLITE = 'sqlite:'

/** The absolute path of a database that is an SQLite file; undefined on a server. */
export function sqliteFileOf(url: string): string | undefined {
  return url.startsWith(SQLITE) ? path.resolve(url.slice(SQLITE.length)) : undefined
}

/** The sandbox's database: a file beside production's; on PostgreSQL another schema. */
export function sandboxDatabaseUrl(url: string): string {
  return besides(url, 'sandbox')
}

/** Where the sandbox's bank keeps what is no business of a gateway: its clock. */
export function bankDatabaseUrl(url: string): string {
  return besides(url, 'bank')
}

function besides(url: string, suffix: string): string {
  const file = sqliteFileOf(url)
  if (file === undefined) return url
  const { dir, name, ext } = path.parse(file)
  return `${SQLITE}${path.join(dir, `${name}-${suffix}${ext}`)}`
}

interface NamedDatabases {
  readonly COFRE_DATABASE_URL?: string | undefined
  readonly COFRE_VAULT_DATABASE_URL?: string | undefined
}

/** @throws ConfigError when gateway and vault would share a file: each has its own tables */
export function databaseUrls(
  { COFRE_DATABASE_URL: gateway, COFRE_VAULT_DATABASE_URL: vault }: NamedDatabases,
  dataDir: string,
) {
  const gatewayDatabaseUrl = gateway ?? `${SQLITE}${path.join(dataDir, 'gateway.db')}`
  const vaultDatabaseUrl = vault ?? `${SQLITE}${path.join(dataDir, 'vault.db')}`
  // On a server each has a schema of its own.
  const file = sqliteFileOf(vaultDatabaseUrl)
  const ofGateway = [
    gatewayDatabaseUrl,
    sandboxDatabaseUrl(gatewayDatabaseUrl),
    bankDatabaseUrl(gatewayDatabaseUrl),
  ]
  if (file !== undefined && ofGateway.map(sqliteFileOf).includes(file))
    throw new ConfigError(
      vault === undefined ? 'COFRE_DATABASE_URL' : 'COFRE_VAULT_DATABASE_URL',
      file,
      "vault and gateway need a file each: this one would be the vault's, and the gateway's too (docs/operating.md)",
    )
  /** Whether variables name the databases; otherwise they are files in the data directory. */
  const namesDatabase = { gateway: gateway !== undefined, vault: vault !== undefined }
  return { gatewayDatabaseUrl, vaultDatabaseUrl, namesDatabase }
}
