// `node .ci/repeat.mjs units|stories [runs] [--busy]`: runs a suite repeatedly, with --busy beside
// two busy loops, and adds a row per run to test/runs.md. Shows which suites fail at random.
import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { build } from './build.mjs'
import { ROOT } from './run-tool.mjs'
import { suites } from './suites.mjs'

const LOG = path.join(ROOT, 'test', 'runs.md')
const SLOWEST = 10

const [name, runs = '1'] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isBusy = process.argv.includes('--busy')
const suite = suites[name]
if (suite === undefined || !/^\d+$/.test(runs)) {
  console.error('usage: node .ci/repeat.mjs units|stories [runs] [--busy]')
  process.exit(2)
}

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
const commit = () =>
  `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain', '-uno') === '' ? '' : '+'}`
const spin = () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })

await build()
for (let run = 0; run < Number(runs); run++) {
  const busy = isBusy ? [spin(), spin()] : []
  const beganAtMs = performance.now()
  const { passed, failed, files } = await suite()
  const seconds = Math.round((performance.now() - beganAtMs) / 1000)
  const load = loadavg()[1].toFixed(1)
  for (const loop of busy) loop.kill()
  const slowest = files
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST)
    .map(({ name: file, ms }) => `${path.basename(file)} ${Math.round(ms / 1000)} s`)
    .join(', ')
  const row = [
    new Date().toISOString().slice(0, 16),
    commit(),
    name,
    isBusy ? 'two loops' : '',
    load,
    `${seconds} s`,
    `${passed} passed, ${failed.length} failed`,
    failed.join('; '),
    slowest,
  ]
  appendFileSync(LOG, `| ${row.map((cell) => String(cell).replaceAll('|', '/')).join(' | ')} |\n`)
  if (failed.length > 0) process.exitCode = 1
}
