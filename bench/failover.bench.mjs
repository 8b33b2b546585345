// Two PostgreSQL servers with synchronous replication under payments: the primary is cut off from
// its standby and killed, or stopped as its operator stops it, and the standby promoted by hand.
// With Patroni: patroni.bench.mjs.
import './lib/cleanup.mjs'
import { setTimeout as pause } from 'node:timers/promises'
import { report } from './lib/compare.mjs'
import { startProduct } from './lib/processes.mjs'
import { payThrough, switchRows } from './lib/switch.mjs'
import { startPostgresPair, urlOfServers } from '../packages/sql/test/postgres-pair.ts'

/** What an operator takes at least. */
const DECISION_MS = 3000

const killed = await switchedBy(async (pair) => {
  await pair.separate()
  await pair.primary.kill()
  await pause(DECISION_MS)
  await pair.promote()
})
const stopped = await switchedBy(async (pair) => {
  await pair.primary.stop()
  await pair.promote()
})
report('failover', [
  ...switchRows(
    `Primary cut off and killed, standby promoted ${DECISION_MS / 1000} s later`,
    killed,
  ),
  ...switchRows('Primary stopped and standby promoted', stopped),
])

async function switchedBy(change) {
  const pair = await startPostgresPair()
  const url = `${urlOfServers([pair.primary, pair.standby])}?target_session_attrs=read-write`
  const product = await startProduct({ COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url })
  const result = await payThrough({
    product,
    change: () => change(pair),
    urlAfter: pair.standby.url,
  })
  await product.stop()
  await pair.dispose()
  return result
}
