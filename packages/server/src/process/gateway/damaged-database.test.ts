import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningCofre, startCofre } from '../start.js'
import { type Role, readConfig } from '../../config/config.js'
import { examine } from '../../doctor/examine.js'
import { LOG_OPTIONS } from '../../observability/log.js'
import { runProgram } from '../../main.js'
import { buyWithRawCard, createTestStore } from '../purchase.fixture.js'
import { freePort } from '../../http/free-port.fixture.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'

const SANDBOX_PORT = await freePort()
const VAULT_PORT = await freePort()
const METRICS_PORT = await freePort()
const ROLES: readonly Role[] = ['sandbox', 'vault', 'metrics']
const PAGE_BYTES = 4096

describe('A damaged database', () => {
  let environ: Record<string, string>
  let running: RunningCofre | undefined
  let lines: string[]
  beforeEach(() => {
    lines = []
    environ = {
      COFRE_DATA_DIR: mkdtempSync(path.join(tmpdir(), 'cofre-damage-')),
      COFRE_SANDBOX_PORT: String(SANDBOX_PORT),
      COFRE_VAULT_PORT: String(VAULT_PORT),
      COFRE_METRICS_PORT: String(METRICS_PORT),
    }
    copyMigrated(environ.COFRE_DATA_DIR ?? '')
  })
  afterEach(async () => {
    await stop()
    rmSync(environ.COFRE_DATA_DIR ?? '', { recursive: true })
  })

  const fileOf = (name: string) => path.join(environ.COFRE_DATA_DIR ?? '', name)
  const start = async () => {
    const log = pino(LOG_OPTIONS, { write: (line: string) => lines.push(line) })
    running = await startCofre(readConfig(environ, 'serve'), ROLES, log)
  }
  const stop = async () => {
    await running?.close()
    running = undefined
  }
  const show = async (at: string) => await fetch(`http://127.0.0.1:${METRICS_PORT}${at}`)
  const problems = async () => {
    const config = () => readConfig(environ, 'serve')
    const findings = await examine({ config, clock: Date }, ROLES)
    return findings
      .filter(({ level }) => level === 'problem')
      .map(({ subject, finding, advice }) => `${subject}: ${finding} -> ${advice ?? ''}`)
  }

  it.each([
    ['vault.db', 'COFRE_VAULT_DATABASE_URL', 'vault'],
    ['gateway-sandbox.db', 'COFRE_DATABASE_URL', 'sandbox'],
  ])(
    'of pages that do not fit stops the start, which changes nothing: %s',
    async (name, variable, database) => {
      await start()
      await stop()
      expect(await problems()).toEqual([])
      const file = fileOf(name)
      overwriteRoots(file)
      const before = readFileSync(file)
      const failure = await start().catch(String)
      expect(failure).toContain(
        `The database that ${variable} names is damaged, and was left as it is`,
      )
      expect(failure).toContain('restore the newest backup (docs/incidents.md)')
      expect(failure).toContain(`${file} is damaged: `)
      expect(readFileSync(file)).toEqual(before)
      expect(await problems()).toEqual([
        expect.stringMatching(`^database ${database}: .*is damaged: .* -> stop what uses it`),
      ])
    },
  )

  it('that was emptied is no new one', async () => {
    await start()
    await stop()
    writeFileSync(fileOf('vault.db'), '')
    await expect(start()).rejects.toThrow(/vault\.db is damaged: it is empty/)
  })

  it('is not what an exchanged one is called', async () => {
    await start()
    await stop()
    copyFileSync(fileOf('gateway-sandbox.db'), fileOf('vault.db'))
    await expect(start()).rejects.toThrow(/^The database .* is that of another part of Cofre/)
    expect((await problems())[0]).toMatch(/^database vault: is that of another part of Cofre/)
  })

  it('shows in readiness, metrics, answers and once in the log while it serves, until a start that finds it whole', async () => {
    await start()
    const secret = await createTestStore(environ)
    await buyWithRawCard(SANDBOX_PORT, secret)
    expect((await show('/readyz')).status).toBe(200)
    const file = fileOf('gateway-sandbox.db')
    const whole = overwriteRoots(file)

    const refusal = { status: 503, errors: [{ code: 90006 }] }
    for (let i = 0; i < 3; i++)
      await expect(buyWithRawCard(SANDBOX_PORT, secret)).rejects.toMatchObject(refusal)
    const answer = await show('/readyz')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      checks: { 'database sandbox': 'the database is damaged', 'database vault': 'ok' },
    })
    expect(await (await show('/metrics')).text()).toMatch(
      /cofre_database_up\{database="gateway_sandbox"\} 0/,
    )
    expect(lines.filter((line) => line.includes('a database is damaged: '))).toHaveLength(1)

    writeFileSync(file, whole)
    expect((await show('/readyz')).status).toBe(503)
    await stop()
    await start()
    expect((await show('/readyz')).status).toBe(200)
  })

  it('whose sealed keys or audit log are not as they were written is found by the doctor', async () => {
    await start()
    const secret = await createTestStore(environ)
    await buyWithRawCard(SANDBOX_PORT, secret)
    await stop()
    await runProgram(['audit', 'verify'], {
      clock: { now: () => Date.now() },
      config: (mode) => readConfig(environ, mode),
      print: () => undefined,
      warn: () => undefined,
      fail: () => undefined,
    })
    expect(await problems()).toEqual([])
    const database = new DatabaseSync(fileOf('vault.db'))
    const count = database.prepare('select count(*) as n from audit_log where position > 0').get()
    expect(count?.n).toBeGreaterThan(0)
    database.exec(`update audit_log set outcome = 'changed' where position = 1`)
    database.exec(`update data_keys set wrapped_key = substr(wrapped_key, 1, length(wrapped_key) - 4)
      || 'AAAA' where scope <> 'audit-log'`)
    database.close()
    expect(await problems()).toEqual([
      expect.stringMatching(/^vault records: data keys do not open: .* -> stop what uses it/),
      expect.stringMatching(/^vault records: the audit log is broken at entry 1 -> /),
    ])
  })
})

/**
 * Overwrites the first page of every table and index, except the schema table. @returns the
 * original file
 */
function overwriteRoots(file: string): Buffer {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(truncate)')
  const roots = database.prepare('select rootpage from sqlite_master where rootpage > 0').all()
  database.close()
  const whole = readFileSync(file)
  const bytes = Buffer.from(whole)
  for (const { rootpage } of roots)
    bytes.fill(0xff, (Number(rootpage) - 1) * PAGE_BYTES, Number(rootpage) * PAGE_BYTES)
  writeFileSync(file, bytes)
  return whole
}
