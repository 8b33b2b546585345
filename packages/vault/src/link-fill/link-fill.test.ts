import { type CardOrder, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  AuthorizeRequest,
  BrandIds,
  AcquirerAnswer,
  FoundPayment,
} from '@cofre/provider-kit/card'
import type { AnsweredAttempt } from '../authorization/charging.js'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import { testNotices } from '../notice/notices.fixture.js'
import { addAccount } from '../refund/charged.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import {
  CARD,
  type TestVault,
  dumpDatabase,
  openTestVault,
  orderByCode,
  orderFor,
  paymentNamed,
} from '../vault.fixture.js'

const MASTERCARD = { ...CARD, number: '5555555555554444' }

/** An acquirer that returns the ids that a test sets for a payment. */
class LinkingAcquirer {
  readonly requests: AuthorizeRequest[] = []
  readonly reads: string[] = []
  /** One for each charge; after that, none is returned. */
  ids: Partial<BrandIds>[] = []
  /** The ids that a query returns, by transaction. */
  readonly known = new Map<string, Partial<BrandIds>>()
  answer: AcquirerAnswer<FoundPayment> | undefined
  beforeAnswer: () => Promise<unknown> = () => Promise.resolve()

  authorize = async (request: AuthorizeRequest) => {
    this.requests.push(request)
    const { transactionCode } = request.key
    await this.beforeAnswer()
    const payment = this.#payment(transactionCode, this.ids.shift())
    return { kind: 'done', value: { outcome: 'approved', payment, surplus: [] } } as const
  }

  find = ({ key: { transactionCode } }: { readonly key: { readonly transactionCode: string } }) => {
    this.reads.push(transactionCode)
    const found = {
      state: 'approved',
      payment: this.#payment(transactionCode, this.known.get(transactionCode)),
      decline: undefined,
      returnedMinor: minorUnits(0),
      surplus: [],
      disputes: [],
    } as const
    return Promise.resolve(this.answer ?? ({ kind: 'done', value: found } as const))
  }

  cancel = () => Promise.reject(new Error('nothing is cancelled here'))
  refund = () => Promise.reject(new Error('nothing is refunded here'))
  close = () => Promise.resolve()

  #payment(transactionCode: string, ids: Partial<BrandIds> = {}) {
    return { ...paymentNamed(`p-${transactionCode}`), networkTransactionId: undefined, ...ids }
  }
}

