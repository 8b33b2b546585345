// Every check of the project, in turn. Goes on after a failure, so that one run tells all; ends with the plain line
// `N passed, N failed` over all of them: a check without tests of its own counts as one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { verify } from './library-integrity.mjs'
import { runTool } from './run-tool.mjs'

const reports = mkdtempSync(path.join(tmpdir(), 'cofre-checks-'))
const total = { passed: 0, failed: 0 }

function report(name, { passed, failed }) {
  total.passed += passed
  total.failed += failed
  console.log(`\n--- ${name}: ${passed} passed, ${failed} failed\n`)
}

/** A check that is one promise: the exit code of a tool. */
function check(name, packageName, command, args) {
  return promise(name, () => runTool(packageName, command, args))
}

function promise(name, run) {
  console.log(`--- ${name}`)
  const failed = run() === 0 ? 0 : 1
  report(name, { passed: 1 - failed, failed })
  return failed === 0
}

/** A suite of tests that writes a JSON report. A suite that fails without a failed test counts as one failure. */
function suite(name, { tool, args, env = {}, count }) {
  console.log(`--- ${name}`)
  const file = path.join(reports, `${tool[1]}.json`)
  const code = runTool(...tool, args(file), { env: { ...process.env, ...env, REPORT_FILE: file } })
  const { passed, failed } = readCount(file, count)
  report(name, { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed })
}

function readCount(file, count) {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { passed: 0, failed: 0 }
  }
}

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
    args: (file) => ['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`],
    count: ({ numPassedTests, numFailedTests }) => ({
      passed: numPassedTests,
      failed: numFailedTests,
    }),
  })
  suite('a shopper can pay, in a browser', {
    tool: ['@playwright/test', 'playwright'],
    args: () => ['test', '--config', path.join('e2e', 'playwright.config.ts')],
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
  })
}

rmSync(reports, { recursive: true, force: true })
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
