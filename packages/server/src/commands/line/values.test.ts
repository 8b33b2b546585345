import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'
import { isPayer } from './values.js'

describe('isPayer', () => {
  it.each(['52998224725', '529.982.247-25', '12.ABC.345/01DE-35', 'maria@example.com'])(
    'takes %s',
    (text) => {
      expect(isPayer(text)).toBe(true)
    },
  )

  it.each(['', 'nonsense', '52998224724', 'é@x', '11111111111'])('refuses %j', (text) => {
    expect(isPayer(text)).toBe(false)
  })
})

describe('cofre block and unblock', () => {
  it('blocks a payer and lets it buy again', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-block-'))
    copyMigrated(dataDir)
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    const run = async (line: string) => {
      let output = ''
      await runProgram(line.split(' '), {
        clock: { now: () => Date.now() },
        config: () => config,
        print: (text) => (output += text),
        warn: () => undefined,
        fail: () => undefined,
      })
      return output
    }
    const payer = 'maria@example.com'
    expect(await run(`block ${payer} --sandbox`)).toBe(`${payer} may not buy in sandbox.\n`)
    expect(await run(`unblock ${payer} --sandbox`)).toBe(`${payer} can buy again in sandbox.\n`)
    expect(await run(`unblock ${payer} --sandbox`)).toBe(`${payer} was not blocked.\n`)
    await run('block 210.603.000-28 --sandbox')
    expect(await run('unblock 210.603.000-28 --sandbox')).toContain(
      'the next start blocks this payer again',
    )
    expect(JSON.parse(await run(`block ${payer} --json`))).toEqual({
      payer,
      environment: 'production',
      blocked: true,
    })
    expect(JSON.parse(await run(`unblock ${payer} --json`))).toMatchObject({ blocked: false })
    rmSync(dataDir, { recursive: true })
  })
})
