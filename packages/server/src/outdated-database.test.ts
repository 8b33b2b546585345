import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { queryPostgres, testPostgres } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from './config/config.js'
import { runProgram } from './main.js'

const REFUSED =
  /^The database that COFRE_(VAULT_)?DATABASE_URL names was made by Cofre 0\.1, which this version cannot read: start with an empty one, in another COFRE_DATA_DIR or named by the variable \(.*\)$/

const COMMANDS = [
  'dev',
  'serve --roles api,worker,vault',
  'serve --roles vault',
  'migrate',
  'migrate --roles vault',
  'store list',
  'store create loja',
  'store create --sandbox',
  'notifications list',
  'transactions list --status UNDER-REVIEW',
  'transactions surplus',
  'block 52998224725',
  'keys status',
  'audit list',
  'audit verify',
  'cards delete 00000000000000000000000000000000 --store loja',
]

const VARIABLES = {
  COFRE_VAULT_KEYS: `k:${Buffer.alloc(32).toString('base64url')}`,
}

const RELEASE = path.join(import.meta.dirname, '..', '..', '..', 'test', 'releases', '0.1')
const statementsOf = (part: string): string =>
  readFileSync(path.join(RELEASE, `${part}.sql`), 'utf8')

/** Reads everything in the databases of 0.1. */
type Look = () => Promise<unknown>

interface Installation {
  readonly environ: Record<string, string>
  readonly look: Look
}

const FILES = [
  ['gateway.db', 'gateway'],
  ['gateway-sandbox.db', 'gateway'],
  ['gateway-bank.db', 'sandbox'],
  ['vault.db', 'vault'],
] as const

function makeFiles(dataDir: string): Promise<Installation> {
  for (const [name, part] of FILES) {
    const file = new DatabaseSync(path.join(dataDir, name))
    file.exec(statementsOf(part))
    file.close()
  }
  const look: Look = () =>
    Promise.resolve(FILES.map(([name]) => tablesOf(path.join(dataDir, name))))
  return Promise.resolve({ environ: {}, look })
}

function tablesOf(place: string): unknown {
  const file = new DatabaseSync(place, { readOnly: true })
  const tables = file.prepare('select name from sqlite_master order by name').all()
  const applied = file.prepare('select * from kysely_migration').all()
  file.close()
  return { tables, applied }
}

const SCHEMAS = [
  ['cofre', 'gateway'],
  ['cofre_sandbox', 'gateway'],
  ['cofre_sandbox_bank', 'sandbox'],
  ['cofre_vault', 'vault'],
] as const

async function makeSchemas(): Promise<Installation> {
  const server = await testPostgres()
  const url = new URL(server)
  url.pathname = `outdated_${randomUUID().replaceAll('-', '')}`
  await queryPostgres(server, `create database ${url.pathname.slice(1)}`)
  for (const [schema, part] of SCHEMAS)
    await queryPostgres(
      url.href,
      `create schema ${schema}; set search_path = ${schema}; ${statementsOf(part)}`,
    )
  const look: Look = () =>
    queryPostgres(
      url.href,
      `select table_schema, table_name from information_schema.tables
        where table_schema like 'cofre%' order by 1, 2`,
    )
  return { environ: { COFRE_DATABASE_URL: url.href, COFRE_VAULT_DATABASE_URL: url.href }, look }
}

describe.each([
  ['SQLite', makeFiles],
  ['PostgreSQL', makeSchemas],
])('Data of Cofre 0.1 on %s', (_, make) => {
  it('is refused by every command with what to do, and stays as it was', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-outdated-'))
    onTestFinished(() => {
      rmSync(dataDir, { recursive: true })
    })
    const { environ, look } = await make(dataDir)
    const before = await look()
    const cofre = async (line: string): Promise<string> => {
      let output = ''
      const variables = { ...VARIABLES, COFRE_DATA_DIR: dataDir, ...environ }
      await runProgram(line.split(' '), {
        clock: { now: () => Date.now() },
        config: (mode) => readConfig(variables, mode),
        print: (text) => (output += text),
        warn: () => undefined,
        fail: () => undefined,
      })
      return output
    }
    for (const line of COMMANDS) await expect(cofre(line), line).rejects.toThrow(REFUSED)
    const findings = await cofre('doctor')
    for (const name of ['production', 'sandbox', 'bank', 'vault'])
      expect(findings).toMatch(
        new RegExp(`database ${name}.* was made by Cofre 0\\.1, which this version cannot read`),
      )
    expect(await look()).toEqual(before)
  })
})
