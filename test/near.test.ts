import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { testsNear } from '../.ci/near.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const REFUNDS = 'packages/gateway/src/payment/refund-service'

it('npm run near finds the test beside a changed file, and those beside its importers', () => {
  const found = testsNear([`${REFUNDS}.ts`])
  const importers = found.filter((file) => {
    const subject = path.join(ROOT, file.replace('.test.ts', '.ts'))
    return existsSync(subject) && readFileSync(subject, 'utf8').includes('refund-service.js')
  })
  expect(importers.length).toBeGreaterThan(0)
  for (const file of found) expect(existsSync(path.join(ROOT, file))).toBe(true)
})

it('npm run near runs a changed test itself', () => {
  const changed = 'packages/contracts/src/value/money.test.ts'
  expect(testsNear([changed])).toContain(changed)
})

it('npm run near finds nothing for a file that no test is beside', () => {
  expect(testsNear(['docs/README.md', 'packages/none/src/gone.ts'])).toEqual([])
})
