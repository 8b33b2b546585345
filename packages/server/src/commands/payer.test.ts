import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { type PayerCommand, isPayer, runPayerCommand } from './payer.js'

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

describe('runPayerCommand', () => {
  it('blocks a payer and lets it buy again', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-block-'))
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
    const command = {
      payer: 'maria@example.com',
      environment: 'sandbox',
      byProvider: false,
    } as const
    const run = (kind: PayerCommand['kind']) => runPayerCommand(config, { kind, ...command })
    expect(await run('block')).toBe('maria@example.com may not buy in sandbox.\n')
    expect(await run('unblock')).toBe('maria@example.com may buy again in sandbox.\n')
    expect(await run('unblock')).toBe('maria@example.com was not blocked.\n')
    rmSync(dataDir, { recursive: true })
  })
})
