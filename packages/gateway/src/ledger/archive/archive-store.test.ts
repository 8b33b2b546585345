import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNotificationRecord } from '../../../../notifications/src/index.js'
import { createOperatorView, findPayment } from '../../../../operator/src/operator-view.js'
import { MERCHANT, NOW_MS, cardRequest, railRequest } from '../../gateway.fixture.js'
import { ARCHIVED_AFTER_MS } from '../../model/transaction/archive-age.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import { ARCHIVED, type ArchivedTable, archiveName } from '../database/archive.js'
import { createPayerData } from '../../create-payer-data.js'
import {
  LATER_MS,
  NO_ROWS,
  archiveAll,
  create,
  finish,
  openAgingGateway,
  openWithOldOrder,
  rowsOf,
} from './archive.fixture.js'
import { archiveTransactions } from './archive-store-sql.js'
import { searchOf } from '../../../../search/src/search.fixture.js'
import { withOperator } from '../../../../operator/src/operator.fixture.js'

type Aging = Awaited<ReturnType<typeof openAgingGateway>>

/** Everything that shops, staff and operators see. */
async function everythingSeen(old: Aging, all: readonly Transaction[]) {
  const { gateway, database, parts, send, time } = old
  const { payments } = searchOf(old)
  const { backOffice } = withOperator({ gateway, parts }).gateway
  const notifications = createNotificationRecord(database)
  const answers: unknown[] = []
  const get = async (target: string) => answers.push((await send('GET', target)).json)
  const date = (ms: number) => encodeURIComponent(new Date(ms).toISOString())
  for (const { code, publicId, reference } of all) {
    await get(`/transactions/${code}`)
    await get(`/transactions?reference=${reference}`)
    answers.push(
      await backOffice.findTransaction(MERCHANT.id, String(code)),
      await findPayment({ database, notifications }, String(code)),
      await parts.transactions.findByPublicId(publicId),
      await payments.find(MERCHANT.id, { text: String(code) }),
    )
  }
  for (const filter of ['page=1', 'page=2', 'status=EXPIRED'])
    for (const name of ['order', 'payment', 'last-status-change']) {
      const from = `initial-${name}-date=${date(NOW_MS - DAY_MS)}`
      const to = `final-${name}-date=${date(NOW_MS + 3 * DAY_MS)}`
      await get(`/transactions?${from}&${to}&max-page-results=2&${filter}`)
    }
  for (const sort of ['newest', 'oldest', 'highest', 'lowest'] as const)
    for (const query of [{}, { text: 'maria silva' }, { status: 'COMPLETE' }] as const) {
      const asked = { ...query, sort, limit: 2 }
      const page = await payments.find(MERCHANT.id, asked)
      answers.push(page, await payments.find(MERCHANT.id, { ...asked, after: page.next }))
    }
  answers.push(
    await payments.choices(MERCHANT.id),
    await createOperatorView(database).list({ sinceMs: time.nowMs, limit: 3 }),
    await createPayerData(database).orders('529.982.247-25', time.nowMs, 10),
  )
  return answers
}

async function refund({ send }: Pick<Aging, 'send'>, { code }: Transaction, reference: string) {
  const url = 'https://shop.example/refunds'
  const body = { 'transaction-id': String(code), amount: 10, reference, 'notify-url': url }
  return await send('POST', '/refunds', { body })
}

