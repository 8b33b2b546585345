import { minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { MERCHANT, railRequest } from '../../gateway.fixture.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { LATER_MS, create, openWithOldOrder } from '../archive/archive.fixture.js'
import { eraseBoletoPayers } from './boleto-payer-sql.js'
import { storedTransaction } from '../database/gateway-tables.js'
import type { RefundId } from '../../model/refund/refund.js'
import { eraseRefundTexts, insertProviderRefund } from '../refund/refund-sql.js'
import { PAYER_NAME, type RoomWithPayers, describeErasesPayer } from './erases-payer.conformance.js'
import type { ErasesPayer } from './erases-payer.js'
import { createSqlPayerData } from './payer-data-sql.js'

const boletos: RoomWithPayers = {
  erase: eraseBoletoPayers,
  kept: (db, code) =>
    db.selectFrom('transactions').select('payment_details').where('code', '=', code).execute(),
}
describeErasesPayer('boletos', boletos)
describeErasesPayer('boletos at banks', {
  ...boletos,
  keep: ({ database }, code) =>
    database.transact((trx) =>
      trx
        .updateTable('transactions')
        .set(
          storedTransaction.partOf({
            paymentDetails: {
              kind: 'boleto',
              accountId: 'bank-1',
              barcode: undefined,
              digitableLine: undefined,
              dueDate: '2026-11-24',
              payerName: PAYER_NAME,
            },
          }),
        )
        .where('code', '=', code)
        .execute(),
    ),
})

describeErasesPayer('notes of refunds', {
  erase: eraseRefundTexts,
  keep: ({ database }, code) =>
    database.transact((trx) =>
      trx
        .insertInto('refund_notes')
        .values({
          refund_id: code,
          transaction_code: code,
          merchant_id: MERCHANT.id,
          actor: 'person:1',
          reason: 'other',
          note: `${PAYER_NAME} has moved`,
        })
        .execute(),
    ),
  kept: (db, code) =>
    db.selectFrom('refund_notes').select('note').where('transaction_code', '=', code).execute(),
})

describeErasesPayer('metadata of refunds', {
  erase: eraseRefundTexts,
  keep: ({ database }, code) =>
    database.transact((trx) =>
      insertProviderRefund(
        trx,
        {
          transactionCode: code as TransactionCode,
          merchantId: MERCHANT.id,
          amountMinor: minorUnits(100),
          providerRefundId: `refund-${code}`,
        },
        { atMs: 0, machineNowMs: 0, newRefundId: () => code as RefundId },
      ).then(() =>
        trx
          .updateTable('refunds')
          .set({
            status: 'PROCESSED',
            processed_at: 0,
            metadata: JSON.stringify({ buyer: PAYER_NAME }),
          })
          .where('id', '=', code)
          .execute(),
      ),
    ),
  kept: (db, code) =>
    db.selectFrom('refunds').select('metadata').where('transaction_code', '=', code).execute(),
})

it.each(TEST_ENGINES)(
  'a payment on $name and all rooms lose its payer together, or none does',
  async (engine) => {
    const old = await openWithOldOrder(engine)
    onTestFinished(old.close)
    const { code } = old.paid
    const young = await create(old, railRequest('order-2', 'pix'))
    const asked: (readonly number[])[] = []
    const asking: ErasesPayer = (_, codes) => {
      asked.push(codes)
      return Promise.resolve()
    }
    const failing: ErasesPayer = () => Promise.reject(new Error('a room fails'))
    const erase = (codes: readonly TransactionCode[], ...rooms: readonly ErasesPayer[]) =>
      createSqlPayerData(old.database, rooms).erase(codes, LATER_MS)
    await expect(erase([code], asking, failing)).rejects.toThrow('a room fails')
    const { payerEmail } = (await old.parts.transactions.findByCode(code))!
    expect(payerEmail).toBe('maria@example.com')
    expect(await erase([young.code, code], asking)).toEqual([code])
    expect(new Set(asked.flat())).toEqual(new Set([code]))
    expect(await erase([young.code], asking)).toEqual([])
    expect(new Set(asked.flat())).toEqual(new Set([code]))
  },
)
