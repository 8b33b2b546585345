import { randomUUID } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { compactDecrypt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from './create-vault.js'
import { createDataKeys } from './data-key/data-key-service.js'
import {
  type SealContext,
  type SealedText,
  type SealingKey,
  bindKey,
  open,
} from './keys/sealed-value.js'
import {
  CARD,
  type TestVault,
  dumpDatabase,
  openTestVault,
  orderByCode,
  orderFor,
  tokenFor,
} from './vault.fixture.js'

const HOUR = 3_600_000
const SEALED = /v1\.[\w-]+\.[\w-]+\.[\w-]+/g

for (const engine of TEST_ENGINES) {
  describe(`An attacker who has everything, key file included, on ${engine.name}`, () => {
    let test: TestVault

    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    /** Everything that the system holds at this moment: the rows, and the sessions in memory. */
    async function everything(sessionId: string): Promise<string> {
      const inMemory = await test.memorySessions?.find(sessionId)
      return (await dumpDatabase(test.database)) + JSON.stringify(inMemory ?? {})
    }

    /**
     * Opens every sealed value in a text with every data key, plain and bound, for every record
     * that the text names.
     */
    async function openAll(text: string): Promise<string[]> {
      const keys = await dataKeys()
      const records = new Set(text.match(/[\w-]{15,43}/g))
      const opened: string[] = []
      for (const sealed of new Set(text.match(SEALED)))
        for (const context of contexts(records))
          for (const key of keys.flatMap((one) => [one, bindKey(one, context.recordId)]))
            opened.push(...tryOpening(key, sealed as SealedText, context))
      return opened
    }

    /** Unwraps every data key of the database with the key-encryption keys. */
    async function dataKeys(): Promise<SealingKey[]> {
      const all = createDataKeys(test.deps)
      const rows = await test.database.reader.selectFrom('data_keys').select('id').execute()
      return await Promise.all(rows.map(({ id }) => all.thatSealed(`v1.${id}.` as SealedText)))
    }

    async function decryptsWithAny(token: string, opened: readonly string[]): Promise<boolean> {
      const keys = opened.filter((text) => text.includes('"d":'))
      const results = await Promise.allSettled(
        keys.map(async (text) => compactDecrypt(token, JSON.parse(text) as object)),
      )
      return results.some(({ status }) => status === 'fulfilled')
    }

    it('decrypts a token before its deposit, and never after', async () => {
      const session = await test.vault.openSession()
      const token = await tokenFor(session)
      expect(await decryptsWithAny(token, await openAll(await everything(session.id)))).toBe(true)
      await test.vault.depositDirectToken(token)
      expect(await decryptsWithAny(token, await openAll(await everything(session.id)))).toBe(false)
    })

    it('finds a session in the database only where processes share it', async () => {
      const { database, keys, clock, log } = test.deps
      await createVault({ database, keys, clock, log }).openSession()
      const sessions = await database.reader.selectFrom('sessions').select('id').execute()
      expect(sessions).toHaveLength(engine.name === 'sqlite' ? 0 : 1)
    })

    it('reads no deposited card, because the token that opens it is with the shop alone', async () => {
      const token = await test.deposit()
      expect((await openAll(await everything(''))).join()).not.toContain(CARD.number)
      expect(await test.vault.authorize(orderFor(token))).toMatchObject({ outcome: 'approved' })
    })

    it('reads the cards that the vault itself needs, so that the tests above mean something', async () => {
      test.acquirer.answers = ['approved', 'unknown']
      await test.vault.authorize(orderFor(await test.deposit(), { saveCard: true }))
      expect(await openAll(await everything(''))).toEqual([expect.not.stringContaining(CARD.cvv)])
      await test.vault.authorize(orderFor(await test.deposit()))
      expect((await openAll(await everything(''))).join()).toContain(CARD.cvv)
    })

    it('reads no CVV that lingers somewhere, once the key of its hour is erased', async () => {
      test.acquirer.answers = ['unknown', 'approved']
      const order = orderFor(await test.deposit())
      await test.vault.authorize(order)
      const lingering = await dumpDatabase(test.database)
      await test.vault.authorize(order)
      expect((await openAll(lingering)).join()).toContain(CARD.cvv)
      test.clock.nowMs += 2 * HOUR + 1
      await test.vault.sweep()
      expect((await openAll(lingering)).join()).not.toContain(CARD.cvv)
    })

    it('moves no saved card to another store, environment, code or table', async () => {
      const code = await saveCard()
      const other = await saveCard({ merchantId: 'store-2' })
      const { reader } = test.database
      const rows = await reader.selectFrom('saved_cards').selectAll().execute()
      const [mine, theirs] = [code, other].map((one) => rows.find((row) => row.code === one))
      if (mine === undefined || theirs === undefined) throw new Error('no cards')
      const moves: Partial<typeof mine>[] = [
        { sealed_card: theirs.sealed_card },
        { merchant_id: 'store-2', payer: theirs.payer },
        { environment: 'sandbox' },
      ]
      for (const move of moves) {
        await test.database.transact((trx) =>
          trx.updateTable('saved_cards').set(move).where('code', '=', code).execute(),
        )
        const { environment = 'production', merchant_id: merchantId = 'store-1' } = move
        // A fresh process, without a data key in its memory.
        const asking = createVault(test.deps).authorize(
          orderByCode(code, { environment, merchantId }),
        )
        await expect(
          asking.then((answer) => {
            if (answer.kind === 'refused') throw new Error(answer.reason)
          }),
        ).rejects.toThrow(/^(a sealed value does not open|code_not_found)$/)
        await test.database.transact((trx) =>
          trx.updateTable('saved_cards').set(mine).where('code', '=', code).execute(),
        )
      }
      expect(await test.vault.authorize(orderByCode(code))).toMatchObject({ kind: 'answered' })
    })

    async function saveCard(changes: { merchantId?: string } = {}): Promise<string> {
      const source = { kind: 'raw', card: new Secret(CARD) } as const
      const answer = await test.vault.authorize(
        orderFor(randomUUID(), { source, saveCard: true, ...changes }),
      )
      return answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
    }
  })
}

const PURPOSES = ['session', 'direct-token', 'authorization', 'saved-card'] as const

function* contexts(records: ReadonlySet<string>): Generator<SealContext> {
  for (const purpose of PURPOSES)
    for (const recordId of records) {
      yield { purpose, recordId }
      yield { purpose, recordId, environment: 'production', merchantId: 'store-1' }
    }
}

function tryOpening(key: SealingKey, sealed: SealedText, context: SealContext): string[] {
  try {
    return [open(key, sealed, context).toString()]
  } catch {
    return []
  }
}
