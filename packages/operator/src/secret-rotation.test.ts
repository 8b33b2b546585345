import { createHmac } from 'node:crypto'
import { DAY_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ACKNOWLEDGED, MERCHANT, NOW_MS, cardRequest } from '../../gateway/src/gateway.fixture.js'
import type { OutgoingNotification } from '../../notifications/src/model/sending.js'
import { type TestOperator, openTestOperator } from './operator.fixture.js'

const NEXT = { ...MERCHANT, secret: new Secret('the next secret of the store') }
const LAST = { ...MERCHANT, secret: new Secret('the last secret of the store') }

for (const engine of TEST_ENGINES) {
  describe(`a rotated secret on ${engine.name}`, () => {
    let test: TestOperator
    let machineNowMs: number
    let sent: OutgoingNotification[]
    beforeEach(async () => {
      machineNowMs = NOW_MS
      sent = []
      test = await openTestOperator(engine, {
        machineClock: { now: () => machineNowMs },
        sender: {
          send(notification) {
            sent.push(notification)
            return Promise.resolve(ACKNOWLEDGED)
          },
        },
      })
    })
    afterEach(() => test.close())

    const rotate = ({ secret }: typeof NEXT) =>
      test.gateway.backOffice.rotateSecret(MERCHANT.id, secret)
    const asks = async (merchant: typeof MERCHANT): Promise<number> =>
      (await test.send('GET', '/transactions/1', { merchant })).status

    it('signs at once, and the one before it for a day of the machine’s time', async () => {
      expect(await asks(NEXT)).toBe(401)
      expect(await rotate(NEXT)).toBe(NOW_MS + DAY_MS)
      expect([await asks(MERCHANT), await asks(NEXT)]).toEqual([404, 404])
      machineNowMs += DAY_MS - 1
      expect(await asks(MERCHANT)).toBe(404)
      machineNowMs += 1
      expect([await asks(MERCHANT), await asks(NEXT)]).toEqual([401, 404])
    })

    it('leaves two alive, never three', async () => {
      await rotate(NEXT)
      await rotate(LAST)
      expect([await asks(MERCHANT), await asks(NEXT), await asks(LAST)]).toEqual([401, 404, 404])
    })

    it('survives that its store is saved as it is, and ends when it is saved with another', async () => {
      await rotate(NEXT)
      await test.gateway.saveMerchant({ ...NEXT, name: 'Loja Nova' })
      expect([await asks(MERCHANT), await asks(NEXT)]).toEqual([404, 404])
      await test.gateway.saveMerchant(LAST)
      expect([await asks(MERCHANT), await asks(NEXT), await asks(LAST)]).toEqual([401, 401, 404])
    })

    it('signs notifications together with the one before it', async () => {
      await rotate(NEXT)
      await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      const worker = test.gateway.startWorker()
      await vi.waitFor(() => {
        expect(sent).toHaveLength(1)
      }, 60_000)
      await worker.stop()
      const { headers, body } = sent[0]!
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const signatures = [NEXT, MERCHANT].map(
        ({ secret }) =>
          `v1,${createHmac('sha256', secret.reveal()).update(signed).digest('base64')}`,
      )
      expect(headers['webhook-signature']).toBe(signatures.join(' '))
    })

    it('is not given to a store that is not there', async () => {
      expect(await test.gateway.backOffice.rotateSecret('nobody', NEXT.secret)).toBeUndefined()
    })

    it('replaces no other secret than the one it was given for, nor that of a disabled store', async () => {
      const replacing = (secret: Secret<string>) =>
        test.gateway.backOffice.rotateSecret(MERCHANT.id, LAST.secret, secret)
      expect(await replacing(NEXT.secret)).toBeUndefined()
      await rotate(NEXT)
      expect(await replacing(MERCHANT.secret)).toBeUndefined()
      await test.parts.merchants.change(MERCHANT.id, { enabled: false }, 'panel')
      expect(await replacing(NEXT.secret)).toBeUndefined()
      await test.parts.merchants.change(MERCHANT.id, { enabled: true }, 'panel')
      expect([await asks(NEXT), await asks(LAST)]).toEqual([404, 401])
      expect(await replacing(NEXT.secret)).toBe(NOW_MS + DAY_MS)
    })

    it('does not let production’s transactions be deleted', async () => {
      await expect(test.gateway.backOffice.deleteTestData(MERCHANT.id)).rejects.toThrow('test data')
    })
  })
}
