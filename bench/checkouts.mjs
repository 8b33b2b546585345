// Payments and searches of two built checkouts in turn, on both engines: requests a second and
// processor time of the process. Usage: node bench/checkouts.mjs <before> [<after>]
import './lib/cleanup.mjs'
import path from 'node:path'
import process from 'node:process'
import { compare, digits, measureInTurn } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { busySeconds } from './lib/process-tree.mjs'
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
  const [base, changed] = started.map(({ product, search }) => async () => ({
    payments: await pay(product),
    searches: await measure(product, {
      next: () => search,
      seconds: SEARCH_SECONDS,
      expectStatus: 200,
    }),
  }))
  const rounds = await measureInTurn(PAIRS, [changed, base])
  const rows = ['payments', 'searches'].flatMap((what) =>
    ['perSecond', 'processorMs'].map((figure) => {
      const pairs = rounds.map((round) => round.map((side) => side[what][figure]))
      const { ours, limit, ratio, spread } = compare(pairs)
      return {
        what: `${engine.name} ${what}, ${figure}`,
        before: digits(limit),
        after: digits(ours),
        ratio: digits(ratio),
        spread: spread.map(digits).join(' - '),
      }
    }),
  )
  console.table(rows)
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
  const busyBefore = busySeconds(child.pid)
  let sent = 0
  const counted = () => {
    sent += 1
    return next()
  }
  const load = { port: ports.API, connections: CONNECTIONS, seconds, next: counted, expectStatus }
  const { perSecond } = await drive(load)
  return { perSecond, processorMs: ((busySeconds(child.pid) - busyBefore) * 1000) / sent }
}
