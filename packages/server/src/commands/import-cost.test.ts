import { execFileSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'

const COMMAND = path.join(import.meta.dirname, '..', '..', 'dist', 'cofre.js')
/** Lists the modules that a process loads, on its standard error. */
const LISTING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) process.stderr.write(url + String.fromCharCode(10))
      return next(url, context)
    },
  })
`)}`

function modulesOf(...args: readonly string[]): string[] {
  const script = `
    const { spawnSync } = await import('node:child_process')
    const { stderr } = spawnSync(process.execPath, JSON.parse(process.argv[1]), { encoding: 'utf8' })
    process.stdout.write(stderr)`
  const inner = JSON.stringify(['--import', LISTING, COMMAND, ...args])
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script, inner], {
    encoding: 'utf8',
  })
  return printed.split('\n').filter((line) => line.startsWith('file:'))
}

it.each([
  ['--help'],
  ['--version'],
  ['help store'],
  ['store --help'],
  ['account add --help'],
  ['transactions'],
  ['no such command'],
])('loads for `cofre %s` nothing but the command line itself', (line) => {
  const modules = modulesOf(...line.split(' '))
  expect(modules.length).toBeGreaterThan(5)
  expect(modules.length).toBeLessThanOrEqual(25)
  expect(
    modules.filter((url) => /[/](?:zod|kysely|pg|hono|pino|gateway|vault)[/]/.test(url)),
  ).toEqual([])
})
