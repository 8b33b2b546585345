import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { runProgram } from '../../main.js'
import { freePorts } from '../../http/free-port.fixture.js'

const PORTS = await freePorts('API', 'SANDBOX', 'VAULT', 'PANEL', 'NOTICES')

describe('cofre serve', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-run-'))
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  /**
   * Runs a command that gets a signal to end before it opens anything. Resolves to true if it was
   * listening for the signal.
   */
  const endAtOnce = async (line: string, environ: Record<string, string> = {}) => {
    let isHeard = false
    // Other listeners in this process would also receive the signal, and end it.
    const others = process.listeners('SIGTERM')
    const terminate = (): boolean => {
      const own = process.listeners('SIGTERM').filter((listener) => !others.includes(listener))
      for (const listener of own) listener('SIGTERM')
      return own.length > 0
    }
    await runProgram(line.split(' '), {
      clock: { now: () => Date.now() },
      config: (mode) => {
        setImmediate(() => (isHeard = terminate()))
        const fixed = {
          COFRE_DATA_DIR: dataDir,
          ...PORTS,
        }
        return readConfig({ ...fixed, ...environ }, mode)
      },
      print: () => undefined,
      warn: () => undefined,
      fail: () => undefined,
    })
    return isHeard
  }
  const files = (): string[] => readdirSync(dataDir)

  it('handles a termination signal during its start', async () => {
    expect(await endAtOnce('serve --roles vault')).toBe(true)
  })

  it('does everything in one process when no roles are named', async () => {
    await endAtOnce('serve')
    expect(files()).toEqual(expect.arrayContaining(['gateway.db', 'vault.db', 'vault-keys']))
  })

  it('opens no vault without named roles if the variables name another process’s', async () => {
    await endAtOnce('serve', {
      COFRE_VAULT_SERVICE_URL: 'http://127.0.0.1:9',
      COFRE_VAULT_SERVICE_KEY: `k1:${Buffer.alloc(32).toString('base64url')}`,
    })
    expect(files()).toContain('gateway.db')
    expect(files().filter((file) => file.startsWith('vault'))).toEqual([])
  })
})