/** A change that keeps a transaction out of the archive, and its reverse. */
const KEEPING: readonly (readonly [what: string, change: string, undo: string])[] = [
  ['no answer yet', 'update transactions set open = 1', 'update transactions set open = 0'],
  [
    'a status that is not the last',
    `update transactions set status = 'PENDING'`,
    `update transactions set status = 'COMPLETE'`,
  ],
  [
    'a card to activate',
    'update transactions set activate_at = 1',
    'update transactions set activate_at = null',
  ],
  [
    'a late payment',
    `update transactions set paid_at = ${LATER_MS}`,
    `update transactions set paid_at = ${NOW_MS}`,
  ],
  [
    'a late status',
    `update transactions set status_changed_at = ${LATER_MS}`,
    `update transactions set status_changed_at = ${NOW_MS}`,
  ],
  [
    'a notification that waits',
    'update notifications set done_at = null',
    `update notifications set done_at = ${NOW_MS}`,
  ],
  [
    'a refund in process',
    `update refunds set status = 'PROCESSING'`,
    `update refunds set status = 'PROCESSED'`,
  ],
  [
    'a late refund',
    `update refunds set processed_at = ${LATER_MS}`,
    `update refunds set processed_at = ${NOW_MS}`,
  ],
  [
    'what the search is to read',
    'insert into index_requests select code, 1 from transactions',
    'delete from index_requests',
  ],
  [
    'what the search has not read',
    'update payment_facts set code = 1 - code',
    'update payment_facts set code = 1 - code',
  ],
  [
    'a late word of its acquirer',
    `insert into card_changes select code, 'c1', 'charged_back', ${LATER_MS}, 1, null from transactions`,
    'delete from card_changes',
  ],
  [
    'a surplus on its way back',
    `insert into bank_payments select code, 'E1', 'a', 1, 1, 1, 'after-the-end', 'PROCESSING', null, 1, 0, '[]', 'pix', 0 from transactions`,
    'delete from bank_payments',
  ],
  [
    'a surplus without a decision',
    `insert into bank_payments select code, 'E1', 'a', 1, 1, 1, 'after-the-end', null, null, null, 0, '[]', 'pix', 0 from transactions`,
    'delete from bank_payments',
  ],
]

