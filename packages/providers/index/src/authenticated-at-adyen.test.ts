// A vault with Adyen's connector, the simulated Adyen and its page.
import { HOUR_MS, Secret, minorUnits, paymentReference } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { type Vault, createVault } from '@cofre/vault'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../adyen/test/simulated-adyen.js'
import { answerChallenge, returnAddressOf } from '../../adyen/src/simulator/challenges.js'
import { CHALLENGED_CARD } from '../../adyen/src/simulator/outcomes.js'
import { ACCOUNT, addAccount } from '../../../vault/src/refund/charged.fixture.js'
import { type TestVault, openTestVault, orderFor } from '../../../vault/src/vault.fixture.js'
import { type TestConnection, connectionTo } from '../../../provider-kit/test/payments.js'
import { ADYEN } from '@cofre/adyen/card'

const RETURN_URL = 'https://pay.example/a/AbCdEfGhIjKlMnOp/return'
const CARD = { number: CHALLENGED_CARD, cvv: '737', month: '03', year: '2030' }
const CHARGED = 12_990

// The vault's own suites run the statements on both engines.
const ENGINES = TEST_ENGINES.filter(({ name }) => name === 'sqlite')

for (const engine of ENGINES) {
  describe(`a holder’s authentication at Adyen, on ${engine.name}`, () => {
    let adyen: TestAdyen
    let connection: TestConnection
    let test: TestVault
    let vault: Vault
    let codes: number
    let delivered: number
    beforeEach(async () => {
      adyen = await openTestAdyen()
      const { apiKey, hmacKey } = adyen.credentials
      const returnUrl = 'https://loja.example/volta'
      connection = connectionTo(ADYEN, {
        origin: `https://127.0.0.1:${adyen.apiPort}`,
        caPem: adyen.authority,
        answers: { merchantAccount: MERCHANT, returnUrl, apiKey, hmacKey },
        clock: adyen.clock,
      })
      test = await openTestVault(engine)
      await addAccount(test.deps)
      vault = startVault()
      codes = 1000
      delivered = 0
    })
    afterEach(async () => {
      await connection.acquirer.close()
      await test.database.close()
      await adyen.close()
    })

    const acquirer = () => Promise.resolve(connection.acquirer)
    const startVault = () =>
      createVault({
        ...test.deps,
        clock: adyen.clock,
        installation: 'cofre',
        leaseWaitMs: 300,
        accountsOf: () =>
          Promise.resolve(() =>
            Promise.resolve({
              accounts: [{ id: ACCOUNT, provider: 'adyen', acquirer }],
              routesDeclines: false,
            }),
          ),
        acquirerOf: acquirer,
        noticesOf: () => Promise.resolve(connection.notices),
      })
    const referenceOf = (transactionCode: string) =>
      paymentReference({ installation: 'cofre', environment: 'production', transactionCode })
    const pay = async (changes = {}) => {
      const transactionCode = String((codes += 1))
      const source = { kind: 'raw', card: new Secret(CARD) } as const
      const answer = await vault.authorize(
        orderFor('', {
          transactionCode,
          source,
          amountMinor: minorUnits(CHARGED),
          authenticationReturnUrl: RETURN_URL,
          ...changes,
        }),
      )
      return { transactionCode, answer }
    }
    /** The holder's result from Adyen's page. */
    const answerAt = (transactionCode: string, answer: 'passed' | 'failed') => {
      const { book, ledger } = adyen.adyen
      const reference = referenceOf(transactionCode)
      const payment = [...book.payments.values()].find((each) => each.reference === reference)
      const challenge = payment?.challenge
      if (challenge === undefined) throw new Error('nobody is asked')
      answerChallenge(ledger, challenge.id, answer)
      const back = new URL(returnAddressOf(challenge))
      expect(back.origin + back.pathname).toBe(RETURN_URL)
      return back.searchParams.get('redirectResult') ?? ''
    }
    const bring = (transactionCode: string, result?: string) =>
      vault.authenticate({ environment: 'production', transactionCode, ...(result && { result }) })
    const deliver = async () => {
      await adyen.notices()
      const news = adyen.receiver.received.slice(delivered)
      delivered = adyen.receiver.received.length
      const fates = []
      for (const body of news) fates.push(...(await vault.acceptNotice(ACCOUNT, body)))
      return fates
    }
    const pass = async (ms: number) => {
      adyen.clock.advance(ms)
      await vault.sweep()
      for (let i = 0; i < 3; i++) await vault.followUpCharges()
    }
    const notified = async () =>
      (await vault.changes('production')).map(({ transactionCode, change }) => [
        transactionCode,
        change.kind === 'settled' ? change.answer.outcome : change.kind,
      ])
    const chargesOf = (transactionCode: string) =>
      adyen.adyen.tallyOf(referenceOf(transactionCode)).charges

    it.each([
      ['passed', { outcome: 'approved', charge: { liabilityShift: true } }, 1],
      ['failed', { outcome: 'declined', decline: { reason: 'authentication_required' } }, 0],
    ] as const)('that has %s ends the charge, once', async (answer, end, charges) => {
      const { transactionCode, answer: first } = await pay()
      expect(first).toMatchObject({ outcome: 'pending', authentication: {} })
      const result = answerAt(transactionCode, answer)
      expect(chargesOf(transactionCode)).toBe(0)
      expect(await bring(transactionCode, result)).toMatchObject(end)
      expect(await bring(transactionCode, result)).toMatchObject(end)
      expect(chargesOf(transactionCode)).toBe(charges)
      expect(await deliver()).toEqual(['applied'])
      expect(await notified()).toEqual([[transactionCode, end.outcome]])
    })

    it('that never comes cancels the charge, and its notice decides', async () => {
      const { transactionCode } = await pay()
      await pass(HOUR_MS)
      // Another job may run first.
      for (let i = 0; i < 3; i++) await pass(10_000)
      expect(await bring(transactionCode)).toMatchObject({ outcome: 'pending' })
      await deliver()
      expect(await bring(transactionCode)).toMatchObject({
        outcome: 'declined',
        decline: { reason: 'authentication_required' },
      })
      expect(await notified()).toEqual([[transactionCode, 'declined']])
      const result = answerAtAfterEnd(transactionCode)
      expect(result).toThrow(RangeError)
      expect(chargesOf(transactionCode)).toBe(0)
    })
    const answerAtAfterEnd = (transactionCode: string) => () => answerAt(transactionCode, 'passed')

    it.each(['before', 'after'] as const)(
      'is charged once where Adyen’s answer is cut %s it has booked',
      async (when) => {
        const { transactionCode } = await pay()
        const result = answerAt(transactionCode, 'passed')
        adyen.adyen.disturbances.add({
          effect: { kind: 'cut', when },
          on: ({ path }) => path.endsWith('/details'),
        })
        expect(await bring(transactionCode, result)).toMatchObject({ outcome: 'pending' })
        // The holder does not return: another vault asks.
        vault = startVault()
        // Another job may run first.
        for (let i = 0; i < 3; i++) await pass(10_000)
        expect(await bring(transactionCode)).toMatchObject({ outcome: 'approved' })
        expect(chargesOf(transactionCode)).toBe(1)
        await deliver()
        expect(await notified()).toEqual([[transactionCode, 'approved']])
      },
    )

    it('ends in a charge by its notice if no answer arrives', async () => {
      const { transactionCode } = await pay()
      const result = answerAt(transactionCode, 'passed')
      for (let i = 0; i < 3; i++)
        adyen.adyen.disturbances.add({
          effect: { kind: 'cut', when: 'after' },
          on: ({ path }) => path.endsWith('/details'),
        })
      await bring(transactionCode, result)
      await deliver()
      expect(await bring(transactionCode)).toMatchObject({ outcome: 'approved' })
      expect(await notified()).toEqual([[transactionCode, 'approved']])
    })

    it('pays nothing with the result of another payment', async () => {
      const cheap = await pay()
      const dear = await pay()
      const result = answerAt(cheap.transactionCode, 'passed')
      expect(await bring(dear.transactionCode, result)).toMatchObject({ outcome: 'pending' })
      expect(chargesOf(dear.transactionCode)).toBe(0)
      await deliver()
      // Adyen charged the other one: its own notice reports it.
      expect(await bring(cheap.transactionCode)).toMatchObject({ outcome: 'approved' })
      expect(await bring(dear.transactionCode, 'made-up')).toMatchObject({
        outcome: 'pending',
        authentication: {},
      })
      const own = answerAt(dear.transactionCode, 'passed')
      expect(await bring(dear.transactionCode, own)).toMatchObject({ outcome: 'approved' })
    })

    it('is not required for a charge by agreement', async () => {
      const { answer } = await pay({ authenticationReturnUrl: undefined })
      expect(answer).toMatchObject({
        outcome: 'declined',
        decline: { reason: 'authentication_required' },
      })
    })
  })
}
