import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import { readAll } from '../../../../search/src/sql/search-index.fixture.js'
import { createPayerData } from '../../create-payer-data.js'
import { FOLLOWED } from '../../../../search/src/search.fixture.js'
import { unindexPayers } from '../../../../search/src/sql/payment-index-sql.js'

const EMAIL = 'canary@canary-mail.example'
/** Texts that only the payer's data contains, as tables may have them. */
const CANARIES = ['canary', '39053344705', 'Zanzibar']
const PAYER = {
  name: 'Canary Zanzibar',
  email: EMAIL,
  document: { type: 'CPF', number: '39053344705' },
}

for (const engine of TEST_ENGINES) {
  describe(`a payer who is erased, on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    beforeEach(async () => {
      nowMs = NOW_MS
      const clock = { now: () => nowMs }
      test = await openTestGateway(engine, { ...FOLLOWED, clock, machineClock: clock })
    })
    afterEach(() => test.close())

    /** Every table with a canary in a row. */
    const tablesWithPayer = async (): Promise<readonly string[]> => {
      const { reader } = test.database
      const { rows } = await (
        engine.name === 'sqlite'
          ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
          : sql<{ name: string }>`select table_name as name from information_schema.tables
              where table_schema = current_schema()`
      ).execute(reader)
      expect(rows.length).toBeGreaterThan(40)
      const found: string[] = []
      for (const { name } of rows) {
        const table = await sql`select * from ${sql.table(name)}`.execute(reader)
        const text = JSON.stringify(table.rows).toLowerCase()
        if (CANARIES.some((canary) => text.includes(canary.toLowerCase()))) found.push(name)
      }
      return found.toSorted()
    }

    it('is in no table any more', async () => {
      const order = (reference: string, kind: 'pix' | 'boleto') => {
        const body = railRequest(reference, kind)
        return { ...body, payer: { ...body.payer, ...PAYER } }
      }
      for (const [reference, kind] of [
        ['order-1', 'pix'],
        ['order-2', 'boleto'],
      ] as const) {
        const headers = { 'Idempotency-Key': `key-${reference}` }
        await test.send('POST', '/transactions', { body: order(reference, kind), headers })
      }
      await readAll(test.database, nowMs)
      expect(await tablesWithPayer()).toEqual(expect.arrayContaining(['transactions']))
      nowMs += 40 * DAY_MS
      await test.database.transact((trx) =>
        trx
          .updateTable('transactions')
          .set({ status: 'EXPIRED', open: 0 })
          .where('merchant_id', '=', MERCHANT.id)
          .execute(),
      )
      const data = createPayerData(test.database, [unindexPayers])
      for (const payer of [PAYER.document.number, EMAIL]) {
        const orders = await data.orders(payer, nowMs, 100)
        await data.erase(
          orders.map(({ code }) => code),
          nowMs,
        )
        await data.forget(payer, nowMs)
      }
      expect(await tablesWithPayer()).toEqual([])
    })
  })
}
