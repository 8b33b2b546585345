import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../gateway.fixture.js'
import type { RefundId } from '../../model/refund/refund.js'
import { createSqlRefundStore } from '../refund/refund-store-sql.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import type { SendResult } from '../../../../notifications/src/model/sending.js'
import { claimNotifications, deliver } from '../../../../notifications/src/notification-delivery.js'
import {
  type TestDeliveries,
  deliveriesOf,
} from '../../../../notifications/src/notifications.fixture.js'
import { createSqlNotificationStore } from '../../../../notifications/src/sql/notification-store-sql.js'
import { reversingStatements } from './reversed-statements.fixture.js'
import { createSqlTransactionStore } from '../transaction/transaction-store-sql.js'

for (const engine of TEST_ENGINES) {
  describe(`the outbox on ${engine.name}`, () => {
    it('numbers changes that are made at once, each after the one before it', async () => {
      const test = await openTestGateway(engine)
      onTestFinished(() => test.close())
      const { database } = test
      const [transactions, refunds] = [
        createSqlTransactionStore(database, []),
        createSqlRefundStore(database),
      ]
      const notifications = createSqlNotificationStore(database)
      const paid = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      const code = Number((paid.json.transaction as { code: string }).code) as TransactionCode
      const { amountMinor } = (await transactions.findByCode(code))!
      const refund = {
        id: 5 as RefundId,
        transactionCode: code,
        merchantId: MERCHANT.id,
        status: 'PROCESSING',
        amountMinor,
        reference: undefined,
        notifyUrl: 'https://shop.example/refunds',
        requestedAtMs: NOW_MS,
        processedAtMs: undefined,
        metadata: undefined,
        notBeforeMs: undefined,
        providerRefundId: undefined,
        nature: undefined,
      } as const
      expect(await refunds.insert(refund, () => undefined)).toBe('inserted')

      const notifyAgain = (): Promise<boolean> =>
        notifications.notifyAgain(code, 'COMPLETE', NOW_MS)
      await Promise.all([
        ...Array.from({ length: 12 }, notifyAgain),
        refunds.finish(refund.id, 'PROCESSED', NOW_MS),
        ...Array.from({ length: 6 }, notifyAgain),
        transactions.changeStatus(code, { to: 'CHARGEBACK', atMs: NOW_MS }),
        ...Array.from({ length: 6 }, notifyAgain),
      ])

      const sent = await database.reader
        .selectFrom('notifications')
        .select(['position', 'refund_id', 'blocked'])
        .where('transaction_code', '=', code)
        .orderBy('position')
        .execute()
      expect(sent.length).toBeGreaterThan(3)
      expect(sent.map(({ position }) => position)).toEqual(sent.map((_, index) => index + 1))
      const blocked = (isOfRefund: boolean) =>
        sent
          .filter(({ refund_id: refundId }) => (refundId !== null) === isOfRefund)
          .map((row) => row.blocked)
      expect(blocked(true)).toEqual([0])
      expect(blocked(false)).toEqual(blocked(false).map((_, index) => Number(index > 0)))
    })

    it('finishes what was acknowledged before it adds a change, whatever its driver takes first', async () => {
      const test = await openTestGateway(engine)
      onTestFinished(() => test.close())
      const { code, position } = await payAndNotify(test, deliveriesOf(test.parts))
      const reversed = createSqlTransactionStore(reversingStatements(test.database), [])
      await reversed.changeStatus(code, { to: 'CHARGEBACK', atMs: NOW_MS })
      const added = await test.database.reader
        .selectFrom('notifications')
        .select(['status', 'blocked'])
        .where('transaction_code', '=', code)
        .where('position', '>', position)
        .execute()
      expect(added).toEqual([{ status: 'CHARGEBACK', blocked: 0 }])
    })

    it('numbers an attempt by its count, whatever its driver takes first', async () => {
      const test = await openTestGateway(engine)
      onTestFinished(() => test.close())
      const notifications = createSqlNotificationStore(reversingStatements(test.database))
      const sender = { send: () => Promise.resolve(FAILED) }
      const deliveries = { ...deliveriesOf(test.parts, { sender }), notifications }
      const { code } = await payAndNotify(test, deliveries)
      const attempts = await test.database.reader
        .selectFrom('notification_attempts')
        .select('attempt')
        .where('transaction_code', '=', code)
        .execute()
      expect(attempts).toEqual([{ attempt: 1 }])
    })
  })
}

const FAILED: SendResult = { statusCode: 500, durationMs: 1, responseExcerpt: '' }

/** Sends the first notification of a new payment. */
async function payAndNotify({ send }: Pick<TestGateway, 'send'>, deliveries: TestDeliveries) {
  const paid = await send('POST', '/transactions', { body: cardRequest('order-1') })
  const code = Number((paid.json.transaction as { code: string }).code) as TransactionCode
  const [claimed] = await claimNotifications(deliveries, 1)
  await deliver(deliveries, claimed!)
  return { code, position: claimed!.position }
}
