import { Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from '../create-vault.js'
import { CARD, type TestVault, openTestVault, orderByCode, orderFor } from '../vault.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import type { Vault } from '../model/vault.js'
import { type DataKeys, HOURLY_KEY_LIFETIME_MS, createDataKeys } from './data-key-service.js'
import type { KeyEncryption } from '../keys/key-encryption.js'
import { generateKeyRing, parseKeyRing } from '../keys/key-ring.js'
import { SealError, type SealedText, open, seal } from '../keys/sealed-value.js'

const CONTEXT = { purpose: 'saved-card', recordId: 'a' } as const

for (const engine of TEST_ENGINES) {
  describe(`Data keys on ${engine.name}`, () => {
    let test: TestVault

    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    /** Like another process: nothing is cached. */
    function dataKeysOf(keys: KeyEncryption = test.deps.keys): DataKeys {
      return createDataKeys({ database: test.database, keys, clock: test.clock })
    }

    it('are the same in every process, even when created at once', async () => {
      const processes = Array.from({ length: 8 }, () => dataKeysOf())
      const keys = await Promise.all(processes.map((dataKeys) => dataKeys.of('fingerprints')))
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
      await dataKeysOf().of('fingerprints')
      await test.database.transact((trx) =>
        trx.updateTable('data_keys').set({ scope: 'audit-log' }).execute(),
      )
      await expect(dataKeysOf().of('audit-log')).rejects.toThrow(SealError)
    })

    it('do not unwrap without their key-encryption key', async () => {
      await dataKeysOf().of('fingerprints')
      const stranger = dataKeysOf(parseKeyRing(generateKeyRing()))
      await expect(stranger.of('fingerprints')).rejects.toThrow(SealError)
    })

    it('are tried again after a failure', async () => {
      const dataKeys = dataKeysOf()
      await dataKeysOf().of('fingerprints')
      const { wrapped_key: wrapped } = await test.database.reader
        .selectFrom('data_keys')
        .select('wrapped_key')
        .executeTakeFirstOrThrow()
      const setWrapped = (text: SealedText) =>
        test.database.transact((trx) =>
          trx.updateTable('data_keys').set({ wrapped_key: text }).execute(),
        )
      await setWrapped('v1.x.y.z' as SealedText)
      await expect(dataKeys.of('fingerprints')).rejects.toThrow(SealError)
      await setWrapped(wrapped)
      await expect(dataKeys.of('fingerprints')).resolves.toBeDefined()
    })

    it('of an hour are erased when nothing needs them, but not before', async () => {
      test.acquirer.answers = ['unknown', 'approved']
      const order = orderFor(await test.deposit())
      await test.vault.authorize(order)
      expect(await scopes()).toEqual([
        expect.stringMatching(/^authorizations:\d+$/),
        expect.stringMatching(/^direct-tokens:\d+$/),
        expect.stringMatching(/^sessions:\d+$/),
      ])
      test.clock.nowMs += HOURLY_KEY_LIFETIME_MS
      await test.vault.sweep()
      expect(await scopes()).toHaveLength(4)
      test.clock.nowMs += 1
      await test.vault.sweep()
      expect(await scopes()).toEqual(['audit-log', expect.stringMatching(/^authorizations:\d+$/)])
      expect(await test.vault.authorize(order)).toMatchObject({ outcome: 'approved' })
      await test.vault.sweep()
      expect(await scopes()).toEqual(['audit-log'])
    })

    it('of an hour do not open what the next hour seals', async () => {
      const first = await dataKeysOf().ofThisHour('direct-tokens')
      test.clock.nowMs += 3_600_000
      const second = await dataKeysOf().ofThisHour('direct-tokens')
      expect(second.id).not.toBe(first.id)
    })

    async function scopes(): Promise<string[]> {
      const { reader } = test.database
      const rows = await reader.selectFrom('data_keys').select('scope').orderBy('scope').execute()
      return rows.map(({ scope }) => scope)
    }

    it('may be wrapped by a KMS, in a form of its own', async () => {
      const inTheKms = new Map<string, Uint8Array>()
      const kms: KeyEncryption = {
        wrap: (dataKey, { recordId }) => {
          inTheKms.set(recordId, dataKey)
          return Promise.resolve(`v1.kms-key.${recordId}` as SealedText)
        },
        unwrap: (_, { recordId }) => Promise.resolve(Buffer.from(inTheKms.get(recordId) ?? [])),
        keyIds: () => Promise.resolve(['kms-key']),
      }
      await test.database.transact((trx) => trx.deleteFrom('data_keys').execute())
      const code = await payAndSave(createVault({ ...test.deps, keys: kms }))
      const answer = await createVault({ ...test.deps, keys: kms }).authorize(orderByCode(code))
      expect(answer).toMatchObject({ kind: 'answered' })
      const administration = createVaultAdministration({ ...test.deps, keys: kms })
      expect(await administration.keyStatus()).toMatchObject([{ id: 'kms-key', state: 'current' }])
    })

    it('let a key-encryption key retire once they are rewrapped', async () => {
      const [oldText, newText] = [generateKeyRing(), generateKeyRing()]
      const vaultWith = (text: string) => createVault({ ...test.deps, keys: parseKeyRing(text) })
      await test.database.transact((trx) => trx.deleteFrom('data_keys').execute())
      const old = await payAndSave(vaultWith(oldText))
      expect(await vaultWith(`${newText},${oldText}`).rewrapDataKeys()).toBeGreaterThan(2)
      expect(await vaultWith(`${newText},${oldText}`).rewrapDataKeys()).toBe(0)
      const answer = await vaultWith(newText).authorize(orderByCode(old))
      expect(answer).toMatchObject({ kind: 'answered' })
    })

    it('open every card while a rotation stops at each step, for processes with either key first', async () => {
      const [oldText, newText] = [generateKeyRing(), generateKeyRing()]
      await test.database.transact((trx) => trx.deleteFrom('data_keys').execute())
      const vaultWith = (keys: KeyEncryption) => createVault({ ...test.deps, keys })
      const [oldFirst, newFirst] = [`${oldText},${newText}`, `${newText},${oldText}`]
      const code = await payAndSave(vaultWith(parseKeyRing(oldText)))
      const administration = createVaultAdministration(test.deps)
      const count = (await administration.keyStatus()).reduce((sum, key) => sum + key.dataKeys, 0)
      for (let step = 0; step < count; step++) {
        const interrupted = vaultWith(stoppingAfter(step === 0 ? 0 : 1, parseKeyRing(newFirst)))
        const [rotation, ...payments] = await Promise.allSettled([
          interrupted.rewrapDataKeys(),
          ...[oldFirst, newFirst].map(async (text) => {
            const vault = vaultWith(parseKeyRing(text))
            expect(await vault.authorize(orderByCode(code))).toMatchObject({ kind: 'answered' })
            return await payAndSave(vault)
          }),
        ])
        expect(rotation).toMatchObject({ status: 'rejected', reason: new Error('stopped') })
        for (const payment of payments) expect(payment).toMatchObject({ status: 'fulfilled' })
      }
      expect(await vaultWith(parseKeyRing(newFirst)).rewrapDataKeys()).toBe(1)
      const answer = await vaultWith(parseKeyRing(newText)).authorize(orderByCode(code))
      expect(answer).toMatchObject({ kind: 'answered' })
    })
  })
}

/**
 * The keys of a process that is killed: they wrap the given number of data keys, and then never
 * answer.
 */
function stoppingAfter(wrapped: number, keys: KeyEncryption): KeyEncryption {
  let left = wrapped
  return {
    ...keys,
    wrap: async (dataKey, context) => {
      if (left-- === 0) throw new Error('stopped')
      return await keys.wrap(dataKey, context)
    },
  }
}

async function payAndSave(vault: Vault): Promise<string> {
  const source = { kind: 'raw', card: new Secret(CARD) } as const
  const answer = await vault.authorize(orderFor('', { source, saveCard: true }))
  return answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
}
