import { DAY_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MERCHANT, NOW_MS, cardRequest } from '../../gateway.fixture.js'
import { PAYMENT_SORTS } from '../../../../search/src/model/payment-query.js'
import { firstCodeAt } from '../../model/transaction/transaction.js'
import { applyCardChanges } from '../../payment/card-return-service.js'
import { readCharges } from '../../../../banks/src/payment/charge-read-service.js'
import { openPixGateway } from '../../../../banks/src/payment/pix-bank.fixture.js'
import { createOperatorView } from '../../../../operator/src/operator-view.js'
import { ARCHIVE_NAMES, archived } from '../database/archive.js'
import { deleteOldAttempts } from '../../../../notifications/src/sql/attempt-deletion-sql.js'
import { withNotifications } from '../../../../notifications/src/notifications.fixture.js'
import { listTransactions } from '../../../../operator/src/sql/transaction-list-sql.js'
import { createSqlReturnLineStore } from '../../../../boleto-files/src/sql/return-line-store-sql.js'
import { createPayerData } from '../../create-payer-data.js'
import { moveIntoArchive, returnFromArchive } from './archive-move-sql.js'
import {
  LATER_MS,
  NO_ROWS,
  archiveAll,
  finish,
  openWithOldOrder,
  rowsOf,
} from './archive.fixture.js'
import { FOLLOWED, searchOf } from '../../../../search/src/search.fixture.js'
import { unindexPayers } from '../../../../search/src/sql/payment-index-sql.js'
import { withOperator } from '../../../../operator/src/operator.fixture.js'

/** Some of many orders, and a search for them. */
const ORDERS = 12
const SEARCH = fc.record({
  inside: fc.subarray(Array.from({ length: ORDERS }, (_, i) => i)),
  status: fc.constantFrom(undefined, 'COMPLETE' as const, 'EXPIRED' as const),
  date: fc.constantFrom('order' as const, 'payment' as const, 'last-status-change' as const),
  afterDay: fc.integer({ min: -1, max: ORDERS }),
  days: fc.integer({ min: 1, max: ORDERS }),
  page: fc.integer({ min: 1, max: 3 }),
  pageSize: fc.integer({ min: 1, max: 10 }),
  sort: fc.constantFrom('newest' as const, 'oldest' as const),
  limit: fc.integer({ min: 1, max: 5 }),
})

