import { type CardAnswer, type CardOrder, type SavedCardSummary, Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from '../create-vault.js'
import { SealError } from '../keys/sealed-value.js'
import {
  AMEX,
  CARD,
  type TestVault,
  dumpDatabase,
  openTestVault,
  orderByCode,
  orderFor,
} from '../vault.fixture.js'

const NOT_FOUND = { kind: 'refused', reason: 'code_not_found' }

for (const engine of TEST_ENGINES) {
  describe(`Saved cards on ${engine.name}`, () => {
    let test: TestVault

    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    async function pay(changes: Partial<CardOrder> = {}, card = CARD): Promise<CardAnswer> {
      return await test.vault.authorize(
        orderFor(await test.deposit(card), { saveCard: true, ...changes }),
      )
    }

    async function save(changes: Partial<CardOrder> = {}, card = CARD): Promise<SavedCardSummary> {
      const answer = await pay(changes, card)
      if (answer.kind !== 'answered' || answer.savedCard === undefined)
        throw new Error(`no card was saved: ${JSON.stringify(answer)}`)
      return answer.savedCard
    }

    it('shows the shop the card it saved', async () => {
      expect(await save()).toEqual({
        code: expect.stringMatching(/^[0-9A-Za-z]{32}$/) as string,
        brand: 'visa',
        lastFour: '1111',
        expirationDate: '2030-12',
        createdAtMs: test.clock.nowMs,
      })
    })

    it('charges a saved card, without a CVV', async () => {
      const { code } = await save()
      expect(await test.vault.authorize(orderByCode(code))).toEqual({
        kind: 'answered',
        outcome: 'approved',
        card: { brand: 'visa', bin: '411111', lastFour: '1111' },
      })
      expect(test.acquirer.requests[1]?.card).toEqual({
        number: CARD.number,
        month: CARD.month,
        year: CARD.year,
      })
    })

    it('saves a raw card as well, and finds it again as a token', async () => {
      const source = { kind: 'raw', card: new Secret(CARD) } as const
      const { code } = await save({ source })
      expect(await pay()).not.toHaveProperty('savedCard.code')
      expect(await test.vault.authorize(orderByCode(code))).toMatchObject({ kind: 'answered' })
    })

    it('repeats the saved card when the order is asked again', async () => {
      const order = orderFor(await test.deposit(), { saveCard: true })
      const first = await test.vault.authorize(order)
      expect(await test.vault.authorize(order)).toEqual(first)
      expect(await createVault(test.deps).authorize(order)).toEqual(first)
    })

    it('saves nothing unless asked to', async () => {
      await pay({ saveCard: false })
      expect(await test.database.reader.selectFrom('saved_cards').selectAll().execute()).toEqual([])
    })

    it('saves nothing of a declined card', async () => {
      test.acquirer.answers = ['declined']
      expect(await pay()).not.toHaveProperty('savedCard.code')
      expect(await test.database.reader.selectFrom('saved_cards').selectAll().execute()).toEqual([])
    })

    it('saves the card of an unknown outcome when it becomes known', async () => {
      test.acquirer.answers = ['unknown', 'approved']
      const order = orderFor(await test.deposit(), { saveCard: true })
      expect(await test.vault.authorize(order)).not.toHaveProperty('savedCard.code')
      const answer = await test.vault.authorize(order)
      expect(answer).toMatchObject({ outcome: 'approved', savedCard: { lastFour: '1111' } })
    })

    it('answers without a saved card when the payer had saved the same card', async () => {
      const { code } = await save()
      expect(await pay({ payerEmail: 'MARIA@example.COM' })).not.toHaveProperty('savedCard.code')
      expect(await test.vault.authorize(orderByCode(code))).toMatchObject({ kind: 'answered' })
    })

    it('renews the expiry of a card saved before', async () => {
      const { code } = await save()
      await pay({}, { ...CARD, month: '01', year: '2035' })
      await test.vault.authorize(orderByCode(code))
      expect(test.acquirer.requests[2]?.card).toMatchObject({ month: '01', year: '2035' })
    })

    it.each([
      ['another card', {}, AMEX],
      ['another payer', { payerEmail: 'joao@example.com' }, CARD],
      ['another store', { merchantId: 'store-2' }, CARD],
      ['another environment', { environment: 'sandbox' as const }, CARD],
    ])('saves %s apart', async (_, changes, card) => {
      const first = await save()
      expect((await save(changes, card)).code).not.toBe(first.code)
    })

    it('saves a card once, of many concurrent orders', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => pay()))
      const codes = answers.flatMap((answer) =>
        answer.kind === 'answered' && answer.savedCard !== undefined ? [answer.savedCard.code] : [],
      )
      expect(codes).toHaveLength(1)
      const rows = await test.database.reader.selectFrom('saved_cards').selectAll().execute()
      expect(rows).toHaveLength(1)
    })

    it.each(['pending', 'review'] as const)(
      'keeps a card inactive while its transaction is %s, until that is complete',
      async (outcome) => {
        test.acquirer.answers = [outcome, 'approved']
        const order = orderFor(await test.deposit(), { saveCard: true })
        const answer = await test.vault.authorize(order)
        const code = answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
        expect(await test.vault.authorize(orderByCode(code))).toEqual(NOT_FOUND)
        await test.vault.activateSavedCard('sandbox', order.transactionCode)
        expect(await test.vault.authorize(orderByCode(code))).toEqual(NOT_FOUND)
        await test.vault.activateSavedCard('production', order.transactionCode)
        expect(await test.vault.authorize(orderByCode(code))).toMatchObject({ kind: 'answered' })
      },
    )

    it('reuses the code of a card that was never activated', async () => {
      test.acquirer.answers = ['pending', 'approved']
      const first = await save()
      const second = await save()
      expect(second).toEqual(first)
      expect(await test.vault.authorize(orderByCode(first.code))).toMatchObject({
        kind: 'answered',
      })
    })

    it('ignores the activation of a transaction that saved nothing', async () => {
      await expect(test.vault.activateSavedCard('production', '999')).resolves.toBeUndefined()
    })

    it.each([
      ['payer', { payerEmail: 'joao@example.com' }],
      ['store', { merchantId: 'store-2' }],
      ['environment', { environment: 'sandbox' as const }],
    ])('does not find the code for another %s', async (_, changes) => {
      const { code } = await save()
      expect(await test.vault.authorize(orderByCode(code, changes))).toEqual(NOT_FOUND)
    })

    it('refuses a saved card of another brand than the shop named', async () => {
      const { code } = await save()
      expect(await test.vault.authorize(orderByCode(code, { brand: 'elo' }))).toEqual({
        kind: 'refused',
        reason: 'brand_mismatch',
      })
    })

    it('erases a deleted card, and the brands’ ids for it, for its store only', async () => {
      const { code } = await save()
      const order = orderByCode(code)
      await test.vault.authorize(order)
      const ids = { network_transaction_id: '123456789012345', charged_card_code: code }
      await test.database.transact((trx) => trx.updateTable('card_charges').set(ids).execute())
      const known = async () => {
        const { reader } = test.database
        const charges = reader.selectFrom('card_charges').select('network_transaction_id')
        return (await charges.execute()).map((charge) => charge.network_transaction_id !== null)
      }
      const before = await known()
      expect(await test.vault.deleteSavedCard('production', 'store-2', code)).toBe(false)
      expect(await test.vault.deleteSavedCard('sandbox', 'store-1', code)).toBe(false)
      expect(await known()).toEqual(before)
      expect(await test.vault.deleteSavedCard('production', 'store-1', code)).toBe(true)
      expect(await known()).toEqual(before.map(() => false))
      expect(await test.vault.authorize(orderByCode(code))).toEqual(NOT_FOUND)
      expect((await save()).code).not.toBe(code)
    })

    it('asks again with a card deleted while its outcome was unknown', async () => {
      const { code } = await save()
      test.acquirer.answers = ['unknown', 'approved']
      const order = orderByCode(code)
      await test.vault.authorize(order)
      await test.vault.deleteSavedCard('production', 'store-1', code)
      expect(await test.vault.authorize(order)).toMatchObject({ outcome: 'approved' })
    })

    it('does not open a card that was moved to another code', async () => {
      const [mine, other] = [await save(), await save({}, AMEX)]
      await test.database.transact(async (trx) => {
        const { sealed_card } = await trx
          .selectFrom('saved_cards')
          .select('sealed_card')
          .where('code', '=', other.code)
          .executeTakeFirstOrThrow()
        await trx
          .updateTable('saved_cards')
          .set({ sealed_card })
          .where('code', '=', mine.code)
          .execute()
      })
      await expect(test.vault.authorize(orderByCode(mine.code))).rejects.toThrow(SealError)
    })

    it('keeps no e-mail of a payer', async () => {
      await save()
      expect((await dumpDatabase(test.database)).toLowerCase()).not.toContain('maria')
    })
  })
}
