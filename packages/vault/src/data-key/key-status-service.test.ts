import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVaultAdministration } from '../vault-administration.js'
import { type TestVault, openTestVault, orderFor } from '../vault.fixture.js'
import type { KeyEncryption } from '../keys/key-encryption.js'
import { KeyRingError, generateKeyRing, parseKeyRing } from '../keys/key-ring.js'

const [OLD, NEW] = [`old:${newKeyText()}`, `new:${newKeyText()}`]

function newKeyText(): string {
  return generateKeyRing().split(':')[1] ?? ''
}

for (const engine of TEST_ENGINES) {
  describe(`The key-encryption keys' status on ${engine.name}`, () => {
    let test: TestVault

    beforeEach(async () => {
      test = await openTestVault(engine, parseKeyRing(OLD))
    })
    afterEach(() => test.database.close())

    const administrationWith = (keys: KeyEncryption) =>
      createVaultAdministration({ ...test.deps, keys })

    it('shows what each key wraps, and since when, through a rotation', async () => {
      const startMs = test.clock.nowMs
      await test.vault.authorize(orderFor(await test.deposit()))
      test.clock.nowMs += 1000
      const both = administrationWith(parseKeyRing(`${NEW},${OLD}`))
      expect(await both.keyStatus()).toEqual([
        { id: 'new', state: 'current', dataKeys: 0, inUseSinceMs: undefined },
        { id: 'old', state: 'older', dataKeys: 3, inUseSinceMs: startMs },
      ])
      expect(await both.rewrapDataKeys()).toBe(3)
      expect(await both.keyStatus()).toEqual([
        { id: 'new', state: 'current', dataKeys: 3, inUseSinceMs: startMs + 1000 },
        { id: 'old', state: 'older', dataKeys: 0, inUseSinceMs: undefined },
      ])
    })

    it('shows no key', async () => {
      const status = await administrationWith(parseKeyRing(`${NEW},${OLD}`)).keyStatus()
      for (const key of [OLD, NEW])
        expect(JSON.stringify(status)).not.toContain(key.split(':')[1] ?? '')
    })

    it('names a key that is needed and not there, before a payment misses it', async () => {
      await test.deposit()
      const without = administrationWith(parseKeyRing(NEW))
      expect(await without.keyStatus()).toMatchObject([
        { id: 'new', state: 'current' },
        { id: 'old', state: 'missing', dataKeys: 2 },
      ])
      await expect(without.checkKeys()).rejects.toThrow(
        /needs the key-encryption key old, and only new is there/,
      )
      await expect(administrationWith(parseKeyRing(`${NEW},${OLD}`)).checkKeys()).resolves.toBe(
        undefined,
      )
    })

    it('ties an empty database to the keys of the first to come, and plants no other', async () => {
      const first = administrationWith(parseKeyRing(OLD))
      const others = Array.from({ length: 3 }, () =>
        administrationWith(parseKeyRing(`${NEW.slice(0, 4)}${newKeyText()}`)),
      )
      const results = await Promise.allSettled([first, ...others].map((one) => one.claimKeys()))
      const refusals = results.filter((result) => result.status === 'rejected')
      expect(refusals).toHaveLength(3)
      for (const { reason } of refusals) expect(reason).toBeInstanceOf(KeyRingError)
      expect(await test.database.reader.selectFrom('data_keys').selectAll().execute()).toHaveLength(
        1,
      )
    })

    it('finds a key that goes by the name of another', async () => {
      await test.deposit()
      const impostor = administrationWith(parseKeyRing(`old:${newKeyText()}`))
      await expect(impostor.checkKeys()).rejects.toThrow(KeyRingError)
      await expect(impostor.checkKeys()).rejects.toThrow(/key old does not open/)
    })
  })
}
