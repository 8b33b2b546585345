import {
  type CardAnswer,
  type CardOrder,
  Secret,
  type TokenFault,
  minorUnits,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AcquirerAnswer, ChargeDecision } from '@cofre/provider-kit/card'
import { createVault } from '../create-vault.js'
import { DIRECT_TOKEN_LIFETIME_MS } from '../direct-token/direct-token.js'
import { SealError } from '../keys/sealed-value.js'
import {
  AMEX,
  CARD,
  DECLINE,
  DISCOVER,
  PAYER,
  type TestVault,
  openTestVault,
  orderFor,
  resultOf,
  tokenFor,
} from '../vault.fixture.js'

const SUMMARY = { brand: 'visa', bin: '411111', lastFour: '1111' }
const answered = (outcome: string) => ({
  kind: 'answered',
  outcome,
  card: SUMMARY,
  ...(outcome === 'declined' && { decline: DECLINE }),
})
const refused = (reason: string) => ({ kind: 'refused', reason })
const rawOrder = (card = CARD, changes = {}) =>
  orderFor('', { source: { kind: 'raw', card: new Secret(card) }, ...changes })

const sameCode = ({ transactionCode }: CardOrder) => ({ transactionCode })

for (const engine of TEST_ENGINES) {
  describe(`Authorization on ${engine.name}`, () => {
    let test: TestVault

    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    /** The sealed cards that are left in tokens and authorizations. */
    async function sealedCards(): Promise<(string | null)[]> {
      const { reader } = test.database
      const tokens = await reader.selectFrom('direct_tokens').select('sealed_card').execute()
      const asked = await reader.selectFrom('authorizations').select('sealed_card').execute()
      return [...tokens, ...asked].map((row) => row.sealed_card).filter((card) => card !== null)
    }

    it('answers eight digits of a number of 16 where the gateway takes them, also later', async () => {
      const order = orderFor(await test.deposit(), { takesLongBin: true })
      const long = { card: { ...SUMMARY, bin: '41111111' } }
      expect(await test.vault.authorize(order)).toMatchObject(long)
      const { environment, transactionCode } = order
      expect(await test.vault.recallAuthorization(environment, transactionCode)).toMatchObject(long)
      const amex = { ...CARD, number: '378282246310005', cvv: '1234' }
      expect(await test.vault.authorize(rawOrder(amex, { takesLongBin: true }))).toMatchObject({
        card: { brand: 'amex', bin: '378282' },
      })
    })

    it('gives the acquirer the card that was deposited', async () => {
      const order = orderFor(await test.deposit(), { installments: 3 })
      expect(await test.vault.authorize(order)).toEqual(answered('approved'))
      const { transactionCode, payerEmail: email } = order
      expect(test.acquirer.requests).toEqual([
        {
          key: { installation: 'test', environment: 'production', transactionCode },
          card: CARD,
          brand: 'visa',
          amountMinor: 10_000,
          installments: 3,
          payer: { ...PAYER, email },
        },
      ])
    })

    it('gives the acquirer a raw card', async () => {
      expect(await test.vault.authorize(rawOrder())).toEqual(answered('approved'))
      expect(test.acquirer.requests[0]?.card).toEqual(CARD)
    })

    it.each(['approved', 'declined', 'pending', 'review'] as const)(
      'leaves no sealed card, and so no CVV, once %s',
      async (outcome) => {
        test.acquirer.answers = [outcome]
        const token = await test.deposit()
        expect(await sealedCards()).toHaveLength(1)
        await test.vault.authorize(orderFor(token))
        await test.vault.authorize(rawOrder())
        expect(await sealedCards()).toEqual([])
      },
    )

    it.each(['approved', 'declined'] as const)('spends the token once %s', async (outcome) => {
      test.acquirer.answers = [outcome]
      const token = await test.deposit()
      await test.vault.authorize(orderFor(token))
      expect(await test.vault.authorize(orderFor(token))).toEqual(refused('token_invalid'))
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('lets exactly one of 100 concurrent orders pay with a token', async () => {
      const token = await test.deposit()
      const orders = Array.from({ length: 100 }, () => orderFor(token))
      const answers = await Promise.all(orders.map((order) => test.vault.authorize(order)))
      expect(answers.filter(({ kind }) => kind === 'answered')).toHaveLength(1)
      expect(answers).toContainEqual(refused('token_invalid'))
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('gives concurrent copies of one order one answer', async () => {
      const order = orderFor(await test.deposit())
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => test.vault.authorize(order)),
      )
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('gives copies of one order in two processes one answer and one charge', async () => {
      const other = createVault(test.deps)
      const order = orderFor(await test.deposit())
      const answers = await Promise.all(
        [test.vault, other, test.vault, other].map((vault) => vault.authorize(order)),
      )
      for (const answer of answers) expect(answer).toEqual(answered('approved'))
      const keys = test.acquirer.requests.map(({ key }) => key.transactionCode)
      expect(new Set(keys).size).toBe(1)
      // Both asked, and one of them stored the answer, with its entry.
      const entries = await test.database.reader
        .selectFrom('audit_log')
        .select(['action', 'outcome'])
        .where('record', '=', order.transactionCode)
        .execute()
      expect(entries).toEqual([{ action: 'card.authorized', outcome: 'approved' }])
    })

    it.each([
      ['store', { merchantId: 'store-2' }],
      ['amount', { amountMinor: minorUnits(10_001) }],
      ['number of installments', { installments: 2 }],
    ])('answers no order of another %s under the same code', async (_, changes) => {
      const order = orderFor(await test.deposit())
      const another = { ...orderFor(await test.deposit(), changes), ...sameCode(order) }
      test.acquirer.answers = ['unknown', 'approved']
      await test.vault.authorize(order)
      expect(await test.vault.authorize(another)).toEqual(refused('token_invalid'))
      const [one, other] = [order, another].map((each) => test.vault.authorize(each))
      expect(await one).toEqual(answered('approved'))
      expect(await other).toEqual(refused('token_invalid'))
      expect(await test.vault.authorize(another)).toEqual(refused('token_invalid'))
      expect(test.acquirer.requests).toHaveLength(2)
      expect(test.log.lines.join()).toContain(order.transactionCode)
    })

    it.each(['token', 'raw'])('answers a %s order asked again as before', async (kind) => {
      const order = kind === 'raw' ? rawOrder() : orderFor(await test.deposit())
      test.acquirer.answers = ['pending', 'approved']
      const first = await test.vault.authorize(order)
      expect(await test.vault.authorize(order)).toEqual(first)
      expect(await createVault(test.deps).authorize(order)).toEqual(first)
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('answers an order asked again as before, whatever it then pays with', async () => {
      const order = orderFor(await test.deposit())
      const first = await test.vault.authorize(order)
      const untouched = await test.deposit(AMEX)
      const source = { kind: 'token', token: untouched } as const
      expect(await test.vault.authorize({ ...order, source })).toEqual(first)
      expect(await test.vault.authorize(orderFor(untouched))).toMatchObject({ kind: 'answered' })
    })

    it('keeps the same transaction code apart by environment', async () => {
      const order = orderFor(await test.deposit())
      await test.vault.authorize(order)
      const sandbox = { ...orderFor(await test.deposit(AMEX)), environment: 'sandbox' } as const
      const answer = await test.vault.authorize({
        ...sandbox,
        transactionCode: order.transactionCode,
      })
      expect(answer).toMatchObject({ kind: 'answered', card: { brand: 'amex' } })
    })

    it.each([
      ['an acquirer that throws', new Error(`timeout for card ${CARD.number}`)],
      ['an acquirer that does not know', 'unknown' as const],
    ])('asks again under the same key after %s', async (_, first) => {
      test.acquirer.answers = [first, 'approved']
      const order = orderFor(await test.deposit())
      expect(await test.vault.authorize(order)).toEqual(answered('unknown'))
      expect(await sealedCards()).toHaveLength(1)
      expect(await test.vault.authorize(order)).toEqual(answered('approved'))
      expect(await sealedCards()).toEqual([])
      const [one, two] = test.acquirer.requests
      const earlier = { firstAtMs: test.clock.nowMs, absentSinceMs: undefined }
      expect(two).toEqual({ ...one, earlier })
      expect(test.log.lines.join()).not.toContain(CARD.number)
    })

    it('does not wait for an acquirer that hangs', async () => {
      const hangs = { authorize: () => new Promise<never>(() => undefined) }
      const played = { production: hangs, sandbox: hangs }
      const impatient = createVault({ ...test.deps, played, acquirerTimeoutMs: 10 })
      const order = orderFor(await test.deposit())
      expect(await impatient.authorize(order)).toEqual(answered('unknown'))
      expect(await test.vault.authorize(order)).toEqual(answered('approved'))
    })

    it('asks again with what was first asked', async () => {
      test.acquirer.answers = ['unknown', 'approved']
      const order = orderFor(await test.deposit(), { installments: 2 })
      await test.vault.authorize(order)
      await test.vault.recallAuthorization(order.environment, order.transactionCode)
      const [one, two] = test.acquirer.requests
      expect(two).toEqual({ ...one, earlier: two?.earlier })
    })

    it('keeps an unknown card through a sweep and a restart', async () => {
      test.acquirer.answers = ['unknown', 'declined']
      const order = orderFor(await test.deposit())
      await test.vault.authorize(order)
      test.clock.nowMs += 2 * DIRECT_TOKEN_LIFETIME_MS
      await test.vault.sweep()
      expect(await createVault(test.deps).authorize(order)).toEqual(answered('declined'))
      expect(test.acquirer.requests[1]?.card).toEqual(CARD)
    })

    it('has stored the intent before it asks', async () => {
      const asked = Promise.withResolvers<undefined>()
      const answer = Promise.withResolvers<AcquirerAnswer<ChargeDecision>>()
      const waiting = {
        authorize: () => {
          asked.resolve(undefined)
          return answer.promise
        },
      }
      const played = { production: waiting, sandbox: waiting }
      const running = createVault({ ...test.deps, played }).authorize(
        orderFor(await test.deposit()),
      )
      await asked.promise
      const { reader } = test.database
      const stored = await reader.selectFrom('authorizations').selectAll().execute()
      expect(stored).toMatchObject([{ outcome: 'unknown' }])
      answer.resolve(resultOf('approved', 'payment 1'))
      await running
    })

    const refusals: [string, string, () => Promise<CardAnswer>][] = [
      ['a token never deposited', 'token_invalid', () => test.vault.authorize(orderFor('a.b.c'))],
      [
        'a token of another store',
        'token_invalid',
        async () => test.vault.authorize(orderFor(await test.deposit(CARD, 'store-2'))),
      ],
      [
        'a token after its 15 minutes',
        'token_invalid',
        async () => {
          const token = await test.deposit()
          test.clock.nowMs += DIRECT_TOKEN_LIFETIME_MS
          return test.vault.authorize(orderFor(token))
        },
      ],
      [
        'a brand not accepted',
        'brand_not_accepted',
        async () => test.vault.authorize(orderFor(await test.deposit(DISCOVER))),
      ],
      [
        'a brand that the shop did not name',
        'brand_mismatch',
        async () => test.vault.authorize(orderFor(await test.deposit(), { brand: 'elo' })),
      ],
      [
        'a raw card that is wrong',
        'card_invalid',
        () => test.vault.authorize(rawOrder({ ...CARD, cvv: '1' })),
      ],
      [
        'a raw card of a brand not accepted',
        'brand_not_accepted',
        () => test.vault.authorize(rawOrder(DISCOVER)),
      ],
      [
        'a saved card that does not exist',
        'code_not_found',
        () =>
          test.vault.authorize(orderFor('', { source: { kind: 'code', code: 'A'.repeat(32) } })),
      ],
    ]

    it.each(refusals)('refuses %s without asking or storing', async (_, reason, authorize) => {
      expect(await authorize()).toEqual(refused(reason))
      expect(test.acquirer.requests).toEqual([])
      const { reader } = test.database
      expect(await reader.selectFrom('authorizations').selectAll().execute()).toEqual([])
    })

    const faults: [string, TokenFault, () => Promise<string>][] = [
      ['is no token', 'malformed', () => Promise.resolve('a.b.c')],
      ['was never deposited', 'unknown', async () => tokenFor(await test.vault.openSession())],
      [
        'paid before',
        'used',
        async () => {
          const token = await test.deposit()
          await test.vault.authorize(orderFor(token))
          return token
        },
      ],
      [
        'is older than 15 minutes, and was swept',
        'expired',
        async () => {
          const token = await test.deposit()
          test.clock.nowMs += DIRECT_TOKEN_LIFETIME_MS
          await test.vault.sweep()
          return token
        },
      ],
      ['is another store’s', 'foreign', () => test.deposit(CARD, 'store-2')],
    ]

    it.each(faults)('answers a token that %s: %s, in the sandbox alone', async (_, fault, make) => {
      const token = await make()
      const environment = 'sandbox'
      const inSandbox = { ...refused('token_invalid'), tokenFault: fault }
      expect(await test.vault.authorize(orderFor(token, { environment }))).toEqual(inSandbox)
      expect(await test.vault.authorize(orderFor(token))).toEqual(refused('token_invalid'))
      const ofOlderGateway = orderFor(token, { environment, payer: undefined })
      expect(await test.vault.authorize(ofOlderGateway)).toEqual(refused('token_invalid'))
    })

    it('recalls the answer of an order, and asks again for one that is unknown', async () => {
      test.acquirer.answers = ['unknown', 'approved']
      const order = orderFor(await test.deposit())
      const { environment, transactionCode } = order
      expect(await test.vault.authorize(order)).toEqual(answered('unknown'))
      const recall = () => test.vault.recallAuthorization(environment, transactionCode)
      expect(await recall()).toEqual(answered('approved'))
      expect(await recall()).toEqual(answered('approved'))
      expect(test.acquirer.requests).toHaveLength(2)
    })

    it('refuses for ever an order that was given up before it arrived', async () => {
      const token = await test.deposit()
      const order = orderFor(token)
      const { environment, transactionCode } = order
      expect(await test.vault.recallAuthorization(environment, transactionCode)).toBeUndefined()
      expect(await test.vault.recallAuthorization(environment, transactionCode)).toBeUndefined()
      expect(await test.vault.authorize(order)).toEqual(refused('token_invalid'))
      expect(test.acquirer.requests).toEqual([])
      expect(await test.vault.authorize({ ...order, transactionCode: '99' })).toEqual(
        answered('approved'),
      )
    })

    it('reports whether an order has arrived without asking an acquirer, and refuses it if not', async () => {
      test.acquirer.answers = ['unknown']
      const order = orderFor(await test.deposit())
      const { environment, transactionCode } = order
      await test.vault.authorize(order)
      expect(await test.vault.hasArrived(environment, transactionCode)).toBe(true)
      const late = { ...order, transactionCode: '99' }
      expect(await test.vault.hasArrived(environment, late.transactionCode)).toBe(false)
      expect(await test.vault.authorize(late)).toEqual(refused('token_invalid'))
      expect(await test.vault.hasArrived(environment, late.transactionCode)).toBe(false)
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('leaves a refused token usable', async () => {
      const token = await test.deposit(CARD, 'store-1')
      const wrongStore = orderFor(token, { merchantId: 'store-2' })
      expect(await test.vault.authorize(wrongStore)).toEqual(refused('token_invalid'))
      const wrongBrand = orderFor(token, { brand: 'amex' })
      expect(await test.vault.authorize(wrongBrand)).toEqual(refused('brand_mismatch'))
      const excluded = { ...wrongBrand, brand: 'visa', refusedBins: ['555544', '411111'] }
      expect(await test.vault.authorize(excluded)).toEqual(refused('bin_refused'))
      const right = { ...excluded, refusedBins: ['411112'] }
      expect(await test.vault.authorize(right)).toEqual(answered('approved'))
    })

    it('does not open a card that was moved to another token', async () => {
      const [mine, theirs] = [await test.deposit(), await test.deposit(AMEX)]
      await test.database.transact(async (trx) => {
        const rows = await trx.selectFrom('direct_tokens').selectAll().execute()
        for (const [index, row] of rows.entries())
          await trx
            .updateTable('direct_tokens')
            .set({ sealed_card: rows[1 - index]?.sealed_card ?? null })
            .where('digest', '=', row.digest)
            .execute()
      })
      await expect(test.vault.authorize(orderFor(mine))).rejects.toThrow(SealError)
      await expect(test.vault.authorize(orderFor(theirs))).rejects.toThrow(SealError)
    })

    it('does not open the card of an authorization that was moved to another store', async () => {
      test.acquirer.answers = ['unknown']
      const order = orderFor(await test.deposit())
      await test.vault.authorize(order)
      await test.database.transact((trx) =>
        trx.updateTable('authorizations').set({ merchant_id: 'store-2' }).execute(),
      )
      const recalled = test.vault.recallAuthorization(order.environment, order.transactionCode)
      await expect(recalled).rejects.toThrow(SealError)
    })

    it('does not take a token that was never deposited, even one it could decrypt', async () => {
      const token = await tokenFor(await test.vault.openSession())
      expect(await test.vault.authorize(orderFor(token))).toEqual(refused('token_invalid'))
    })
  })
}
