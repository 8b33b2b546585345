import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ENVIRONMENTS } from '@cofre/contracts'
import { eventFollows } from '@cofre/events'
import { indexFollows } from '@cofre/search'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config/config.js'
import { DATABASES } from './databases.js'
import { copyMigrated } from './migrated.fixture.js'

it.each(ENVIRONMENTS)(
  'the search follows the payments of %s in every process and command',
  async (environment) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-followed-'))
    onTestFinished(() => {
      rmSync(dataDir, { recursive: true })
    })
    copyMigrated(dataDir)
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    const followers = await DATABASES[environment].use(config, ({ reader }) =>
      Promise.resolve(reader.attached),
    )
    expect(followers).toEqual([indexFollows, eventFollows])
  },
)
