import { DAY_MS, Secret } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS, cardRequest } from '../../gateway/src/gateway.fixture.js'
import { verifyNotification } from '../../merchant/src/notification-signature.js'
import { type TestOperator, openTestOperator } from './operator.fixture.js'

const OPERATOR = 'operator:ana'
const OLD = MERCHANT.secret
const [NEW, LATEST] = [new Secret('the new key'), new Secret('the latest key')]
const ERP = new Secret('the key of the ERP')
const DRAWN = new Secret('the secret of notifications')

/** Stores with more than their first key. The page of 0.2 knows nothing of it. */
const STORES = {
  'as 0.2 has it': () => Promise.resolve(),
  'with further keys': async ({ parts: { merchants } }: TestOperator) => {
    const key = { id: 'k-00000001', name: 'ERP', scopes: ['read'] as const, secret: ERP }
    expect(await merchants.addKey(MERCHANT.id, key, OPERATOR)).toBeUndefined()
  },
}

describe.each(Object.entries(STORES))(
  'the page about rotation of 0.2, at a store %s',
  (_, make) => {
    let test: TestOperator
    let machineMs = NOW_MS
    beforeEach(async () => {
      machineMs = NOW_MS
      test = await openTestOperator(TEST_SQLITE, { machineClock: { now: () => machineMs } })
      await make(test)
      await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    })
    afterEach(() => test.close())

    const rotate = (secret: Secret<string>, graceMs: number) =>
      test.parts.merchants.rotateSecret(MERCHANT.id, secret, {
        previousUntilMs: machineMs + graceMs,
        actor: OPERATOR,
      })
    const ask = async (secret: Secret<string>) => {
      const answer = await test.send('GET', '/transactions/1', {
        merchant: { ...MERCHANT, secret },
      })
      return answer.codes[0] ?? answer.status
    }
    const notification = async () => {
      const [sent] = await test.gateway.notifications.after(MERCHANT.id, {
        createdAtMs: 0,
        transactionCode: 0,
        position: 0,
      })
      if (sent === undefined) throw new Error('the payment has no notification')
      const merchant = await test.parts.merchants.find(MERCHANT.id)
      return test.gateway.notifications.outgoing(merchant!, sent)
    }
    /** The keys by which a shop's check accepts a notification that is sent now. */
    const verifying = async (...secrets: readonly Secret<string>[]) => {
      const { headers, body } = await notification()
      const now = new Date(machineMs)
      return secrets.filter(
        (secret) =>
          verifyNotification({ headers, body, secret: secret.reveal(), now }) !== undefined,
      )
    }
    const ACCEPTED = 20614
    const REFUSED = 10003

    it('is walked unchanged: both keys for 24 hours, for requests and notifications', async () => {
      // 1. The check of notifications accepts when any signature holds.
      expect(await verifying(OLD, NEW)).toEqual([OLD])
      // 2. The operator rotates.
      expect(await rotate(NEW, DAY_MS)).toBe(true)
      // 3. The new key goes into one server after the other: with some of each, both are right.
      expect([await ask(NEW), await ask(OLD)]).toEqual([ACCEPTED, ACCEPTED])
      expect(await verifying(OLD, NEW)).toEqual([OLD, NEW])
      const { headers } = await notification()
      expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
      // 4. Before the 24 hours are over nothing signs with the old key any more.
      machineMs += DAY_MS - 1
      expect([await ask(NEW), await ask(OLD)]).toEqual([ACCEPTED, ACCEPTED])
      machineMs += 1
      expect([await ask(NEW), await ask(OLD)]).toEqual([ACCEPTED, REFUSED])
      // 5. The old key is deleted: nothing needs it.
      expect(await verifying(OLD, NEW)).toEqual([NEW])
    })

    it('is right that a second rotation ends the first key at once', async () => {
      await rotate(NEW, DAY_MS)
      await rotate(LATEST, DAY_MS)
      expect([await ask(OLD), await ask(NEW), await ask(LATEST)]).toEqual([
        REFUSED,
        ACCEPTED,
        ACCEPTED,
      ])
      expect(await verifying(OLD, NEW, LATEST)).toEqual([NEW, LATEST])
    })

    it('is right that --at-once ends the old key immediately', async () => {
      await rotate(NEW, 0)
      expect([await ask(OLD), await ask(NEW)]).toEqual([REFUSED, ACCEPTED])
      expect(await verifying(OLD, NEW)).toEqual([NEW])
    })

    it('no longer signs notifications once they have a secret of their own', async () => {
      await test.parts.merchants.drawNotificationSecret(MERCHANT.id, DRAWN, {
        previousUntilMs: machineMs + DAY_MS,
        actor: OPERATOR,
      })
      expect(await verifying(OLD, DRAWN)).toEqual([OLD, DRAWN])
      await rotate(NEW, 0)
      expect(await verifying(OLD, NEW, DRAWN)).toEqual([DRAWN])
      expect([await ask(NEW), await ask(DRAWN)]).toEqual([ACCEPTED, REFUSED])
    })
  },
)
