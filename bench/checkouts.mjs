// Payments and searches of two built checkouts in turn, on both engines: requests per second and
// CPU time of the process. With `payments`, only those: more pairs in the same time.
// Usage: node bench/checkouts.mjs <before> [<after> [payments]]
import path from 'node:path'
import process from 'node:process'
import { measureInTurn, row } from './lib/compare.mjs'
import { startEngines } from './lib/engines.mjs'
import { busyMs, drive, repeated } from './lib/load.mjs'
import { startProduct } from './lib/processes.mjs'
import { makePayments, payOnce, signedGet } from './lib/requests.mjs'

const [before, after = '.', only] = process.argv.slice(2)
if (before === undefined) throw new Error('usage: checkouts.mjs <before> [<after> [payments]]')
const PAYMENTS = only === undefined ? 1500 : 450

for await (const { name, environ } of startEngines()) {
  const sides = []
  for (const [side, checkout] of Object.entries({ after, before })) {
    const program = path.resolve(checkout, 'packages/server/dist/cofre.js')
    const product = await startProduct(await environ(side), { program })
    const search = signedGet(`/transactions/${await payOnce(product)}`)
    sides.push({ ...product, search })
    await measureBoth(sides.at(-1))
  }
  const rounds = await measureInTurn(sides.map((side) => () => measureBoth(side)))
  const figures = Object.keys(rounds[0][0])
  const pairsOf = (figure) => rounds.map((pair) => pair.map((side) => side[figure]))
  console.table(figures.map((figure) => row(`${name}: ${figure}`, pairsOf(figure))))
  for (const { stop } of sides) await stop()
}

async function measureBoth(product) {
  const searches = { requests: repeated(product.search), seconds: 2, expectStatus: 200 }
  return {
    ...(await measure('payments', product, { requests: await makePayments(product, PAYMENTS) })),
    ...(only === undefined && (await measure('searches', product, searches))),
  }
}

async function measure(what, product, load) {
  const busyBefore = busyMs(product)
  const { perSecond, count } = await drive({ port: product.ports.api, connections: 32, ...load })
  const busy = (busyMs(product) - busyBefore) / count
  return { [`${what}/s`]: perSecond, [`ms of processor, ${what}`]: busy }
}
