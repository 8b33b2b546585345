import { DAY_MS, type SettlementLine } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS } from '../../../gateway/src/gateway.fixture.js'
import { type SettledGateway, TEST_FORMATS, openSettled } from '../settlements.fixture.js'
import { SETTLEMENT_RESULTS } from '../model/settlement.js'
import type { RoomTables } from './settlement-tables.js'
import { createSqlSettlementFileStore } from './settlement-file-store-sql.js'
import { createSqlSettlementWork } from './settlement-round-sql.js'

const DAY = 20_000

const FEE: SettlementLine = {
  line: 2,
  kind: 'fee',
  grossMinor: 0,
  feeMinor: 300,
  netMinor: -300,
  paidOn: new Date(DAY * DAY_MS).toISOString().slice(0, 10),
}

/** A file that is being removed. */
const ROW = {
  content: null,
  bytes: 1,
  state: 'removing',
  problem: null,
  lines: 0,
  compared_to: 0,
  from_day: null,
  to_day: null,
  actor: 'person:per_1',
  uploaded_at: NOW_MS,
  taken_at: null,
} as const

for (const engine of TEST_ENGINES) {
  describe(`workers that compare files beside each other, on ${engine.name}`, () => {
    let test: SettledGateway
    let files: ReturnType<typeof createSqlSettlementFileStore>
    beforeEach(async () => {
      test = await openSettled(engine)
      files = createSqlSettlementFileStore(test.own)
    })
    afterEach(() => test.close())

    /** Imports a file of equal fees, stored in parts. */
    const take = async (id: number, parts: readonly number[] = [1]) => {
      const file = {
        id,
        storeId: MERCHANT.id,
        format: 'adyen',
        accountId: undefined,
        name: 'report.csv',
        actor: 'person:per_1',
        uploadedAtMs: NOW_MS,
      } as const
      await files.begin(file)
      let { line } = FEE
      for (const count of parts)
        await files.insertLines(
          file,
          Array.from({ length: count }, () => ({ ...FEE, line: line++ })),
        )
      await files.finish(file, { sha256: `content ${id}`, bytes: 1, atMs: NOW_MS })
    }
    const round = (database: Database<RoomTables> = test.own) =>
      createSqlSettlementWork(database, TEST_FORMATS).round(NOW_MS)
    const workToTheEnd = async () => {
      while (await round());
    }
    /** A round of a worker that is slow between reading and writing. */
    const slowRound = (meanwhile: () => Promise<unknown>) =>
      round({
        ...test.own,
        transact: async (work) => {
          await meanwhile()
          return await test.own.transact(work)
        },
      })
    const shown = async () => {
      const { settlements } = test
      const query = { results: SETTLEMENT_RESULTS, limit: 10 }
      const { items } = await settlements.lines(MERCHANT.id, query)
      const days = await settlements.days(MERCHANT.id, { fromDay: DAY, untilDay: DAY + 1 })
      return {
        lines: items.map(({ fileId, result }) => `${fileId} ${result}`).toSorted(),
        counted: days.map(({ lines, feeMinor }) => [lines, feeMinor]),
      }
    }

    it('count a line once that an earlier file has again, once a still earlier one is gone', async () => {
      await take(1)
      await take(2)
      await workToTheEnd()
      await take(3)
      await slowRound(async () => {
        await files.remove(MERCHANT.id, 1)
        await round()
      })
      await workToTheEnd()
      expect(await shown()).toEqual({
        lines: ['2 no-payment', '3 repeated'],
        counted: [[1, 300]],
      })
    })

    it('search no line among all equal ones', async () => {
      await take(1, [1, 2, 5, 1])
      const rows = await test.own.reader
        .selectFrom('settlement_lines')
        .select('fingerprint')
        .execute()
      expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(9)
      await take(2, [7, 4])
      await workToTheEnd()
      expect((await shown()).counted).toEqual([[11, 3300]])
    })

    it('compare again the lines of a file after a removed one, however many there are', async () => {
      const of = {
        merchant_id: MERCHANT.id,
        account_id: null,
        name: 'a.csv',
        format: 'adyen',
      } as const
      const ready = { ...ROW, state: 'ready', compared_to: 1 } as const
      const lineOf = (fileId: number, line = 1) => ({
        merchant_id: MERCHANT.id,
        file_id: fileId,
        line,
        kind: 'fee' as const,
        day: DAY,
        gross: 0,
        fee: 0,
        net: 0,
        fingerprint: `${fileId} ${line}`,
        result: 'matched' as const,
        transaction_code: 7,
      })
      const others = Array.from({ length: 20_000 }, (_, line) => lineOf(2, line + 1))
      await test.own.transact(async (trx) => {
        await trx
          .insertInto('settlement_files')
          .values([
            { ...of, ...ROW, id: 1 },
            { ...of, ...ready, id: 2 },
            { ...of, ...ready, id: 3 },
          ])
          .execute()
        await trx.insertInto('settlement_lines').values(lineOf(1)).execute()
        for (let from = 0; from < others.length; from += 1000)
          await trx
            .insertInto('settlement_lines')
            .values(others.slice(from, from + 1000))
            .execute()
        await trx
          .insertInto('settlement_lines')
          .values({ ...lineOf(3), result: 'different', difference: 'paid-twice' })
          .execute()
      })
      await round()
      const [file] = await test.own.reader
        .selectFrom('settlement_files')
        .select(['state', 'compared_to'])
        .where('id', '=', 3)
        .execute()
      expect(file).toEqual({ state: 'comparing', compared_to: 0 })
    })

    it('leave no store out, however many files another one has', async () => {
      const store = { ...MERCHANT, id: 'store-2' }
      await test.gateway.saveMerchant(store)
      await test.own.transact(async (trx) => {
        const of = { merchant_id: 'store-2', account_id: null, name: 'a.csv' }
        const file = { ...of, format: 'adyen' } as const
        for (let id = 1; id <= 501; id++)
          await trx
            .insertInto('settlement_files')
            .values({ ...file, id, ...ROW })
            .execute()
      })
      await take(1_000)
      const work = createSqlSettlementWork(test.own, TEST_FORMATS)
      for (let turn = 0; turn < 4; turn++) await work.round(NOW_MS)
      const state = await test.own.reader
        .selectFrom('settlement_files')
        .select('state')
        .where('id', '=', 1_000)
        .executeTakeFirst()
      expect(state).toEqual({ state: 'ready' })
    })

    it('count a line once that another worker has compared again meanwhile', async () => {
      await take(1)
      await slowRound(async () => {
        await workToTheEnd()
        await files.compareAgain(MERCHANT.id, 1)
      })
      await workToTheEnd()
      expect(await shown()).toEqual({ lines: ['1 no-payment'], counted: [[1, 300]] })
    })
  })
}
