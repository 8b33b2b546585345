import type { Connection } from '@cofre/sql'
import type { KyselyPlugin } from 'kysely'
import { TEST_ENGINES, lockWaiters } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { openLinks } from './links.fixture.js'
import { linkRequest, makeLink, orderOf, tryOf } from './payment-link.fixture.js'
import { createSqlLinkTryStore } from './sql/link-try-store-sql.js'
import { MERCHANT, NOW_MS } from '../../gateway/src/gateway.fixture.js'
import type { RoomTables } from './sql/link-tables.js'

/** The queries of a unit of work; only PostgreSQL lets others commit meanwhile. */
const QUERIES_MAX = 12

it('opens no second try at a link that is used once, whenever the first is paid and ends', async () => {
  const test = await openLinks(TEST_ENGINES.find(({ name }) => name === 'postgres')!)
  onTestFinished(() => test.close())
  for (let moment = 1; moment <= QUERIES_MAX; moment++) {
    const { code: linkId } = await makeLink(test, linkRequest(`order-${moment}`))
    const { desk } = test.gateway
    const { paymentLinks, paymentPage } = test.room
    const first = tryOf(await paymentPage.pay(linkId, orderOf('boleto')))
    const found = await paymentLinks.find(MERCHANT.id, linkId)
    const { code } = found!.tries[0]!.transaction!
    const store = createSqlLinkTryStore({
      ...test.own,
      transact: (work) =>
        test.own.transact((trx) =>
          work(
            afterQuery(trx, moment, async () => {
              await desk.changes.changeStatus(code, 'COMPLETE')
              await test.linkParts.linkTries.close(first)
            }),
          ),
        ),
    })
    const { kind } = await store.open(
      {
        id: 'A'.repeat(22),
        linkId,
        formId: `form-${moment}`,
        method: 'pix',
        address: '203.0.113.8',
        createdAtMs: NOW_MS,
        pollAtMs: NOW_MS,
      },
      [],
    )
    expect([moment, kind]).not.toEqual([moment, 'opened'])
  }
})

it('does not end a try whose transaction is committed while it waits for the try', async () => {
  const test = await openLinks(TEST_ENGINES.find(({ name }) => name === 'postgres')!)
  onTestFinished(() => test.close())
  const { code: linkId } = await makeLink(test, linkRequest('order-1'))
  const tryId = tryOf(await test.room.paymentPage.pay(linkId, orderOf('boleto')))
  const { own: database } = test
  const transactionIs = (db: Connection<RoomTables>, status: 'CANCELLED' | 'PENDING') =>
    db.updateTable('transactions').set({ status }).execute()
  await database.transact((trx) => transactionIs(trx, 'CANCELLED'))
  // Like the commit of an intent, it holds the try while its transaction is still invisible.
  const [closing] = await database.transact(async (trx) => {
    await trx.selectFrom('payment_link_tries').select('id').forUpdate().execute()
    const closed = test.linkParts.linkTries.close(tryId)
    while ((await lockWaiters(database)) < 1)
      await new Promise((resolve) => setTimeout(resolve, 10))
    await transactionIs(trx, 'PENDING')
    return [closed.then((done) => ({ done }))] as const
  })
  expect(await closing).toEqual({ done: false })
  const found = await test.linkParts.linkTries.findHolding(linkId)
  expect(found?.linkTry).toMatchObject({ id: tryId, open: true })
})

/** A connection that runs a callback after one of its queries. */
function afterQuery(
  trx: Connection<RoomTables>,
  moment: number,
  happen: () => Promise<void>,
): Connection<RoomTables> {
  let queries = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (++queries === moment) await happen()
      return result
    },
  }
  const observed = trx.withPlugin(plugin)
  return Object.assign(Object.create(trx) as typeof trx, {
    renamed: trx.renamed.bind(trx),
    selectFrom: observed.selectFrom.bind(observed),
  })
}
