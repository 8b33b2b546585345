import { TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { cardRequest, openTestGateway } from '../gateway.fixture.js'

it('tells the shop when the disk is full, keeps what it acknowledged, and goes on once there is room', async () => {
  const [engine] = TEST_ENGINES
  if (engine?.name !== 'sqlite') throw new Error('the first engine is SQLite')
  const test = await openTestGateway(engine)
  const setPagesMax = (pages: number) =>
    test.database.transact((unit) =>
      sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(unit),
    )
  const acknowledged: string[] = []
  const buy = async (reference: string) => {
    const answer = await test.send('POST', '/transactions', { body: cardRequest(reference) })
    if (answer.status === 201) acknowledged.push(reference)
    return answer
  }
  // No page more than there are.
  await setPagesMax(1)
  let refused = await buy('r-0')
  for (let i = 1; refused.status === 201 && i < 500; i++) refused = await buy(`r-${i}`)
  expect(refused).toMatchObject({ status: 500, codes: [30101] })
  const again = await buy('after')
  expect(again).toMatchObject({ status: 500, codes: [30101] })

  await setPagesMax(100_000)
  expect((await buy('room')).status).toBe(201)
  const rows = await test.database.reader
    .selectFrom('transactions')
    .select('reference')
    .where('open', '=', 0)
    .execute()
  const kept = rows.map(({ reference }) => reference)
  expect(acknowledged.filter((reference) => !kept.includes(reference))).toEqual([])
  await test.close()
})
