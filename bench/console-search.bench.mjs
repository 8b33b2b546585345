// What stored payments do to the search of the console's people: an installation that has many, and
// then very many, beside one that has only those that are searched for, in turn. The search itself
// is asked, in this process, after the product has stopped.
import './lib/cleanup.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { openGatewayDatabase } from '../packages/gateway/dist/ledger/database/open-gateway-database.js'
import { createSqlPaymentSearchStore } from '../packages/gateway/dist/ledger/search/payment-search-store-sql.js'
import { counted, inPairs, median, medianRow, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { STORE, startProduct } from './lib/processes.mjs'
import { startReceiver } from './lib/receiver.mjs'
import { payOnce } from './lib/requests.mjs'
import {
  WINDOW,
  countStored,
  seedPayments,
  seedTerms,
  seedWindow,
  seedWindowTerms,
  windowPayment,
} from './lib/seed.mjs'
import { PAIRS, SIZES } from './lib/settings.mjs'

const OTHER_STORES = ['other-store-1', 'other-store-2', 'other-store-3']
const WINDOW_PAYMENTS = 200
const TARGET = '<= 1.3'
/** Until the worker has read the payment that was made: it reads nothing that is stored before. */
const INDEX_MS = 4000
/** Connections, and searches over them. */
const LOADS = [
  [1, 100],
  [16, 480],
]

/** Of the window's payments, as `seedTerms` has them; each finds as many on both sides. */
const QUERIES = {
  'no text': () => ({}),
  code: ({ code }) => ({ text: code }),
  reference: ({ reference }) => ({ text: reference }),
  'e-mail': ({ email }) => ({ text: email }),
  amount: ({ amount }) => ({ text: amount }),
  'last four': ({ lastFour }) => ({ text: lastFour }),
  'two words of a name': () => ({ text: 'silvab janela' }),
  'status and method': () => ({ status: 'COMPLETE', method: 'credit-card' }),
  'three filters and a period': () => {
    return { status: 'COMPLETE', method: 'credit-card', brand: 'visa', ...WINDOW }
  },
  'highest amount': () => ({ sort: 'highest' }),
  'next page': ({ cursor }) => ({ after: cursor }),
}
/** Both words are frequent and never meet. */
const DISJOINT = { text: 'silvab silvad' }

const receiver = await startReceiver()
for (const engine of ENGINES) {
  const server = await engine.start()
  const empty = await install(server.environ)
  const filled = await install(await server.another('filled'))
  report(`console-search-${engine.name.toLowerCase()}`, await grow(engine, { empty, filled }))
  for (const { dataDir } of [empty, filled]) rmSync(dataDir, { recursive: true, force: true })
  await server.stop()
}
await receiver.stop()

async function install(environ) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-bench-'))
  const own = { ...environ, COFRE_DATA_DIR: dataDir }
  const product = await startProduct(own)
  for (const id of OTHER_STORES) product.createStore(id)
  const code = await payOnce(product, receiver.url)
  await receiver.received(1)
  await pause(INDEX_MS)
  await product.stop()
  const installation = { product, environ, dataDir, code: String(code) }
  await seedWindow(installation, WINDOW_PAYMENTS)
  await seedWindowTerms(installation, WINDOW_PAYMENTS)
  return installation
}

async function grow(engine, sides) {
  const rows = []
  for (const [run, size] of SIZES.entries()) {
    const startedAt = performance.now()
    const spread = { run, from: SIZES[run - 1] ?? 0, until: size, others: OTHER_STORES }
    await seedPayments(sides.filled, spread)
    await seedTerms(sides.filled, spread)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stdout.write(`${engine.name}: ${size} payments stored, in ${seconds} s\n`)
    const counts = {
      stored: await countStored(sides.filled),
      storedBeside: await countStored(sides.empty),
    }
    const [ours, beside] = [await openSearch(sides.filled), await openSearch(sides.empty)]
    // Once for nothing: what was just opened is slower.
    await compareAll(ours, beside, 1)
    for (const [what, pairs] of await compareAll(ours, beside, PAIRS))
      rows.push({ ...row(`${engine.name}: ${what}`, pairs, TARGET), ...counts })
    const walks = []
    for (let i = 0; i < PAIRS; i++) walks.push(await ours.latencyMs(() => DISJOINT, [1, 20]))
    rows.push(medianRow(`${engine.name}: two words that never meet, ms, ${size} payments`, walks))
    await ours.close()
    await beside.close()
  }
  return rows
}

async function compareAll(ours, beside, pairs) {
  const measured = []
  for (const load of LOADS)
    for (const [what, query] of Object.entries(QUERIES)) {
      const [found, foundBeside] = [await ours.count(query), await beside.count(query)]
      if (found === 0 || found !== foundBeside)
        throw new Error(`${what} found ${found} payments, and ${foundBeside} beside it`)
      measured.push([
        `console search by ${what}, ms at ${counted(load[0], 'connection')}`,
        await inPairs({
          pairs,
          ours: () => ours.latencyMs(query, load),
          limit: () => beside.latencyMs(query, load),
        }),
      ])
    }
  return measured
}

/** The search of an installation that has stopped. */
async function openSearch({ dataDir, environ, code }) {
  const url = environ.COFRE_DATABASE_URL ?? `sqlite:${path.join(dataDir, 'gateway.db')}`
  const database = await openGatewayDatabase(url, 'production')
  const search = createSqlPaymentSearchStore(database)
  const find = (query) => search.find(STORE.id, query)
  const { next: cursor } = await find({})
  const payment = (i) => ({ ...windowPayment(i), code, cursor })
  return {
    count: async (query) => (await find(query(payment(0)))).transactions.length,
    /** Median of so many searches, so many at once. */
    async latencyMs(query, [connections, count]) {
      const latencies = []
      let next = 0
      const run = async () => {
        while (next < count) {
          const asked = query(payment(next++ % WINDOW_PAYMENTS))
          const startedAt = performance.now()
          await find(asked)
          latencies.push(performance.now() - startedAt)
        }
      }
      await Promise.all(Array.from({ length: connections }, run))
      return median(latencies)
    },
    close: () => database.close(),
  }
}
