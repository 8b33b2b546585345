// A process on one core, where the system can do that (Linux's taskset).
import { execFileSync, spawnSync } from 'node:child_process'
import os from 'node:os'
import { processTree } from './process-tree.mjs'

/** Whether this machine can, and has two cores to tell apart. */
export function canPin() {
  return os.cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0
}

/** All threads of a process and of those below it; those that it starts later follow. */
export function pin(root, core) {
  for (const { pid } of processTree(root))
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'pipe' })
}
