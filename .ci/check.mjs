// `npm run check`: checks a change within a minute: types, style of the changed files, boundaries,
// the tests near them. `npm test` runs everything.
import process from 'node:process'
import { build } from './build.mjs'
import { changedFiles, runTestsNear } from './near.mjs'
import { startTool } from './run-tool.mjs'
import { judgeProductTypes, judgeTestTypes } from './types.mjs'

const CODE = /[.](tsx?|mjs|js)$/

const changed = changedFiles()
const failed = []

async function step(name, run) {
  const beganAtMs = performance.now()
  const { code, output } = await run()
  const seconds = ((performance.now() - beganAtMs) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (code === 0) return
  failed.push(name)
  console.log(output)
}

const tool = (packageName, command, ...args) => startTool(packageName, command, { args })

await build()
await Promise.all([
  (async () => {
    await step('types', judgeProductTypes)
    await step('types of tests', judgeTestTypes)
  })(),
  (async () => {
    await step('format', () => tool('oxfmt', 'oxfmt', '--check', '.'))
    await step('boundaries', () =>
      tool('dependency-cruiser', 'depcruise', 'packages', 'demo', 'e2e'),
    )
  })(),
])
const linted = changed.filter((file) => CODE.test(file))
if (linted.length > 0) await step('style', () => tool('oxlint', 'oxlint', ...linted))
if ((await runTestsNear(changed)) !== 0) failed.push('tests near the change')
console.log(failed.length === 0 ? 'all is well' : `failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
