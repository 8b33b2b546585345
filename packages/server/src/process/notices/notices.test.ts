import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AccountKind } from '@cofre/provider-kit/account'
import { type Environment, Secret } from '@cofre/contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../../provider-kit/test/certificates.js'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { openGatewayKeys } from '../../installation/keys.js'
import { noticePath } from '../../installation/notice-path.js'
import { openStores } from '@cofre/gateway/upkeep'
import { devStore } from '../../installation/test-store.js'
import { testAccount } from '../providers/account.fixture.js'
import { type RunningCofre, startCofre } from '../start.js'
import { freePort } from '../../http/free-port.fixture.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'

const API_PORT = await freePort()
const VAULT_PORT = await freePort()
const NOTICES_PORT = await freePort()

describe('A process with the role notices', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-notices-'))
  copyMigrated(dataDir)
  const environ = {
    COFRE_DATA_DIR: dataDir,
    COFRE_API_PORT: String(API_PORT),
    COFRE_VAULT_PORT: String(VAULT_PORT),
    COFRE_NOTICES_PORT: String(NOTICES_PORT),
    COFRE_PUBLIC_NOTICES_URL: 'https://pix.example.com',
  }
  const config = readConfig(environ, 'serve')
  const lines: string[] = []
  let running: RunningCofre

  beforeAll(async () => {
    const log = pino({}, { write: (line) => lines.push(line) })
    running = await startCofre(config, ['vault', 'api', 'notices'], log)
  })
  afterAll(async () => {
    await running.close()
    rmSync(dataDir, { recursive: true })
  })

  /** An account at Efí, added while another process serves. */
  const addAccount = async (environment: Environment, id: string, kind: AccountKind) => {
    const { certificatePem, keyPem } = makeCertificate({ name: 'Loja', kind: 'client' })
    const credentials = { clientId: 'id', clientSecret: 'secret', certificatePem, keyPem }
    const account = testAccount({
      id,
      kind,
      merchantId: 'loja',
      provider: 'pix-api',
      settings: {
        profile: 'efi',
        pixKey: 'loja@example.com',
        receiver: { name: 'Loja', city: 'Recife' },
      },
      secrets: {
        credentials: new Secret(JSON.stringify(credentials)),
        noticeSecret: new Secret(`notice-secret-of-${id}`),
      },
      certificateUntilMs: Date.parse('2099-01-01'),
    })
    const keys = await openGatewayKeys(config)
    await DATABASES[environment].use(config, async (database) => {
      const { accounts, stores } = openStores({ environment, database, keys, clock: Date })
      await stores.save({ ...devStore(config), id: 'loja' }, 'start')
      await accounts.create(account, ['pix'], 'start')
    })
    return account
  }
  const send = async (address: string, body = '{"pix":[]}', port = NOTICES_PORT) => {
    const headers = { Connection: 'close', Host: 'pix.example.com' }
    const url = `http://127.0.0.1:${port}${address}`
    return (await fetch(url, { method: 'POST', headers, body })).status
  }

  it.each([
    ['production', 'live'],
    ['sandbox', 'test'],
  ] as const)(
    'takes those of the accounts of %s, for who knows the secret',
    async (environment, kind) => {
      const account = await addAccount(environment, `efi-${kind}`, kind)
      const address = noticePath(account)
      const txid = 'a'.repeat(32)
      expect(await send(`${address}/pix`, JSON.stringify({ pix: [{ txid }] }))).toBe(200)
      expect(await send(address, '{"evento":"teste_webhook"}')).toBe(200)
      expect(await send(`${address}x/pix`)).toBe(404)
      expect(await send(`${address}/pix`, undefined, API_PORT)).toBe(404)
      expect(lines.join('')).toContain(`"path":"/notices/efi-${kind}/[address]"`)
      expect(lines.join('')).not.toContain('notice-secret-of')
    },
  )
})
