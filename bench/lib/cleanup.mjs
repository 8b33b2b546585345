// Ends PostgreSQL and removes the files of a benchmark, whatever its outcome: all later temporary
// folders, of this process and its children, are in one folder.
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
// Imported first, so that the measured processes end before their files are removed.
import '../../e2e/cofre-process.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'cofre-bench-'))
// PostgreSQL runs as another user if the benchmarks run as root.
chmodSync(folder, 0o755)
process.env.TMPDIR = folder

process.once('exit', () => {
  for (const file of globSync(path.join(folder, '**/postmaster.pid'))) {
    try {
      // PostgreSQL frees its shared memory after SIGQUIT, but not after SIGKILL.
      process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT')
    } catch {
      // It has ended by itself.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 20 })
})
// A second signal must not interrupt the cleanup: the listeners stay.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'])
  process.on(signal, () => process.exit(128 + os.constants.signals[signal]))
