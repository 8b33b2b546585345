import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES, indexesNotNeeded, queriesThatScan, recordQueries } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import { ACCEPTED, FAILED, INTERVAL_MS, firstEventOf, openTestEvents } from './events.fixture.js'
import { endpointBacklogs, eventBacklog } from './sql/endpoint-backlog-sql.js'

/** Tables that grow with every payment. */
const GROWING = [
  { tables: ['events'], storeColumn: 'merchant_id' },
  { tables: ['event_deliveries'], storeColumn: 'endpoint_code' },
]

it.each(TEST_ENGINES)(
  'events on $name cost the same however many there are, and need their indexes',
  async (engine) => {
    const events = await openTestEvents(engine)
    onTestFinished(() => events.test.close())
    const queries = recordQueries()
    onTestFinished(queries.stop)
    const { reader } = events.test.database
    const { code } = await events.endpoint()
    events.answer = () => FAILED
    const paid = await events.pay('paid')
    await events.refund(paid, 'PROCESSED')
    await events.send()
    await eventBacklog(reader)
    await endpointBacklogs(reader, MERCHANT.id)
    events.nowMs += INTERVAL_MS
    events.answer = () => ACCEPTED
    await events.send()
    const get = (target: string) => events.test.send('GET', target)
    for (const query of ['', '?type=payment.completed', `?transaction-code=${paid}`])
      expect((await get(`/events${query}`)).status).toBe(200)
    const body = { endpoint: code }
    await events.test.send('POST', `/events/${firstEventOf(paid)}/deliveries`, { body })
    events.nowMs += 31 * DAY_MS
    await events.send()
    await events.test.send('POST', `/event-endpoints/${code}/deletion`, { body: {} })
    await events.send()
    for (const growing of GROWING) {
      const scanning = await queriesThatScan(events.test.database, queries.texts, growing)
      // It reads an entry of the index for each endpoint.
      expect(scanning.filter((query) => !query.includes('with recursive known'))).toEqual([])
      const notNeeded = await indexesNotNeeded(events.test.database, queries.texts, growing)
      expect(notNeeded.filter((index) => index.includes('event'))).toEqual([])
    }
  },
)
