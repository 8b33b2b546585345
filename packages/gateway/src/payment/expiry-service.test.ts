import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
})
