import path from 'node:path'
import { ConfigError } from './errors.js'

const SQLITE = 'sqlite:'

/** The absolute path of an SQLite database file; undefined for a server. */
export function sqliteFileOf(url: string): string | undefined {
  return url.startsWith(SQLITE) ? path.resolve(url.slice(SQLITE.length)) : undefined
}

/** A companion database: a file beside the other; on PostgreSQL another schema. */
function companionUrl(url: string, suffix: string): string {
  const file = sqliteFileOf(url)
  if (file === undefined) return url
  const { dir, name, ext } = path.parse(file)
  return `${SQLITE}${path.join(dir, `${name}-${suffix}${ext}`)}`
}

interface NamedDatabases {
  readonly COFRE_DATABASE_URL?: string | undefined
  readonly COFRE_VAULT_DATABASE_URL?: string | undefined
}

/** @throws ConfigError if gateway and vault would share a file: each has its own tables */
export function databaseUrls(
  { COFRE_DATABASE_URL: gateway, COFRE_VAULT_DATABASE_URL: ofVault }: NamedDatabases,
  dataDir: string,
) {
  const production = gateway ?? `${SQLITE}${path.join(dataDir, 'gateway.db')}`
  const vault = ofVault ?? `${SQLITE}${path.join(dataDir, 'vault.db')}`
  const [sandbox, bank] = [companionUrl(production, 'sandbox'), companionUrl(production, 'bank')]
  // On a server each has its own schema.
  const file = sqliteFileOf(vault)
  if (file !== undefined && [production, sandbox, bank].map(sqliteFileOf).includes(file))
    throw new ConfigError(
      ofVault === undefined ? 'COFRE_DATABASE_URL' : 'COFRE_VAULT_DATABASE_URL',
      file,
      "vault and gateway need a file each: this one would be the vault's, and the gateway's too (docs/operating.md)",
    )
  return {
    /** May contain a password: not for display. No gateway reads the bank's database. */
    databaseUrls: { production, sandbox, bank, vault },
    /** True if variables name the databases; otherwise they are files in the data directory. */
    namesDatabase: { gateway: gateway !== undefined, vault: ofVault !== undefined },
  }
}
