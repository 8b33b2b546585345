// The CPU time of Cofre's one thread under load: the shares of packages and of Node's modules. V8
// profiles the whole run; each load is a part of it.
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { report } from './lib/compare.mjs'
import { startEngines } from './lib/engines.mjs'
import { drive, repeated, untilQuiet } from './lib/load.mjs'
import { startProduct } from './lib/processes.mjs'
import { depositsOf, makePayments, makeTokens, payOnce, signedGet } from './lib/requests.mjs'

const rows = []
for await (const engine of startEngines()) {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'))
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${folder}`]
  const product = await startProduct(await engine.environ('own'), { nodeArgs })
  const parts = []
  for (const { what, count, prepare, ...load } of await loads(product)) {
    // The first share is a warm-up: a process that has just started is slower.
    for (const share of [0.25, 1]) {
      const requests = await prepare(count * share)
      await untilQuiet(product)
      const from = nowMicroseconds()
      await drive({ ...load, requests })
      if (share === 1) parts.push({ what, from, until: nowMicroseconds() })
    }
  }
  await product.stop()
  const profile = JSON.parse(readFileSync(path.join(folder, readdirSync(folder)[0]), 'utf8'))
  for (const { what, ...part } of parts)
    rows.push({ what: `${engine.name}: ${what}`, ours: shares(profile, part) })
}
report('profile', rows)

async function loads(product) {
  const { api: port, vault } = product.ports
  const search = signedGet(`/transactions/${await payOnce(product)}`)
  const searches = (count) => repeated(search).take(count)
  const payments = (count) => makePayments(product, count)
  const deposits = async (count) =>
    depositsOf(await makeTokens(product, count, { deposited: false }), '/direct-tokens')
  const many = { port, connections: 64 }
  return [
    { what: 'token payments, 64 at once', ...many, count: 6000, prepare: payments },
    { what: 'token payments, 1 at once', port, connections: 1, count: 600, prepare: payments },
    { what: 'search by code', ...many, count: 20_000, prepare: searches, expectStatus: 200 },
    { what: 'deposits', port: vault, connections: 16, count: 4000, prepare: deposits },
  ]
}

/** The clock of V8's profiles, which all processes share. */
function nowMicroseconds() {
  return Number(process.hrtime.bigint() / 1000n)
}

/** Such as `@cofre/sql 24 %, pg 20 %`: the largest first, from the samples of a part. */
function shares({ nodes, samples, timeDeltas, startTime }, { from, until }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).caller = node
  const times = new Map()
  let [at, total] = [startTime, 0]
  for (const [i, id] of samples.entries()) {
    at += timeDeltas[i]
    if (at < from || at > until) continue
    const place = placeOf(byId.get(id))
    times.set(place, (times.get(place) ?? 0) + timeDeltas[i])
    total += timeDeltas[i]
  }
  const largest = [...times].toSorted(([, one], [, other]) => other - one).slice(0, 12)
  return largest.map(([name, time]) => `${name} ${((time / total) * 100).toFixed(1)} %`).join(', ')
}

/** A package or a module of Node; native code counts for its caller. */
function placeOf({ callFrame: { functionName, url }, caller }) {
  if (url === '') return caller?.caller === undefined ? functionName : placeOf(caller)
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  const [, own] = /.*\/packages\/([^/]+)\//.exec(url) ?? []
  return installed ?? (own ? `@cofre/${own}` : url.split('/').slice(0, 2).join('/'))
}
