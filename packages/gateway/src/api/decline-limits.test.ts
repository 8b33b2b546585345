import { type CardAnswer, type CardOrder, HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'
import type { MerchantSettings } from '../model/merchant/merchant.js'
import { USUAL_DECLINE_LIMITS } from '../model/purchase/decline-limits.js'
import { askAfterOpenIntents } from '../payment/open-intent-service.js'

const DECLINED = { ...APPROVED, outcome: 'declined' } as const
const REFUSED = { status: 422, codes: [210603] }
type Answered = Extract<CardAnswer, { kind: 'answered' }>
const OTHERS = ['39053344705', '11144477735', '86288366757']
const OTHER_STORE = { ...MERCHANT, id: 'store-2' }

for (const engine of TEST_ENGINES) {
  describe(`limits of declines on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    let machineNowMs = NOW_MS
    let orders = 0
    let reached: string[] = []
    const open = async (environment: 'production' | 'sandbox' = 'production') => {
      test = await openTestGateway(engine, {
        environment,
        clock: { now: () => nowMs },
        machineClock: { now: () => machineNowMs },
        declineLimitReached: (limit) => reached.push(limit),
      })
      answer(DECLINED)
    }
    beforeEach(async () => {
      nowMs = machineNowMs = NOW_MS
      orders = 0
      reached = []
      await open()
    })
    afterEach(() => test.close())

    /** A vault that charges no card of a BIN that the order excludes. */
    const answer = (answered: Answered, bin = '411111') => {
      test.answerCards(({ refusedBins = [] }: CardOrder) =>
        Promise.resolve(
          refusedBins.includes(bin)
            ? { kind: 'refused', reason: 'bin_refused' }
            : { ...answered, card: { brand: 'visa', bin, lastFour: '1111' } },
        ),
      )
    }
    const set = (settings: Partial<MerchantSettings>) =>
      test.gateway.saveMerchant({ ...MERCHANT, ...settings })

    interface Payer {
      readonly document?: string
      readonly ip?: string
      readonly merchant?: typeof MERCHANT
    }
    const pay = ({ document = '52998224725', ip, merchant }: Payer = {}) => {
      const body = cardRequest(`order-${++orders}`)
      body.payer.document = { type: 'CPF', number: document }
      const payer = { ...body.payer, ...(ip !== undefined && { ip }) }
      return test.send('POST', '/transactions', {
        body: { ...body, payer },
        ...(merchant && { merchant }),
      })
    }
    const payOften = async (times: number, payer: Payer = {}) => {
      for (let i = 0; i < times; i++) expect((await pay(payer)).status).toBe(201)
    }

    it('refuse a payer with as many declines before the vault is asked, and leave the reference free', async () => {
      await payOften(USUAL_DECLINE_LIMITS.payer)
      const asked = test.orders.length
      expect(await pay()).toMatchObject(REFUSED)
      expect(test.orders).toHaveLength(asked)
      expect(reached).toEqual(['payer'])
      expect(test.logged.join()).toContain('"store":"store-1","limit":"payer"')
      answer(APPROVED)
      orders -= 1
      expect((await pay({ document: OTHERS[0]! })).status).toBe(201)
    })

    it('count the last hour alone, to the millisecond', async () => {
      await set({ payerDeclines: 2 })
      await payOften(1)
      nowMs += 30 * MINUTE_MS
      await payOften(1)
      expect(await pay()).toMatchObject(REFUSED)
      nowMs = NOW_MS + HOUR_MS - 1
      expect(await pay()).toMatchObject(REFUSED)
      nowMs += 1
      await payOften(1)
      expect(await pay()).toMatchObject(REFUSED)
    })

    it('refuse an address for every payer, and each IPv6 network as one', async () => {
      await set({ addressDeclines: 2 })
      await payOften(1, { ip: '2001:db8::1' })
      await payOften(1, { ip: '2001:db8::2:0:0:1', document: OTHERS[0]! })
      expect(await pay({ ip: '2001:db8::3', document: OTHERS[1]! })).toMatchObject(REFUSED)
      expect(reached).toEqual(['address'])
      await payOften(1, { ip: '2001:db8:0:1::1', document: OTHERS[1]! })
      await payOften(1, { document: OTHERS[2]! })
    })

    it('never count shoppers together whose address the shop does not send', async () => {
      await set({ addressDeclines: 1 })
      for (const document of OTHERS) await payOften(1, { document })
    })

    it('make the vault refuse a BIN for every payer, and no other BIN', async () => {
      await set({ binDeclines: 2 })
      await payOften(1, { document: OTHERS[0]! })
      await payOften(1, { document: OTHERS[1]! })
      expect(await pay()).toMatchObject(REFUSED)
      expect(test.orders.at(-1)).toMatchObject({ refusedBins: ['411111'] })
      expect(reached).toEqual(['bin'])
      answer(DECLINED, '555544')
      orders -= 1
      await payOften(1)
      nowMs += HOUR_MS
      answer(APPROVED)
      await payOften(1)
      expect(test.orders.at(-1)).not.toHaveProperty('refusedBins')
    })

    it('count BINs of six and of eight digits together, by their first six', async () => {
      await set({ binDeclines: 2 })
      answer(DECLINED, '41111122')
      await payOften(1, { document: OTHERS[0]! })
      answer(DECLINED, '411111')
      await payOften(1, { document: OTHERS[1]! })
      await pay()
      expect(test.orders.at(-1)).toMatchObject({ refusedBins: ['411111'] })
    })

    it('leave a BIN alone that has a small share of very many declines', async () => {
      await set({ binDeclines: 1, payerDeclines: 0 })
      await payOften(1)
      answer(DECLINED, '555544')
      // Without a limit, the other BIN collects more declines than the limit allows.
      await set({ binDeclines: 0 })
      await payOften(20)
      await set({ binDeclines: 1 })
      answer(APPROVED, '411111')
      await payOften(1)
      expect(test.orders.at(-1)).toMatchObject({ refusedBins: ['555544'] })
    })

    it('count what a worker learns of a lost answer, once', async () => {
      await set({ payerDeclines: 2 })
      test.answerCards(() => Promise.reject(new Error('connection reset')))
      await payOften(1)
      test.recallCards(() => DECLINED)
      machineNowMs += HOUR_MS
      await askAfterOpenIntents(test.parts)
      await askAfterOpenIntents(test.parts)
      answer(DECLINED)
      await payOften(1)
      expect(await pay()).toMatchObject(REFUSED)
    })

    it.each([
      [
        'approvals',
        () => {
          answer(APPROVED)
        },
      ],
      [
        'refusals before an acquirer was asked',
        () => {
          test.answerCards(() => Promise.resolve({ kind: 'refused', reason: 'card_invalid' }))
        },
      ],
      [
        'lost answers',
        () => {
          test.answerCards(() => Promise.reject(new Error('cut')))
        },
      ],
    ])('do not count %s', async (_, prepare) => {
      await set({ payerDeclines: 1, addressDeclines: 1, binDeclines: 1 })
      prepare()
      for (let i = 0; i < 3; i++) await pay({ ip: '203.0.113.7' })
      answer(APPROVED)
      await payOften(1, { ip: '203.0.113.7' })
    })

    it('are each store’s own', async () => {
      await test.gateway.saveMerchant({ ...OTHER_STORE, payerDeclines: 1 })
      await payOften(USUAL_DECLINE_LIMITS.payer)
      expect(await pay()).toMatchObject(REFUSED)
      await payOften(1, { merchant: OTHER_STORE })
      expect(await pay({ merchant: OTHER_STORE })).toMatchObject(REFUSED)
    })

    it('do not concern PIX, boletos and wallets', async () => {
      await set({ payerDeclines: 1, addressDeclines: 1 })
      await payOften(1, { ip: '203.0.113.7' })
      for (const rail of ['pix', 'boleto', 'pagseguro'] as const) {
        const body = railRequest(`order-${rail}`, rail)
        expect((await test.send('POST', '/transactions', { body })).status).toBe(201)
      }
    })

    it('report a used reference for a repeated request', async () => {
      await set({ payerDeclines: 1 })
      await payOften(1)
      orders -= 1
      expect((await pay()).codes).toEqual([210104])
    })

    it('apply to a store of the sandbox only if it sets them', async () => {
      await test.close()
      await open('sandbox')
      await payOften(USUAL_DECLINE_LIMITS.payer + 1)
      await set({ payerDeclines: 5 })
      expect(await pay()).toMatchObject(REFUSED)
    })

    it('keep nothing of what does not count any more', async () => {
      const kept = () => test.database.reader.selectFrom('card_declines').selectAll().execute()
      await payOften(2, { ip: '203.0.113.7' })
      expect(await kept()).toMatchObject([
        { payer_document: '52998224725', address: '203.0.113.7', bin: '411111' },
        {},
      ])
      await test.parts.transactions.forgetDeclines(NOW_MS + HOUR_MS - 1)
      expect(await kept()).toHaveLength(2)
      await test.parts.transactions.forgetDeclines(NOW_MS + HOUR_MS)
      expect(await kept()).toEqual([])
    })

    it('are deleted with a developer’s test data', async () => {
      await test.close()
      await open('sandbox')
      await set({ payerDeclines: 1 })
      await payOften(1)
      await test.gateway.desk.changes.deleteAnswered(MERCHANT.id)
      await payOften(1)
    })

    it('let every shopper’s decline be committed beside the others’', async () => {
      const shoppers = 20
      const { promise: allAsked, resolve: finish } = Promise.withResolvers<undefined>()
      let asked = 0
      test.answerCards(async () => {
        if (++asked === shoppers) finish(undefined)
        // Every request is made before any decline is known.
        await allAsked
        return { ...DECLINED, card: { brand: 'visa', bin: '411111', lastFour: '1111' } }
      })
      const answers = await Promise.all(
        Array.from({ length: shoppers }, () => pay({ ip: '203.0.113.7' })),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      expect(await pay()).toMatchObject(REFUSED)
    })
  })
}
