import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { banner } from './banner.js'
import { readConfig } from '../config/config.js'

it('what npm start prints on test cards says where they settle, at both APIs', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-banner-'))
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const printed = banner(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
  const [, cards = ''] = printed.split('Test cards')
  expect(cards.replaceAll('\n', ' ')).toContain(
    "All settle with the sandbox's acquirer, which answers for the sandbox and the production API alike: no money moves at either.",
  )
})
