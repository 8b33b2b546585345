// What the JSON reports of the two test runners say, in one shape: how many tests passed, and which failed and why.
import path from 'node:path'

/** @returns {{ passed: number, failures: { name: string, why: string }[] }} of a report of Vitest's. */
export function readVitestReport({ numPassedTests, testResults }) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative('', name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [{ name: file, why: message }]
    return failed.map(({ fullName, failureMessages }) => ({
      name: `${file} > ${fullName}`,
      why: failureMessages.join('\n'),
    }))
  })
  return { passed: numPassedTests, failures }
}

/** @returns {{ passed: number, failures: { name: string, why: string }[] }} of a report of Playwright's. */
export function readPlaywrightReport({ stats, suites, errors }) {
  const failures = suites.flatMap(specsOf).flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ projectName, results }) => ({
        name: `[${projectName}] ${file}:${line} > ${title}`,
        why: (results.at(-1)?.errors ?? []).map(({ message }) => message).join('\n'),
      })),
  )
  const outside = errors.map(({ message }) => ({ name: 'outside a story', why: message }))
  return { passed: stats.expected + stats.flaky, failures: [...failures, ...outside] }
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)]
}
