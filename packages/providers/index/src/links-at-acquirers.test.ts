// A vault with the connectors, and simulated acquirers that enforce the brands' rules of saved
// cards.
import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { type Vault, createVault, createVaultAdministration } from '@cofre/vault'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../adyen/test/simulated-adyen.js'
import { type TestCielo, openTestCielo } from '../../cielo/test/simulated-cielo.js'
import { addAccount } from '../../../vault/src/refund/charged.fixture.js'
import {
  CARD,
  type TestVault,
  openTestVault,
  orderByCode,
  orderFor,
} from '../../../vault/src/vault.fixture.js'
import { type TestConnection, connectionTo } from '../../../provider-kit/test/payments.js'
import { ADYEN } from '@cofre/adyen/card'
import { CIELO } from '@cofre/cielo/card'

/** Cielo's sandbox approves a card that ends in 4, like one that ends in 1. */
const MASTERCARD = { ...CARD, number: '5555555555554444' }

// Statements are the same on both engines, which `link-fill.test.ts` covers.
const [engine] = TEST_ENGINES

describe('charges of saved cards, at acquirers that are strict about links', () => {
  let test: TestVault
  let cielo: TestCielo
  let adyen: TestAdyen
  let at: { cielo: TestConnection; adyen: TestConnection }
  let unlinked: number
  beforeEach(async () => {
    if (engine === undefined) throw new Error('no engine to test with')
    test = await openTestVault(engine)
    cielo = await openTestCielo()
    adyen = await openTestAdyen()
    const { clock } = cielo
    test.clock.nowMs = clock.now()
    at = {
      cielo: connectionTo(CIELO, {
        origin: `https://127.0.0.1:${cielo.apiPort}`,
        queryOrigin: `https://127.0.0.1:${cielo.queryPort}`,
        caPem: cielo.authority,
        answers: {
          merchantId: cielo.credentials.merchantId,
          merchantKey: cielo.credentials.merchantKey.reveal(),
        },
        clock,
      }),
      adyen: connectionTo(ADYEN, {
        origin: `https://127.0.0.1:${adyen.apiPort}`,
        caPem: adyen.authority,
        answers: {
          merchantAccount: MERCHANT,
          returnUrl: 'https://loja.example/volta',
          apiKey: adyen.credentials.apiKey.reveal(),
          hmacKey: adyen.credentials.hmacKey.reveal(),
        },
        clock,
      }),
    }
    unlinked = 0
    await addAccount(test.deps)
  })
  afterEach(async () => {
    await Promise.all([at.cielo, at.adyen].map(({ acquirer }) => acquirer.close()))
    await Promise.all([cielo.close(), adyen.close(), test.database.close()])
  })

  const vaultAt = (connection: TestConnection): Vault =>
    createVault({
      ...test.deps,
      clock: cielo.clock,
      connectionOf: () => Promise.resolve(connection),
      observer: {
        attemptAnswered: () => undefined,
        sentUnlinked: () => (unlinked += 1),
        retryRefused: () => undefined,
        cardChecked: () => undefined,
      },
    })
  const save = async (vault: Vault, card: typeof CARD): Promise<string> => {
    const order = orderFor(await test.deposit(card), { saveCard: true, isSubscription: true })
    const answer = await vault.authorize(order)
    return answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
  }
  const pay = async (vault: Vault, code: string): Promise<string> => {
    const answer = await vault.authorize(
      orderByCode(code, { isSubscription: true, amountMinor: minorUnits(5000) }),
    )
    return answer.kind === 'answered' ? answer.outcome : answer.kind
  }
  const strict = (): void => {
    cielo.cielo.conditions.links = 'strict'
    adyen.adyen.conditions.links = 'strict'
  }

  it.each([
    ['mastercard', MASTERCARD],
    ['visa', CARD],
  ])('carry the ids that the brand requires of a %s, at each of them', async (_, card) => {
    strict()
    for (const connection of [at.cielo, at.adyen]) {
      const vault = vaultAt(connection)
      const code = await save(vault, card)
      expect([await pay(vault, code), await pay(vault, code)]).toEqual(['approved', 'approved'])
      await vault.deleteSavedCard('production', 'store-1', code)
    }
    expect(unlinked).toBe(0)
  })

  it('carry the brand’s ids to another acquirer', async () => {
    const code = await save(vaultAt(at.cielo), MASTERCARD)
    strict()
    expect(await pay(vaultAt(at.adyen), code)).toBe('approved')
    expect(unlinked).toBe(0)
  })

  it('name the first TLID and the newest issuer’s id to Cielo', async () => {
    const vault = vaultAt(at.cielo)
    const code = await save(vault, MASTERCARD)
    await pay(vault, code)
    await pay(vault, code)
    const [first, second, third] = [...cielo.cielo.book.sales.values()]
    expect(third).toMatchObject({
      sentTransactionLinkId: first?.transactionLinkId,
      sentIssuerTransactionId: second?.issuerTransactionId,
    })
  })

  it('name the first of both to Adyen', async () => {
    const vault = vaultAt(at.adyen)
    const code = await save(vault, MASTERCARD)
    await pay(vault, code)
    await pay(vault, code)
    const [first, , third] = [...adyen.adyen.book.payments.values()]
    expect(third?.storedCredential).toMatchObject({
      transactionLinkId: first?.transactionLinkId,
      networkPaymentReference: first?.networkTxReference,
    })
  })

  it('are sent without an id and counted, and strict ones pass once the card is filled', async () => {
    const vault = vaultAt(at.cielo)
    const code = await save(vault, MASTERCARD)
    // As an older release saved it.
    const none = {
      network_transaction_id: null,
      newest_network_transaction_id: null,
      transaction_link_id: null,
      newest_transaction_link_id: null,
    }
    await test.database.transact((trx) => trx.updateTable('saved_cards').set(none).execute())
    const known = [...cielo.cielo.book.sales.values()]
    strict()
    expect(await pay(vault, code)).toBe('declined')
    expect(unlinked).toBe(1)
    await vault.followUpCharges()
    const administration = createVaultAdministration({ ...test.deps, clock: cielo.clock })
    expect(await administration.planLinkFill()).toMatchObject({ planned: 1 })
    cielo.clock.advance(MINUTE_MS)
    await vault.followUpCharges()
    expect(await administration.countLinks()).toEqual({ cards: 1, lacking: 0 })
    expect(await pay(vault, code)).toBe('approved')
    const sale = [...cielo.cielo.book.sales.values()].at(-1)
    expect(sale?.sentTransactionLinkId).toBe(known[0]?.transactionLinkId)
  })
})
