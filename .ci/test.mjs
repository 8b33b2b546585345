// `npm test`: every check except the long ones. `npm run test:long`: kills, floods, full disks,
// failover and upgrades (test/README.md lists the files). Both continue after a failure, and end
// with the plain line `N passed, N failed`: a check without its own tests counts as one.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { build } from './build.mjs'
import { verify } from './library.mjs'
import { ROOT, startTool } from './run-tool.mjs'
import { suites } from './suites.mjs'
import { refuseTrackedSecrets } from './tracked-secrets.mjs'
import { judgeProductTypes, judgeTestTypes } from './types.mjs'

const isLong = process.argv[2] === 'long'
const compiled = mkdtempSync(path.join(tmpdir(), 'cofre-compiled-'))
// Some thousand processes start and all load the same modules.
process.env.NODE_COMPILE_CACHE ??= compiled
if (isLong) process.env.COFRE_TESTS = 'long'

const total = { passed: 0, failed: [], untested: [] }

function report(name, { passed, failed, untested = [] }, beganAtMs) {
  total.passed += passed
  total.failed.push(...failed)
  total.untested.push(...untested)
  const seconds = Math.round((performance.now() - beganAtMs) / 1000)
  console.log(`--- ${name}: ${passed} passed, ${failed.length} failed (${seconds} s)`)
}

/** A check of one promise. Prints its output if it fails. Returns true if it passes. */
async function check(name, run) {
  const beganAtMs = performance.now()
  const { code, output = '' } = await run()
  if (code !== 0) process.stdout.write(output)
  report(name, code === 0 ? { passed: 1, failed: [] } : { passed: 0, failed: [name] }, beganAtMs)
  return code === 0
}

const tool =
  (packageName, command, args, options = {}) =>
  () =>
    startTool(packageName, command, { args, ...options })

async function suite(name, run) {
  const beganAtMs = performance.now()
  report(name, await run(name), beganAtMs)
}

/** Installs packages that are too large for every `npm ci`. */
function installLongTests() {
  const script = process.env.npm_execpath
  const [command, before] = script === undefined ? ['npm', []] : [process.execPath, [script]]
  const cwd = path.join(ROOT, 'test', 'long')
  return spawnSync(command, [...before, 'ci'], { cwd, stdio: 'inherit' }).status ?? 1
}

/** Before the units: one of them reads the declarations that `tsc` writes. */
const judgeTypes = () =>
  Promise.all([
    check('types', judgeProductTypes),
    (async () => {
      await check('format', tool('oxfmt', 'oxfmt', ['--check', '.']))
      await check(
        'boundaries',
        tool('dependency-cruiser', 'depcruise', ['packages', 'demo', 'e2e']),
      )
      await check('nothing unused', tool('knip', 'knip', []))
    })(),
  ])

/** Beside the units, which mostly wait for a database. */
async function judgeStyle() {
  await check('types of tests', judgeTestTypes)
  await check('style', tool('oxlint', 'oxlint', []))
}

const units = () => suite(isLong ? 'long tests' : 'units', suites.units)
const stories = () => suite(isLong ? 'long stories' : 'stories in a browser', suites.stories)

const isBuilt = await check('build', async () => {
  try {
    await build()
    return { code: 0 }
  } catch (error) {
    return { code: 1, output: `${error.message}\n` }
  }
})
if (!isLong) {
  await check('no key and no database is tracked', () => ({ code: refuseTrackedSecrets(ROOT) }))
  if (isBuilt) {
    await check('browser library rebuilds byte for byte', () => ({ code: verify() }))
    await judgeTypes()
    await Promise.all([judgeStyle(), units()])
    await stories()
  }
} else if (isBuilt) {
  await check('what only long tests need', () => ({ code: installLongTests() }))
  await units()
  await stories()
}

rmSync(compiled, { recursive: true, force: true })
for (const name of total.failed) console.log(`FAILED ${name}`)
for (const line of total.untested) console.log(`NOT TESTED ${line}`)
console.log(`${total.passed} passed, ${total.failed.length} failed`)
process.exitCode = total.failed.length === 0 ? 0 : 1
