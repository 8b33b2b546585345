// Three existing shop plugins, simulated from order to refund.
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TransactionCode } from '@cofre/gateway/room'
import { ACKNOWLEDGED, railRequest } from '../../gateway/src/gateway.fixture.js'
import { readCharges } from '../../banks/src/payment/charge-read-service.js'
import { type PixGateway, openPixGateway } from '../../banks/src/payment/pix-bank.fixture.js'
import { processRefunds } from '../../gateway/src/payment/refund-service.js'
import type { OutgoingNotification } from './model/sending.js'
import { claimNotifications, deliver } from './notification-delivery.js'
import { type TestDeliveries, deliveriesOf } from './notifications.fixture.js'
import { FAILED, INTERVAL_MS } from './rounds.fixture.js'

interface Plugin {
  /** The addresses of an order, and of its refunds. */
  readonly addresses: (order: string) => { readonly order: string; readonly refund: string }
  readonly keyOf: (part: string) => string | undefined
  readonly takesRefunds: boolean
}

const PLUGINS: readonly (readonly [string, Plugin])[] = [
  [
    'one address for all, which refuses notices of refunds',
    {
      addresses: () => ({ order: 'https://one.example/n', refund: 'https://one.example/n' }),
      keyOf: () => undefined,
      takesRefunds: false,
    },
  ],
  [
    'an address for each order and another host for refunds, which refuses them',
    {
      addresses: (order) => ({
        order: `https://two.example/n/${order}`,
        refund: `https://refunds.two.example/n/${order}`,
      }),
      keyOf: () => undefined,
      takesRefunds: false,
    },
  ],
  [
    'an address for each kind, a key for each part, and notices of refunds that are taken',
    {
      addresses: () => ({ order: 'https://three.example/n', refund: 'https://three.example/r' }),
      keyOf: (part) => `key-of-${part}`,
      takesRefunds: true,
    },
  ],
]

for (const engine of TEST_ENGINES)
  describe.each(PLUGINS)(`a plugin with %s, on ${engine.name}`, (_, plugin) => {
    let pix: PixGateway
    let deliveries: TestDeliveries
    let sent: OutgoingNotification[]
    let isRefused: (notification: OutgoingNotification) => boolean
    const isOfRefund = ({ body }: OutgoingNotification): boolean => body.includes('refund-id')
    beforeEach(async () => {
      sent = []
      isRefused = (notification) => !plugin.takesRefunds && isOfRefund(notification)
      pix = await openPixGateway(engine)
      deliveries = deliveriesOf(pix.parts, {
        sender: {
          send(notification) {
            sent.push(notification)
            return Promise.resolve(isRefused(notification) ? FAILED : ACKNOWLEDGED)
          },
        },
      })
    })
    afterEach(() => pix.close())

    /** Runs all jobs of workers until nothing is left to do. */
    const work = async (ms = SECOND_MS): Promise<void> => {
      pix.time.nowMs += ms
      await readCharges(pix.parts)
      await processRefunds(pix.parts)
      for (;;) {
        const due = await claimNotifications(deliveries, 100)
        if (due.length === 0) return
        await Promise.all(due.map((notification) => deliver(deliveries, notification)))
      }
    }
    const pay = async (order: string): Promise<TransactionCode> => {
      const { transaction, ...rest } = railRequest(order, 'pix')
      const url = plugin.addresses(order).order
      const body = { ...rest, transaction: { ...transaction, 'notification-url': url } }
      expect((await pix.test.send('POST', '/transactions', { body })).status).toBe(201)
      pix.bank.pay()
      await work(5 * SECOND_MS)
      return (await pix.find(order))!.code
    }
    /** Refunds like a plugin: the order's number is the reference of each part. */
    const refund = (order: string, code: TransactionCode, part: string, amount = 30) =>
      pix.test.send('POST', '/refunds', {
        body: {
          'transaction-id': code,
          amount,
          reference: order,
          'notify-url': plugin.addresses(order).refund,
        },
        headers: { 'idempotency-key': plugin.keyOf(part) },
      })
    /**
     * The number of accepted notices of an order's status, each followed by the plugin's search.
     */
    const heardOf = (order: string, code: TransactionCode): number =>
      sent.filter(
        (one) =>
          !isOfRefund(one) &&
          one.url === plugin.addresses(order).order &&
          new URLSearchParams(one.body).get('transaction-code') === String(code),
      ).length

    it('refunds an order in parts, and is notified of each order beside refused notices', async () => {
      const first = await pay('1001')
      expect((await refund('1001', first, 'a')).status).toBe(201)
      await work()
      const repeated = await refund('1001', first, 'a')
      const second = await refund('1001', first, 'b')
      if (plugin.keyOf('a') === undefined) {
        for (const refused of [repeated, second]) expect(refused.codes).toEqual([20607])
        expect((await refund('1001', first, 'c', 20)).status).toBe(201)
        await work(DAY_MS)
        expect((await refund('1001', first, 'b')).status).toBe(201)
      } else {
        expect([repeated.status, second.status]).toEqual([201, 201])
        await work()
        expect((await refund('1001', first, 'c', 20)).status).toBe(201)
      }
      await work()
      expect(pix.bank.refundedMinor()).toBe(8_000)
      expect((await refund('1001', first, 'd', 20.01)).codes).toEqual([20608])
      // The notices of refunds were refused for hours.
      for (let attempt = 0; attempt < 12; attempt++) await work(INTERVAL_MS)
      const next = await pay('1002')
      await work(15 * SECOND_MS)
      expect((await pix.find('1001'))?.status).toBe('REFUNDED')
      expect(heardOf('1001', first)).toBeGreaterThanOrEqual(2)
      expect(heardOf('1002', next)).toBe(1)
      const refunds = sent.filter(isOfRefund)
      expect(new Set(refunds.map(({ url }) => url))).toEqual(
        new Set([plugin.addresses('1001').refund]),
      )
      const ids = () => new Set(sent.filter((one) => isOfRefund(one) && !isRefused(one)).map(idOf))
      isRefused = () => false
      const idsBefore = sent.length
      for (let minute = 0; minute < 60; minute++) await work(MINUTE_MS)
      if (!plugin.takesRefunds) expect(sent.slice(idsBefore).some(isOfRefund)).toBe(true)
      expect(ids().size).toBe(3)
    })
  })

function idOf({ headers }: OutgoingNotification): string | undefined {
  return headers['webhook-id']
}
