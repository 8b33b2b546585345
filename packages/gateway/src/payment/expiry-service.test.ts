import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NOW_MS, type TestGateway, openTestGateway, railRequest } from '../gateway.fixture.js'
import { expireUnpaid } from './expiry-service.js'

describe.each(TEST_ENGINES)('expiry of unpaid transactions on $name', (engine) => {
  let test: TestGateway
  let nowMs: number
  beforeEach(async () => {
    nowMs = NOW_MS
    const clock = { now: () => nowMs }
    test = await openTestGateway(engine, { clock, machineClock: clock })
  })
  afterEach(() => test.close())

  const open = (reference: string) =>
    test.send('POST', '/transactions', { body: railRequest(reference, 'pix') })
  const statuses = async () => {
    const { reader } = test.database
    const rows = await reader.selectFrom('transactions').select(['reference', 'status']).execute()
    return new Map(rows.map(({ reference, status }) => [reference, status]))
  }

  it('ends the others when one cannot be read', async () => {
    for (const reference of ['order-1', 'order-2']) await open(reference)
    await test.database.transact((trx) =>
      trx
        .updateTable('transactions')
        .set({ payment_details: '{nonsense' })
        .where('reference', '=', 'order-1')
        .execute(),
    )
    nowMs += 2 * DAY_MS
    expect(await expireUnpaid(test.parts)).toBe(1)
    expect((await statuses()).get('order-2')).toBe('EXPIRED')
    expect(test.logged.join()).toContain('a transaction could not be ended')
  })

  describe('behind 1,200 that cannot be ended', () => {
    let endable: (reference: string) => boolean
    beforeEach(async () => {
      await open('order-1')
      await test.database.transact(async (trx) => {
        const row = await trx.selectFrom('transactions').selectAll().executeTakeFirstOrThrow()
        const before = { ...row, expires_at: Number(row.expires_at) - 1000 }
        for (let from = 1; from <= 1200; from += 50)
          await trx
            .insertInto('transactions')
            .values(
              Array.from({ length: 50 }, (_, i) => ({
                ...before,
                code: row.code + from + i,
                reference: `broken-${from + i}`,
                public_id: `${row.public_id}-${from + i}`,
              })),
            )
            .execute()
      })
      const codes = await test.database.reader
        .selectFrom('transactions')
        .select(['code', 'reference'])
        .execute()
      const references = new Map(codes.map(({ code, reference }) => [code, reference]))
      endable = (reference) => reference.startsWith('order')
      const { transactions } = test.parts
      const changeStatus = transactions.changeStatus.bind(transactions)
      vi.spyOn(transactions, 'changeStatus').mockImplementation(async (code, move) => {
        if (endable(references.get(code) ?? '')) return await changeStatus(code, move)
        throw new Error('broken')
      })
      nowMs += 2 * DAY_MS
    })

    /** Runs rounds as the worker does; returns the number of transactions that they have ended. */
    const rounds = async (count: number): Promise<number> => {
      let ended = 0
      for (let round = 0; round < count; round++) {
        ended += await expireUnpaid(test.parts)
        nowMs += SECOND_MS / 4
      }
      return ended
    }

    it('ends those that can be, each round a hundred further', async () => {
      expect(await rounds(13)).toBe(1)
      expect((await statuses()).get('order-1')).toBe('EXPIRED')
      expect(test.logged.filter((line) => line.includes('could not be ended'))).toHaveLength(1200)
    })

    it('tries those again a minute later, once it has come to the end', async () => {
      await rounds(13)
      endable = (reference) => reference === 'broken-1'
      expect(await rounds(4 * 40)).toBe(0)
      nowMs += MINUTE_MS
      expect(await rounds(13)).toBe(1)
    })
  })
})
