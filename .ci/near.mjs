// `npm run near [files…]`: runs the tests beside the files changed since the last commit (or beside
// the given files), and beside their direct importers in the same package. Runs on SQLite only,
// because PostgreSQL takes most of their time. `npm run check` runs them on both.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { ROOT, runTool } from './run-tool.mjs'
import { build } from './build.mjs'

const SCRIPT = /[.]tsx?$/
const TEST = /[.](?:test|long[.]test)[.]tsx?$/
const IMPORT = /\bfrom\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g

/** Changed files of the work tree, new ones included. */
export function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  return [git('diff', '--name-only', 'HEAD'), git('ls-files', '--others', '--exclude-standard')]
    .join('')
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(ROOT, file)))
}

const folderOf = (file) =>
  /^(?:packages\/providers\/[^/]+|packages\/[^/]+|demo)(?=\/)/.exec(file)?.[0]

function scriptsBelow(folder) {
  return readdirSync(path.join(ROOT, folder, 'src'), { recursive: true })
    .map((name) => path.posix.join(folder, 'src', name.replaceAll(path.sep, '/')))
    .filter((file) => SCRIPT.test(file))
}

function importsOf(file) {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, from, loaded]) =>
    path.posix.join(path.posix.dirname(file), from ?? loaded).replace(/[.]js$/, ''),
  )
}

const stem = (file) => file.replace(SCRIPT, '')

/** The test files that find a mistake in these files first. */
export function testsNear(files) {
  const found = new Set()
  for (const folder of new Set(files.map(folderOf))) {
    if (folder === undefined || !existsSync(path.join(ROOT, folder, 'src'))) continue
    const scripts = scriptsBelow(folder)
    const tests = scripts.filter((file) => TEST.test(file))
    const changed = new Set(files.filter((file) => SCRIPT.test(file)).map(stem))
    const imports = (file) => importsOf(file).some((from) => changed.has(from))
    const folders = new Set([...changed].map((file) => path.posix.dirname(file)))
    const subjects = new Set([...changed, ...scripts.filter(imports).map(stem)])
    for (const test of tests) {
      const isBeside = subjects.has(test.replace(TEST, ''))
      if (isBeside || (folders.has(path.posix.dirname(test)) && imports(test))) found.add(test)
    }
  }
  for (const file of files) if (TEST.test(file)) found.add(file)
  return [...found].toSorted()
}

/** Runs them in an environment; returns the exit code. */
export async function runTestsNear(files, env = process.env) {
  const tests = testsNear(files)
  if (tests.length === 0) {
    console.log('no test is beside what has changed')
    return 0
  }
  await build()
  return runTool('vitest', 'vitest', ['run', ...tests], { env })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2).map((file) => path.relative(ROOT, path.resolve(file)))
  process.exitCode = await runTestsNear(named.length > 0 ? named : changedFiles(), {
    ...process.env,
    COFRE_TEST_ENGINES: 'sqlite',
  })
}
