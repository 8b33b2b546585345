// The same as failover.bench.mjs under Patroni, which promotes by itself: the machine of the
// primary dies; it comes back as the standby; the servers change places as for maintenance. Needs
// Debian's packages patroni, etcd-server and postgresql.
import './lib/cleanup.mjs'
import process from 'node:process'
import { report } from './lib/compare.mjs'
import { MISSING, startPatroni, until } from './lib/patroni.mjs'
import { startProduct } from './lib/processes.mjs'
import { payThrough, switchRows } from './lib/switch.mjs'

const TAKES_WRITES = 'select not pg_is_in_recovery()'
const HAS_STANDBY = "select exists (select from pg_stat_replication where sync_state = 'sync')"

if (MISSING.length > 0) {
  process.stdout.write(
    `patroni: not measured, because ${MISSING.join(', ')} is not there: apt-get install patroni etcd-server postgresql\n`,
  )
} else await measure()

async function measure() {
  const patroni = await startPatroni()
  const { first, second, url } = patroni
  const product = await startProduct({ COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url })
  const died = await payThrough({
    product,
    async change() {
      first.kill()
      await until(() => second.says(TAKES_WRITES))
    },
    urlAfter: second.url,
  })
  first.start()
  await until(() => second.says(HAS_STANDBY))
  const switched = await payThrough({
    product,
    async change() {
      patroni.switchOver(second.name)
      await until(() => first.says(TAKES_WRITES))
    },
    urlAfter: first.url,
  })
  await product.stop()
  patroni.stop()
  report('patroni', [
    ...switchRows('Machine of the primary dies, Patroni promotes', died),
    ...switchRows('Servers change places by patronictl switchover', switched),
  ])
}
