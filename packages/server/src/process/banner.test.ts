import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { banner } from './banner.js'
import { readConfig } from '../config/config.js'

it('what npm start prints says who answers for money, and where what is paid in production is seen', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-banner-'))
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const printed = banner(readConfig({ COFRE_DATA_DIR: dataDir }, 'dev'))
  expect(printed).toContain('no money moves: simulated providers')
  expect(printed).toMatch(
    /Demo shop +http:\S+:8084 +<- .*switches between own inputs and card fields/,
  )
  expect(printed).toMatch(
    /demo shop +http:\/\/127\.0\.0\.1:8089 +<- buy here by card, PIX or boleto/,
  )
  expect(printed).toMatch(/Simulated bank +http:\/\/127\.0\.0\.1:8088 +<- pay that PIX here/)
  expect(printed).toMatch(/Simulated Inter +http:\/\/127\.0\.0\.1:8092 +<- the same of a boleto/)
  expect(printed).toMatch(/Simulated Adyen +http:\/\/127\.0\.0\.1:8090 /)
  expect(printed).toMatch(/Simulated Cielo +http:\/\/127\.0\.0\.1:8091 /)
  expect(printed).toMatch(/^ {2}export COFRE_API=http:\S+ COFRE_STORE_ID=\S+ COFRE_SECRET=\S+$/m)
  expect(printed.replaceAll('\n', ' ')).toContain(
    'In production a PIX goes to the simulated bank, a boleto to the simulated Inter, and a card to the simulated Adyen or Cielo',
  )
})
