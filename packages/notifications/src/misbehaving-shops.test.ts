import { once } from 'node:events'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES, TEST_SQLITE } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  ACKNOWLEDGED,
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
} from '../../gateway/src/gateway.fixture.js'
import { createHttpSender } from './delivery/http-sender.js'
import { parseTargetAllowances } from './delivery/notification-target.js'
import type { TransactionCode } from '@cofre/gateway/room'
import {
  type TestNotifications,
  attemptsOf,
  openTestNotifications,
} from './notifications.fixture.js'

const ORDERS = 11
/** Attempts at each notification within an hour, one every ten minutes. */
const ATTEMPTS_IN_AN_HOUR = 6
const PROBES = 3
/** A busy machine may need this long. */
const WAIT_MS = 60_000
const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')

/** A shop's fault in answering a notification, until the shop recovers. */
const TROUBLES: Readonly<Record<string, RequestListener>> = {
  hangs: () => undefined,
  resets: (request) => request.socket.resetAndDestroy(),
  redirects: (_, answer) => answer.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end(),
  'answers 500': (_, answer) => answer.writeHead(500).end('no'),
  'answers 10 MB with a 500': (_, answer) => {
    answer.writeHead(500)
    for (let i = 0; i < 10; i++) answer.write(MEGABYTE)
    answer.end()
  },
}

interface Shop {
  readonly trouble: string
  readonly url: string
  readonly codes: TransactionCode[]
  isMended: boolean
}

