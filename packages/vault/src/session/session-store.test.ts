import { type TestEngine, TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { SealedText } from '../keys/sealed-value.js'
import { VAULT_MIGRATIONS } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { type Session, generateSessionKeyPair } from './session.js'
import { type OpenSessionStore, describeSessionStore } from './session-store.conformance.js'
import type { SessionStore } from './session-store.js'
import { createMemorySessionStore } from './session-store-memory.js'
import { createSqlSessionStore } from './session-store-sql.js'

async function openSqlStore(engine: TestEngine): Promise<OpenSessionStore> {
  const database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
  return { store: createSqlSessionStore(database), close: () => database.close() }
}

function openMemoryStore(): OpenSessionStore {
  return { store: createMemorySessionStore(), close: () => Promise.resolve() }
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
    const opened = ['a', 'b', 'c'].map(openSessionWithKey)
    for (const session of opened) await store.insert(session)
    const found = await Promise.all(opened.map(({ id }) => store.find(id)))
    expect(found.map((session) => session?.privateKey !== undefined)).toEqual([false, true, true])
    expect(found.map((session) => session?.sealedPrivateKey)).toEqual(Array(3).fill(SEALED))
  })

  it.each([
    ['erased', (store: SessionStore) => store.erase('b')],
    ['expired', (store: SessionStore) => store.eraseExpired(1)],
  ])('have room for another key when one is %s', async (_, end) => {
    const store = createMemorySessionStore({ keysMax: 2 })
    await store.insert({ ...openSessionWithKey('a'), expiresAtMs: 2 })
    await store.insert(openSessionWithKey('b'))
    await end(store)
    await store.insert(openSessionWithKey('c'))
    expect((await store.find('a'))?.privateKey).toBeDefined()
    expect((await store.find('c'))?.privateKey).toBeDefined()
  })
})

const SEALED = 'v1.k.iv.x' as SealedText

function openSessionWithKey(id: string): Session {
  const { privateKey } = generateSessionKeyPair()
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
