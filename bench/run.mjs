// Runs every benchmark, one after the other, and puts the last results into the performance pages.
// `npm run bench -- payments growth` runs those that are named.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import os from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { COMMIT } from './lib/commit.mjs'
import { writeResultsPages } from './lib/results-page.mjs'
import { IS_TRIAL } from './lib/settings.mjs'

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM']

const folder = new URL('./', import.meta.url)
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.mjs'))
  .map((file) => file.replace('.bench.mjs', ''))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no benchmark ${unknown.join(', ')}: one or more of ${all.join(', ')}.\n`,
  )
  process.exit(2)
}

const failed = []
for (const name of wanted.length > 0 ? wanted : all) if (!(await run(name))) failed.push(name)
if (failed.length > 0) {
  process.stderr.write(`Failed: ${failed.join(', ')}. The performance pages keep their tables.\n`)
  process.exitCode = 1
} else if (IS_TRIAL) {
  process.stdout.write('A trial, with pairs of its own: the performance pages keep their tables.\n')
} else {
  process.stdout.write(`${writeResultsPages()}\n`)
}

/**
 * Whether the benchmark succeeded. One that is interrupted ends the whole run, once it has tidied
 * up.
 */
async function run(name) {
  const file = fileURLToPath(new URL(`${name}.bench.mjs`, folder))
  const env = { ...process.env, ...(COMMIT && { COFRE_BENCH_COMMIT: COMMIT }) }
  const child = spawn(process.execPath, [file], { env, stdio: 'inherit' })
  let interruption
  const forward = (signal) => {
    interruption = signal
    child.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, forward)
  const code = await new Promise((resolve) => child.once('exit', resolve))
  for (const signal of SIGNALS) process.off(signal, forward)
  if (interruption !== undefined) process.exit(128 + os.constants.signals[interruption])
  return code === 0
}
