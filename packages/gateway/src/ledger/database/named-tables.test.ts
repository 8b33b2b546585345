import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Migrations, openDatabase } from '@cofre/sql'
import { queryPostgres, testPostgres } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { GATEWAY_MIGRATIONS } from './open-gateway-database.js'

const NAMING = '0045_name_tables_of_banks'
const BEFORE: Migrations = Object.fromEntries(
  Object.entries(GATEWAY_MIGRATIONS).filter(([name]) => name < NAMING),
)

async function upgrade(url: string, between: () => Promise<unknown>): Promise<void> {
  const place = { url, schema: 'cofre' }
  await (await openDatabase({ ...place, migrations: BEFORE })).close()
  await between()
  const upgraded = await openDatabase({ ...place, migrations: GATEWAY_MIGRATIONS })
  expect(upgraded.migrated[0]).toBe(NAMING)
  await upgraded.close()
}

describe('The tables of banks', () => {
  it('have no old name left on PostgreSQL, nor have the years of the archive', async () => {
    const server = await testPostgres()
    const name = `named_${randomUUID().replaceAll('-', '')}`
    await queryPostgres(server, `create database ${name}`)
    const url = Object.assign(new URL(server), { pathname: name }).href
    await upgrade(url, () =>
      queryPostgres(
        url,
        `set search_path = cofre;
        create table archived_pix_charges_2025 (like archived_pix_charges including all);
        alter table archived_pix_charges attach partition archived_pix_charges_2025
          for values from (1) to (2)`,
      ),
    )
    const names = await queryPostgres(
      url,
      `select relname as name from pg_class where relnamespace = 'cofre'::regnamespace
        union all select conname from pg_constraint
          where connamespace = 'cofre'::regnamespace and contype <> 'n'`,
    )
    const texts = names.map((row) => ('name' in row ? row.name : undefined))
    expect(texts.filter((text) => String(text).includes('pix_'))).toEqual([])
    expect(texts).toEqual(
      expect.arrayContaining([
        'bank_charges',
        'bank_charges_pkey',
        'charge_names',
        'bank_payments_pk',
        'bank_sweeps',
        'archived_bank_charges_2025',
        'bank_charges_our_number',
      ]),
    )
  })

  it('have no old name left on SQLite', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cofre-named-'))
    onTestFinished(() => {
      rmSync(folder, { recursive: true })
    })
    const file = path.join(folder, 'gateway.db')
    await upgrade(`sqlite:${file}`, () => Promise.resolve())
    const database = new DatabaseSync(file, { readOnly: true })
    const names = database.prepare('select name from sqlite_master').all()
    database.close()
    const texts = names.map(({ name }) => name)
    expect(texts.filter((text) => String(text).includes('pix_'))).toEqual([])
    expect(texts).toContain('bank_payments_to_refund')
  })
})
