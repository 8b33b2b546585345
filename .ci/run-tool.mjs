import { Buffer } from 'node:buffer'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Runs the command of an installed package with this Node, without a shell; returns its exit code.
 */
export function runTool(packageName, command, args, options = {}) {
  const { status } = spawnSync(process.execPath, [scriptOf(packageName, command), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    ...options,
  })
  return status ?? 1
}

/** Starts the command of an installed package in parallel, like `startScript`. */
export function startTool(packageName, command, options) {
  return startScript(scriptOf(packageName, command), options)
}

/**
 * Resolves to its exit code and output.
 * @param nodeOptions - for its Node
 * @param isShown - true prints the output at once and does not return it
 */
export async function startScript(script, { args = [], nodeOptions = [], env, isShown }) {
  const tool = spawn(process.execPath, [...nodeOptions, script, ...args], {
    cwd: ROOT,
    env: env ?? process.env,
    stdio: isShown ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  })
  const printed = []
  for (const stream of [tool.stdout, tool.stderr]) stream?.on('data', (data) => printed.push(data))
  const [code] = await once(tool, 'close')
  return { code: code ?? 1, output: Buffer.concat(printed).toString() }
}

function scriptOf(packageName, command) {
  const folder = path.join(ROOT, 'node_modules', ...packageName.split('/'))
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return path.join(folder, typeof bin === 'string' ? bin : bin[command])
}
