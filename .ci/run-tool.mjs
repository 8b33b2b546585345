import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Runs the command of an installed package with this Node, without a shell; returns its exit code.
 */
export function runTool(packageName, command, args, options = {}) {
  const folder = path.join(ROOT, 'node_modules', ...packageName.split('/'))
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const script = path.join(folder, typeof bin === 'string' ? bin : bin[command])
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    ...options,
  })
  return status ?? 1
}
