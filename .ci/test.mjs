// Every check of the project, in turn. Goes on after a failure, so that one run tells all; ends with the plain line
// `N passed, N failed` over all of them: a check without tests of its own counts as one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { verify } from './library-integrity.mjs'
import { ROOT, runTool } from './run-tool.mjs'
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs'
import { refuseTrackedSecrets } from './tracked-secrets.mjs'

const reports = mkdtempSync(path.join(tmpdir(), 'cofre-checks-'))
const WHY_LINES = 12
const total = { passed: 0, failures: [], repeated: [] }

function report(name, { passed, failures, repeated = [] }) {
  total.passed += passed
  total.failures.push(...failures)
  total.repeated.push(...repeated)
  console.log(`\n--- ${name}: ${passed} passed, ${failures.length} failed\n`)
}

/** A check that is one promise: the exit code of a tool. */
function check(name, packageName, command, args) {
  return promise(name, () => runTool(packageName, command, args))
}

function promise(name, run) {
  console.log(`--- ${name}`)
  const kept = run() === 0
  report(name, kept ? { passed: 1, failures: [] } : { passed: 0, failures: [{ name }] })
  return kept
}

/**
 * A suite of tests that writes a JSON report. A suite that fails without a failed test counts as one failure. On a machine that others
 * use too, a test that waits for real processes can lose a race: it is repeated once, and named at the end, because it is to be mended.
 */
function suite(name, { tool, args, read }) {
  console.log(`--- ${name}`)
  const file = path.join(reports, `${tool[1]}.json`)
  const code = runTool(...tool, args(file), { env: { ...process.env, REPORT_FILE: file } })
  const found = readReport(file, read)
  const silent = found.failures.length === 0 && (code !== 0 || found.passed === 0)
  report(name, silent ? { ...found, failures: [{ name }] } : found)
}

function readReport(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { passed: 0, failures: [], repeated: [] }
  }
}

/** Once more at the end, where whoever reads a long log looks first. */
function tellAgain(what, tests) {
  for (const { name, why = '' } of tests) {
    console.log(`${what} ${name}`)
    for (const line of stripVTControlCharacters(why).split('\n', WHY_LINES)) {
      console.log(`    ${line}`)
    }
  }
}

promise('no key and no database is tracked', () => refuseTrackedSecrets(ROOT))

const built =
  check('types', 'typescript', 'tsc', ['-b']) &&
  check('browser library is bundled', 'rollup', 'rollup', ['-c', '--silent'])

check('types of tests', 'typescript', 'tsc', ['-p', 'tsconfig.tests.json'])
check('style', 'eslint', 'eslint', ['.'])
check('format', 'prettier', 'prettier', ['--check', '--log-level=warn', '.'])

if (built) {
  promise('browser library rebuilds byte for byte', verify)
  check('boundaries', 'dependency-cruiser', 'depcruise', ['packages', 'demo', 'e2e'])
  check('nothing unused', 'knip', 'knip', [])
  suite('units, stores on both engines, bundle budget', {
    tool: ['vitest', 'vitest'],
    args: (file) => [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${file}`,
      '--retry=1',
    ],
    read: readVitestReport,
  })
  suite('a shopper can pay, in a browser', {
    tool: ['@playwright/test', 'playwright'],
    args: () => ['test', '--config', path.join('e2e', 'playwright.config.ts'), '--retries=1'],
    read: readPlaywrightReport,
  })
}

rmSync(reports, { recursive: true, force: true })
tellAgain('PASSED ONLY WHEN REPEATED', total.repeated)
tellAgain('FAILED', total.failures)
console.log(`${total.passed} passed, ${total.failures.length} failed`)
process.exitCode = total.failures.length === 0 ? 0 : 1
