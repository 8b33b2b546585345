import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config/config.js'
import { copyMigrated } from '../installation/migrated.fixture.js'
import { runProgram } from '../main.js'
import { checkReferences } from './reference-checks.js'

it('the doctor names the stores that allow card numbers as references', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-references-'))
  copyMigrated(dataDir)
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
  const found = () => checkReferences(config, 'production')
  const run = (line: string) =>
    runProgram(line.split(' '), {
      clock: { now: () => Date.UTC(2026, 10, 25) },
      config: () => config,
      print: () => undefined,
      warn: () => undefined,
      fail: () => undefined,
    })
  expect(await found()).toEqual([])
  await run('store create one')
  await run('store create two --card-references refuse')
  expect(await found()).toEqual([
    {
      level: 'ok',
      subject: 'references in production',
      finding:
        'may be card numbers in one; if your order numbers never look like one: cofre store set ID --card-references refuse',
    },
  ])
  await run('store set one --card-references refuse')
  expect(await found()).toEqual([])
})
