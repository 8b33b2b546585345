import { describe, expect, it } from 'vitest'
import { migrationOn } from './read-migrations.js'

const MIGRATION = `create table one (id text primary key);

-- On PostgreSQL only: it has a log of its own.
alter table one set unlogged;

-- Without rowid on SQLite: its rows are small.
create table two (id text primary key);
`

describe('migrationOn', () => {
  it('leaves a statement to PostgreSQL, and a table without rowid to SQLite', () => {
    expect(migrationOn('postgres', MIGRATION)).toBe(MIGRATION)
    const onSqlite = migrationOn('sqlite', MIGRATION)
    expect(onSqlite).not.toContain('unlogged')
    expect(onSqlite).toContain('create table one (id text primary key);')
    expect(onSqlite).toContain('create table two (id text primary key) without rowid;')
  })

  it('leaves a file to SQLite if its comment requests it', () => {
    const migration = `-- On SQLite only: PostgreSQL has none.\n${MIGRATION}`
    expect(migrationOn('postgres', migration)).toBe('')
    expect(migrationOn('sqlite', migration)).toContain('create table one')
  })
})
