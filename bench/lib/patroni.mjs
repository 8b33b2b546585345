// Two PostgreSQL servers under Patroni, with one etcd, on this machine: Debian's packages and
// deploy/patroni/patroni.yml.
import { execFile, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../e2e/cofre-process.ts'
import { endWithUs } from './cleanup.mjs'
import { within } from './within.mjs'

const CONFIGURATION = fileURLToPath(new URL('../../deploy/patroni/patroni.yml', import.meta.url))
const PATRONI = '/usr/bin/patroni'
const ETCD = '/usr/bin/etcd'
const POSTGRES = '/usr/lib/postgresql'
const PASSWORD = 'cofre-bench'
const PATIENCE_MS = 180_000
const TAKES_WRITES = 'select not pg_is_in_recovery()'
const HAS_STANDBY = "select exists (select from pg_stat_replication where sync_state = 'sync')"

/** What is not installed here. */
export const MISSING = [PATRONI, ETCD, POSTGRES].filter((file) => !existsSync(file))

export async function startPatroni() {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-patroni-'))
  chmodSync(folder, 0o755)
  const etcd = await startEtcd(folder)
  const nodes = [await nodeIn(folder, 'db-1', etcd.url), await nodeIn(folder, 'db-2', etcd.url)]
  const [first, second] = nodes
  first.start()
  await first.takesWrites()
  second.start()
  await first.hasStandby()
  const [one, ...others] = nodes.map(({ port }) => `127.0.0.1:${port}`)
  return {
    url: `postgres://postgres:${PASSWORD}@${[one, ...others].join(',')}/postgres?target_session_attrs=read-write`,
    first,
    second,
    /** Has the servers change places, as an operator does for maintenance. */
    switchOver: (primary) =>
      promisify(execFile)(
        '/usr/bin/patronictl',
        ['-c', CONFIGURATION, 'switchover', '--master', primary, '--force', 'cofre'],
        { env: { ...process.env, ...first.environ } },
      ),
    stop() {
      for (const node of nodes) node.kill()
      etcd.child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startEtcd(folder) {
  const [clients, peers] = [await freePort(), await freePort()]
  const url = `127.0.0.1:${clients}`
  const child = spawn(
    ETCD,
    [
      ['--name', 'one'],
      ['--data-dir', path.join(folder, 'etcd')],
      ['--listen-client-urls', `http://${url}`],
      ['--advertise-client-urls', `http://${url}`],
      ['--listen-peer-urls', `http://127.0.0.1:${peers}`],
      ['--initial-advertise-peer-urls', `http://127.0.0.1:${peers}`],
      ['--initial-cluster', `one=http://127.0.0.1:${peers}`],
    ].flat(),
    { stdio: 'ignore' },
  )
  endWithUs(child)
  const isHealthy = () => fetch(`http://${url}/health`).then(({ ok }) => ok)
  await within(PATIENCE_MS, 'etcd', () => isHealthy().catch(() => false))
  return { url, child }
}

async function nodeIn(folder, name, etcd) {
  const [port, restPort] = [await freePort(), await freePort()]
  const home = path.join(folder, name)
  mkdirSync(home)
  // PostgreSQL refuses to run as root.
  const user = process.getuid() === 0 ? postgresUser() : {}
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid)
  const dataDir = path.join(home, 'data')
  const environ = {
    PATRONI_NAME: name,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: dataDir,
    PATRONI_POSTGRESQL_BIN_DIR: path.join(POSTGRES, readdirSync(POSTGRES)[0], 'bin'),
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    PATRONI_ETCD3_HOSTS: etcd,
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: PASSWORD,
    PATRONI_REWIND_USERNAME: 'rewinder',
    PATRONI_REWIND_PASSWORD: PASSWORD,
  }
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`
  let child
  return {
    name,
    port,
    url,
    environ,
    start() {
      child = spawn(PATRONI, [CONFIGURATION], {
        ...user,
        cwd: home,
        env: { ...process.env, HOME: home, ...environ },
        stdio: ['ignore', 'ignore', process.env.COFRE_BENCH_PATRONI_LOG ? 'inherit' : 'ignore'],
      })
      endWithUs(child)
    },
    /** As a machine dies: Patroni and PostgreSQL at once. */
    kill() {
      child?.kill('SIGKILL')
      const file = path.join(dataDir, 'postmaster.pid')
      if (existsSync(file)) process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGKILL')
    },
    takesWrites: () => untilTrue(url, TAKES_WRITES),
    hasStandby: () => untilTrue(url, HAS_STANDBY),
  }
}

function postgresUser() {
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Asks a server again and again, also while it does not answer. */
async function untilTrue(url, question) {
  await within(PATIENCE_MS, `yes to: ${question}`, () => isTrue(url, question).catch(() => false))
}

async function isTrue(url, question) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query({ text: question, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0] === true
}
