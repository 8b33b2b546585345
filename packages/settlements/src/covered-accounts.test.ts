import { HOUR_MS } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { MERCHANT, NOW_MS } from '../../gateway/src/gateway.fixture.js'
import { newFileRow } from './sql/settlement-file-store-sql.js'
import { dayNumberInBrasilia, timeOfDayInBrasilia } from '@cofre/gateway/room'
import { createCoverageReporter } from './covered-accounts.js'
import { openSettled } from './settlements.fixture.js'

const TODAY = dayNumberInBrasilia(NOW_MS)

it('notifies the vault once an hour of the days that card files cover without a gap', async () => {
  const test = await openSettled(TEST_SQLITE)
  onTestFinished(() => test.close())
  let files = 0
  const keep = (day: number, accountId: string | undefined, format: 'adyen' | 'pix' = 'adyen') => {
    const file = { storeId: MERCHANT.id, accountId, name: 'f', actor: 'store', uploadedAtMs: 1 }
    const row = newFileRow({ ...file, id: ++files, format: 'adyen' })
    const days = { from_day: TODAY + day, to_day: TODAY + day }
    return test.own.transact((trx) =>
      trx
        .insertInto('settlement_files')
        .values({ ...row, ...days, format, state: 'ready' })
        .execute(),
    )
  }
  // Today is a Saturday. Tuesday the 3rd has no file; Friday's file is followed by Monday's.
  for (const day of [-60, -19, -17, -16, -15, -12, -11, -10, -9, -8, -5]) await keep(day, 'adyen-1')
  await keep(-1, undefined)
  await keep(-1, 'bank-1', 'pix')
  const report = createCoverageReporter({ ...test.parts, settlementLists: test.settlementLists })
  await report()
  await report()
  const startOf = (day: number): number => timeOfDayInBrasilia(TODAY + day)
  const covered = { accountId: 'adyen-1', fromMs: startOf(-16), untilMs: startOf(-4) }
  expect(test.covered).toEqual([covered])
  test.time.nowMs += HOUR_MS
  await report()
  expect(test.covered).toEqual([covered, covered])
})
