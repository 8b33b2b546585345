// Long: kills a process at each of its moments. Two vaults, each a separate process, share one
// PostgreSQL, real connectors and the simulated acquirers: one is killed while it refunds and
// receives notices.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CardChange, DAY_MS, MINUTE_MS, minorUnits, paymentReference } from '@cofre/contracts'
import { generateKeyRing } from '@cofre/vault'
import { queryPostgres, testPostgres } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MERCHANT, type TestAdyen, openTestAdyen } from '../../adyen/test/simulated-adyen.js'
import { type TestCielo, openTestCielo } from '../../cielo/test/simulated-cielo.js'
import { PAN } from '../../../provider-kit/test/payments.js'
import { storeAccounts } from '../test/stored-account.js'
import { VaultProcess } from '../test/vault-process.js'

const CARD = { number: PAN, cvv: '737', month: '03', year: '2030' }
const SERVER = await testPostgres()
const NAMES = ['adyen', 'cielo'] as const
type Name = (typeof NAMES)[number]

/** The moment at which the refunding vault is killed. */
const MOMENTS = ['asked, not booked', 'asked and booked', 'answered'] as const
type Moment = (typeof MOMENTS)[number]

const codeOf = (name: Name, index: number) => String(100_000 + index * 10 + NAMES.indexOf(name))
const keyOf = (name: Name, index: number) =>
  ({ environment: 'production', transactionCode: codeOf(name, index) }) as const

