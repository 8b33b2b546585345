import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import type { PixTxid } from '@cofre/provider-kit/bank'
import { sweepAccounts } from './bank-sweep-service.js'
import { readCharges } from './charge-read-service.js'
import { openPixGateway } from './pix-bank.fixture.js'

const CHARGES = 5_000
const INSERTED_AT_ONCE = 500
const END_MS = DAY_MS + 5 * MINUTE_MS
const MINUTES = 20

it('PIX charges cost their bank less than sixty calls a minute while 5,000 are open', async () => {
  const pix = await openPixGateway(TEST_SQLITE)
  onTestFinished(() => pix.close())
  await pix.create('order-1')
  pix.bank.calls.length = 0
  const row = await pix.database.reader
    .selectFrom('bank_charges')
    .selectAll()
    .executeTakeFirstOrThrow()
  const others = Array.from({ length: CHARGES - 1 }, (_, index) => {
    // Spreads their openings over the day that they live.
    const ageMs = Math.floor(((index + 1) * DAY_MS) / CHARGES)
    return {
      ...row,
      transaction_code: index + 1,
      txid: `x${index}`.padEnd(32, 'x') as PixTxid,
      opened_at: pix.time.nowMs - ageMs,
      bank_expires_at: pix.time.nowMs + DAY_MS - ageMs,
      next_look_at: pix.time.nowMs + END_MS - ageMs,
      looks: 3,
    }
  })
  await pix.database.transact(async (trx) => {
    for (let start = 0; start < others.length; start += INSERTED_AT_ONCE)
      await trx
        .insertInto('bank_charges')
        .values(others.slice(start, start + INSERTED_AT_ONCE))
        .execute()
  })
  for (let i = 0; i < 300; i++) pix.bank.pay(1, pix.bank.txid, pix.time.nowMs)
  pix.bank.settings.pageSize = 100
  for (let second = 0; second < MINUTES * 60; second += 5) {
    pix.time.nowMs += 5 * SECOND_MS
    await readCharges(pix.parts)
    await sweepAccounts(pix.parts)
  }
  expect(pix.bank.calls.length).toBeGreaterThan(MINUTES * 2)
  expect(pix.bank.calls.length / MINUTES).toBeLessThan(60)
})
