// What an archive does to the latency of payments and searches: an installation whose archive has
// many transactions beside one that has none, in turn; and how fast transactions are archived.
import './lib/cleanup.mjs'
import './lib/later-clock.mjs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { counted, inPairs, medianRow, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { install } from './lib/installation.mjs'
import { drive, repeated } from './lib/load.mjs'
import { startReceiver } from './lib/receiver.mjs'
import { pay, signedGet } from './lib/requests.mjs'
import {
  ARCHIVABLE_FROM_MS,
  ARCHIVABLE_SPAN_MS,
  ARCHIVED_WINDOW,
  WINDOW,
  countArchived,
  productNowMs,
  seedArchivable,
  seedArchive,
  seedOldest,
} from './lib/seed.mjs'
import { OF_SIZES, PAIRS, SIZES } from './lib/settings.mjs'

const OTHER_STORES = ['other-store-1', 'other-store-2', 'other-store-3']
const WINDOW_PAYMENTS = 200
const TARGET = '<= 1.3'
/** Those whose archiving is timed, in some rounds. */
const ARCHIVABLE = 20_000
/** On PostgreSQL: the years of what was archived before. */
const YEARS = 3
/** After storing, for what the disk has left to do. */
const REST_MS = 2000
const LOADS = {
  1: { payments: 100, byCode: 400, searches: 200 },
  16: { payments: 400, byCode: 1200, searches: 300 },
}

const receiver = await startReceiver()
const FIRST = { receiver, windowPayments: WINDOW_PAYMENTS }
for (const engine of ENGINES) {
  const server = await engine.start()
  const empty = await install(server.environ, FIRST)
  const archive = await install(await server.another('archive'), FIRST)
  const rows = await measure(engine, { empty, archive })
  report(`archive-${engine.name.toLowerCase()}${OF_SIZES}`, rows)
  await empty.product.stop()
  await archive.product.stop()
  await server.stop()
}
await receiver.stop()

async function measure({ name }, { empty, archive }) {
  const { product } = archive
  for (const id of OTHER_STORES) product.createStore(id)
  // Makes the years of the archive.
  await seedOldest(archive)
  product.archive()
  const count = SIZES.at(-1)
  const startedAt = performance.now()
  await seedArchive(archive, { count, windowCount: WINDOW_PAYMENTS, others: OTHER_STORES })
  await pause(REST_MS)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(`${name}: ${count} payments stored in the archive, in ${seconds} s\n`)
  // Once for nothing: what has just been filled is slower.
  await compareAll({ empty, archive }, 1)
  const rows = []
  for (const [what, pairs] of await compareAll({ empty, archive }, PAIRS))
    rows.push({ ...row(`${name}, archive: ${what}`, pairs, TARGET), storedBeside: 0 })
  const { stored, partitions } = await countArchived(archive)
  if (name === 'PostgreSQL' && partitions !== YEARS)
    throw new Error(`the archive has payments in ${partitions} partitions, not ${YEARS}`)
  await seedArchivable(archive, { count: ARCHIVABLE, others: OTHER_STORES })
  return [
    ...rows.map((measured) => ({ ...measured, stored })),
    medianRow(`${name}: transactions archived/s, ${stored} archived before`, rates(product)),
  ]
}

/** How many are archived a second, the oldest first, in rounds, including the command's start. */
function rates(product) {
  const rounds = Array.from({ length: PAIRS }, (_, i) => {
    const beforeMs = ARCHIVABLE_FROM_MS + ((i + 1) / PAIRS) * ARCHIVABLE_SPAN_MS
    const seconds = Math.floor((productNowMs() - beforeMs) / 1000)
    const startedAt = performance.now()
    const archived = product.archive('--older-than', String(seconds))
    return { archived, seconds: (performance.now() - startedAt) / 1000 }
  })
  const total = rounds.reduce((sum, { archived }) => sum + archived, 0)
  if (total !== ARCHIVABLE) throw new Error(`${total} were archived, not ${ARCHIVABLE}`)
  return rounds.map(({ archived, seconds }) => archived / seconds)
}

async function compareAll({ empty, archive }, pairs) {
  const measured = []
  for (const [connections, load] of Object.entries(LOADS))
    for (const [what, { p50Ms, window }] of measurements(Number(connections), load))
      measured.push([
        `${what}, ms at ${counted(connections, 'connection')}`,
        await inPairs({
          pairs,
          ours: () => p50Ms(archive, window),
          limit: () => p50Ms(empty, WINDOW),
        }),
      ])
  return measured
}

/** Each measures an installation once: the median latency in milliseconds. */
function measurements(connections, { payments, byCode, searches }) {
  const get = async ({ port }, path, count) => {
    const requests = repeated(signedGet(path)).take(count)
    return (await drive({ port, connections, requests, expectStatus: 200 })).p50Ms
  }
  const payment = async ({ product }) => {
    const { p50Ms } = await pay(product, {
      count: payments,
      connections,
      notificationUrl: receiver.url,
    })
    await receiver.received(payments)
    return p50Ms
  }
  const code = (installation) => get(installation, `/transactions/${installation.code}`, byCode)
  const time = (ms) => encodeURIComponent(new Date(ms).toISOString())
  const date = (installation, { fromMs, untilMs }) =>
    get(
      installation,
      `/transactions?initial-order-date=${time(fromMs)}&final-order-date=${time(untilMs)}&page=1`,
      searches,
    )
  return [
    ['payment', { p50Ms: payment }],
    ['search by code', { p50Ms: code }],
    ['search by date, first page', { p50Ms: date, window: WINDOW }],
    ['search by date in the archive, first page', { p50Ms: date, window: ARCHIVED_WINDOW }],
  ]
}
