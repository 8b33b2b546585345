// The same as failover.bench.mjs under Patroni, which promotes by itself: the machine of the
// primary dies; it comes back as the standby; the servers change places as for maintenance. Needs
// Debian's packages patroni, etcd-server and postgresql.
import './lib/cleanup.mjs'
import process from 'node:process'
import { report } from './lib/compare.mjs'
import { MISSING, startPatroni } from './lib/patroni.mjs'
import { startProduct } from './lib/processes.mjs'
import { payThrough, switchRows } from './lib/switch.mjs'

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
      await second.takesWrites()
    },
    urlAfter: second.url,
  })
  first.start()
  await second.hasStandby()
  const switched = await payThrough({
    product,
    async change() {
      await patroni.switchOver(second.name)
      await first.takesWrites()
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
