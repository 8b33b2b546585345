// Payments and searches of two built checkouts in turn, on both engines: requests a second and
// processor time of the process. Usage: node bench/checkouts.mjs <before> [<after>]
import './lib/cleanup.mjs'
import path from 'node:path'
import process from 'node:process'
import { digits, median } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { processTree } from './lib/process-tree.mjs'
import { startProduct } from './lib/processes.mjs'
import { makeTokens, payOnce, paymentRequest, signedGet } from './lib/requests.mjs'
import { PAIRS } from './lib/settings.mjs'

const CONNECTIONS = 32
const TOKENS = 1500
const SEARCH_SECONDS = 2
const [before, after = '.'] = process.argv.slice(2)
if (before === undefined) throw new Error('usage: node bench/checkouts.mjs <before> [<after>]')

for (const engine of ENGINES) {
  const started = []
  for (const checkout of [before, after]) {
    const database = await engine.start()
    const cofre = path.resolve(checkout, 'packages/server/dist/cofre.js')
    const product = await startProduct(database.environ, cofre)
    const search = signedGet(`/transactions/${await payOnce(product)}`)
    started.push({ product, database, search })
    await pay(product)
  }
  const rounds = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const round = []
    // Who goes first alternates.
    for (const index of pair % 2 === 0 ? [0, 1] : [1, 0]) {
      const { product, search } = started[index]
      const next = () => search
      round[index] = {
        payments: await pay(product),
        searches: await measure(product, { next, seconds: SEARCH_SECONDS, expectStatus: 200 }),
      }
    }
    rounds.push(round)
  }
  for (const what of ['payments', 'searches'])
    for (const figure of ['perSecond', 'processorMs']) print({ engine, what, figure, rounds })
  for (const { product, database } of started) {
    await product.stop()
    await database.stop()
  }
}
process.exit()

async function pay(product) {
  const vaultUrl = `http://127.0.0.1:${product.ports.VAULT}`
  const tokens = await makeTokens(vaultUrl, TOKENS, { deposited: true })
  const requests = tokens.map((token) => paymentRequest(token))
  const next = () => requests.pop()
  return await measure(product, { next, seconds: 60, expectStatus: 201 })
}

async function measure({ child, ports }, { next, seconds, expectStatus }) {
  const busy = () => processTree(child.pid).reduce((sum, { seconds }) => sum + seconds, 0)
  const busyBefore = busy()
  let sent = 0
  const counted = () => {
    sent += 1
    return next()
  }
  const load = { port: ports.API, connections: CONNECTIONS, seconds, next: counted, expectStatus }
  const { perSecond } = await drive(load)
  return { perSecond, processorMs: ((busy() - busyBefore) * 1000) / sent }
}

function print({ engine, what, figure, rounds }) {
  const ratios = rounds.map(([base, changed]) => changed[what][figure] / base[what][figure])
  const medians = [0, 1].map((side) =>
    digits(median(rounds.map((round) => round[side][what][figure]))),
  )
  const spread = `${digits(Math.min(...ratios))} - ${digits(Math.max(...ratios))}`
  const name = `${engine.name} ${what}, ${figure}:`
  process.stdout.write(
    `${name} ${medians.join(' and ')}, ratio ${digits(median(ratios))} (${spread})\n`,
  )
}
