import { randomBytes } from 'node:crypto'
import { MINUTE_MS, type StoredCards } from '@cofre/contracts'
import { TEST_ENGINES, TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestAccount, startProcess } from '../authorization/charging.fixture.js'
import { parseServiceKeys } from '../client/service-key.js'
import { openServiceNetwork } from '../client/service-network.fixture.js'
import { createVaultClient } from '../client/vault-client.js'
import { createServiceRoutes } from '../http/service-routes.js'
import {
  AMEX,
  CARD,
  type TestVault,
  openTestVault,
  orderByCode,
  orderFor,
} from '../vault.fixture.js'

const PAYER = {
  environment: 'production',
  merchantId: 'store-1',
  payerEmail: 'maria@example.com',
  limit: 10,
} as const

async function save(test: TestVault, changes = {}, card = CARD): Promise<string> {
  const answer = await test.vault.authorize(
    orderFor(await test.deposit(card), { saveCard: true, ...changes }),
  )
  if (answer.kind !== 'answered') throw new Error(`the card was not charged: ${answer.reason}`)
  return answer.savedCard?.code ?? ''
}

for (const engine of TEST_ENGINES)
  describe(`saved cards as their store sees them, on ${engine.name}`, () => {
    let test: TestVault
    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    const keyOf = (code: string) =>
      ({ environment: 'production', merchantId: 'store-1', code }) as const

    it('are the payer’s, the newest first, without their numbers', async () => {
      const visa = await save(test)
      test.clock.nowMs += MINUTE_MS
      const amex = await save(test, {}, AMEX)
      await save(test, { payerEmail: 'joao@example.com' })
      await save(test, { merchantId: 'store-2' })
      const cards = await test.vault.storedCardsOf({ ...PAYER, payerEmail: 'MARIA@example.com' })
      expect(cards).toMatchObject([
        { code: amex, brand: 'amex', isActive: true },
        { code: visa, brand: 'visa', lastFour: '1111', expirationDate: '2030-12' },
      ])
      const text = JSON.stringify(cards)
      for (const { number } of [CARD, AMEX]) expect(text).not.toContain(number)
    })

    it('are listed after a place, those of one moment by their codes', async () => {
      const codes = [await save(test), await save(test, {}, AMEX)].toSorted()
      test.clock.nowMs += MINUTE_MS
      codes.unshift(await save(test, {}, { ...CARD, number: '5555555555554444' }))
      const listed: string[] = []
      let after: { code: string; createdAtMs: number } | undefined
      do {
        const [card] = await test.vault.storedCardsOf({
          ...PAYER,
          limit: 1,
          ...(after && { after }),
        })
        after = card && { code: card.code, createdAtMs: card.createdAtMs }
        if (card !== undefined) listed.push(card.code)
      } while (after !== undefined)
      expect(listed).toEqual(codes)
    })

    it('are not active until their first transaction is complete', async () => {
      test.acquirer.answers = ['pending']
      const order = orderFor(await test.deposit(), { saveCard: true })
      const answer = await test.vault.authorize(order)
      const code = answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
      expect(await test.vault.findStoredCard(keyOf(code))).toMatchObject({ isActive: false })
      await test.vault.activateSavedCard('production', order.transactionCode)
      expect(await test.vault.findStoredCard(keyOf(code))).toMatchObject({ isActive: true })
    })

    it('have the time of their last approved charge at an acquirer', async () => {
      const account = new TestAccount('one')
      const process = startProcess(test, [account])
      account.calls = ['approved', 'approved', 'declined']
      const answer = await process.authorize(orderFor(await test.deposit(), { saveCard: true }))
      const code = answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
      expect(await test.vault.findStoredCard(keyOf(code))).not.toHaveProperty('lastUsedAtMs')
      test.clock.nowMs += MINUTE_MS
      const usedAtMs = test.clock.nowMs
      await process.authorize(orderByCode(code))
      test.clock.nowMs += MINUTE_MS
      await process.authorize(orderByCode(code))
      expect(await test.vault.findStoredCard(keyOf(code))).toMatchObject({ lastUsedAtMs: usedAtMs })
    })

    it('are found and deleted by their own store and environment alone', async () => {
      const code = await save(test)
      for (const other of [{ merchantId: 'store-2' }, { environment: 'sandbox' as const }])
        expect(await test.vault.findStoredCard({ ...keyOf(code), ...other })).toBeUndefined()
      expect(await test.vault.deleteSavedCard('production', 'store-1', code)).toBe(true)
      expect(await test.vault.findStoredCard(keyOf(code))).toBeUndefined()
      expect(await test.vault.storedCardsOf(PAYER)).toEqual([])
    })
  })

describe('saved cards of a vault in another process', () => {
  it('are the same over HTTP', async () => {
    const test = await openTestVault(TEST_SQLITE)
    const keys = parseServiceKeys(`k1:${randomBytes(32).toString('base64url')}`)
    const routes = createServiceRoutes(test.vault, { ...test, keys })
    const network = await openServiceNetwork(() => routes)
    const client = createVaultClient({ url: network.url, keys, clock: test.clock, log: test.log })
    const cards: StoredCards = client
    try {
      const code = await save(test)
      const key = { environment: 'production', merchantId: 'store-1', code } as const
      expect(await cards.storedCardsOf(PAYER)).toEqual(await test.vault.storedCardsOf(PAYER))
      expect(await cards.findStoredCard(key)).toEqual(await test.vault.findStoredCard(key))
      expect(await cards.deleteSavedCard('production', 'store-1', code)).toBe(true)
      expect(await cards.deleteSavedCard('production', 'store-1', code)).toBe(false)
      expect(await cards.findStoredCard(key)).toBeUndefined()
    } finally {
      client.close()
      await network.close()
      await test.database.close()
    }
  })
})
