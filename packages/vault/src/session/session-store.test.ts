import { type TestEngine, TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { SealedText } from '../keys/sealed-value.js'
import { VAULT_MIGRATIONS } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { type Session, generateSessionKeyPair } from './session.js'
import { type OpenSessionStore, describeSessionStore } from './session-store.conformance.js'
import { type MemorySessionStore, createMemorySessionStore } from './session-store-memory.js'
import { createSqlSessionStore } from './session-store-sql.js'

async function openSqlStore(engine: TestEngine): Promise<OpenSessionStore> {
  const database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
  const store = createSqlSessionStore(database)
  return {
    store,
    erase: (id) => database.transact((unit) => store.erase(id, unit)),
    close: () => database.close(),
  }
}

function openMemoryStore(): OpenSessionStore {
  const store = createMemorySessionStore()
  return { store, erase: (id) => store.erase(id), close: () => Promise.resolve() }
}

for (const engine of TEST_ENGINES)
  describeSessionStore(`on ${engine.name}`, () => openSqlStore(engine))

describeSessionStore('in memory', () => Promise.resolve(openMemoryStore()))

describe('Sessions in memory', () => {
  it('drop the oldest when there are too many', async () => {
    const store = createMemorySessionStore({ sessionsMax: 2 })
    const sealedPrivateKey = 'v1.k.iv.x' as SealedText
    for (const id of ['a', 'b', 'c']) await store.insert({ id, sealedPrivateKey, expiresAtMs: 1 })
    expect(await store.find('a')).toBeUndefined()
    expect(await store.find('b')).toBeDefined()
    expect(await store.find('c')).toBeDefined()
  })

  it('keep the keys of the newest ready to use, and only sealed those of the others', async () => {
    const store = createMemorySessionStore({ keysMax: 2 })
    const opened = await Promise.all(['a', 'b', 'c'].map(openSessionWithKey))
    for (const session of opened) await store.insert(session)
    const found = await Promise.all(opened.map(({ id }) => store.find(id)))
    expect(found.map((session) => session?.privateKey !== undefined)).toEqual([false, true, true])
    expect(found.map((session) => session?.sealedPrivateKey)).toEqual(Array(3).fill(SEALED))
  })

  it.each([
    ['erased', (store: MemorySessionStore) => store.erase('b')],
    ['expired', (store: MemorySessionStore) => store.eraseExpired(1)],
  ])('have room for another key when one is %s', async (_, end) => {
    const store = createMemorySessionStore({ keysMax: 2 })
    await store.insert({ ...(await openSessionWithKey('a')), expiresAtMs: 2 })
    await store.insert(await openSessionWithKey('b'))
    await end(store)
    await store.insert(await openSessionWithKey('c'))
    expect((await store.find('a'))?.privateKey).toBeDefined()
    expect((await store.find('c'))?.privateKey).toBeDefined()
  })
})

const SEALED = 'v1.k.iv.x' as SealedText

async function openSessionWithKey(id: string): Promise<Session> {
  const { privateKey } = await generateSessionKeyPair()
  return { id, sealedPrivateKey: SEALED, privateKey, expiresAtMs: 1 }
}

describe('Sessions on postgres', () => {
  it('are in a table that is not written to the log', async () => {
    const engine = TEST_ENGINES.find(({ name }) => name === 'postgres')
    const database = await engine?.open<VaultTables>(VAULT_MIGRATIONS)
    if (database === undefined) throw new Error('no postgres')
    const { rows } = await sql<{
      relpersistence: string
    }>`select relpersistence from pg_class where oid = 'sessions'::regclass`.execute(
      database.reader,
    )
    expect(rows).toEqual([{ relpersistence: 'u' }])
    await database.close()
  })
})
