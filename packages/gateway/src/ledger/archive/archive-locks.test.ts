import { setTimeout } from 'node:timers/promises'
import { minorUnits } from '@cofre/contracts'
import { TEST_ENGINES, lockWaiters, whileLocked } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import type { RefundId } from '../../model/refund/refund.js'
import { withNotifications } from '../../../../notifications/src/notifications.fixture.js'
import { MERCHANT } from '../../gateway.fixture.js'
import { readCharges } from '../../../../banks/src/payment/charge-read-service.js'
import { openPixGateway } from '../../../../banks/src/payment/pix-bank.fixture.js'
import { createSqlCardChangeStore } from '../card/card-change-store-sql.js'
import { archived } from '../database/archive.js'
import {
  LATER_MS,
  NO_ROWS,
  archiveAll,
  finish,
  openWithOldOrder,
  rowsOf,
} from './archive.fixture.js'

const POSTGRES = TEST_ENGINES.find(({ name }) => name === 'postgres')!
const ARCHIVE = 'archived_transactions'

it('what two processes learn of one archived transaction at once is kept', async () => {
  const { close, database, paid } = await openWithOldOrder(POSTGRES)
  onTestFinished(close)
  await archiveAll(database)
  const { apply } = createSqlCardChangeStore(database)
  const reading = { atMs: LATER_MS, machineNowMs: LATER_MS, newRefundId: () => 1 as RefundId }
  const applied = await whileLocked(database, { table: ARCHIVE, waiters: 2 }, () =>
    (['dispute_announced', 'charged_back'] as const).map((kind) => {
      const change = { kind, amountMinor: minorUnits(10_000) }
      return apply(
        { id: kind, transactionCode: String(paid.code), atMs: LATER_MS, change },
        reading,
      )
    }),
  )
  expect(applied).toMatchObject([{ outcome: 'applied' }, { outcome: 'applied' }])
  expect(await rowsOf(database, 'outside')).toMatchObject({ transactions: 1, card_changes: 2 })
  expect(await rowsOf(database, 'archive')).toEqual(NO_ROWS)
})

it('a poll for a notice is planned while another process moves the transaction out of the archive', async () => {
  const pix = await openPixGateway(POSTGRES)
  onTestFinished(() => pix.close())
  const { bank, database, gateway, parts, time } = pix
  const { notifications } = withNotifications(pix).gateway
  await pix.create('order-1')
  const { code } = (await pix.find('order-1'))!
  bank.pay()
  await gateway.noticeOf('bank-1', [bank.txid])
  await readCharges(parts)
  await finish(pix)
  time.nowMs = LATER_MS
  await archiveAll(database)
  const second = async (): Promise<boolean> => {
    while ((await lockWaiters(database)) < 1) await setTimeout(10)
    await parts.bankCharges.planRead(code, LATER_MS)
    return true
  }
  await whileLocked(database, { table: ARCHIVE, waiters: 2 }, () => [
    notifications.resend(MERCHANT.id, String(code), 1),
    second(),
  ])
  const charges = database.reader.selectFrom('bank_charges').select('next_look_at')
  expect(await charges.execute()).toEqual([{ next_look_at: expect.any(Number) as number }])
})

it('a year of the archive is made while a backup reads all tables', async () => {
  const { close, database } = await openWithOldOrder(POSTGRES)
  onTestFinished(close)
  await database.transact(async (backup) => {
    await archived(backup).selectFrom('transactions').select('code').execute()
    expect(await archiveAll(database)).toEqual({ archived: 1, kept: 0 })
  })
})
