// A vault with the connectors and the simulated acquirers: their books are compared.
import { DAY_MS, HOUR_MS, MINUTE_MS, Secret, minorUnits } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVault } from '@cofre/vault'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../adyen/test/simulated-adyen.js'
import { type TestCielo, openTestCielo } from '../../cielo/test/simulated-cielo.js'
import { type TestVault, orderFor } from '../../../vault/src/vault.fixture.js'
import { PAN, type TestConnection } from '../../../provider-kit/test/payments.js'
import {
  CHARGED,
  CODE,
  REFERENCE,
  Stage,
  connectedToAdyen,
  connectedToCielo,
  openVault,
} from './charged-at-acquirers.fixture.js'

/** Cielo's sandbox leaves it unfinished. */
const UNFINISHED = '4024007153000079'

describe('a vault at the simulated Adyen', () => {
  let adyen: TestAdyen
  let connection: TestConnection
  let stage: Stage
  beforeEach(async () => {
    adyen = await openTestAdyen()
    connection = connectedToAdyen(adyen)
    const card = { number: PAN, cvv: '737', month: '03', year: '2030' }
    stage = new Stage(await openVault(), { simulated: adyen, connection, card })
  })
  afterEach(async () => {
    await connection.acquirer.close()
    await stage.close()
    await adyen.close()
  })
  const tally = () => adyen.adyen.tallyOf(REFERENCE)
  const payment = async () => {
    const answer = await stage.pay()
    return (answer.kind === 'answered' ? answer.charge?.paymentId : undefined) ?? ''
  }
  const cut = (path: RegExp, when: 'before' | 'after') => {
    adyen.adyen.disturbances.add({
      effect: { kind: 'cut', when },
      on: (call) => path.test(call.path),
    })
  }

  it('reports the whole life of a charge', async () => {
    const paymentId = await payment()
    expect(await stage.deliver()).toEqual(['applied'])
    expect(await stage.notified()).toEqual([])
    expect(await stage.refund()).toEqual({ kind: 'in_process' })
    expect(await stage.deliver()).toEqual(['applied'])
    expect(await stage.refund()).toEqual({ kind: 'done' })
    expect(await stage.notified()).toMatchObject([
      { kind: 'refund_ended', refundId: '7', outcome: 'PROCESSED' },
    ])
    const { controls } = adyen.adyen
    controls.chargeBack(paymentId, 5000)
    controls.reverseChargeback(paymentId)
    await stage.deliver()
    expect(await stage.notified()).toEqual([
      { kind: 'charged_back', amountMinor: 5000 },
      { kind: 'chargeback_reversed', amountMinor: 5000 },
    ])
    controls.failCapture(paymentId)
    await stage.deliver()
    expect(await stage.notified()).toEqual([{ kind: 'capture_failed' }])
    controls.send(controls.eventsOf(paymentId).toReversed())
    expect(new Set(await stage.deliver())).toEqual(new Set(['double']))
    expect(await stage.notified()).toEqual([])
  })

  it.each(['before', 'after'] as const)(
    'returns once when answers are cut %s it has booked',
    async (when) => {
      await stage.pay()
      cut(/refunds/, when)
      cut(/refunds/, when)
      expect(await stage.refundUntilDecided()).toBe('done')
      expect(tally()).toMatchObject({ charges: 1, refunds: 1, refundedMinor: 4000 })
    },
  )

  it('learns by notice that a charge was made whose answers were lost', async () => {
    cut(/payments/, 'after')
    expect(await stage.pay()).toMatchObject({ outcome: 'unknown' })
    expect(await stage.deliver()).toEqual(['applied'])
    expect(await stage.notified()).toMatchObject([
      { kind: 'settled', answer: { outcome: 'approved' } },
    ])
    expect(await stage.pay()).toMatchObject({ outcome: 'approved' })
    expect(tally()).toMatchObject({ charges: 1 })
    expect(await stage.refundUntilDecided()).toBe('done')
  })

  it('cancels a charge that is still unknown after a day, and reports it as declined', async () => {
    const { controls } = adyen.adyen
    const { noticeUrl } = adyen.adyen.book.accounts[0] ?? {}
    controls.setNoticeUrl(MERCHANT, undefined)
    cut(/payments/, 'after')
    await stage.pay()
    controls.setNoticeUrl(MERCHANT, noticeUrl)
    // It was captured, so our reference can't cancel it. The notice's id does.
    for (const ms of [25 * HOUR_MS, MINUTE_MS, MINUTE_MS]) {
      await stage.pass(ms)
      await stage.deliver()
    }
    expect(await stage.notified()).toMatchObject([
      { kind: 'settled', answer: { outcome: 'declined' } },
    ])
    expect(await stage.pay()).toMatchObject({ outcome: 'declined' })
    expect(tally()).toMatchObject({ charges: 1, refundedMinor: CHARGED })
  })
})

