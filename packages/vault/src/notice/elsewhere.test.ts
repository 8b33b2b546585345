import { DAY_MS, HOUR_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AcquirerNotices, NoticeReading } from '@cofre/provider-kit/card'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import {
  ACCOUNT,
  TestBooks,
  addAccount,
  readableAcquirer,
  storeCharge,
} from '../refund/charged.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import { event, testNotices } from './notices.fixture.js'

const OTHER = 'conta-2'
const LOJA = { merchant: 'LojaECOM' }
const OUTRA = { merchant: 'OutraECOM' }
/** An account whose secrets cannot be opened. */
const CLOSED = { merchant: 'FechadaECOM' }

/** An item of an invented notice, signed with the keys of accounts. */
interface TestItem {
  readonly merchant: string
  readonly keys: readonly string[]
  readonly id?: string
}

/** Like an acquirer whose accounts have a name and a key each. */
function namedNotices(merchant: string, key: string): AcquirerNotices {
  return {
    ...testNotices,
    read(body): NoticeReading {
      const items = body as readonly TestItem[]
      const own = items.filter((item) => item.merchant === merchant)
      const signed = own.filter(({ keys }) => keys.includes(key))
      return {
        kind: 'events',
        events: signed.map(({ id = 'one' }) => event('charged_back', { id })),
        refused: own.length - signed.length,
        damaged: 0,
        elsewhere: items
          .filter((item) => item.merchant !== merchant)
          .map((item) => ({
            account: item.merchant,
            isSigned: item.keys.includes(key),
            notice: [item],
          })),
      }
    },
  }
}

for (const engine of TEST_ENGINES)
  describe(`a notice of another account of the acquirer on ${engine.name}`, () => {
    let test: TestVault
    let vault: Vault
    beforeEach(async () => {
      test = await openTestVault(engine)
      const books = new TestBooks()
      vault = createVault({
        ...test.deps,
        async connectionOf({ id }) {
          if (id === CLOSED.merchant) throw new Error('closed')
          const notices =
            id === ACCOUNT
              ? namedNotices(LOJA.merchant, 'key-1')
              : namedNotices(OUTRA.merchant, 'key-2')
          return Promise.resolve({ acquirer: readableAcquirer(books), notices })
        },
      })
      await addAccount(test.deps, { settings: LOJA })
    })
    afterEach(() => test.database.close())
    const heard = () => createVaultAdministration(test.deps).foreignNotices()
    const changes = async () => (await vault.changes('production')).map(({ change }) => change.kind)

    it('is applied there when one of its own keys has signed it', async () => {
      await addAccount(test.deps, { id: OTHER, settings: OUTRA })
      await storeCharge(test.database, { account: OTHER })
      const item = { ...OUTRA, keys: ['key-2'] }
      expect(await vault.acceptNotice(ACCOUNT, [item])).toEqual(['applied'])
      expect(await vault.acceptNotice(ACCOUNT, [item])).toEqual(['double'])
      expect(await changes()).toEqual(['charged_back'])
      expect(await heard()).toEqual([])
    })

    it('that cannot be read there keeps none of the others beside it', async () => {
      await addAccount(test.deps, { id: OTHER, settings: OUTRA })
      await addAccount(test.deps, { id: CLOSED.merchant, settings: CLOSED })
      await storeCharge(test.database, { account: OTHER })
      const notice = [
        { ...CLOSED, keys: [] },
        { ...OUTRA, keys: ['key-2'] },
      ]
      // Its sender repeats it.
      await expect(vault.acceptNotice(ACCOUNT, notice)).rejects.toThrow('closed')
      expect(await changes()).toEqual(['charged_back'])
    })

    it('is counted, and not applied there, when only a key of the address has signed it', async () => {
      await addAccount(test.deps, { id: OTHER, settings: OUTRA })
      await storeCharge(test.database, { account: OTHER })
      expect(await vault.acceptNotice(ACCOUNT, [{ ...OUTRA, keys: ['key-1'] }])).toEqual([
        'elsewhere',
      ])
      expect(await changes()).toEqual([])
      expect(await heard()).toMatchObject([{ accountId: ACCOUNT, name: 'OutraECOM', notices: 1 }])
    })

    it.each([
      ['by no key', []],
      ['by a key of a third', ['key-3']],
    ])(
      'is refused when it is signed %s, after the right ones beside it were applied',
      async (_, keys) => {
        await addAccount(test.deps, { id: OTHER, settings: OUTRA })
        await storeCharge(test.database)
        const notice = [
          { ...OUTRA, keys },
          { ...LOJA, keys: ['key-1'] },
        ]
        expect((await vault.acceptNotice(ACCOUNT, notice)).toSorted()).toEqual([
          'applied',
          'forged',
        ])
        expect(await changes()).toEqual(['charged_back'])
        expect(await heard()).toEqual([])
      },
    )

    it('that no account here has is counted by its name, and warned of on the first and each day', async () => {
      const warnings = () => test.log.lines.filter((line) => line.includes('OutraECOM'))
      const item = { ...OUTRA, keys: ['key-1'] }
      for (const ms of [0, HOUR_MS, DAY_MS - HOUR_MS, HOUR_MS]) {
        test.clock.nowMs += ms
        expect(await vault.acceptNotice(ACCOUNT, [item])).toEqual(['elsewhere'])
      }
      expect(warnings()).toHaveLength(2)
      expect(await heard()).toEqual([
        {
          accountId: ACCOUNT,
          name: 'OutraECOM',
          notices: 4,
          firstAtMs: test.clock.nowMs - DAY_MS - HOUR_MS,
          lastAtMs: test.clock.nowMs,
        },
      ])
    })

    it('is counted with others when there are many names, or one that is none', async () => {
      const items = Array.from({ length: 60 }, (_, i) => ({
        merchant: `Loja${i}`,
        keys: ['key-1'],
      }))
      await vault.acceptNotice(ACCOUNT, items)
      await vault.acceptNotice(ACCOUNT, [{ merchant: 'a\u001Bb', keys: ['key-1'] }])
      const names = await heard()
      expect(names).toHaveLength(51)
      expect(names.find(({ name }) => name === 'others')?.notices).toBe(11)
    })
  })
