// What the JSON reports of the two test runners say, in one shape: how many tests passed, which failed and why, and which passed
// only when they were repeated.
import path from 'node:path'

/**
 * @typedef {{ name: string, why: string }} Failure
 * @typedef {{ passed: number, failures: Failure[], repeated: Failure[] }} Report
 */

/** @returns {Report} of a report of Vitest's. */
export function readVitestReport({ numPassedTests, testResults }) {
  const reports = testResults.map(({ name, status, message, assertionResults }) => {
    const file = path.relative('', name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const isBroken = failed.length === 0 && status === 'failed'
    const failureOf = ({ fullName, failureMessages }) => ({
      name: `${file} > ${fullName}`,
      why: failureMessages.join('\n'),
    })
    return {
      failures: isBroken ? [{ name: file, why: message }] : failed.map(failureOf),
      repeated: assertionResults
        .filter((test) => test.status === 'passed' && test.failureMessages.length > 0)
        .map(failureOf),
    }
  })
  return {
    passed: numPassedTests,
    failures: reports.flatMap(({ failures }) => failures),
    repeated: reports.flatMap(({ repeated }) => repeated),
  }
}

/** @returns {Report} of a report of Playwright's. */
export function readPlaywrightReport({ stats, suites, errors }) {
  const withStatus = (wanted) =>
    suites.flatMap(specsOf).flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ projectName, results }) => ({
          name: `[${projectName}] ${file}:${line} > ${title}`,
          why: results
            .flatMap((result) => result.errors ?? [])
            .map(({ message }) => message)
            .join('\n'),
        })),
    )
  const outside = errors.map(({ message }) => ({ name: 'outside a story', why: message }))
  return {
    passed: stats.expected + stats.flaky,
    failures: [...withStatus('unexpected'), ...outside],
    repeated: withStatus('flaky'),
  }
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}