describe.each(TEST_ENGINES)('The archive on $name', (engine) => {
  it('answers as before what was archived, and has all that belongs to it', async () => {
    const old = await openAgingGateway(engine)
    onTestFinished(() => old.close())
    const paid = await create(old, cardRequest('order-1'))
    const expired = await create(old, railRequest('order-2', 'pix'))
    const wallet = await create(old, railRequest('order-3', 'pagseguro'))
    await old.gateway.bankReports.report(String(wallet.code), 'COMPLETE')
    expect((await refund(old, paid, 'back-1')).status).toBe(201)
    old.time.nowMs += 2 * DAY_MS
    await finish(old)
    old.time.nowMs = LATER_MS
    const all = [paid, expired, wallet]
    const before = await everythingSeen(old, all)
    const rows = await rowsOf(old.database, 'outside')
    expect(rows).toMatchObject({ transactions: 3, refunds: 1, payment_facts: 3 })

    expect(await archiveAll(old.database)).toEqual({ archived: 3, kept: 0 })
    expect(await rowsOf(old.database, 'outside')).toEqual(NO_ROWS)
    expect(await rowsOf(old.database, 'archive')).toEqual(rows)
    expect(await everythingSeen(old, all)).toEqual(before)
    expect(await archiveAll(old.database)).toEqual({ archived: 0, kept: 0 })
  })

  it('is searched by date over the turn of a year, to the millisecond', async () => {
    const old = await openAgingGateway(engine)
    onTestFinished(() => old.close())
    const newYear = Date.UTC(2027, 0, 1)
    const expected: string[] = []
    for (const ms of [-11, -1, 0, 9]) {
      old.time.nowMs = newYear + ms
      expected.push(String((await create(old, cardRequest(`order-${ms}`))).code))
    }
    await finish(old)
    const laterMs = newYear + 2 * ARCHIVED_AFTER_MS
    old.time.nowMs = laterMs
    expect(await archiveAll(old.database, laterMs)).toEqual({ archived: 4, kept: 0 })
    const between = async (after: number, before: number) => {
      const date = (ms: number) => encodeURIComponent(new Date(newYear + ms).toISOString())
      const range = `initial-order-date=${date(after)}&final-order-date=${date(before)}`
      const { status, text } = await old.send('GET', `/transactions?${range}&page=1`)
      expect(status).toBe(200)
      return expected.filter((code) => text.includes(code))
    }
    expect(await between(-12, 10)).toEqual(expected)
    expect(await between(-11, 9)).toEqual(expected.slice(1, 3))
    expect(await between(-2, 1)).toEqual(expected.slice(1, 3))
    expect(await between(-1, 1)).toEqual(expected.slice(2, 3))
  })

  it('keeps references taken, and refuses refunds as of any old transaction', async () => {
    const old = await openAgingGateway(engine)
    onTestFinished(() => old.close())
    const paid = await create(old, cardRequest('order-1'))
    await refund(old, paid, 'back-1')
    await finish(old)
    old.time.nowMs = LATER_MS
    const ask = async () => {
      const body = cardRequest('order-1')
      const other = { ...body, cart: body.cart.map((item) => ({ ...item, description: 'Chá' })) }
      const { codes: taken } = await old.send('POST', '/transactions', { body: other })
      const { codes: refused } = await refund(old, paid, 'back-2')
      return { taken, refused, same: (await refund(old, paid, 'back-1')).json }
    }
    const before = await ask()
    expect(before).toMatchObject({ taken: [210104], refused: [20621] })
    expect(await archiveAll(old.database)).toEqual({ archived: 1, kept: 0 })
    expect(await ask()).toEqual(before)
    expect(await rowsOf(old.database, 'outside')).toEqual(NO_ROWS)
  })

  it('takes nothing that could still be refunded, disputed, delivered or paid', async () => {
    const old = await openAgingGateway(engine)
    onTestFinished(() => old.close())
    const paid = await create(old, cardRequest('order-1'))
    await refund(old, paid, 'back-1')
    await finish(old)
    const { database } = old
    const run = (text: string) => database.transact((trx) => sql.raw(text).execute(trx))
    for (const [what, change, undo] of KEEPING) {
      await run(change)
      expect(await archiveAll(database), what).toEqual({ archived: 0, kept: 1 })
      await run(undo)
    }
    expect(await archiveAll(database, LATER_MS - 3 * DAY_MS)).toEqual({ archived: 0, kept: 0 })
    const young = { nowMs: LATER_MS, olderThanMs: ARCHIVED_AFTER_MS - 1 }
    await expect(archiveTransactions(database, young)).rejects.toThrow(RangeError)
    expect(await archiveAll(database)).toEqual({ archived: 1, kept: 0 })
  })

  it('moves a transaction whole or not at all, wherever the move is cut', async () => {
    const { close, database, paid } = await openWithOldOrder(engine)
    onTestFinished(close)
    const { code } = paid
    const { reader } = database
    // The year's partitions exist, and are empty.
    await database.transact((trx) => sql`update transactions set open = 1`.execute(trx))
    await archiveAll(database)
    await database.transact((trx) => sql`update transactions set open = 0`.execute(trx))
    const before = await rowsOf(database, 'outside')
    for (const [table, column] of Object.entries(ARCHIVED) as [ArchivedTable, string][]) {
      if (before[table] === 0 || table === 'payment_terms') continue
      const name = archiveName(table)
      const run = (text: ReturnType<typeof sql>) => database.transact((trx) => text.execute(trx))
      // A row that makes the copy fail.
      await run(sql`insert into ${sql.table(name)} select * from ${sql.table(table)}`)
      await expect(archiveAll(database), table).rejects.toThrow()
      expect(await rowsOf(database, 'outside'), table).toEqual(before)
      const others = Object.entries(await rowsOf(database, 'archive'))
      expect(others.filter(([, rows]) => rows > 0).map(([own]) => own)).toEqual([table])
      await run(sql`delete from ${sql.table(name)} where ${sql.ref(column)} = ${code}`)
    }
    expect(await archiveAll(database)).toEqual({ archived: 1, kept: 0 })
    const left = await reader.selectFrom('transactions').select('code').execute()
    expect(left).toEqual([])
  })

  it('has the columns of the tables that it is named after, in their order', async () => {
    const { close, database } = await openAgingGateway(engine)
    onTestFinished(close)
    const columnsOf = async (table: string) => {
      const { rows } = await (
        database.dialect.engine === 'sqlite'
          ? sql<{ name: string }>`select name from pragma_table_info(${table}) order by cid`
          : sql<{ name: string }>`select column_name as name from information_schema.columns
              where table_schema = current_schema() and table_name = ${table}
              order by ordinal_position`
      ).execute(database.reader)
      return rows.map(({ name }) => name)
    }
    for (const table of Object.keys(ARCHIVED) as ArchivedTable[])
      expect(await columnsOf(archiveName(table)), table).toEqual(await columnsOf(table))
  })
})