describe('a vault at the simulated Cielo', () => {
  let cielo: TestCielo
  let connection: TestConnection
  let stage: Stage
  beforeEach(async () => {
    cielo = await openTestCielo()
    connection = connectedToCielo(cielo)
    const card = { number: PAN, cvv: '123', month: '12', year: '2030' }
    stage = new Stage(await openVault(), { simulated: cielo, connection, card })
  })
  afterEach(async () => {
    await connection.acquirer.close()
    await stage.close()
    await cielo.close()
  })
  const tally = () => cielo.cielo.tallyOf(REFERENCE)
  const payment = async () => {
    const answer = await stage.pay()
    return (answer.kind === 'answered' ? answer.charge?.paymentId : undefined) ?? ''
  }
  const cut = (on: RegExp, when: 'before' | 'after') => {
    cielo.cielo.disturbances.add({
      effect: { kind: 'cut', when },
      on: ({ method, path }) => on.test(`${method} ${path}`),
    })
  }
  const hinted = async () => {
    await stage.deliver()
    await stage.pass(10_000)
    return await stage.notified()
  }

  it('reports people’s actions there, and returns the rest', async () => {
    const paymentId = await payment()
    expect(await stage.refund()).toMatchObject({ kind: 'in_process' })
    await stage.pass(DAY_MS + 10 * MINUTE_MS)
    expect(await stage.notified()).toMatchObject([
      { kind: 'refund_ended', refundId: '7', outcome: 'PROCESSED' },
    ])
    await stage.pass(MINUTE_MS)
    expect((await cielo.put(`${paymentId}/void?amount=500`)).status).toBe(200)
    cielo.cielo.controls.notify(paymentId)
    expect(await hinted()).toEqual([
      {
        kind: 'provider_refund',
        providerRefundId: `${paymentId}-1`,
        amountMinor: 500,
        outcome: 'PROCESSED',
      },
    ])
    await stage.pass(MINUTE_MS)
    expect(await stage.refund(CHARGED - 4500, '8')).toEqual({ kind: 'done' })
    expect(tally()).toMatchObject({ charges: 1, refundedMinor: CHARGED })
  })

  it('learns the end of an unfinished sale by a hint', async () => {
    expect(await stage.pay(UNFINISHED)).toMatchObject({ outcome: 'unknown' })
    const [sale] = cielo.cielo.book.sales.values()
    cielo.cielo.controls.endSale(sale?.paymentId ?? '', 'authorized')
    expect(await hinted()).toMatchObject([{ kind: 'settled', answer: { outcome: 'approved' } }])
    expect(await stage.pay(UNFINISHED)).toMatchObject({ outcome: 'approved' })
    expect(tally()).toMatchObject({ attempts: 1, charges: 1 })
  })

  it('reports a chargeback, its end, and a refund that was refused later', async () => {
    const paymentId = await payment()
    await stage.pass(DAY_MS + 10 * MINUTE_MS)
    await hinted()
    expect(await stage.refund()).toEqual({ kind: 'done' })
    const { controls } = cielo.cielo
    controls.chargeBack(paymentId, 5000)
    expect(await hinted()).toMatchObject([
      { kind: 'refund_ended', refundId: '7', outcome: 'PROCESSED' },
      { kind: 'charged_back', amountMinor: 5000 },
    ])
    controls.reverseChargeback(paymentId)
    expect(await hinted()).toEqual([{ kind: 'chargeback_reversed', amountMinor: 5000 }])
    await stage.pass(DAY_MS)
    controls.refuseVoid(paymentId)
    expect(await hinted()).toMatchObject([
      { kind: 'refund_ended', refundId: '7', outcome: 'REJECTED' },
    ])
  })

  it.each(['before', 'after'] as const)(
    'returns once when answers are cut %s it has booked',
    async (when) => {
      await stage.pay()
      await stage.pass(DAY_MS + 10 * MINUTE_MS)
      cut(/void/, when)
      cut(/void/, when)
      expect(await stage.refundUntilDecided()).toBe('done')
      expect(tally()).toMatchObject({ charges: 1, refunds: 1, refundedMinor: 4000 })
    },
  )
})

