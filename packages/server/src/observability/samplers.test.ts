import { DAY_MS, SECOND_MS } from '@cofre/contracts'
import type { VaultCensus } from '@cofre/vault'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  ACKNOWLEDGED,
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
  openTestGateway,
} from '../../../gateway/src/gateway.fixture.js'
import { claimNotifications, deliver } from '../../../notifications/src/notification-delivery.js'
import { openTestNotifications } from '../../../notifications/src/notifications.fixture.js'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import { openBoletoGateway } from '../../../banks/src/payment/boleto-bank.fixture.js'
import { accountOf, openPixGateway } from '../../../banks/src/payment/pix-bank.fixture.js'
import { OPEN_INTENT_CHECK_AFTER_MS } from '../../../gateway/src/model/transaction/transaction.js'
import { askAfterOpenCharges } from '../../../gateway/src/payment/open-intent-service.js'
import { readCharges } from '../../../banks/src/payment/charge-read-service.js'
import { refundSurpluses } from '../../../banks/src/payment/bank-refund-service.js'
import { announceFieldSettings } from '../../../gateway/src/payment/field-announcement-service.js'
import { withOperator } from '../../../operator/src/operator.fixture.js'
import { fanOut } from '../../../events/src/sql/fan-out-sql.js'
import { FAILED, openTestEvents } from '../../../events/src/events.fixture.js'
import { createMetrics } from './metrics.js'
import {
  type Sampler,
  bankSampler,
  cardFieldsSampler,
  databaseSampler,
  eventSampler,
  outboxSampler,
  searchIndexSampler,
  runSamplers,
  underReviewSampler,
  vaultSampler,
} from './samplers.js'
import { searchOf } from '../../../search/src/search.fixture.js'
import { readAll } from '../../../search/src/sql/search-index.fixture.js'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function scrape(metrics: ReturnType<typeof createMetrics>, sampler: Sampler, name: string) {
  await runSamplers([sampler], log)
  const text = await metrics.registry.metrics()
  return text.split('\n').filter((line) => line.startsWith(`${name}{`))
}

describe('The gauge of databases', () => {
  it('shows which ones answer, without any request, and does not wait for a silent one', async () => {
    const metrics = createMetrics('0.0.0')
    let isGone = true
    const sampler = databaseSampler(
      metrics,
      new Map([
        ['vault', () => Promise.resolve()],
        ['bank', () => (isGone ? Promise.reject(new Error('gone')) : Promise.resolve())],
        ['gateway_production', () => new Promise<void>(() => undefined)],
      ]),
    )
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const shown = async () => {
      const scraping = scrape(metrics, sampler, 'cofre_database_up')
      await vi.advanceTimersByTimeAsync(5000)
      return (await scraping).toSorted()
    }
    expect(await shown()).toEqual([
      'cofre_database_up{database="bank"} 0',
      'cofre_database_up{database="gateway_production"} 0',
      'cofre_database_up{database="vault"} 1',
    ])
    isGone = false
    expect(await shown()).toContain('cofre_database_up{database="bank"} 1')
  })
})

describe('The gauges of a vault', () => {
  it('count work for people at acquirers, by environment', async () => {
    const metrics = createMetrics('0.0.0')
    const none = { production: 0, sandbox: 0 }
    const census: VaultCensus = {
      sessions: 0,
      directTokens: 0,
      savedCards: 0,
      openCardSinceMs: undefined,
      undecidedCharges: { ...none, production: 2 },
      openCancels: { ...none, sandbox: 1 },
      openCaptures: [
        { environment: 'production', operation: 'void', count: 2, sinceMs: NOW_MS - 90_000 },
      ],
      slowRefunds: none,
      parkedChanges: { ...none, production: 3 },
      unchargedCards: { ...none, production: 6 },
      unreportedCharges: { ...none, production: 5 },
      oldestChangeAtMs: { production: undefined, sandbox: undefined },
    }
    const vault = { census: () => Promise.resolve(census) }
    const keyStatus = () => Promise.resolve([])
    const sampler = vaultSampler(metrics, vault, { keyStatus, clock: { now: () => NOW_MS } })
    expect(await scrape(metrics, sampler, 'cofre_card_undecided')).toEqual([
      'cofre_card_undecided{environment="production",what="charge"} 2',
      'cofre_card_undecided{environment="production",what="cancel"} 0',
      'cofre_card_undecided{environment="sandbox",what="charge"} 0',
      'cofre_card_undecided{environment="sandbox",what="cancel"} 1',
    ])
    expect(await scrape(metrics, sampler, 'cofre_card_captures_waiting')).toEqual([
      'cofre_card_captures_waiting{environment="production",operation="capture"} 0',
      'cofre_card_captures_waiting{environment="production",operation="void"} 2',
      'cofre_card_captures_waiting{environment="sandbox",operation="capture"} 0',
      'cofre_card_captures_waiting{environment="sandbox",operation="void"} 0',
    ])
    expect(await scrape(metrics, sampler, 'cofre_card_captures_oldest_age_seconds')).toContain(
      'cofre_card_captures_oldest_age_seconds{environment="production",operation="void"} 90',
    )
    expect(await scrape(metrics, sampler, 'cofre_card_changes_held')).toEqual([
      'cofre_card_changes_held{environment="production"} 3',
      'cofre_card_changes_held{environment="sandbox"} 0',
    ])
    expect(await scrape(metrics, sampler, 'cofre_card_charges_unheard')).toEqual([
      'cofre_card_charges_unheard{environment="production"} 5',
      'cofre_card_charges_unheard{environment="sandbox"} 0',
    ])
  })
})

