import { Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from '../create-vault.js'
import { CARD, type TestVault, openTestVault, orderByCode, orderFor } from '../vault.fixture.js'
import type { Vault } from '../vault.js'
import { createVaultStore } from '../vault-store-sql.js'
import { type DataKeys, createDataKeys } from './data-key-service.js'
import { type KeyRing, generateKeyRing, parseKeyRing } from './key-ring.js'
import { SealError, type SealedText, open, seal } from './sealed-value.js'

const CONTEXT = { purpose: 'saved-card', recordId: 'a' } as const

for (const engine of TEST_ENGINES) {
  describe(`Data keys on ${engine.name}`, () => {
    let test: TestVault

    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    /** As another process would see them: nothing is cached. */
    function dataKeysOf(keys: KeyRing = test.deps.keys): DataKeys {
      return createDataKeys({ store: createVaultStore(test.database), keys, clock: test.clock })
    }

    it('are the same in every process, even when created at once', async () => {
      const processes = Array.from({ length: 8 }, () => dataKeysOf())
      const keys = await Promise.all(processes.map((dataKeys) => dataKeys.of('direct-tokens')))
      expect(new Set(keys.map(({ id }) => id)).size).toBe(1)
    })

    it('differ by scope', async () => {
      const dataKeys = dataKeysOf()
      const mine = await dataKeys.of('saved-cards:production:store-1')
      const other = await dataKeys.of('saved-cards:production:store-2')
      const sealed = seal(mine, 'card', CONTEXT)
      expect(open(mine, sealed, CONTEXT).toString()).toBe('card')
      expect(() => open({ ...other, id: mine.id }, sealed, CONTEXT)).toThrow(SealError)
    })

    it('do not unwrap under another scope', async () => {
      await dataKeysOf().of('direct-tokens')
      await test.database.transact((unit) =>
        unit.updateTable('data_keys').set({ scope: 'authorizations' }).execute(),
      )
      await expect(dataKeysOf().of('authorizations')).rejects.toThrow(SealError)
    })

    it('do not unwrap without their key-encryption key', async () => {
      await dataKeysOf().of('direct-tokens')
      const stranger = dataKeysOf(parseKeyRing(generateKeyRing()))
      await expect(stranger.of('direct-tokens')).rejects.toThrow(SealError)
    })

    it('are tried again after a failure', async () => {
      const dataKeys = dataKeysOf()
      await dataKeysOf().of('direct-tokens')
      const { wrapped_key: wrapped } = await test.database.reader
        .selectFrom('data_keys')
        .select('wrapped_key')
        .executeTakeFirstOrThrow()
      const setWrapped = (text: SealedText) =>
        test.database.transact((unit) =>
          unit.updateTable('data_keys').set({ wrapped_key: text }).execute(),
        )
      await setWrapped('v1.x.y.z' as SealedText)
      await expect(dataKeys.of('direct-tokens')).rejects.toThrow(SealError)
      await setWrapped(wrapped)
      await expect(dataKeys.of('direct-tokens')).resolves.toBeDefined()
    })

    it('let a key-encryption key retire once they are rewrapped', async () => {
      const [oldText, newText] = [generateKeyRing(), generateKeyRing()]
      const vaultWith = (text: string) => createVault({ ...test.deps, keys: parseKeyRing(text) })
      await test.database.transact((unit) => unit.deleteFrom('data_keys').execute())
      const old = await payAndSave(vaultWith(oldText))
      expect(await vaultWith(`${newText},${oldText}`).rewrapDataKeys()).toBeGreaterThan(2)
      expect(await vaultWith(`${newText},${oldText}`).rewrapDataKeys()).toBe(0)
      const answer = await vaultWith(newText).authorize(orderByCode(old))
      expect(answer).toMatchObject({ kind: 'answered' })
    })
  })
}

async function payAndSave(vault: Vault): Promise<string> {
  const source = { kind: 'raw', card: new Secret(CARD) } as const
  const answer = await vault.authorize(orderFor('', { source, saveCard: true }))
  return answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
}
