// One process and two on one PostgreSQL database, and where the time of a payment goes: whether the second one pays on this machine.
import { readFileSync, readdirSync } from 'node:fs'
import os from 'node:os'
import process from 'node:process'
import { digits, inPairs, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { startProduct } from './lib/processes.mjs'
import { makeTokens, paymentRequest } from './lib/requests.mjs'

const CONNECTIONS = 64
const PAYMENTS = 4000
/** Ticks of /proc's clock in a second. */
const TICKS = 100

const postgres = ENGINES.find(({ name }) => name === 'PostgreSQL')
const database = await postgres.start()
const first = await startProduct(database.environ)
// Of the same installation: the keys are files of the first one's folder.
const second = await startProduct({ ...database.environ, COFRE_DATA_DIR: first.dataDir })

/** What each side's processors were busy with, by the number of processes; of the last measurement. */
const shares = new Map()
const { ours, limit, ratio, spread } = await inPairs({
  pairs: Number(process.env.COFRE_BENCH_PAIRS ?? 5),
  ours: () => pay([first, second]),
  limit: () => pay([first]),
})
await second.stop()
await first.stop()
await database.stop()
report('processes', [
  { what: 'PostgreSQL: token payments/s, one process', value: digits(limit) },
  { what: 'PostgreSQL: token payments/s, two processes', value: digits(ours) },
  { what: 'two beside one', value: digits(ratio), spread: spread.map(digits).join(' - ') },
  ...shares.get(1),
  ...shares.get(2),
])

/** Payments a second by connections shared out over the processes; notes what each side's cores were busy with. */
async function pay(products) {
  const tokens = await makeTokens(`http://127.0.0.1:${first.ports.VAULT}`, PAYMENTS, {
    deposited: true,
  })
  const requests = tokens.map((token) => paymentRequest(token))
  const before = busySeconds(products)
  const startedAt = performance.now()
  const rates = await Promise.all(
    products.map(({ ports }) =>
      drive({
        port: ports.API,
        connections: CONNECTIONS / products.length,
        seconds: 60,
        next: () => requests.pop(),
        expectStatus: 201,
      }),
    ),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const after = busySeconds(products)
  shares.set(
    products.length,
    Object.keys(after).map((who) => ({
      what: `${['', 'one process', 'two processes'][products.length]}: share of the ${os.cpus().length} cores that ${who} takes`,
      value: digits((after[who] - before[who]) / seconds / os.cpus().length),
    })),
  )
  return rates.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

/** Seconds of processor time so far, from Linux's /proc. */
function busySeconds(products) {
  const all = processes()
  const isPostgres = ({ name }) => name.startsWith('postgres')
  const ownPids = products.map(({ child }) => child.pid)
  return {
    Cofre: sum(all.filter(({ pid }) => ownPids.includes(pid))),
    PostgreSQL: sum(all.filter(isPostgres)),
    'the load': sum(all.filter(({ pid }) => pid === process.pid)),
  }
}

function sum(some) {
  return some.reduce((total, { seconds }) => total + seconds, 0)
}

function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(
          readFileSync(`/proc/${pid}/stat`, 'utf8'),
        )
        const fields = rest.split(' ')
        // Its own, and those of its children that have ended: PostgreSQL's connections come and go.
        const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number)
        const ticks = user + system + childrenUser + childrenSystem
        return [{ pid: Number(pid), name, seconds: ticks / TICKS }]
      } catch {
        // It ended while the folder was read.
        return []
      }
    })
}
