import { readFileSync } from 'node:fs'
import { MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  openTestGateway,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import { readAll } from './search-index.fixture.js'
import { FOLLOWED, searchOf } from '../search.fixture.js'

const MIGRATION = readFileSync(
  new URL('../../../gateway/migrations/0023_respell_names.sql', import.meta.url),
  'utf8',
)

describe.each(TEST_ENGINES)('names that were in the index before, on $name', (engine) => {
  it('are spelled anew by the worker, after an upgrade', async () => {
    let nowMs = NOW_MS
    const clock = { now: () => nowMs }
    const test = await openTestGateway(engine, { ...FOLLOWED, clock, machineClock: clock })
    onTestFinished(() => test.close())
    for (const [reference, name] of [
      ['polish', 'Łukasz Żółć'],
      ['plain', 'Maria Souza'],
    ] as const) {
      const body = railRequest(reference, 'pix')
      const created = await test.send('POST', '/transactions', {
        body: { ...body, payer: { ...body.payer, name } },
      })
      expect(created.status).toBe(201)
    }
    nowMs += MINUTE_MS
    await readAll(test.database, nowMs)
    await test.database.transact(async (trx) => {
      for (const [now, before] of [
        ['lukasz', 'łukasz'],
        ['zolc', 'żołc'],
      ] as const) {
        await trx
          .updateTable('payment_terms')
          .set({ term: before })
          .where('term', '=', now)
          .execute()
        await sql`update payment_facts set terms = replace(terms, ${now}, ${before})`.execute(trx)
      }
    })
    const found = async (text: string) =>
      (await searchOf(test).payments.find(MERCHANT.id, { text })).items.length
    expect(await found('lukasz')).toBe(0)
    await test.database.transact(async (trx) => {
      await sql.raw(MIGRATION.replace(/;\s*$/, '')).execute(trx)
    })
    const asked = await test.database.reader.selectFrom('index_requests').selectAll().execute()
    expect(asked).toHaveLength(1)
    await readAll(test.database, nowMs)
    for (const text of ['lukasz', 'Łukasz', 'zolc', 'luk']) expect(await found(text)).toBe(1)
    expect(await test.database.reader.selectFrom('index_requests').selectAll().execute()).toEqual(
      [],
    )
  })
})
