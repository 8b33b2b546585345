import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'

const ADDRESS = 'https://loja.example/notify'

describe('A store’s default for links and refunds', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-defaults-'))
    copyMigrated(dataDir)
    await cofre('store create loja')
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  async function cofre(line: string): Promise<string> {
    let output = ''
    await runProgram(line.split(' '), {
      clock: { now: () => Date.now() },
      config: (mode) => readConfig({ COFRE_DATA_DIR: dataDir }, mode),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
    })
    return output
  }
  const listed = async (): Promise<unknown> => JSON.parse(await cofre('store list --json'))

  it('is set, shown and cleared', async () => {
    expect(await listed()).toMatchObject([{ language: 'pt-BR', notificationUrl: null }])
    expect(await cofre(`store set loja --language en-US --notification-url ${ADDRESS}`)).toContain(
      `language "pt-BR" -> "en-US", notificationUrl "none" -> "${ADDRESS}".`,
    )
    expect(await listed()).toMatchObject([{ language: 'en-US', notificationUrl: ADDRESS }])
    expect(await cofre('store list')).toMatch(/ en-US +https:\/\/loja\.example\/notify\n$/)
    await cofre('store set loja --name Um')
    expect(await cofre('store set loja --language pt-BR --notification-url none')).toContain(
      `language "en-US" -> "pt-BR", notificationUrl "${ADDRESS}" -> "none".`,
    )
    expect(await cofre('store list')).not.toMatch(/Language|Notified at/)
  })

  it('is what a store is created with', async () => {
    await cofre(`store create outra --language tr-TR --notification-url ${ADDRESS}`)
    expect(await listed()).toMatchObject([
      { id: 'loja' },
      { id: 'outra', language: 'tr-TR', notificationUrl: ADDRESS },
    ])
  })

  it('is an address of this machine where cofre dev runs', async () => {
    writeFileSync(path.join(dataDir, 'test-store.json'), '{ "id": "loja", "secret": "s" }')
    await cofre('store set loja --notification-url http://localhost:3000/notify')
    expect(await listed()).toMatchObject([{ notificationUrl: 'http://localhost:3000/notify' }])
  })

  it.each([
    'shop.example',
    'http://localhost:3000/',
    'https://shop.example:8443/',
    'http://10.0.0.1/',
  ])('is not %s', async (url) => {
    const change = cofre(`store set loja --notification-url ${url}`)
    await expect(change).rejects.toThrow('--notification-url takes')
    expect(await listed()).toMatchObject([{ notificationUrl: null }])
  })
})