describe.each(TEST_ENGINES)('What is in the archive on $name', (engine) => {
  it('is found like the rest, whichever transactions are in it', async () => {
    const old = await openWithOldOrder(engine)
    const { close, database, parts, paid } = old
    onTestFinished(close)
    const { payments } = searchOf(old)
    // The first archiving creates the years' partitions.
    await archiveAll(database)
    await database.transact((trx) => returnFromArchive(trx, [paid.code]))
    const codes = Array.from({ length: ORDERS }, (_, i) => firstCodeAt(NOW_MS + i * DAY_MS) + i)
    await database.transact(async (trx) => {
      const row = await trx.selectFrom('transactions').selectAll().executeTakeFirstOrThrow()
      const rows = codes.map((code, i) => {
        const at = NOW_MS + i * DAY_MS
        const status = i % 3 === 0 ? ('EXPIRED' as const) : ('COMPLETE' as const)
        const dates = { created_at: at, paid_at: at + (i % 4) * DAY_MS, status_changed_at: at + 1 }
        return { ...row, ...dates, code, status, public_id: `public-${i}`, reference: `order-${i}` }
      })
      await trx.deleteFrom('transactions').where('code', '=', paid.code).execute()
      await trx.insertInto('transactions').values(rows).execute()
    })
    await fc.assert(
      fc.asyncProperty(SEARCH, async ({ inside, afterDay, days, date, sort, limit, ...query }) => {
        const afterMs = NOW_MS + afterDay * DAY_MS
        const ranges = [{ date, afterMs, beforeMs: afterMs + days * DAY_MS }]
        const search = { ...query, ranges, reference: undefined, reachesArchive: true }
        const seen = async () => [
          await parts.transactions.search(MERCHANT.id, search),
          await payments.find(MERCHANT.id, { sort, limit }),
          await listTransactions(database.reader, { sinceMs: LATER_MS, limit }),
        ]
        const before = await seen()
        const moved = inside.flatMap((i) => codes[i] ?? [])
        if (moved.length > 0) await database.transact((trx) => moveIntoArchive(trx, moved))
        expect(await seen()).toEqual(before)
        await database.transact((trx) => returnFromArchive(trx, moved))
        expect(await seen()).toEqual(before)
      }),
      { numRuns: 20 },
    )
  })

  it('leaves the archive for an acquirer’s late report, and for staff', async () => {
    const old = await openWithOldOrder(engine)
    const { changes, close, database, gateway, parts, paid } = old
    onTestFinished(close)
    const { code, merchantId } = paid
    const rows = await rowsOf(database, 'outside')
    await archiveAll(database)
    expect(
      await withNotifications({ gateway, parts }).gateway.notifications.resend(
        merchantId,
        String(code),
        1,
      ),
    ).toBe(true)
    expect(await rowsOf(database, 'outside')).toEqual(rows)
    await finish(old)
    await archiveAll(database)
    expect(await rowsOf(database, 'outside')).toEqual(NO_ROWS)

    const charged = { kind: 'charged_back', amountMinor: minorUnits(10_000) } as const
    changes.push({ id: 'change-1', transactionCode: String(code), atMs: LATER_MS, change: charged })
    await applyCardChanges(parts, AbortSignal.abort())
    expect(changes).toEqual([])
    expect(await parts.transactions.find(merchantId, code)).toMatchObject({ status: 'CHARGEBACK' })
    expect(await createOperatorView(database).disputes(10)).toMatchObject([
      { transactionCode: code },
    ])
    expect(await rowsOf(database, 'archive')).toEqual(NO_ROWS)
    expect(await archiveAll(database)).toEqual({ archived: 0, kept: 1 })
  })
  it('leaves the archive for a notice of its bank, and what is paid late is a surplus', async () => {
    const pix = await openPixGateway(engine, FOLLOWED)
    onTestFinished(() => pix.close())
    const { bank, database, gateway, parts, time } = pix
    await pix.create('order-1')
    const { code } = (await pix.find('order-1'))!
    bank.pay()
    await gateway.noticeOf('bank-1', [bank.txid])
    await readCharges(parts)
    await finish(pix)
    time.nowMs = LATER_MS
    const before = await pix.details(code)
    expect(await archiveAll(database)).toEqual({ archived: 1, kept: 0 })
    expect(await pix.details(code)).toEqual(before)
    bank.pay()
    await gateway.noticeOf('bank-1', [bank.txid])
    await readCharges(parts)
    const { payments } = (await pix.details(code))!
    expect(payments.map(({ purpose }) => purpose)).toEqual(['order', 'second-payment'])
    expect((await createOperatorView(database).surpluses(10)).map((of) => of.code)).toEqual([code])
    expect(await archiveAll(database)).toEqual({ archived: 0, kept: 1 })
  })

  it('loses its payer like the rest, and old attempts at notifications', async () => {
    const old = await openWithOldOrder(engine)
    const { close, database, parts, paid } = old
    onTestFinished(close)
    await archiveAll(database)
    const data = createPayerData(database, [unindexPayers])
    const [order] = await data.orders('maria@example.com', LATER_MS, 10)
    expect(order).toMatchObject({ code: paid.code, keptFor: undefined })
    expect(await data.erase([paid.code], LATER_MS)).toEqual([paid.code])
    expect(await data.orders('maria@example.com', LATER_MS, 10)).toEqual([])
    expect(await data.orders('529.982.247-25', LATER_MS, 10)).toEqual([])
    const left = await parts.transactions.findByCode(paid.code)
    expect(left).toMatchObject({ payerEmail: 'erased@erased.invalid', requestJson: '{}' })
    const found = await searchOf(old).payments.find(MERCHANT.id, { text: 'maria silva' })
    expect(found.items).toEqual([])
    const stored = await archived(database.reader).selectFrom('payment_facts').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('maria')
    expect(await deleteOldAttempts(database, LATER_MS)).toBe(1)
    expect(await rowsOf(database, 'archive')).toMatchObject({ notification_attempts: 0 })
    expect(await rowsOf(database, 'outside')).toEqual(NO_ROWS)
  })

  it('loses its payer also while it leaves the archive', async () => {
    const { close, database, paid } = await openWithOldOrder(engine)
    onTestFinished(close)
    await archiveAll(database)
    const taking: typeof database = {
      ...database,
      async transact(work) {
        const result = await database.transact(work)
        await database.transact((trx) => returnFromArchive(trx, [paid.code]))
        return result
      },
    }
    expect(await createPayerData(taking, [unindexPayers]).erase([paid.code], LATER_MS)).toEqual([
      paid.code,
    ])
    expect(await createPayerData(database).orders('maria@example.com', LATER_MS, 10)).toEqual([])
  })

  it('is found without reading all of it', async () => {
    const old = await openWithOldOrder(engine)
    const { close, database, gateway, parts, paid, send } = old
    onTestFinished(close)
    const { payments } = searchOf(old)
    await archiveAll(database)
    const queries = recordQueries()
    onTestFinished(queries.stop)
    await parts.transactions.findByPublicId(paid.publicId)
    await withOperator({ gateway, parts }).gateway.backOffice.findTransaction(
      MERCHANT.id,
      String(paid.code),
    )
    await payments.choices(MERCHANT.id)
    const day = (ms: number) => encodeURIComponent(new Date(ms).toISOString())
    for (const name of ['order', 'payment', 'last-status-change'])
      await send('GET', `/transactions?initial-${name}-date=${day(NOW_MS - DAY_MS)}`)
    for (const sort of PAYMENT_SORTS)
      for (const query of [{}, { text: 'order-1' }, { text: 'maria', status: 'COMPLETE' }] as const)
        await payments.find(MERCHANT.id, { ...query, sort, after: `1-${LATER_MS}` })
    await createPayerData(database).orders('529.982.247-25', LATER_MS, 10)
    await createOperatorView(database).disputes(10)
    await createOperatorView(database).surpluses(10)
    await createSqlReturnLineStore(database).ofNumbers('bank-1', ['1'])
    await archiveAll(database)
    const tables = [...ARCHIVE_NAMES.values()]
    const asked = [...queries.texts].filter((text) => text.includes('archived_'))
    expect(asked.length).toBeGreaterThan(20)
    const growing = { tables, storeColumn: 'merchant_id' }
    expect(await queriesThatScan(database, queries.texts, growing)).toEqual([])
    // The room operator lists refunds by it.
    const notNeeded = await indexesNotNeeded(database, queries.texts, growing)
    expect(notNeeded.filter((index) => index !== 'archived_refunds_of_store')).toEqual([])
  })

  it.skipIf(engine.name === 'sqlite')('can be kept elsewhere, a year at a time', async () => {
    const { close, database, parts, paid, send } = await openWithOldOrder(engine)
    onTestFinished(close)
    await archiveAll(database)
    const year = 'archived_transactions_2026'
    await database.transact((trx) =>
      sql`alter table archived_transactions detach partition ${sql.table(year)}`.execute(trx),
    )
    expect(await parts.transactions.find(MERCHANT.id, paid.code)).toBeUndefined()
    const { codes } = await send('POST', '/transactions', { body: cardRequest('order-1') })
    expect(codes).toEqual([210104])
  })
})
