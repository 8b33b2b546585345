import { HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ALL_LINKS, type NotifiedPause } from './model/card-pause.js'
import { documentOf } from './card-pause.fixture.js'
import { notifyOfPauses } from './card-pauses.js'
import { type PixLinkGateway, openPixLinks } from './links.fixture.js'
import { linkRequest, makeLink, orderOf } from './payment-link.fixture.js'
import { APPROVED, MERCHANT, cardRequest } from '../../gateway/src/gateway.fixture.js'

const PAUSED = { kind: 'cards-paused' }

for (const engine of TEST_ENGINES) {
  describe(`cards at payment links on ${engine.name}`, () => {
    // Hundreds of payments; other tests run the same statements on both engines.
    const isQuick = engine.name === 'sqlite'
    let test: PixLinkGateway
    let links = 0
    let payers = 0
    const reached: string[] = []
    beforeEach(async () => {
      reached.length = 0
      const perTransactionMinor = minorUnits(1_000_000)
      test = await openPixLinks(
        engine,
        { purchaseLimits: { perTransactionMinor, perPeriodMinor: undefined } },
        { limitReached: (limit) => reached.push(limit) },
      )
    })
    afterEach(() => test.close())

    const link = async (usage: 'once' | 'many'): Promise<string> =>
      (await makeLink(test, linkRequest(`link-${++links}`, { usage }))).code
    /** A payer with an address of their own. */
    const payer = (address = `2001:db8:0:${(++payers).toString(16)}::1`) => ({
      address,
      payer: {
        name: 'Maria da Silva',
        email: `maria${payers}@example.com`,
        document: documentOf(payers),
        phone: '(41) 98888-7777',
      },
    })
    const pay = (of: string, method = 'credit-card', by = payer()) =>
      test.room.paymentPage.pay(of, orderOf(method, by))
    const answer = (outcome: 'approved' | 'declined'): void => {
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome }))
    }
    /** Declines the stolen cards together, once `count` of them were requested or refused. */
    const answerTogether = (count: number) => {
      const [allButOne, all] = [
        Promise.withResolvers<undefined>(),
        Promise.withResolvers<undefined>(),
      ]
      let arrived = 0
      const arrive = (): void => {
        arrived += 1
        if (arrived === count - 1) allButOne.resolve(undefined)
        if (arrived === count) all.resolve(undefined)
      }
      test.answerCards(async () => {
        arrive()
        await all.promise
        return { ...APPROVED, outcome: 'declined' }
      })
      return {
        allButOne: allButOne.promise,
        async pay(of: string, by = payer()) {
          const result = await pay(of, 'credit-card', by)
          if (result.kind !== 'try') arrive()
          return result
        },
      }
    }
    /** Pays with the given number of stolen cards. */
    const steal = async (of: string, cards: number): Promise<void> => {
      answer('declined')
      for (let card = 0; card < cards; card++) await pay(of)
    }
    const kindsOf = async (of: string, cards: number): Promise<string[]> => {
      const kinds: string[] = []
      for (let card = 0; card < cards; card++) kinds.push((await pay(of)).kind)
      return kinds
    }
    /** An hour of payers; three in ten are declined. */
    const hourOf = async (of: string, count: number): Promise<Set<string>> => {
      const kinds = new Set<string>()
      for (let i = 0; i < count; i++) {
        answer(i % 10 < 3 ? 'declined' : 'approved')
        kinds.add((await pay(of)).kind)
        test.time.nowMs += Math.floor(HOUR_MS / count)
      }
      return kinds
    }
    /** Cards that the store charges through the API. */
    const api = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const body = cardRequest(`api-${++payers}`)
        const payerOfApi = { ...body.payer, document: { type: 'CPF', number: documentOf(payers) } }
        const { status } = await test.send('POST', '/transactions', {
          body: { ...body, payer: payerOfApi },
        })
        expect(status).toBe(201)
      }
    }
    const pauses = () => test.room.paymentLinks.pauses(MERCHANT.id)

    it('pause after 20 stolen cards from as many addresses, and PIX continues', async () => {
      const [of, other] = [await link('many'), await link('many')]
      answer('declined')
      expect((await kindsOf(of, 30)).filter((kind) => kind === 'try')).toHaveLength(20)
      expect(await pay(of)).toEqual(PAUSED)
      for (const method of ['pix', 'boleto', 'pagseguro'])
        expect((await pay(of, method)).kind).toBe('try')
      expect((await pay(other)).kind).toBe('try')
      expect(await pauses()).toMatchObject([{ linkId: of, declines: 20 }])
      expect(reached).toEqual(Array.from({ length: 11 }, () => 'link'))
    })

    it('are requested at most 20 times at once where none was approved', async () => {
      const of = await link('many')
      const known = payer()
      answer('approved')
      await pay(of, 'credit-card', known)
      test.time.nowMs += 2 * HOUR_MS
      const arrived = answerTogether(31)
      const burst = Array.from({ length: 30 }, () => arrived.pay(of))
      await arrived.allButOne
      // A known payer needs none of the shared places.
      const again = arrived.pay(of, { ...known, address: '198.51.100.1' })
      const kinds = (await Promise.all(burst)).map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'try')).toHaveLength(20)
      expect(kinds.filter((kind) => kind === 'cards-wait')).toHaveLength(10)
      expect((await again).kind).toBe('try')
      expect(await pay(of)).toEqual(PAUSED)
      expect(await pauses()).toMatchObject([{ linkId: of, declines: 21 }])
    })

    it('are requested at once as often as approvals allow', async () => {
      const of = await link('many')
      answer('approved')
      expect(new Set(await kindsOf(of, 10))).toEqual(new Set(['try']))
      const arrived = answerTogether(40)
      const kinds = await Promise.all(Array.from({ length: 40 }, () => arrived.pay(of)))
      expect(kinds.filter(({ kind }) => kind === 'try')).toHaveLength(31)
    })

    if (isQuick)
      it('of 200 payers who arrive at once all pay within four answers', async () => {
        const of = await link('many')
        let waiting = Array.from({ length: 200 }, () => payer())
        let asked = 0
        for (let round = 1; round <= 4; round++) {
          const [together, all] = [waiting, Promise.withResolvers<undefined>()]
          let arrived = 0
          const arrive = (): void => {
            arrived += 1
            if (arrived === together.length) all.resolve(undefined)
          }
          test.answerCards(async () => {
            const outcome = ++asked % 10 < 3 ? 'declined' : 'approved'
            arrive()
            await all.promise
            return { ...APPROVED, outcome }
          })
          const results = together.map(async (by) => {
            const { kind } = await pay(of, 'credit-card', by)
            if (kind !== 'try') arrive()
            return kind
          })
          const kinds = await Promise.all(results)
          expect(kinds).not.toContain(PAUSED.kind)
          waiting = together.filter((_, i) => kinds[i] === 'cards-wait')
        }
        expect(waiting).toEqual([])
        expect(await pauses()).toEqual([])
      })

    it('of a link for one use pause after 10', async () => {
      const of = await link('once')
      await steal(of, 10)
      expect(await pay(of)).toEqual(PAUSED)
      expect((await pay(of, 'pix')).kind).toBe('try')
    })

    it('continue after 15 minutes, and the count restarts', async () => {
      const of = await link('once')
      await steal(of, 10)
      expect(await pay(of)).toEqual(PAUSED)
      test.time.nowMs += 15 * MINUTE_MS - 1
      expect(await pay(of)).toEqual(PAUSED)
      test.time.nowMs += 1
      expect(await pauses()).toEqual([])
      test.time.nowMs += 1
      expect(await kindsOf(of, 10)).toEqual(Array.from({ length: 10 }, () => 'try'))
      expect(await pay(of)).toEqual(PAUSED)
    })

    it('do not pause for the declines of more than an hour', async () => {
      const of = await link('once')
      await steal(of, 9)
      test.time.nowMs += HOUR_MS
      await steal(of, 9)
      expect((await pay(of)).kind).toBe('try')
    })

    it('continue for a payer who has paid the store before', async () => {
      const of = await link('many')
      const known = payer()
      answer('approved')
      expect((await pay(of, 'credit-card', known)).kind).toBe('try')
      test.time.nowMs += HOUR_MS
      const tester = payer()
      expect((await pay(of, 'credit-card', tester)).kind).toBe('try')
      await steal(of, 24)
      const again = { ...known, address: '198.51.100.1' }
      answer('approved')
      expect((await pay(of, 'credit-card', again)).kind).toBe('try')
      // Half of a known payer's identity is not enough, nor is a first card among the tested ones.
      const email = { ...known, payer: { ...known.payer, email: 'other@example.com' } }
      for (const by of [email, tester]) expect(await pay(of, 'credit-card', by)).toEqual(PAUSED)
    })

    it('continue when the store lifts the pause', async () => {
      const of = await link('once')
      await steal(of, 10)
      expect(await pay(of)).toEqual(PAUSED)
      const { paymentLinks } = test.room
      expect(await paymentLinks.liftPause('store-2', of)).toBe(false)
      expect(await pay(of)).toEqual(PAUSED)
      expect(await paymentLinks.liftPause(MERCHANT.id, of)).toBe(true)
      expect(await paymentLinks.liftPause(MERCHANT.id, of)).toBe(false)
      expect((await pay(of)).kind).toBe('try')
    })

    if (isQuick)
      it('do not pause for 500 payers an hour with 30 % declines', async () => {
        const of = await link('many')
        expect(await hourOf(of, 500)).toEqual(new Set(['try']))
        expect(await pauses()).toEqual([])
      })

    if (isQuick)
      it('pause at all links of a store after 200 declines there, and never at its API', async () => {
        const all = await Promise.all(Array.from({ length: 12 }, () => link('many')))
        answer('declined')
        await api(201)
        for (const of of all.slice(0, 10)) await steal(of, 19)
        await steal(all[10]!, 10)
        const last = all[11]!
        expect(await pay(last)).toEqual(PAUSED)
        expect(await pauses()).toMatchObject([{ linkId: ALL_LINKS, declines: 200 }])
        expect((await pay(last, 'pix')).kind).toBe('try')
        await api(1)
        expect(await test.room.paymentLinks.liftPause(MERCHANT.id, ALL_LINKS)).toBe(true)
        expect((await pay(last)).kind).toBe('try')
      })

    it('pause with one notification of the store', async () => {
      const of = await link('once')
      const notified: NotifiedPause[] = []
      const deps = {
        ...test.linkParts,
        reports: {
          ...test.linkParts.reports,
          notify: (pause: NotifiedPause) => {
            notified.push(pause)
            return notified.length === 1 ? Promise.reject(new Error('no mail')) : Promise.resolve()
          },
        },
      }
      const round = async () => {
        try {
          await notifyOfPauses(deps)
        } finally {
          test.time.nowMs += 5 * MINUTE_MS
        }
      }
      await steal(of, 10)
      await pay(of)
      const ends = await Promise.allSettled([round(), round()])
      expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      expect(notified).toHaveLength(1)
      for (let i = 0; i < 2; i++) await round()
      expect(notified).toHaveLength(2)
      expect(notified[1]).toMatchObject({ linkId: of, reference: `link-${links}`, declines: 10 })
      // The next pause follows soon, so the store gets no second letter.
      test.time.nowMs += 15 * MINUTE_MS
      await steal(of, 11)
      expect(await pauses()).toHaveLength(1)
      await round()
      expect(notified).toHaveLength(2)
      test.time.nowMs += 2 * HOUR_MS
      await steal(of, 11)
      await round()
      expect(notified).toHaveLength(3)
    })

    it('pause once for payers who come together', async () => {
      const of = await link('many')
      await steal(of, 20)
      const results = await Promise.all(Array.from({ length: 5 }, () => pay(of)))
      expect(results).toEqual(Array.from({ length: 5 }, () => PAUSED))
      expect(test.logged.filter((line) => line.includes('card payments were paused'))).toHaveLength(
        1,
      )
    })
  })
}