for (const engine of TEST_ENGINES) {
  describe(`The gauge of what waits for its first attempt, on ${engine.name}`, () => {
    it('leaves out a store that has gone for good, whatever waits for it, and what waits for its turn', async () => {
      let nowMs = NOW_MS
      const clock = { now: () => nowMs }
      const gone = { ...MERCHANT, id: 'gone' }
      const test = await openTestNotifications(engine, { clock, machineClock: clock })
      onTestFinished(() => test.close())
      const { deliveries, gateway } = test
      await gateway.saveMerchant(gone)
      const metrics = createMetrics('0.0.0')
      const sampler = outboxSampler(metrics, [gateway])
      const unsentSeconds = async () => {
        const [line] = await scrape(metrics, sampler, 'cofre_outbox_unsent_age_seconds')
        return Number(line?.split(' ').at(-1))
      }
      const isRefused = { statusCode: 410, durationMs: 1, responseExcerpt: '' }
      const round = async (refusing: string) => {
        for (const notification of await claimNotifications(deliveries, 10)) {
          const isBad = notification.merchantId === refusing
          const sender = { send: () => Promise.resolve(isBad ? isRefused : ACKNOWLEDGED) }
          await deliver({ ...deliveries, sender }, notification)
        }
      }
      expect(await unsentSeconds()).toBe(0)
      await test.send('POST', '/transactions', { body: cardRequest('order-1'), merchant: gone })
      nowMs += 60_000
      expect(await unsentSeconds()).toBe(60)
      await round('gone')
      await test.send('POST', '/transactions', { body: cardRequest('order-2'), merchant: gone })
      nowMs += 60_000
      expect(await unsentSeconds()).toBe(0)

      await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      nowMs += 30_000
      expect(await unsentSeconds()).toBe(30)
      await round('gone')
      expect(await unsentSeconds()).toBe(0)
      // A store that acknowledges most notifications counts like any other.
      nowMs += 600_000
      await round('store-1')
      await test.send('POST', '/transactions', { body: cardRequest('order-2') })
      await round('')
      const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-3') })
      nowMs += 10_000
      expect(await unsentSeconds()).toBe(10)
      await round('')
      // A change that waits behind an unacknowledged one is not late.
      const { code } = json.transaction as { code: string }
      const { transactions } = test.parts
      await deliveries.notifications.resend(Number(code) as TransactionCode, 1, nowMs + 1)
      await transactions.changeStatus(Number(code) as TransactionCode, {
        to: 'CHARGEBACK',
        atMs: nowMs,
      })
      nowMs += 10_000
      expect(await unsentSeconds()).toBe(0)
    })
  })

  describe(`The gauges of banks, on ${engine.name}`, () => {
    it('count open boletos apart from PIX charges', async () => {
      const boleto = await openBoletoGateway(engine)
      onTestFinished(() => boleto.close())
      await boleto.create('order-1')
      const metrics = createMetrics('0.0.0')
      const clock = { now: () => boleto.time.nowMs }
      const sampler = bankSampler(metrics, [boleto.test.gateway], clock)
      const labels = '{environment="production",bank="fake"}'
      for (const [name, count] of [
        ['cofre_boleto_open_charges', 1],
        ['cofre_pix_open_charges', 0],
      ] as const)
        expect(await scrape(metrics, sampler, name)).toEqual([`${name}${labels} ${count}`])
    })

    it('show the end of a certificate, open charges, and the age of a bank’s silence', async () => {
      const pix = await openPixGateway(engine)
      onTestFinished(() => pix.close())
      const { bank, gateway, parts, time } = pix
      const add = async (id: string, days: number, profile: string) => {
        const certificateUntilMs = NOW_MS + days * DAY_MS
        const account = { ...accountOf(id), certificateUntilMs, settings: { profile } }
        await parts.accounts.create(account, ['pix'], 'operator:ana')
      }
      await add('bank-2', 40, 'north')
      await add('bank-3', 20, 'north')
      await add('bank-4', 10, 'north')
      await parts.accounts.disable('bank-4', 'operator:ana')
      const metrics = createMetrics('0.0.0')
      const sampler = bankSampler(metrics, [gateway], { now: () => time.nowMs })
      const read = async (name: string) => {
        const lines = await scrape(metrics, sampler, name)
        return lines.map((line) => line.replace(`${name}{environment="production",bank=`, ''))
      }
      expect(await read('cofre_account_certificate_expiry_seconds')).toEqual([
        `"north"} ${(20 * DAY_MS) / SECOND_MS}`,
      ])
      const open = 'cofre_pix_open_charges'
      const age = 'cofre_pix_unanswered_age_seconds'
      expect(await read(open)).toEqual(['"fake"} 0', '"north"} 0'])
      await pix.create('order-1')
      expect(await read(open)).toEqual(['"fake"} 1', '"north"} 0'])
      expect(await read(age)).toEqual(['"fake"} 0', '"north"} 0'])
      time.nowMs += 5 * SECOND_MS
      bank.disturb('findCharge', 'unavailable')
      await readCharges(parts)
      time.nowMs += 60 * SECOND_MS
      expect(await read(age)).toEqual(['"fake"} 60', '"north"} 0'])
      bank.pay(9000)
      await readCharges(parts)
      expect(await read(age)).toEqual(['"fake"} 0', '"north"} 0'])
      expect(await read('cofre_pix_surplus_waiting')).toEqual(['"fake"} 1', '"north"} 0'])
      time.nowMs += 30 * SECOND_MS
      expect(await read('cofre_pix_surplus_oldest_age_seconds')).toEqual([
        '"fake"} 30',
        '"north"} 0',
      ])
      const rejected = 'cofre_pix_surplus_rejected'
      expect(await read(rejected)).toEqual(['"fake"} 0', '"north"} 0'])
      bank.disturb('refund', 'refused')
      await refundSurpluses(parts)
      expect(await read('cofre_pix_surplus_waiting')).toEqual(['"fake"} 0', '"north"} 0'])
      expect(await read(rejected)).toEqual(['"fake"} 1', '"north"} 0'])
      bank.pay()
      await gateway.noticeOf('bank-1', [bank.txid])
      time.nowMs += 30 * SECOND_MS
      await readCharges(parts)
      const { code } = (await pix.find('order-1'))!
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
      await pix.test.send('POST', '/refunds', { body })
      bank.disturb('openCharge', 'cut-before')
      await pix.create('order-2')
      bank.disturb('removeCharge', 'refused')
      time.nowMs += OPEN_INTENT_CHECK_AFTER_MS
      await askAfterOpenCharges(parts)
      time.nowMs += 10 * SECOND_MS
      const refund = await read('cofre_pix_refund_oldest_age_seconds')
      expect(refund).toEqual(['"fake"} 130', '"north"} 0'])
      const removal = await read('cofre_pix_removal_oldest_age_seconds')
      expect(removal).toEqual(['"fake"} 10', '"north"} 0'])
    })
  })

  it(`The gauge of failing stores leaves out one that acknowledged the last it was sent, on ${engine.name}`, async () => {
    const test = await openTestNotifications(engine)
    onTestFinished(() => test.close())
    const { deliveries: deps } = test
    const metrics = createMetrics('0.0.0')
    const sampler = outboxSampler(metrics, [test.gateway])
    const shown = async () => [
      ...(await scrape(metrics, sampler, 'cofre_outbox_failing_stores')),
      ...(await scrape(metrics, sampler, 'cofre_outbox_waiting')),
    ]
    const answer = async (reference: string, statusCode: number) => {
      await test.send('POST', '/transactions', { body: cardRequest(reference) })
      const result = { statusCode, durationMs: 1, responseExcerpt: '' }
      const sender = {
        send: () => Promise.resolve(statusCode === 200 ? ACKNOWLEDGED : result),
      }
      for (const notification of await claimNotifications(deps, 10))
        await deliver({ ...deps, sender }, notification)
    }
    await answer('order-1', 500)
    expect(await shown()).toEqual([
      'cofre_outbox_failing_stores{environment="production"} 1',
      'cofre_outbox_waiting{environment="production"} 1',
    ])
    await answer('order-2', 200)
    expect(await shown()).toEqual([
      'cofre_outbox_failing_stores{environment="production"} 0',
      'cofre_outbox_waiting{environment="production"} 1',
    ])
  })

  it(`The gauges of events leave out an endpoint that fails, on ${engine.name}`, async () => {
    const events = await openTestEvents(engine)
    onTestFinished(() => events.test.close())
    const metrics = createMetrics('0.0.0')
    const { eventBacklog } = events.room()
    const sampler = eventSampler(metrics, [{ ...events.test.gateway, eventBacklog }])
    const shown = async () => {
      const names = ['cofre_events_waiting', 'cofre_event_endpoints_failing']
      const lines = []
      for (const name of [...names, 'cofre_events_unsent_age_seconds'])
        lines.push(...(await scrape(metrics, sampler, name)))
      return lines.map((line) => Number(line.split(' ').at(-1)))
    }
    expect(await shown()).toEqual([0, 0, 0])
    await events.endpoint('https://bad.example/')
    await events.pay('one')
    events.nowMs += 60_000
    // No worker has met it.
    expect(await shown()).toEqual([0, 0, 60])
    events.answer = ({ url }) => (url.includes('bad') ? FAILED : { statusCode: 200 })
    await events.send()
    await events.pay('two')
    await fanOut(events.test.database)
    events.nowMs += 60_000
    expect(await shown()).toEqual([2, 1, 0])
    await events.endpoint('https://good.example/')
    await events.pay('three')
    await fanOut(events.test.database)
    events.nowMs += 90_000
    expect(await shown()).toEqual([4, 1, 90])
  })

  it(`The gauge of the search shows how long a payment has waited for it, on ${engine.name}`, async () => {
    let nowMs = NOW_MS
    const clock = { now: () => nowMs }
    const test = await openTestGateway(engine, { clock, machineClock: clock })
    onTestFinished(() => test.close())
    const metrics = createMetrics('0.0.0')
    const sampler = searchIndexSampler(metrics, [
      { ...test.gateway, payments: searchOf(test).payments },
    ])
    const shown = () => scrape(metrics, sampler, 'cofre_search_index_age_seconds')
    await readAll(test.database, nowMs)
    await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    nowMs += 90_000
    expect(await shown()).toEqual(['cofre_search_index_age_seconds{environment="production"} 90'])
  })

  it(`The gauge of card fields shows how long the vault has lacked settings, on ${engine.name}`, async () => {
    let nowMs = NOW_MS
    const clock = { now: () => nowMs }
    const test = await openTestGateway(engine, { machineClock: clock })
    onTestFinished(() => test.close())
    const metrics = createMetrics('0.0.0')
    const sampler = cardFieldsSampler(metrics, [test.gateway], clock)
    const shown = () => scrape(metrics, sampler, 'cofre_card_fields_oldest_age_seconds')
    const reading = 'cofre_card_fields_oldest_age_seconds{environment="production"}'
    expect(await shown()).toEqual([`${reading} 0`])
    await test.gateway.saveMerchant({ ...MERCHANT, fieldOrigins: ['https://shop.example'] })
    nowMs += 90_000
    expect(await shown()).toEqual([`${reading} 90`])
    await announceFieldSettings(test.parts)
    expect(await shown()).toEqual([`${reading} 0`])
  })

  describe(`The gauges of transactions under review, on ${engine.name}`, () => {
    it('show their count and the age of the oldest, by what they wait for', async () => {
      let nowMs = NOW_MS
      const clock = { now: () => nowMs }
      const test = await openTestGateway(engine, { clock, machineClock: clock })
      onTestFinished(() => test.close())
      const metrics = createMetrics('0.0.0')
      const sampler = underReviewSampler(metrics, [withOperator(test).gateway])
      const count = () => scrape(metrics, sampler, 'cofre_transactions_under_review')
      const age = () =>
        scrape(metrics, sampler, 'cofre_transactions_under_review_oldest_age_seconds')
      const none = 'environment="production",waits_for="answer"} 0'
      expect(await count()).toContain(`cofre_transactions_under_review{${none}`)
      expect(await age()).toContain(`cofre_transactions_under_review_oldest_age_seconds{${none}`)
      for (const [reference, outcome] of [
        ['order-1', 'unknown'],
        ['order-2', 'unknown'],
        ['order-3', 'review'],
      ] as const) {
        test.answerCards(() => Promise.resolve({ ...APPROVED, outcome }))
        await test.send('POST', '/transactions', { body: cardRequest(reference) })
        nowMs += 60_000
      }
      expect(await count()).toEqual([
        'cofre_transactions_under_review{environment="production",waits_for="answer"} 2',
        'cofre_transactions_under_review{environment="production",waits_for="review"} 1',
      ])
      expect(await age()).toEqual([
        'cofre_transactions_under_review_oldest_age_seconds{environment="production",waits_for="answer"} 180',
        'cofre_transactions_under_review_oldest_age_seconds{environment="production",waits_for="review"} 60',
      ])
    })
  })
}
