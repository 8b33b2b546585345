// The two test runners and their JSON reports.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { ROOT, startTool } from './run-tool.mjs'

/**
 * A report's results.
 * @typedef {object} Found
 * @property {number} passed
 * @property {string[]} failed
 * @property {string[]} untested - skipped promises, with their requirements
 * @property {{ name: string, ms: number }[]} files - duration of each file
 */

const EMPTY = { passed: 0, failed: [], untested: [], files: [] }

const untested = (title, needs = ['another system']) => `${title}: needs ${needs.join(', ')}`

/** The name of a failed test, with the first line of its error. */
const withReason = (name, message = '') =>
  `${name}: ${stripVTControlCharacters(message).split('\n')[0]}`

function readVitest({ numPassedTests, testResults }) {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: path.relative(ROOT, name) })),
  )
  // A file that fails to load has no tests.
  const unloaded = testResults
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name }) => path.relative(ROOT, name))
  const named = (status) => tests.filter((test) => test.status === status)
  return {
    passed: numPassedTests,
    failed: [
      ...unloaded,
      ...named('failed').map(({ file, fullName, failureMessages }) =>
        withReason(`${file} > ${fullName}`, failureMessages[0]),
      ),
    ],
    untested: named('skipped').map(({ fullName, meta }) => untested(fullName, meta?.needs)),
    files: testResults.map(({ name, startTime, endTime }) => ({
      name: path.relative(ROOT, name),
      ms: endTime - startTime,
    })),
  }
}

function readPlaywright({ stats, suites, errors }) {
  const specsOf = ({ specs = [], suites: inner = [] }) => [...specs, ...inner.flatMap(specsOf)]
  const specs = suites.flatMap(specsOf)
  const nameOf = ({ file, line, title }) => `${file}:${line} > ${title}`
  const withStatus = (status) =>
    specs.filter(({ tests }) => tests.some((test) => test.status === status))
  const reasonOf = ({ tests }) =>
    tests.flatMap(({ annotations }) => annotations).find(({ type }) => type === 'skip')
      ?.description ?? ''
  const messageOf = ({ tests }) =>
    tests.flatMap(({ results }) => results).find(({ error }) => error !== undefined)?.error.message
  return {
    passed: stats.expected,
    failed: [
      ...withStatus('unexpected').map((spec) => withReason(nameOf(spec), messageOf(spec))),
      ...errors.map(({ message }) => message),
    ],
    untested: withStatus('skipped').map((spec) => `${nameOf(spec)}: ${reasonOf(spec)}`),
    files: suites.map((suite) => ({
      name: suite.file,
      ms: specsOf(suite)
        .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
        .reduce((sum, { duration }) => sum + duration, 0),
    })),
  }
}

const UNITS = {
  tool: ['vitest', 'vitest'],
  args: (file) => ['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`],
  read: readVitest,
}

const STORIES = {
  tool: ['@playwright/test', 'playwright'],
  args: () => ['test', '--config', path.join('e2e', 'playwright.config.ts')],
  read: readPlaywright,
}

/** Runs a suite and reads its report. A failed run without a failed test is itself a failure. */
async function run({ tool: [packageName, command], args, read }, name) {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-report-'))
  const file = path.join(folder, 'report.json')
  try {
    const env = { ...process.env, REPORT_FILE: file }
    const { code } = await startTool(packageName, command, { args: args(file), env, isShown: true })
    const found = readReport(file, read)
    const isSilent = found.failed.length === 0 && (code !== 0 || found.passed === 0)
    return isSilent ? { ...found, failed: [name] } : found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file, read) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return EMPTY
  }
}

/** @type {Record<string, (name?: string) => Promise<Found>>} */
export const suites = {
  units: (name = 'units') => run(UNITS, name),
  stories: (name = 'stories') => run(STORIES, name),
}
