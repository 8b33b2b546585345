// Durable token payments and searches by code per second over HTTP, and the latency of payments,
// beside a bare program with the same durable work on the same engine. The shop of these payments
// has an address that does not resolve, so that no notification is delivered during the
// measurement.
import { inPairs, measureInTurn, report, row } from './lib/compare.mjs'
import { startEngines } from './lib/engines.mjs'
import { drive, repeated, untilQuiet } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { barePayments, codeOf, pay, payOnce, signedGet } from './lib/requests.mjs'

const SECONDS = 1.5
/** By engine and number of connections; a measurement ends when they are used up. */
const TOKENS = {
  SQLite: { 1: 1200, 16: 5000, 64: 5000 },
  PostgreSQL: { 1: 600, 16: 1500, 64: 1500 },
}
const BARE_PAYMENTS = { 1: 5000, 16: 20_000, 64: 20_000 }
const WARM_UP = 500

const rows = []
for await (const engine of startEngines()) {
  const product = await startProduct(await engine.environ('own'))
  const bare = await startPeer('payments', engine)
  const sides = { name: engine.name, product, bare }
  await pay(product, { count: WARM_UP, connections: 64 })
  await drive({ port: bare.port, requests: barePayments(WARM_UP), connections: 64 })
  for (const connections of [1, 16, 64]) {
    await comparePayments(sides, connections)
    await compareSearches(sides, connections)
  }
  for (const { stop } of [product, bare]) await stop()
}
report('payments', rows)

async function comparePayments({ name, product, bare }, connections) {
  const count = TOKENS[name][connections]
  const load = { connections, seconds: SECONDS }
  const measured = await measureInTurn([
    () => pay(product, { ...load, count }),
    async () => {
      // By now Cofre's index of payments is behind, and would run beside the bare program.
      await untilQuiet(product)
      const requests = barePayments(BARE_PAYMENTS[connections])
      return await drive({ port: bare.port, requests, ...load })
    },
  ])
  const pairsOf = (figure) => measured.map((sides) => sides.map((side) => side[figure]))
  const [what, at] = [`${name}: token payment`, `${connections} at once`]
  const [rate, p50] = [connections === 64 ? '>= 0.6' : '', connections === 1 ? '<= 1.5' : '']
  rows.push(row(`${what}s/s, ${at}`, pairsOf('perSecond'), rate))
  rows.push(row(`${what}, median ms, ${at}`, pairsOf('p50Ms'), p50))
  rows.push(row(`${what}, 99th percentile ms, ${at}`, pairsOf('p99Ms')))
  if (connections !== 16) return
  const tail = measured.map(([{ p99Ms, p50Ms }]) => [p99Ms, p50Ms])
  rows.push(row(`${what}, 99th percentile beside the median, ms, ${at}`, tail, '<= 4'))
}

async function compareSearches({ name, product, bare }, connections) {
  const [code, bareCode] = [await payOnce(product), await codeOf(bare.port, barePayments(1))]
  await untilQuiet(product)
  const rate = async (port, found) => {
    const requests = repeated(signedGet(`/transactions/${found}`))
    const load = { connections, seconds: SECONDS, requests, expectStatus: 200 }
    return (await drive({ port, ...load })).perSecond
  }
  const what = `${name}: search by code/s, ${connections} at once`
  const target = connections === 64 ? '>= 0.7' : ''
  const sides = {
    ours: () => rate(product.ports.api, code),
    limit: () => rate(bare.port, bareCode),
  }
  rows.push(await inPairs(what, { ...sides, target }))
}
