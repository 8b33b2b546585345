import { DAY_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SealedText } from '../keys/sealed-value.js'
import { SESSION_LIFETIME_MS, type Session } from './session.js'
import type { SessionStore } from './session-store.js'

export interface OpenSessionStore {
  readonly store: SessionStore
  close(): Promise<void>
}

const session = (id: string, expiresAtMs = 1000): Session => ({
  id,
  sealedPrivateKey: `v1.k.iv.${id}` as SealedText,
  expiresAtMs,
})

/** The promises of every session store. */
export function describeSessionStore(name: string, open: () => Promise<OpenSessionStore>): void {
  describe(`SessionStore ${name}`, () => {
    let opened: OpenSessionStore
    let store: SessionStore

    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.close())

    it('finds a session by its id', async () => {
      await store.insert(session('a'))
      expect(await store.find('a')).toEqual(session('a'))
      expect(await store.find('b')).toBeUndefined()
    })

    it('lets exactly one of many concurrent callers erase a session', async () => {
      await store.insert(session('a'))
      const erased = await Promise.all(Array.from({ length: 10 }, () => store.erase('a')))
      expect(erased.filter(Boolean)).toHaveLength(1)
      expect(await store.find('a')).toBeUndefined()
    })

    it('counts the sessions that have not expired', async () => {
      await store.insert(session('a', 1000))
      await store.insert(session('b', 1001))
      expect(await store.countLive(999)).toBe(2)
      expect(await store.countLive(1000)).toBe(1)
    })

    it('forgets the sessions that were opened before the clock was set back by a day', async () => {
      await store.insert(session('a', 1000 + DAY_MS))
      await store.insert(session('b', 1000 + SESSION_LIFETIME_MS))
      expect(await store.eraseExpired(1000)).toBe(1)
      expect(await store.find('b')).toBeDefined()
    })

    it('forgets the sessions that expired, and no others', async () => {
      await store.insert(session('a', 1000))
      await store.insert(session('b', 1001))
      expect(await store.eraseExpired(1000)).toBe(1)
      expect(await store.find('b')).toBeDefined()
    })
  })
}
