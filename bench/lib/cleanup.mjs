// Whatever becomes of a benchmark, it leaves neither processes nor files behind. Import it first:
// all temporary folders that are made afterwards, by this process or by those that it starts, lie
// in one.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { processTree } from './process-tree.mjs'

const END_MS = 5000
const LOOK_MS = 20

const folder = mkdtempSync(path.join(os.tmpdir(), 'cofre-bench-'))
// PostgreSQL runs as another user when the benchmarks run as root.
chmodSync(folder, 0o755)
process.env.TMPDIR = folder

/** Children to end where the system does not tell whose they are. */
const children = new Set()

export function endWithUs(child) {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  const deadline = Date.now() + END_MS
  while (endDescendants() > 0 && Date.now() < deadline) sleep(LOOK_MS)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: LOOK_MS })
})
// A second signal must not cut the tidying short: the listeners stay.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'])
  process.on(signal, () => process.exit(128 + os.constants.signals[signal]))

/** Ends the processes below this one, and tells how many there were. */
function endDescendants() {
  const alive = processTree(process.pid).filter(
    ({ pid, hasEnded }) => pid !== process.pid && !hasEnded,
  )
  for (const { pid, name } of alive) {
    try {
      // PostgreSQL frees its shared memory when it is asked to quit at once, not when it is killed.
      process.kill(pid, name.startsWith('postgres') ? 'SIGQUIT' : 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  return alive.length
}

/** At an exit nothing can be awaited. */
function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
