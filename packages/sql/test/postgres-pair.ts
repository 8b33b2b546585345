import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { emptyServer, ownServer, settings } from './postgres-server.ts'

/** How far a disconnected standby falls behind. */
const BEHIND_MS = 300

/** Two servers; the primary acknowledges only what the standby has. */
export interface PostgresPair {
  readonly primary: PairedServer
  readonly standby: PairedServer
  /**
   * Ends the replication, like a cut cable, and lets the standby fall behind. Otherwise, on one
   * machine, the standby would also have commits that did not wait for it.
   */
  separate(): Promise<void>
  /** Makes the standby a primary that waits for no other server. */
  promote(): Promise<void>
  /** Stops both and removes their data. */
  dispose(): Promise<void>
}

interface PairedServer {
  readonly url: string
  /** Host and port. */
  readonly name: string
  /** Like `kill -9`. */
  kill(): Promise<void>
  /** Starts it again, with its data. */
  start(): Promise<void>
  stop(): Promise<void>
}

type EmbeddedServer = Awaited<ReturnType<typeof emptyServer>>

/** A URL that names several servers in libpq's form. */
export function urlOfServers(servers: readonly { readonly url: string }[]): string {
  const [first, ...others] = servers.map(({ url }) => new URL(url))
  if (first === undefined) throw new Error('no server')
  return first.href.replace(first.host, [first, ...others].map(({ host }) => host).join(','))
}

/**
 * Starts a primary and its standby, with synchronous streaming replication.
 * @param durable - True if they also wait for their disks.
 */
export async function startPostgresPair({ durable = true } = {}): Promise<PostgresPair> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-postgres-'))
  // The servers run as another user when the tests run as root.
  chmodSync(folder, 0o755)
  const fsync = durable ? 'on' : 'off'
  const first = await ownServer(path.join(folder, 'first'), {
    postgresFlags: settings({ fsync, synchronous_standby_names: '*' }),
  })
  const second = await emptyServer(path.join(folder, 'second'), {
    postgresFlags: settings({ fsync }),
  })
  copyAsStandby(first, second)
  const [primary, standby] = [pairedServer(first), pairedServer(second)]
  await primary.start()
  await standby.start()
  await untilTrue(first.url, "exists (select from pg_stat_replication where sync_state = 'sync')")
  return {
    primary,
    standby,
    async separate() {
      await run(second.url, "alter system set primary_conninfo = ''")
      await run(second.url, 'select pg_reload_conf()')
      await untilTrue(second.url, 'not exists (select from pg_stat_wal_receiver)')
      await pause(BEHIND_MS)
    },
    async promote() {
      await untilTrue(second.url, 'pg_promote()')
    },
    async dispose() {
      await Promise.all([standby.stop(), primary.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Copies a server that has not been started. */
function copyAsStandby(from: EmbeddedServer, to: EmbeddedServer): void {
  cpSync(from.dataDir, to.dataDir, { recursive: true })
  const { hostname, port, username, password } = new URL(from.url)
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  appendFileSync(path.join(to.dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  writeFileSync(path.join(to.dataDir, 'standby.signal'), '')
  const { uid, gid } = statSync(from.dataDir)
  chownSync(to.dataDir, uid, gid)
  chmodSync(to.dataDir, 0o700)
  for (const file of readdirSync(to.dataDir, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(to.dataDir, file), uid, gid)
}

function pairedServer({ server, dataDir, url }: EmbeddedServer): PairedServer {
  return {
    url,
    name: new URL(url).host,
    async kill() {
      const pid = Number.parseInt(readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8'), 10)
      process.kill(pid, 'SIGKILL')
      await server.stop()
    },
    async start() {
      // The package doesn't notice when a standby is ready.
      server.start().catch(() => undefined)
      await untilTrue(url, 'true')
    },
    stop: () => server.stop(),
  }
}

const ATTEMPTS = 600
const PAUSE_MS = 50

/** Polls a server, also while it is unreachable. */
async function untilTrue(url: string, condition: string): Promise<void> {
  for (let i = 0; i < ATTEMPTS; i++) {
    if (await isTrue(url, condition).catch(() => false)) return
    await pause(PAUSE_MS)
  }
  throw new Error(`a server did not answer in time: ${condition}`)
}

async function isTrue(url: string, condition: string): Promise<boolean> {
  const [row] = await run<{ answer: boolean }>(url, `select ${condition} as answer`)
  return row?.answer === true
}

async function run<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
