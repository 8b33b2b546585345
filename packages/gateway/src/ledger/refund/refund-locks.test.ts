import { minorUnits } from '@cofre/contracts'
import { openTwiceOnPostgres, whileLocked } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import type { GatewayTables, TransactionRow } from '../database/gateway-tables.js'
import { GATEWAY_MIGRATIONS } from '../database/open-gateway-database.js'
import { NOW_MS } from '../../gateway.fixture.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import type { Refund, RefundId } from '../../model/refund/refund.js'
import { createSqlRefundStore } from './refund-store-sql.js'

const MERCHANT_ROW = {
  id: 'store-1',
  name: 'Loja Um',
  enabled: 1,
  raw_cards: 0,
  refunds: 'full-and-partial' as const,
  rules: 'specification' as const,
  refuses_card_references: 0,
  field_origins: '[]',
  shows_bin: 0,
  created_at: NOW_MS,
}

const TRANSACTION_ROW: TransactionRow = {
  code: 1,
  merchant_id: 'store-1',
  reference: 'order-1',
  status: 'COMPLETE',
  first_status: 'COMPLETE',
  open: 0,
  payment_type: 'credit-card',
  sub_type: 'visa',
  amount: 10_000,
  charged: 10_000,
  installments: 1,
  payer_email: 'maria@example.com',
  payer_document: '52998224725',
  description: '',
  notification_url: 'https://shop.example/notifications',
  saved_card: null,
  card_bin: null,
  card_last_four: null,
  public_id: 'p-1',
  payment_details: null,
  request: '{}',
  order_fingerprint: null,
  created_at: NOW_MS,
  paid_at: NOW_MS,
  expires_at: null,
  next_ask_at: null,
  activate_at: null,
  status_changed_at: NOW_MS,
  capture: null,
  stands: null,
  example: 0,
}

const REFUND: Omit<Refund, 'id' | 'chargedMinor' | 'identity'> = {
  transactionCode: 1 as TransactionCode,
  merchantId: 'store-1',
  status: 'PROCESSING',
  amountMinor: minorUnits(1000),
  reference: 'return-1',
  notifyUrl: 'https://shop.example/refunds',
  requestedAtMs: NOW_MS,
  processedAtMs: undefined,
  metadata: undefined,
  notBeforeMs: undefined,
  providerRefundId: undefined,
  nature: undefined,
}

it.each([
  ['known', { digest: 'd'.repeat(43), referenceBy02: undefined }],
  ['equal', undefined],
] as const)(
  'two gateway processes start one refund once; to the other it is %s',
  async (kind, key) => {
    const [first, second] = await openTwiceOnPostgres<GatewayTables>(GATEWAY_MIGRATIONS, [])
    onTestFinished(async () => {
      await second.close()
      await first.close()
    })
    await first.transact(async (trx) => {
      await trx.insertInto('merchants').values(MERCHANT_ROW).execute()
      await trx.insertInto('transactions').values(TRANSACTION_ROW).execute()
    })
    const results = await whileLocked(first, { table: 'transactions', waiters: 2 }, () =>
      [first, second].map((database, i) =>
        createSqlRefundStore(database).insert(
          { ...REFUND, id: (i + 5) as RefundId },
          () => undefined,
          { key },
        ),
      ),
    )
    const refunds = await first.reader.selectFrom('refunds').select(['id', 'reference']).execute()
    expect(refunds).toEqual([{ id: expect.any(Number) as number, reference: 'return-1' }])
    const earlier = { id: refunds[0]!.id }
    expect(new Set(results)).toEqual(new Set(['inserted', expect.objectContaining({ kind })]))
    expect(results.find((result) => result !== 'inserted')).toMatchObject({ earlier })
  },
)
