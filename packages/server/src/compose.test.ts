import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startCofre } from './compose.js'
import { type Role, readConfig } from './config/config.js'

const KEY = `k1:${randomBytes(32).toString('base64url')}`
// Below the range that systems hand out for outgoing connections.
const [API_PORT, SANDBOX_PORT, VAULT_PORT, SERVICE_PORT] = [21_380, 21_381, 21_382, 21_386]

describe('startCofre', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-compose-'))
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const start = (roles: Role[], environ: Record<string, string> = {}) =>
    startCofre(
      readConfig(
        {
          COFRE_ACQUIRER: 'sandbox',
          COFRE_DATA_DIR: dataDir,
          COFRE_API_PORT: String(API_PORT),
          COFRE_SANDBOX_PORT: String(SANDBOX_PORT),
          COFRE_VAULT_PORT: String(VAULT_PORT),
          COFRE_VAULT_SERVICE_PORT: String(SERVICE_PORT),
          ...environ,
        },
        'serve',
      ),
      roles,
      pino({ enabled: false }),
    )
  const files = (): string[] => readdirSync(dataDir).filter((name) => !/-(wal|shm)$/.test(name))
  const statusAt = async (port: number): Promise<number | undefined> => {
    const post = fetch(`http://127.0.0.1:${port}/v1/ping`, { method: 'POST' })
    return await post.then(
      ({ status }) => status,
      () => undefined,
    )
  }

  it.each<Role>(['api', 'sandbox', 'panel', 'worker'])(
    'opens no vault in a process with the role %s alone, and wants to know where it is',
    async (role) => {
      await expect(start([role])).rejects.toThrow(/^COFRE_VAULT_SERVICE_URL is not set: /)
      expect(files()).toEqual([])
    },
  )

  it('keeps a gateway whose vault is elsewhere free of the vault’s files', async () => {
    const url = `http://127.0.0.1:${SERVICE_PORT}`
    const environ = { COFRE_VAULT_SERVICE_URL: url, COFRE_VAULT_SERVICE_KEY: KEY }
    const running = await start(['api', 'sandbox', 'worker'], environ)
    expect(files()).toEqual(['gateway-bank.db', 'gateway-sandbox.db', 'gateway.db'])
    expect(await statusAt(VAULT_PORT)).toBeUndefined()
    await running.close()
  })

  it('keeps a vault free of the gateway’s, and answers gateways only with a key and apart from browsers', async () => {
    const without = await start(['vault'])
    expect(files()).toEqual(['vault-keys', 'vault.db'])
    expect(await statusAt(SERVICE_PORT)).toBeUndefined()
    await without.close()

    const running = await start(['vault'], { COFRE_VAULT_SERVICE_KEY: KEY })
    expect(await statusAt(SERVICE_PORT)).toBe(401)
    expect(await statusAt(VAULT_PORT)).toBe(404)
    await running.close()
  })
})
