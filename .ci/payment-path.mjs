// Lists the product's files and functions that run for a POST /transactions with a token: SQLite,
// no worker, a warm process. Functions that do not run in every payment, such as timers, belong to
// the process and are left out. After a build: node .ci/payment-path.mjs
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import '../bench/lib/cleanup.mjs'
import { makeTokens, payment } from '../bench/lib/requests.mjs'
import { COFRE, freePorts, launch } from '../e2e/cofre-process.ts'

const root = join(import.meta.dirname, '..')
const merchantModule = pathToFileURL(join(root, 'packages/merchant/dist/index.js')).href
const { createMerchantClient } = await import(merchantModule)
const WARM_UP = 2
const MEASURED = 8

const environ = { COFRE_DATA_DIR: mkdtempSync(join(tmpdir(), 'cofre-path-')) }
const created = execFileSync(process.execPath, [COFRE, 'store', 'create', 'shop', '--json'], {
  env: { ...process.env, ...environ },
})
const { id: storeId, secret } = JSON.parse(created)
const ports = await freePorts()
const product = await launch({
  ports,
  args: ['serve', '--roles', 'api,vault'],
  ready: '"started"',
  environ,
  nodeArgs: ['--inspect=127.0.0.1:0'],
})
const [inspectorUrl] = product.output().match(/ws:\S+/)
const payments = await preparedPayments(WARM_UP + MEASURED)
const inspector = await connect(inspectorUrl)
await inspector('Profiler.enable')
await inspector('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const runs = []
for (const pay of payments) {
  await inspector('Profiler.takePreciseCoverage')
  await pay()
  // The response is sent before its log line is written.
  await pause(20)
  runs.push(functionsRun((await inspector('Profiler.takePreciseCoverage')).result))
}
report(runs.slice(WARM_UP).reduce((always, run) => always.intersection(run)))
process.exit()

/** Payments whose cards the vault has already: the deposit is not measured. */
async function preparedPayments(count) {
  const tokens = await makeTokens({ ports }, count)
  const shop = createMerchantClient({
    baseUrl: `http://127.0.0.1:${ports.api}`,
    storeId,
    secret,
  })
  const notificationUrl = 'https://shop.example/notifications'
  return tokens.map((token) => () => shop.createTransaction(payment({ token }, notificationUrl)))
}

/** Resolves to a function that calls a method of the inspector's protocol. */
async function connect(url) {
  const socket = new globalThis.WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const calls = new Map()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(data)
    calls.get(id)?.(result)
  }
  return (method, params) =>
    new Promise((resolve) => {
      const id = calls.size + 1
      calls.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
}

/** The product's functions that ran since the last call, as `file:place name`. */
function functionsRun(scripts) {
  const base = pathToFileURL(join(root, 'packages')).href
  return new Set(
    scripts
      .filter(({ url }) => url.startsWith(base) && url.includes('/dist/'))
      .flatMap(({ url, functions }) =>
        functions
          .filter(({ ranges: [{ count }] }) => count > 0)
          .map(
            ({ functionName, ranges: [{ startOffset }] }) =>
              `${url.slice(base.length + 1)}:${startOffset} ${functionName || '(unnamed)'}`,
          ),
      ),
  )
}

function report(functions) {
  const inOrder = [...functions].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const files = Map.groupBy(inOrder, (name) => name.split(':')[0])
  const owners = Map.groupBy(files.keys(), (file) => file.split('/')[0])
  console.log(`one token payment: ${files.size} files, ${functions.size} functions`)
  for (const [owner, own] of owners) {
    console.log(`\n${owner}, ${own.length} files`)
    for (const file of own) {
      const names = files.get(file).map((name) => name.split(' ').slice(1).join(' '))
      console.log(`  ${file.replace('/dist/', '/src/').replace(/js$/, 'ts')}: ${names.join(', ')}`)
    }
  }
}
