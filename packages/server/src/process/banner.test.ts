import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { banner } from './banner.js'
import { readConfig } from '../config/config.js'

it('what npm start prints says who answers for money, and where a PIX of production is paid', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-banner-'))
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const printed = banner(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
  expect(printed).toContain('no money moves: simulated providers')
  expect(printed).toMatch(/demo shop +http:\/\/127\.0\.0\.1:8089 +<- buy by PIX here/)
  expect(printed).toMatch(/Simulated bank +http:\/\/127\.0\.0\.1:8088 +<- pay that PIX here/)
  const [, cards = ''] = printed.split('Test cards')
  expect(cards.replaceAll('\n', ' ')).toContain(
    "All settle with the sandbox's acquirer, which answers for the sandbox and the production API alike: no money moves at either.",
  )
})
