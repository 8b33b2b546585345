import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'

interface ShownKey {
  readonly key: string
  readonly secret: string
}

describe('cofre store-key', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-store-key-'))
    copyMigrated(dataDir)
    await cofre('store create loja')
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  async function cofre(line: string) {
    let output = ''
    await runProgram(line.split(' '), {
      clock: { now: () => Date.now() },
      config: (mode) => readConfig({ COFRE_DATA_DIR: dataDir }, mode),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
    })
    return { output, json: (): unknown => JSON.parse(output) }
  }
  const added = async (rest: string) =>
    (await cofre(`store-key add loja ${rest} --json`)).json() as ShownKey
  const listed = async (rest = '') =>
    (await cofre(`store-key list loja${rest} --json`)).json() as {
      readonly keys: readonly Record<string, unknown>[]
      readonly notificationSecretDrawnAt: string | null
    }

  it('adds a key with scopes and an end, and shows its secret once and nowhere else', async () => {
    const until = new Date(Date.now() + 30 * DAY_MS).toISOString()
    const { key, secret } = await added(`--name ERP --scopes refund,read --until ${until}`)
    expect(key).toMatch(/^k-[0-9a-f]{8}$/)
    expect(secret).toMatch(/^\S{43}$/)
    expect((await listed()).keys).toMatchObject([
      { key: 'first', scopes: ['pay', 'refund', 'read', 'configure'], endsAt: null, usedAt: null },
      { key, name: 'ERP', scopes: ['refund', 'read'], endsAt: until },
    ])
    expect((await cofre('store-key list loja')).output).toMatch(/Last used|ERP/)
    const elsewhere = [
      (await cofre('store-key list loja')).output,
      (await cofre('store log loja')).output,
      readFileSync(path.join(dataDir, 'gateway.db'), 'latin1'),
    ]
    for (const text of elsewhere) expect(text).not.toContain(secret)
  })

  it('keeps production and sandbox apart', async () => {
    await cofre('store create loja --sandbox')
    await added('--name ERP --scopes read --sandbox')
    expect((await listed()).keys).toHaveLength(1)
    expect((await listed(' --sandbox')).keys).toHaveLength(2)
  })

  it('rotates and ends a key, and adds no fifth', async () => {
    const { key, secret } = await added('--name one --scopes read')
    const rotated = (await cofre(`store-key rotate loja ${key} --json`)).json() as ShownKey
    expect(rotated.secret).not.toBe(secret)
    await added('--name two --scopes read')
    await added('--name three --scopes read')
    await expect(added('--name four --scopes read')).rejects.toThrow('has 4 live keys')
    await cofre(`store-key end loja ${key}`)
    await expect(cofre(`store-key end loja ${key}`)).rejects.toThrow('has ended already')
    await expect(cofre(`store-key rotate loja ${key}`)).rejects.toThrow('has no live key')
    await added('--name four --scopes read')
  })

  it('ends the first key only once notifications have a secret of their own', async () => {
    await expect(cofre('store-key end loja first')).rejects.toThrow('signs the notifications')
    expect((await listed()).notificationSecretDrawnAt).toBeNull()
    const { output } = await cofre('store notification-secret loja')
    expect(output).toMatch(/Secret key {2}\S{43}\n/)
    expect((await listed()).notificationSecretDrawnAt).toMatch(/Z$/)
    await cofre('store-key end loja first')
    await expect(cofre('store rotate loja')).rejects.toThrow('The first key of the store loja has')
    expect((await cofre('store list')).output).toContain('loja')
  })

  it.each([
    ['store-key add nobody --name x --scopes read', 'There is no store nobody'],
    ['store-key add loja --name x --scopes write', 'It takes scopes'],
    ['store-key add loja --name x --scopes read --until 2020-01-01', 'still to come'],
    ['store-key add loja --scopes read', '--name'],
    ['store-key list nobody', 'There is no store nobody'],
    ['store-key end loja k-00000000', 'has no live key k-00000000'],
    ['store-key end loja notifications', 'A key is first, or k-'],
    ['store notification-secret nobody', 'There is no store nobody'],
  ])('refuses %j', async (line, reason) => {
    await expect(cofre(line)).rejects.toThrow(reason)
  })
})
