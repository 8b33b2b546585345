import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DatabaseOptions } from './database/database.js'
import { isFileThere } from './files/folder.js'
import { MIGRATION_TABLE, type MigrationState, migrationState } from './database/migrate.js'
import { namedDamage, refuseLostCommits } from './sqlite/sqlite-damage.js'
import { appliedInFile } from './sqlite/sqlite-migration.js'
import { SQLITE_BUSY, primaryResultCode } from './errors/sqlite-result-code.js'
import { SERVER_IS_STANDBY } from './errors/unavailability.js'
import { postgresServers } from './postgres/postgres-hosts.js'
import { messageOf, noPrimary, placeOfPrimary, probe } from './postgres/probe.js'

export interface DatabaseInspection extends MigrationState {
  /** Why it cannot be written; undefined if it can. */
  readonly notWritable: string | undefined
  /**
   * Milliseconds that the database's clock is ahead of this machine's; undefined for a file, which
   * has no clock.
   */
  readonly clockAheadMs: number | undefined
  /**
   * Damaged pages that the server has read; undefined for a file, and if the server doesn't check.
   */
  readonly damagedPages: number | undefined
  /** The server's major version; undefined for a file. */
  readonly serverVersion: number | undefined
  /** The servers of a URL that names several; otherwise none. */
  readonly servers: readonly InspectedServer[]
  /** True if a commit waits until a standby has it on its disk. */
  readonly waitsForStandby: boolean
}

/** One of several servers, as it was found. */
export interface InspectedServer {
  /** Host and port. */
  readonly name: string
  readonly state: 'primary' | 'standby' | 'away'
  /** Why nothing can be written to it; undefined for a primary. */
  readonly reason: string | undefined
}

const CONNECT_TIMEOUT_MS = 5000

/**
 * Inspects a database. Changes and creates nothing.
 * @throws DamagedDatabaseError, and the engine's error when it cannot be reached
 */
export async function inspectDatabase(options: DatabaseOptions): Promise<DatabaseInspection> {
  const { url } = options
  return url.startsWith('sqlite:')
    ? inspectFile(url.slice('sqlite:'.length), options)
    : await inspectSchema(options)
}

const NO_SERVER = {
  clockAheadMs: undefined,
  damagedPages: undefined,
  serverVersion: undefined,
  servers: [],
  waitsForStandby: false,
}

function inspectFile(file: string, { migrations }: DatabaseOptions): DatabaseInspection {
  refuseLostCommits(file)
  if (!isFileThere(file))
    return { ...migrationState([], migrations), notWritable: undefined, ...NO_SERVER }
  try {
    return {
      ...migrationState(appliedInFile(file), migrations),
      notWritable: whyNotWritable(file),
      ...NO_SERVER,
    }
  } catch (error) {
    throw namedDamage(file, error)
  }
}

function whyNotWritable(file: string): string | undefined {
  try {
    const connection = new DatabaseSync(file)
    try {
      connection.exec('BEGIN IMMEDIATE; ROLLBACK')
      return undefined
    } finally {
      connection.close()
    }
  } catch (error) {
    // Another connection is writing it.
    if (primaryResultCode(error) === SQLITE_BUSY) return undefined
    return error instanceof Error ? error.message : String(error)
  }
}

interface ServerRow {
  now_ms: number
  is_standby: boolean
  may_create: boolean
  has_migrations: boolean
  checksum_failures: number | null
  waits_for_standby: boolean
  version: number
}

/** The state of each server of a URL, and the URL of the one that takes writes. */
async function findPrimary(url: string) {
  const { hosts, findsPrimary } = postgresServers(url)
  if (!findsPrimary) return { primary: url, servers: [] }
  const probes = await Promise.all(hosts.map((host) => probe({ connectionString: host.url })))
  const primary = hosts[placeOfPrimary(probes)]
  const names = hosts.map(({ name }) => name)
  if (primary === undefined) throw noPrimary(names, probes)
  const servers = names.map((name, i) => inspectedServer(name, probes[i]?.reason))
  return { primary: primary.url, servers: servers.length > 1 ? servers : [] }
}

function inspectedServer(name: string, reason: unknown): InspectedServer {
  if (reason === undefined) return { name, state: 'primary', reason: undefined }
  const text = messageOf(reason)
  return { name, state: text === SERVER_IS_STANDBY ? 'standby' : 'away', reason: text }
}

async function inspectSchema(options: DatabaseOptions): Promise<DatabaseInspection> {
  const { url, schema, migrations } = options
  const { primary, servers } = await findPrimary(url)
  const client = new pg.Client({
    connectionString: primary,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await client.connect()
  try {
    const askedAtMs = performance.timeOrigin + performance.now()
    const { rows } = await client.query<ServerRow>(
      `select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
        pg_is_in_recovery() as is_standby,
        has_database_privilege(current_database(), 'CREATE') as may_create,
        to_regclass($1) is not null as has_migrations,
        current_setting('server_version_num')::int / 10000 as version,
        (select checksum_failures from pg_stat_database
          where datname = current_database())::float8 as checksum_failures,
        current_setting('synchronous_standby_names') <> ''
          and current_setting('synchronous_commit') in ('on', 'remote_apply')
          as waits_for_standby`,
      [`${schema}.${MIGRATION_TABLE}`],
    )
    const [server] = rows
    if (server === undefined) throw new Error('the server returned nothing')
    const middleMs = (askedAtMs + performance.timeOrigin + performance.now()) / 2
    const applied = server.has_migrations
      ? await client.query<{ name: string }>(`select name from "${schema}".${MIGRATION_TABLE}`)
      : undefined
    const names = applied?.rows.map(({ name }) => name) ?? []
    const found = migrationState(names, migrations)
    return {
      ...found,
      notWritable: whyServerNotWritable(server, found.isNew),
      clockAheadMs: Math.round(server.now_ms - middleMs),
      damagedPages: server.checksum_failures ?? undefined,
      serverVersion: server.version,
      servers,
      waitsForStandby: server.waits_for_standby,
    }
  } finally {
    await client.end()
  }
}

function whyServerNotWritable(server: ServerRow, isNew: boolean): string | undefined {
  if (server.is_standby) return 'the server is a standby'
  return isNew && !server.may_create ? 'the user may not create a schema' : undefined
}
