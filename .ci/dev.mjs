// `npm run dev`: runs the product, and restarts it a moment after a file is saved. Options after
// `--` go to `cofre dev`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { build } from './build.mjs'
import { ROOT } from './run-tool.mjs'

/** An editor writes more than once when it saves. */
const SETTLE_MS = 50

const COFRE = path.join(ROOT, 'packages', 'server', 'dist', 'cofre.js')
const SAVED = /[\\/](src|assets|migrations)[\\/].*[.](tsx?|json|css|js|sql|svg)$/

const start = () =>
  spawn(process.execPath, [COFRE, 'dev', ...process.argv.slice(2)], { stdio: 'inherit' })

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

await build()
let product = start()
let timer
let restarting = Promise.resolve()

async function restart() {
  try {
    await Promise.all([build(), end(product)])
  } catch (error) {
    // The compiler has printed the position. The next saved file may fix it.
    console.error(error.message)
    return
  }
  product = start()
}

for (const folder of ['packages', 'demo'])
  watch(path.join(ROOT, folder), { recursive: true }, (_, file) => {
    if (file === null || !SAVED.test(path.sep + file) || file.includes('node_modules')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      restarting = restarting.then(restart)
    }, SETTLE_MS)
  })

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    clearTimeout(timer)
    void restarting.then(() => end(product)).then(() => process.exit())
  })
