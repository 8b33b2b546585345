import { type CardAnswer, type CardOrder, type TokenFault, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIRECT_TOKEN_LIFETIME_MS } from '../direct-token/direct-token.js'
import {
  AMEX,
  CARD,
  type TestVault,
  depositCode,
  dumpDatabase,
  openTestVault,
  orderByCode,
  orderFor,
  tokenFor,
} from '../vault.fixture.js'
import { TestAccount, startProcess } from './charging.fixture.js'

const CODE = '736'
const SANDBOX = { environment: 'sandbox' } as const
const invalid = (tokenFault?: TokenFault) => ({
  kind: 'refused',
  reason: 'security_code_token_invalid',
  ...(tokenFault && { tokenFault }),
})

for (const engine of TEST_ENGINES) {
  describe(`The security code of a saved card on ${engine.name}`, () => {
    let test: TestVault
    beforeEach(async () => {
      test = await openTestVault(engine)
    })
    afterEach(() => test.database.close())

    /** Saves a card, and returns its code. */
    async function saved(card = CARD, changes: Partial<CardOrder> = {}): Promise<string> {
      const order = orderFor(await test.deposit(card), { saveCard: true, ...changes })
      const answer = await test.vault.authorize(order)
      test.acquirer.requests.length = 0
      return (answer as Extract<CardAnswer, { kind: 'answered' }>).savedCard!.code
    }

    const orderWith = (
      code: string,
      securityCodeToken: string,
      changes: Partial<CardOrder> = {},
    ): CardOrder =>
      orderByCode(code, { ...changes, source: { kind: 'code', code, securityCodeToken } })

    const sealed = async () => {
      const { reader } = test.database
      const tokens = await reader.selectFrom('direct_tokens').select('sealed_card').execute()
      const orders = await reader.selectFrom('authorizations').select('sealed_card').execute()
      return [...tokens, ...orders].filter(({ sealed_card: card }) => card !== null)
    }

    it.each(['approved', 'declined'] as const)(
      'goes to the acquirer with the card, and is erased once %s',
      async (outcome) => {
        const code = await saved()
        test.acquirer.answers = [outcome]
        const order = orderWith(code, await depositCode(test, CODE))
        expect(await sealed()).toHaveLength(1)
        expect(await test.vault.authorize(order)).toMatchObject({ outcome })
        expect(test.acquirer.requests).toMatchObject([
          { card: { number: CARD.number, cvv: CODE }, storedCredential: { use: 'later' } },
        ])
        expect(await sealed()).toEqual([])
        expect(await dumpDatabase(test.database)).not.toMatch(/(?<![\w-])736(?![\w-])/)
      },
    )

    it('is used once, and a repeated order is answered as before', async () => {
      const code = await saved()
      const token = await depositCode(test, CODE)
      const order = orderWith(code, token)
      const answer = await test.vault.authorize(order)
      expect(answer).toMatchObject({ outcome: 'approved' })
      expect(await test.vault.authorize(order)).toEqual(answer)
      expect(await test.vault.authorize(orderWith(code, token))).toEqual(invalid())
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('is used by exactly one of many orders at the same moment', async () => {
      const code = await saved()
      const token = await depositCode(test, CODE)
      const orders = Array.from({ length: 20 }, () => orderWith(code, token))
      const answers = await Promise.all(orders.map((order) => test.vault.authorize(order)))
      expect(answers.filter(({ kind }) => kind === 'answered')).toHaveLength(1)
      expect(answers.filter(({ kind }) => kind === 'refused')).toEqual(Array(19).fill(invalid()))
      expect(test.acquirer.requests).toHaveLength(1)
    })

    it('is sent again while the outcome is unknown', async () => {
      const code = await saved()
      test.acquirer.answers = ['unknown', 'approved']
      const order = orderWith(code, await depositCode(test, CODE))
      expect(await test.vault.authorize(order)).toMatchObject({ outcome: 'unknown' })
      expect(await test.vault.authorize(order)).toMatchObject({ outcome: 'approved' })
      expect(test.acquirer.requests.map(({ card }) => card.cvv)).toEqual([CODE, CODE])
      expect(await sealed()).toEqual([])
    })

    it('may be used again if no acquirer was reached', async () => {
      const account = new TestAccount('one')
      const vault = startProcess(test, [account])
      const code = await saved()
      account.calls = ['away']
      const token = await depositCode(test, CODE)
      const unavailable = { kind: 'refused', reason: 'acquirer_unavailable' }
      expect(await vault.authorize(orderWith(code, token))).toEqual(unavailable)
      account.calls = ['approved']
      expect(await vault.authorize(orderWith(code, token))).toMatchObject({ outcome: 'approved' })
      expect(account.requests.at(-1)?.card.reveal().cvv).toBe(CODE)
    })

    it('is erased when its token expires', async () => {
      await depositCode(test, CODE)
      test.clock.nowMs += DIRECT_TOKEN_LIFETIME_MS + MINUTE_MS
      await test.vault.sweep()
      expect(await sealed()).toEqual([])
    })

    it('needs the length of the card’s brand', async () => {
      const code = await saved(AMEX, SANDBOX)
      const [short, right] = [await depositCode(test, '123'), await depositCode(test, '1234')]
      expect(await test.vault.authorize(orderWith(code, short, SANDBOX))).toEqual(
        invalid('wrong_length'),
      )
      expect(await test.vault.authorize(orderWith(code, right, SANDBOX))).toMatchObject({
        outcome: 'approved',
      })
    })

    it.each<[TokenFault, () => Promise<string>]>([
      ['malformed', () => Promise.resolve('737')],
      ['malformed', () => test.deposit()],
      ['unknown', async () => await tokenFor(await test.vault.openSession(), { cvv: CODE })],
      ['foreign', () => depositCode(test, CODE, 'store-2')],
      [
        'expired',
        async () => {
          const token = await depositCode(test, CODE)
          test.clock.nowMs += DIRECT_TOKEN_LIFETIME_MS
          return token
        },
      ],
    ])('is refused without a charge if its token is %s', async (tokenFault, tokenOf) => {
      const [inSandbox, code] = [await saved(CARD, SANDBOX), await saved()]
      const token = await tokenOf()
      expect(await test.vault.authorize(orderWith(inSandbox, token, SANDBOX))).toEqual(
        invalid(tokenFault),
      )
      expect(await test.vault.authorize(orderWith(code, token))).toEqual(invalid())
      expect(test.acquirer.requests).toEqual([])
    })

    it('pays nothing as a direct token', async () => {
      const order = orderFor(await depositCode(test, CODE), SANDBOX)
      expect(await test.vault.authorize(order)).toEqual({
        kind: 'refused',
        reason: 'token_invalid',
        tokenFault: 'malformed',
      })
    })

    it.each(['12', '12345', '12a', ''])('is not deposited as "%s"', async (cvv) => {
      const session = await test.vault.openSession()
      const deposit = test.vault.depositDirectToken(await tokenFor(session, { cvv }))
      await expect(deposit).rejects.toMatchObject({
        failures: [{ name: 'card_invalid', property: 'cvv' }],
      })
    })
  })
}