async function openShop(trouble: string, behave: RequestListener): Promise<Shop> {
  const server = createServer((request, answer) => {
    request.resume().on('end', () => {
      if (shop.isMended) answer.end('ok')
      else behave(request, answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/n`
  const shop: Shop = { trouble, url, codes: [], isMended: false }
  return shop
}

async function sell(test: TestNotifications, shop: Shop): Promise<void> {
  const merchant = {
    ...MERCHANT,
    payerDeclines: 0,
    binDeclines: 0,
    id: shop.trouble.replaceAll(' ', '-'),
  }
  await test.gateway.saveMerchant(merchant)
  for (let i = 1; i <= ORDERS; i++) {
    const body = cardRequest(`order-${i}`)
    body.transaction['notification-url'] = shop.url
    const { json } = await test.send('POST', '/transactions', { body, merchant })
    shop.codes.push(Number((json.transaction as { code: string }).code) as TransactionCode)
  }
}

describe('shops that misbehave for more than an hour', () => {
  it('are retried every ten minutes, then probed, and get all in the end; a healthy shop never waits', async () => {
    let nowMs = NOW_MS
    const good = await openShop('is well', (_, answer) => answer.end())
    const bad = await Promise.all(
      Object.entries(TROUBLES).map(([trouble, behave]) => openShop(trouble, behave)),
    )
    const hanging = bad.find(({ trouble }) => trouble === 'hangs')
    const sender = { version: '1.2.3', allowances: parseTargetAllowances('127.0.0.0/8:*') }
    // A busy machine would make the other shops exceed this time-out.
    const impatient = createHttpSender({ ...sender, timeoutMs: 300 })
    const patient = createHttpSender(sender)
    const test = await openTestNotifications(TEST_SQLITE, {
      clock: { now: () => nowMs },
      machineClock: { now: () => Date.now() },
      sender: {
        send: (notification) =>
          (notification.url === hanging?.url ? impatient : patient).send(notification),
      },
    })
    onTestFinished(() => test.close())
    // Declined, because such notifications rest at their first 200.
    test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
    for (const shop of [...bad, good]) await sell(test, shop)

    const { notifications } = test.deliveries
    const attemptsAt = async ({ codes }: Shop) =>
      (await Promise.all(codes.map((code) => attemptsOf(test.database, code)))).flat()
    const recorded = new Map<number, number>()
    const recordAttempt = notifications.recordAttempt.bind(notifications)
    vi.spyOn(notifications, 'recordAttempt').mockImplementation(async (notification, ...rest) => {
      await recordAttempt(notification, ...rest)
      const { transactionCode: code } = notification
      recorded.set(code, (recorded.get(code) ?? 0) + 1)
    })
    const worker = test.gateway.startWorker()
    const triesOf = ({ codes }: Shop) =>
      codes.reduce((sum, code) => sum + (recorded.get(code) ?? 0), 0)
    const eachTried = (least: number) =>
      vi.waitUntil(() => bad.every((shop) => triesOf(shop) >= least), { timeout: WAIT_MS })
    await eachTried(ORDERS)
    expect(await attemptsAt(good)).toHaveLength(ORDERS)
    for (let attempt = 2; attempt <= ATTEMPTS_IN_AN_HOUR; attempt++) {
      nowMs += 10 * MINUTE_MS
      await eachTried(attempt * ORDERS)
    }
    const afterAnHour = ATTEMPTS_IN_AN_HOUR * ORDERS
    for (const shop of bad) expect(await attemptsAt(shop)).toHaveLength(afterAnHour)
    for (let probe = 1; probe <= PROBES; probe++) {
      nowMs += 10 * MINUTE_MS
      await eachTried(afterAnHour + probe)
    }
    // Two attempts were in progress when the hour ended.
    for (const shop of bad)
      expect((await attemptsAt(shop)).length).toBeLessThanOrEqual(afterAnHour + PROBES + 1)
    expect(await attemptsAt(good)).toHaveLength(ORDERS)
    const stillWaiting = await test.gateway.notifications.backlog()
    expect(
      stillWaiting.map((store) => [store.waiting, store.refusedSinceMs, store.isProbed]),
    ).toEqual(bad.map(() => [ORDERS, NOW_MS, true]))

    for (const shop of bad) shop.isMended = true
    await vi.waitFor(
      async () => {
        // Repeated, because a probe may have been in progress while they recovered.
        nowMs += 10 * MINUTE_MS
        expect(await test.gateway.notifications.backlog()).toEqual([])
      },
      { timeout: WAIT_MS, interval: 1000 },
    )
    await worker.stop()
  })
})

for (const engine of TEST_ENGINES) {
  describe(`shops that hang, on ${engine.name}`, () => {
    it('do not keep one that is well from hearing at once, however many hang', async () => {
      const clock = { now: () => Date.now() }
      const hanging = new AbortController()
      const reported: string[] = []
      const test = await openTestNotifications(engine, {
        clock,
        machineClock: clock,
        purchaseLimits: { perTransactionMinor: minorUnits(10_000), perPeriodMinor: undefined },
        sender: {
          async send({ url }) {
            reported.push(new URL(url).hostname)
            if (url.includes('well')) return ACKNOWLEDGED
            // A notification that was claimed before the end may be sent after it.
            if (!hanging.signal.aborted) await once(hanging.signal, 'abort')
            return { ...ACKNOWLEDGED, statusCode: 500 }
          },
        },
      })
      onTestFinished(() => test.close())
      const order = async (store: string, reference: string): Promise<void> => {
        const body = cardRequest(reference)
        body.transaction['notification-url'] = `https://${store}/n`
        const merchant = { ...MERCHANT, id: store }
        expect((await test.send('POST', '/transactions', { body, merchant })).status).toBe(201)
      }
      const stores = Array.from({ length: 12 }, (_, i) => `hangs-${i}.example`)
      for (const store of [...stores, 'well.example'])
        await test.gateway.saveMerchant({ ...MERCHANT, id: store })
      for (const store of stores) for (let i = 0; i < 20; i++) await order(store, `order-${i}`)
      const worker = test.gateway.startWorker()
      await vi.waitUntil(() => stores.every((store) => reported.includes(store)), WAIT_MS)
      await order('well.example', 'order-1')
      await vi.waitUntil(() => reported.includes('well.example'), WAIT_MS)
      hanging.abort()
      await worker.stop()
    })
  })
}
