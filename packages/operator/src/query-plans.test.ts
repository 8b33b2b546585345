import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { AUTHORIZED, MERCHANT, NOW_MS, cardRequest } from '../../gateway/src/gateway.fixture.js'
import { archiveAll } from '../../gateway/src/ledger/archive/archive.fixture.js'
import type { TransactionCode } from '../../gateway/src/model/transaction/transaction.js'
import { openTestOperator } from './operator.fixture.js'
import { createSqlRefundLists } from './sql/refund-list-sql.js'
import { createWaitingCaptures } from './sql/waiting-capture-sql.js'

/** Tables that grow with every payment. */
const GROWING = { tables: ['refunds', 'archived_refunds'], storeColumn: 'merchant_id' }

it.each(TEST_ENGINES)(
  'lists of refunds on $name cost the same however many there are, and need their indexes',
  async (engine) => {
    const test = await openTestOperator(engine)
    onTestFinished(() => test.close())
    const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    const { code } = json.transaction as { code: string }
    const refund = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
    await test.send('POST', '/refunds', { body: refund, digest: 'hex' })
    // Creates the archive's year, because a table without partitions is not read.
    await archiveAll(test.database)
    const queries = recordQueries()
    onTestFinished(queries.stop)
    const { list } = createSqlRefundLists(test.database)
    const transactionCode = Number(code) as TransactionCode
    for (const query of [{}, { status: 'REJECTED' }, { transactionCode }] as const)
      for (const after of [undefined, '1'])
        await list(MERCHANT.id, { ...query, after, fromMs: NOW_MS, untilMs: NOW_MS + 1, limit: 2 })
    expect(await queriesThatScan(test.database, queries.texts, GROWING)).toEqual([])
    const notNeeded = await indexesNotNeeded(test.database, queries.texts, GROWING)
    expect(notNeeded.filter((index) => index.endsWith('refunds_of_store'))).toEqual([])
  },
)

it.each(TEST_ENGINES)(
  'lists of payments to capture on $name cost the same however many there are, and need their index',
  async (engine) => {
    const test = await openTestOperator(engine)
    onTestFinished(() => test.close())
    test.answerCards(() => Promise.resolve(AUTHORIZED))
    const body = cardRequest('order-1', { capture: false })
    const { json } = await test.send('POST', '/transactions', { body })
    const { code } = json.transaction as { code: string }
    const growing = { tables: ['captures', 'transactions'], storeColumn: 'merchant_id' }
    const queries = recordQueries()
    onTestFinished(queries.stop)
    const { list, orderedOf } = createWaitingCaptures(test.database)
    const transactionCode = Number(code) as TransactionCode
    expect(await orderedOf(transactionCode)).toBeUndefined()
    for (const after of [undefined, '1-1'])
      expect((await list(MERCHANT.id, { after, limit: 2 })).items).toHaveLength(1)
    expect(await queriesThatScan(test.database, queries.texts, growing)).toEqual([])
    const notNeeded = await indexesNotNeeded(test.database, queries.texts, growing)
    expect(notNeeded).not.toContain('captures_of_store')
  },
)
