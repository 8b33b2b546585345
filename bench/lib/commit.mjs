// Which commit a run measures, as git says when it begins: somebody may commit during the run.
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const ROOT = new URL('../../', import.meta.url)
/** What a run itself writes, and what no run measures. */
const NOT_MEASURED = [':!docs', ':!bench/results']

/** Like `032e78b3`, or `032e78b3+` with changes that are not in it; nothing without git. */
export const COMMIT = process.env.COFRE_BENCH_COMMIT ?? readCommit()

function readCommit() {
  const head = git('rev-parse', '--short', 'HEAD')
  const changes = git('status', '--porcelain', '--', '.', ...NOT_MEASURED)
  return changes ? `${head}+` : head
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
