// Runs every check, also after a failure. Ends with the plain line `N passed, N failed`
// over all of them: a check without tests of its own counts as one.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { ROOT, runTool, startTool } from './run-tool.mjs'
import { verify } from './library.mjs'
import { refuseTrackedSecrets } from './tracked-secrets.mjs'

const reports = mkdtempSync(path.join(tmpdir(), 'cofre-checks-'))
// Some thousand processes start, and all read the same modules.
process.env.NODE_COMPILE_CACHE ??= path.join(reports, 'compiled')
const total = { passed: 0, failed: [], repeated: [] }

function report(name, { passed, failed, repeated = [] }) {
  total.passed += passed
  total.failed.push(...failed)
  total.repeated.push(...repeated)
  console.log(`\n--- ${name}: ${passed} passed, ${failed.length} failed\n`)
}

/** A check that is one promise; `run` returns an exit code. */
function check(name, run) {
  console.log(`--- ${name}`)
  const isKept = run() === 0
  report(name, { passed: isKept ? 1 : 0, failed: isKept ? [] : [name] })
  return isKept
}

const tool =
  (packageName, command, ...args) =>
  () =>
    runTool(packageName, command, args)

/**
 * A test runner that writes a JSON report to `REPORT_FILE`. One that fails without a failed test
 * counts as one failure.
 */
function suite(name, { tool: [packageName, command], args, read }) {
  console.log(`--- ${name}`)
  const file = path.join(reports, `${command}.json`)
  const env = { ...process.env, REPORT_FILE: file }
  const code = runTool(packageName, command, args(file), { env })
  const found = readReport(file, read)
  const isSilent = found.failed.length === 0 && (code !== 0 || found.passed === 0)
  report(name, isSilent ? { ...found, failed: [name] } : found)
}

function readReport(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return { passed: 0, failed: [] }
  }
}

function readVitest({ numPassedTests, testResults }) {
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = path.relative(ROOT, name)
    const tests = assertionResults.filter((test) => test.status === 'failed')
    // A file that cannot be loaded has no tests.
    return tests.length === 0 && status === 'failed'
      ? [file]
      : tests.map(({ fullName }) => `${file} > ${fullName}`)
  })
  return { passed: numPassedTests, failed }
}

function readPlaywright({ stats, suites, errors }) {
  const specsOf = ({ specs = [], suites: inner = [] }) => [...specs, ...inner.flatMap(specsOf)]
  const withStatus = (status) =>
    suites
      .flatMap(specsOf)
      .filter(({ tests }) => tests.some((test) => test.status === status))
      .map(({ file, line, title }) => `${file}:${line} > ${title}`)
  return {
    passed: stats.expected + stats.flaky,
    failed: [...withStatus('unexpected'), ...errors.map(({ message }) => message)],
    repeated: withStatus('flaky'),
  }
}

check('no key and no database is tracked', () => refuseTrackedSecrets(ROOT))
const isBuilt =
  check('types', tool('typescript', 'tsc', '-b')) &&
  check('browser library is bundled', tool('rollup', 'rollup', '-c', '--silent'))
// Linting takes one core for about as long as the next checks take another. It holds the types of
// every package at once, which is more than Node's usual heap.
const linting = startTool('eslint', 'eslint', {
  args: ['.'],
  nodeOptions: ['--max-old-space-size=8192'],
})
check('types of tests', tool('typescript', 'tsc', '-p', 'tsconfig.tests.json'))
check('format', tool('prettier', 'prettier', '--check', '--log-level=warn', '.'))
if (isBuilt) {
  check('boundaries', tool('dependency-cruiser', 'depcruise', 'packages', 'demo', 'e2e'))
  check('nothing unused', tool('knip', 'knip'))
}
const style = await linting
check('style', () => {
  process.stdout.write(style.output)
  return style.code
})

if (isBuilt) {
  check('browser library rebuilds byte for byte', verify)
  suite('units, stores on both engines, bundle budget', {
    tool: ['vitest', 'vitest'],
    args: (file) => ['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`],
    read: readVitest,
  })
  // A browser story waits for real processes on a machine that others use too, so it is repeated
  // once. Which ones were is reported.
  suite('a shopper can pay, in a browser', {
    tool: ['@playwright/test', 'playwright'],
    args: () => ['test', '--config', path.join('e2e', 'playwright.config.ts'), '--retries=1'],
    read: readPlaywright,
  })
}

rmSync(reports, { recursive: true, force: true })
for (const name of total.repeated) console.log(`PASSED ONLY WHEN REPEATED ${name}`)
for (const name of total.failed) console.log(`FAILED ${name}`)
console.log(`${total.passed} passed, ${total.failed.length} failed`)
process.exitCode = total.failed.length === 0 ? 0 : 1
