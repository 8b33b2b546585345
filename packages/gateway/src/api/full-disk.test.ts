import type { Database } from '@cofre/sql'
import { TEST_ENGINES, TEST_POSTGRES, TEST_SQLITE } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { GatewayTables } from '../ledger/database/gateway-tables.js'
import { type TestAnswer, cardRequest, openTestGateway } from '../gateway.fixture.js'

/** How an engine runs out of space, and gets space again. */
interface Disk {
  fill(database: Database<GatewayTables>): Promise<unknown>
  makeRoom(database: Database<GatewayTables>): Promise<unknown>
}

const run = (database: Database<GatewayTables>, statement: string) =>
  database.transact((trx) => sql.raw(statement).execute(trx))

const DISKS: Readonly<Record<'sqlite' | 'postgres', Disk>> = {
  sqlite: {
    // Allows no page beyond the existing ones.
    fill: (database) => run(database, 'pragma max_page_count = 1'),
    makeRoom: (database) => run(database, 'pragma max_page_count = 100000'),
  },
  postgres: {
    async fill(database) {
      await run(
        database,
        `create function disk_is_full() returns trigger language plpgsql as $$ begin
          raise exception 'could not extend file' using errcode = 'disk_full'; end $$`,
      )
      await run(
        database,
        'create trigger full_disk before insert on transactions execute function disk_is_full()',
      )
    },
    makeRoom: (database) => run(database, 'drop trigger full_disk on transactions'),
  },
}

function expectUnavailable(answer: TestAnswer): void {
  expect(answer).toMatchObject({
    status: 503,
    json: { errors: [{ code: 90006, description: 'service_unavailable' }] },
  })
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}

for (const engine of TEST_ENGINES) {
  it(`reports a full disk, keeps what it acknowledged, and works once there is space, on ${engine.name}`, async () => {
    const test = await openTestGateway(engine)
    const disk = DISKS[engine.name]
    const acknowledged: string[] = []
    const buy = async (reference: string, headers = {}) => {
      const body = cardRequest(reference)
      const answer = await test.send('POST', '/transactions', { body, headers })
      if (answer.status === 201) acknowledged.push(reference)
      return answer
    }
    await buy('before')
    await disk.fill(test.database)
    let refused = await buy('r-0')
    for (let i = 1; refused.status === 201 && i < 500; i++) refused = await buy(`r-${i}`)
    expectUnavailable(refused)
    expectUnavailable(await buy('after'))
    expectUnavailable(await buy('keyed', { 'idempotency-key': 'keyed' }))
    expect(test.logged.join()).toMatch(/a request failed .*"error"/)

    await disk.makeRoom(test.database)
    expect((await buy('room')).status).toBe(201)
    expect((await buy('after')).status).toBe(201)
    const rows = await test.database.reader
      .selectFrom('transactions')
      .select('reference')
      .where('open', '=', 0)
      .execute()
    const kept = rows.map(({ reference }) => reference)
    expect(acknowledged.filter((reference) => !kept.includes(reference))).toEqual([])
    await test.close()
  })
}

it('reports an unreachable vault with Retry-After, also under an Idempotency-Key', async () => {
  const test = await openTestGateway(TEST_SQLITE)
  test.answerCards(() => Promise.resolve({ kind: 'refused', reason: 'vault_unavailable' }))
  for (const headers of [{}, { 'idempotency-key': 'one' }])
    expectUnavailable(
      await test.send('POST', '/transactions', { body: cardRequest('r-1'), headers }),
    )
  await test.close()
})

it('reports to a refund an unavailable database, not a broken service', async () => {
  const test = await openTestGateway(TEST_POSTGRES)
  await run(test.database, 'alter table merchants rename to elsewhere')
  await run(
    test.database,
    `create function away() returns int language plpgsql as $$ begin
      raise exception 'shutting down' using errcode = 'admin_shutdown'; end $$`,
  )
  await run(test.database, 'create view merchants as select * from elsewhere where away() = 1')
  expectUnavailable(await test.send('POST', '/refunds', { body: {} }))
  await test.close()
})