for (const engine of TEST_ENGINES)
  describe(`the brands’ ids for charges of saved cards, on ${engine.name}`, () => {
    let test: TestVault
    let vault: Vault
    let acquirer: LinkingAcquirer
    let unlinked: Omit<AnsweredAttempt, 'outcome'>[]

    const start = (): Vault =>
      createVault({
        ...test.deps,
        observer: {
          attemptAnswered: () => undefined,
          sentUnlinked: (attempt) => unlinked.push(attempt),
          retryRefused: () => undefined,
          cardChecked: () => undefined,
        },
        connectionOf: () => Promise.resolve({ acquirer, notices: testNotices }),
      })
    beforeEach(async () => {
      test = await openTestVault(engine)
      acquirer = new LinkingAcquirer()
      unlinked = []
      vault = start()
      await addAccount(test.deps)
    })
    afterEach(() => test.database.close())

    const administration = () => createVaultAdministration(test.deps)
    async function save(card = MASTERCARD, changes: Partial<CardOrder> = {}): Promise<string> {
      const order = orderFor(await test.deposit(card), { saveCard: true, ...changes })
      const answer = await vault.authorize(order)
      return answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
    }
    async function pay(code: string): Promise<CardOrder> {
      const order = orderByCode(code)
      await vault.authorize(order)
      return order
    }
    const sent = () => acquirer.requests.at(-1)?.storedCredential
    /** Runs the vault's job until nothing is left to read. */
    async function read(): Promise<void> {
      for (let round = 0; round < 3; round += 1) {
        await vault.followUpCharges()
        test.clock.nowMs += MINUTE_MS
      }
    }

    it('are kept of the first and of the newest charge', async () => {
      acquirer.ids = [
        { networkTransactionId: 'MC1', transactionLinkId: 'tlid-1' },
        { networkTransactionId: 'MC2', transactionLinkId: 'tlid-2' },
        {},
      ]
      const code = await save()
      await pay(code)
      await pay(code)
      await pay(code)
      expect(sent()).toMatchObject({
        use: 'later',
        networkTransactionId: 'MC1',
        transactionLinkId: 'tlid-1',
        newest: { networkTransactionId: 'MC2', transactionLinkId: 'tlid-2' },
      })
    })

    it('begin again when the holder saves the card again', async () => {
      acquirer.ids = [
        { networkTransactionId: 'MC1', transactionLinkId: 'tlid-1' },
        { networkTransactionId: 'MC2' },
      ]
      const code = await save()
      await save()
      await pay(code)
      expect(sent()).toMatchObject({ networkTransactionId: 'MC2', transactionLinkId: 'tlid-1' })
    })

    it('are missing of a charge that is sent all the same, counted and listed', async () => {
      acquirer.ids = [{ networkTransactionId: 'MC1' }]
      const code = await save()
      const order = await pay(code)
      const { environment, transactionCode } = order
      expect(unlinked).toMatchObject([{ accountId: 'conta-1', brand: 'mastercard' }])
      expect(await administration().unlinkedCharges()).toMatchObject([
        { environment, transactionCode, accountId: 'conta-1', brand: 'mastercard' },
      ])
    })

    it.each([
      ['visa', CARD, { networkTransactionId: 'V1' }],
      ['mastercard', MASTERCARD, { networkTransactionId: 'MC1', transactionLinkId: 'tlid-1' }],
    ])('are all there of a card of %s that has what its brand wants', async (_, card, ids) => {
      acquirer.ids = [ids]
      await pay(await save(card))
      expect(unlinked).toEqual([])
      expect(await administration().unlinkedCharges()).toEqual([])
    })

    it('are erased with the card, in its charges too', async () => {
      acquirer.ids = [
        { networkTransactionId: 'MC-first', transactionLinkId: 'tlid-first' },
        { networkTransactionId: 'MC-later', transactionLinkId: 'tlid-later' },
      ]
      const code = await save()
      await pay(code)
      expect(await dumpDatabase(test.database)).toMatch(/MC-first.*tlid-later/s)
      await vault.deleteSavedCard('production', 'store-1', code)
      expect(await dumpDatabase(test.database)).not.toMatch(/MC-|tlid-/)
    })

    it('are not kept of a charge that ends after its card was deleted', async () => {
      acquirer.ids = [{}]
      const code = await save()
      acquirer.ids = [{ networkTransactionId: 'MC-late', transactionLinkId: 'tlid-late' }]
      acquirer.beforeAnswer = () => vault.deleteSavedCard('production', 'store-1', code)
      await pay(code)
      expect(acquirer.ids).toEqual([])
      expect(await dumpDatabase(test.database)).not.toMatch(/MC-|tlid-/)
    })

    describe('and cards that lack them', () => {
      /** Runs until all cards were seen; the vault reads in between. */
      async function fill(): Promise<number> {
        let planned = 0
        let after: string | undefined = ''
        while (after !== undefined) {
          const step = await administration().planLinkFill(after)
          planned += step.planned
          after = step.after
          await read()
        }
        return planned
      }

      it('are filled by a query of their newest payment', async () => {
        const code = await save()
        const order = await pay(code)
        await read()
        acquirer.known.set(order.transactionCode, {
          networkTransactionId: 'MC2',
          transactionLinkId: 'tlid-2',
        })
        expect(await administration().countLinks()).toEqual({ cards: 1, lacking: 1 })
        expect(await fill()).toBe(1)
        expect(acquirer.reads).toEqual([order.transactionCode])
        expect(await administration().countLinks()).toEqual({ cards: 1, lacking: 0 })
        await pay(code)
        expect(sent()).toMatchObject({ networkTransactionId: 'MC2', transactionLinkId: 'tlid-2' })
      })

      it('are filled by the charge that saved them, where that is the only one', async () => {
        const code = await save()
        const { transactionCode } = acquirer.requests[0]?.key ?? { transactionCode: '' }
        await read()
        acquirer.known.set(transactionCode, { transactionLinkId: 'tlid-1' })
        await fill()
        await pay(code)
        expect(sent()).toMatchObject({ transactionLinkId: 'tlid-1' })
      })

      it('are read once, even if the acquirer has no id for them, or no such payment', async () => {
        await save()
        await save(CARD)
        await read()
        expect(await fill()).toBe(2)
        acquirer.answer = { kind: 'absent' }
        await save({ ...MASTERCARD, number: '5105105105105100' })
        expect(await fill()).toBe(1)
        expect(await fill()).toBe(0)
        expect(acquirer.reads).toHaveLength(3)
      })

      it('are planned once, whichever process is killed, and no more than an account reads in a minute', async () => {
        for (let i = 0; i < 22; i += 1)
          await save(MASTERCARD, { payerEmail: `payer-${i}@example.com` })
        await read()
        const step = await administration().planLinkFill()
        expect(step).toMatchObject({ planned: 20, waiting: 20 })
        // Both the command and the vault were killed: planned readings are made, and none twice.
        expect(await administration().planLinkFill()).toMatchObject({ planned: 0, waiting: 20 })
        vault = start()
        await read()
        expect(await fill()).toBe(2)
        expect(new Set(acquirer.reads).size).toBe(22)
        expect(acquirer.reads).toHaveLength(22)
      })

      it('wait until a vault has checked whether their account can be read', async () => {
        await save()
        const step = await administration().planLinkFill()
        expect(step).toMatchObject({ planned: 0, unreadable: 0, early: 1 })
        await read()
        expect(await administration().planLinkFill()).toMatchObject({ planned: 1, early: 0 })
      })

      it('have no payment to read if their acquirer reports only by notices', async () => {
        acquirer.find = undefined as unknown as LinkingAcquirer['find']
        await save()
        await read()
        expect(await administration().planLinkFill()).toMatchObject({ planned: 0, unreadable: 1 })
      })
    })
  })