describe('a vault at both, whose store sends declined cards on', () => {
  let adyen: TestAdyen
  let cielo: TestCielo
  let test: TestVault
  let connections: Readonly<Record<'adyen' | 'cielo', TestConnection>>
  beforeEach(async () => {
    adyen = await openTestAdyen()
    cielo = await openTestCielo()
    test = await openVault()
    connections = { adyen: connectedToAdyen(adyen), cielo: connectedToCielo(cielo) }
  })
  afterEach(async () => {
    await connections.adyen.acquirer.close()
    await connections.cielo.acquirer.close()
    await test.database.close()
    await adyen.close()
    await cielo.close()
  })

  /** Ends in 6: Cielo lets it time out. Adyen goes by the name on the card. */
  const TIMED_OUT = '4024007153000046'
  it.each([
    ['cielo', 'adyen', TIMED_OUT, 'Ana Souza'],
    ['adyen', 'cielo', PAN, 'ISSUER UNAVAILABLE'],
  ] as const)('charges once, at %s declined and at %s approved', async (...row) => {
    const [first, second, number, name] = row
    const attempts: string[] = []
    const acquirerOf = (id: string) =>
      Promise.resolve(connections[id as 'adyen' | 'cielo'].acquirer)
    const vault = createVault({
      ...test.deps,
      clock: adyen.clock,
      installation: 'cofre',
      accountsOf: () =>
        Promise.resolve(() =>
          Promise.resolve({
            accounts: [first, second].map((id) => ({
              id,
              provider: id,
              acquirer: () => acquirerOf(id),
            })),
            routesDeclines: true,
          }),
        ),
      acquirerOf,
      observer: {
        attemptAnswered: ({ accountId, outcome }) => attempts.push(`${accountId} ${outcome}`),
        sentUnlinked: () => undefined,
        retryRefused: () => undefined,
        cardChecked: () => undefined,
      },
    })
    const card = { number, cvv: '737', month: '03', year: '2030' }
    const answer = await vault.authorize(
      orderFor('', {
        transactionCode: CODE,
        source: { kind: 'raw', card: new Secret(card) },
        payer: { name, document: '52998224725', ip: '203.0.113.7' },
        amountMinor: minorUnits(CHARGED),
      }),
    )
    expect(answer).toMatchObject({ outcome: 'approved', charge: { accountId: second } })
    expect(attempts).toEqual([`${first} declined`, `${second} approved`])
    const books = { adyen: adyen.adyen.tallyOf(REFERENCE), cielo: cielo.cielo.tallyOf(REFERENCE) }
    expect(books[first]).toMatchObject({ attempts: 1, charges: 0 })
    expect(books[second]).toMatchObject({ attempts: 1, charges: 1 })
  })
})
