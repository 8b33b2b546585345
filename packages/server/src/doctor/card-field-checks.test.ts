import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MINUTE_MS } from '@cofre/contracts'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config/config.js'
import { runProgram } from '../main.js'
import { checkCardFields } from './card-field-checks.js'
import { copyMigrated } from '../installation/migrated.fixture.js'

const NOW_MS = Date.UTC(2026, 10, 25)

it('the doctor names the stores whose card fields the vault does not know for a minute', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-card-fields-'))
  copyMigrated(dataDir)
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
  const found = (nowMs: number) => checkCardFields(config, { now: () => nowMs }, 'production')
  expect(await found(NOW_MS)).toEqual([])
  for (const line of ['store create one --origin https://one.example', 'store create two'])
    await runProgram(line.split(' '), {
      clock: { now: () => NOW_MS },
      config: () => config,
      print: () => undefined,
      warn: () => undefined,
      fail: () => undefined,
    })
  expect(await found(NOW_MS + MINUTE_MS - 1)).toEqual([])
  expect(await found(NOW_MS + MINUTE_MS)).toMatchObject([
    {
      level: 'warning',
      subject: 'card fields in production',
      finding: 'the vault does not have the settings of one yet',
    },
  ])
})
