import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Migrations, openDatabase } from '@cofre/sql'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { VAULT_MIGRATIONS } from './vault-migrations.js'
import type { VaultTables } from './vault-tables.js'

describe('The migration to the audit log', () => {
  it('names the key of fingerprints that were there, and the age of wrappings', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cofre-migration-'))
    const open = (migrations: Migrations) =>
      openDatabase<VaultTables>({
        url: `sqlite:${path.join(folder, 'vault.db')}`,
        schema: 'test',
        migrations,
      })
    const [first] = Object.entries(VAULT_MIGRATIONS)
    if (first === undefined) throw new Error('no migration')
    const before = await open(Object.fromEntries([first]))
    await before.transact(async (trx) => {
      await sql`insert into data_keys values ('k1', 'fingerprints', 'v1.a.b.c', 7)`.execute(trx)
      await sql`insert into saved_cards values
        ('code', 'production', 'store', 'payer', 'card', 'v1.k.i.b', null, 8)`.execute(trx)
      await sql`insert into direct_tokens values ('digest', 'v1.k.i.b', 9)`.execute(trx)
    })
    await before.close()

    const after = await open(VAULT_MIGRATIONS)
    const { reader } = after
    const cards = await reader.selectFrom('saved_cards').selectAll().execute()
    expect(cards).toMatchObject([{ payer: 'k1.payer', fingerprint: 'k1.card', code: 'code' }])
    const keys = await reader.selectFrom('data_keys').selectAll().execute()
    expect(keys).toMatchObject([{ id: 'k1', created_at_ms: 7, wrapped_at_ms: 7 }])
    expect(await reader.selectFrom('direct_tokens').selectAll().execute()).toEqual([])
    await after.close()
    rmSync(folder, { recursive: true })
  })
})
