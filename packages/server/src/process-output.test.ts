import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../test/needs.js'

/** The built module, with its imports beside it. */
const builtOf = (name: string) =>
  JSON.stringify(new URL(`../dist/${name}.js`, import.meta.url).href)

/** Two turns of log lines while both the log's disk and the standard error's are full. */
const LOGGED = `import { bufferedLines } from ${builtOf('observability/buffered-lines')}
  const log = bufferedLines('/dev/full')
  for (let turn = 0; turn < 2; turn += 1) {
    log.write('x\\n')
    await new Promise(setImmediate)
  }`
const PRINTED = `process.stdout.write('x\\n'); await new Promise((resolve) => setTimeout(resolve, 10))`

/** Its exit code if both outputs are on a full disk. */
async function exitCodeOf(program: string, use: 'service' | 'command'): Promise<number | null> {
  const script = `import { handleOutputErrors } from ${builtOf('process-output')}
    handleOutputErrors(process, '${use}')
    ${program}
    process.exit(7)`
  const full = openSync('/dev/full', 'w')
  const args = ['--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', full, full] })
  closeSync(full)
  return await new Promise((resolve) => child.once('close', resolve))
}

describe('a process whose outputs are on a full disk', needs('/dev/full'), () => {
  it.each([
    ['its log cannot be written', LOGGED],
    ['its output cannot', PRINTED],
    ['its standard error cannot', PRINTED.replace('stdout', 'stderr')],
  ])('continues as a service if %s', async (_, program) => {
    expect(await exitCodeOf(program, 'service')).toBe(7)
  })

  it('fails as a command if its output cannot be written', async () => {
    expect(await exitCodeOf(PRINTED, 'command')).toBe(1)
  })
})