describe('two vaults of which one is killed', () => {
  const url = new URL(SERVER)
  url.pathname = `killed_${randomUUID().replaceAll('-', '')}`
  let adyen: TestAdyen
  let cielo: TestCielo
  let one: VaultProcess
  let two: VaultProcess
  let aheadMs = 0
  const noticed: Record<Name, number> = { adyen: 0, cielo: 0 }
  const fates: string[] = []
  const notified: CardChange[] = []

  beforeAll(async () => {
    await queryPostgres(SERVER, `create database ${url.pathname.slice(1)}`)
    ;[adyen, cielo] = await Promise.all([openTestAdyen(), openTestCielo()])
    const keys = generateKeyRing()
    await addAccounts(keys)
    const simulators = {
      adyen: { origin: `https://127.0.0.1:${adyen.apiPort}`, caPem: adyen.authority },
      cielo: {
        origin: `https://127.0.0.1:${cielo.apiPort}`,
        queryOrigin: `https://127.0.0.1:${cielo.queryPort}`,
        caPem: cielo.authority,
      },
    }
    one = new VaultProcess({ url: url.href, keys, simulators })
    two = new VaultProcess({ url: url.href, keys, simulators })
    await Promise.all([one.start(0), two.start(0)])
  })
  afterAll(async () => {
    await Promise.all([one.kill(), two.kill(), adyen.close(), cielo.close()])
    await queryPostgres(SERVER, `drop database ${url.pathname.slice(1)} with (force)`)
  })

  /** One account per store, named after its acquirer. */
  async function addAccounts(keys: string): Promise<void> {
    const { apiKey, hmacKey } = adyen.credentials
    const given = {
      adyen: {
        merchantAccount: MERCHANT,
        returnUrl: 'https://loja.example/volta',
        apiKey,
        hmacKey,
      },
      cielo: { ...cielo.credentials },
    }
    await storeAccounts({ url: url.href, keys }, given)
  }

  const both = <Result>(work: string, input?: unknown) =>
    Promise.all([one, two].map((vault) => vault.ask<Result>(work, input)))

  async function pass(ms: number): Promise<void> {
    aheadMs += ms
    cielo.clock.advance(ms)
    await both('advance', ms)
  }

  /** Delivers the acquirers' new notices to both vaults: a killed one has not received them. */
  async function deliver(): Promise<void> {
    await Promise.all([adyen.notices(), cielo.notices()])
    for (const [accountId, { receiver }] of Object.entries({ adyen, cielo }) as [
      Name,
      TestCielo,
    ][]) {
      const news = receiver.received.slice(noticed[accountId])
      noticed[accountId] += news.length
      for (const body of news) {
        const taken = await both<string[]>('notice', { accountId, body })
        fates.push(...taken.flatMap((each) => (each === 'killed' ? [] : each)))
      }
    }
  }

  const refund = (vault: VaultProcess, name: Name, index: number) =>
    vault.ask<{ kind: string }>('refund', {
      ...keyOf(name, index),
      merchantId: name,
      refundId: `9${codeOf(name, index)}`,
      amountMinor: minorUnits(4000),
    })

  /** Kills the first vault when its refund has reached this moment at both acquirers. */
  async function killWhile(moment: Moment, index: number): Promise<void> {
    const reached = NAMES.map(() => Promise.withResolvers<unknown>())
    for (const [i, { disturbances }] of [adyen.adyen, cielo.cielo].entries())
      disturbances.add({
        effect:
          moment === 'asked, not booked'
            ? { kind: 'cut', when: 'before' }
            : { kind: 'late', delayMs: 0 },
        on({ path }) {
          const isRefund = /refunds|void/.test(path)
          if (isRefund) reached[i]?.resolve(undefined)
          return isRefund
        },
      })
    const asked = NAMES.map((name) => refund(one, name, index))
    await Promise.all(reached.map(({ promise }) => promise))
    // Meanwhile another vault requests the same.
    for (const name of NAMES) void refund(two, name, index)
    if (moment === 'answered') await sleep(10)
    await Promise.all([one.kill(), deliver()])
    await Promise.all(asked)
    adyen.adyen.disturbances.clear()
    cielo.cielo.disturbances.clear()
    await one.start(aheadMs)
  }

  it('charge and refund once, and report it once, whenever it is killed', async () => {
    const orders = MOMENTS.flatMap((_, index) => NAMES.map((name) => [name, index] as const))
    const answers = await Promise.all(
      orders.map(([name, index], i) =>
        (i % 2 === 0 ? one : two).ask('pay', {
          ...keyOf(name, index),
          merchantId: name,
          card: CARD,
          payerEmail: 'ana@example.com',
          payer: { name: 'Ana Souza', document: '12345678909', ip: '203.0.113.7' },
          amountMinor: minorUnits(12_990),
          installments: 1,
          saveCard: false,
        }),
      ),
    )
    expect(answers).toMatchObject(orders.map(() => ({ outcome: 'approved' })))
    await deliver()
    await pass(DAY_MS + 30 * MINUTE_MS)
    for (const [index, moment] of MOMENTS.entries()) await killWhile(moment, index)
    for (let round = 0; round < 3; round++) {
      await pass(2 * MINUTE_MS)
      // As the gateway does without an answer.
      await Promise.all(orders.map(([name, index]) => refund(two, name, index)))
      await both('followUp')
      await deliver()
      for (const changes of await both<CardChange[]>('changes'))
        if (changes !== 'killed') notified.push(...changes)
    }
    for (const [name, index] of orders) {
      const reference = paymentReference({ installation: 'cofre', ...keyOf(name, index) })
      const tally =
        name === 'adyen' ? adyen.adyen.tallyOf(reference) : cielo.cielo.tallyOf(reference)
      const booked = { charges: 1, refunds: 1, refundedMinor: 4000 }
      expect([name, MOMENTS[index], tally]).toMatchObject([name, MOMENTS[index], booked])
      expect(await refund(two, name, index)).toEqual({ kind: 'done' })
      const news = notified.filter(({ transactionCode }) => transactionCode === codeOf(name, index))
      const ended = { kind: 'refund_ended', outcome: 'PROCESSED' }
      expect(news).toMatchObject([{ change: ended }])
    }
    // Adyen's authorization and refund of each order, delivered to both vaults.
    const isFirst = (fate: string) => fate === 'applied' || fate === 'early'
    expect(fates.filter(isFirst).length).toBeLessThanOrEqual(2 * MOMENTS.length)
    expect(['applied', 'double', 'early', 'hint']).toEqual(
      expect.arrayContaining([...new Set(fates)]),
    )
  })
})
