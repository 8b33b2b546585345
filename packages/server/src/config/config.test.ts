import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.js'
import { ConfigError } from './errors.js'
import { VARIABLES } from './variables.js'

const longOrigin = `https://${'a'.repeat(40)}.example`

describe('readConfig', () => {
  it('needs nothing in development', () => {
    const config = readConfig({}, 'dev')
    expect(config).toMatchObject({
      endpoints: {
        api: { host: '127.0.0.1', port: 8080, publicUrl: 'http://127.0.0.1:8080' },
        sandbox: { port: 8081 },
        vault: { port: 8082 },
        panel: { port: 8083, publicUrl: 'http://localhost:8083' },
        demo: { port: 8084 },
        notices: { port: 8087, publicUrl: 'http://127.0.0.1:8087' },
        'pix-api': { port: 8088, publicUrl: 'http://127.0.0.1:8088' },
        adyen: { port: 8090 },
        cielo: { port: 8091 },
        inter: { port: 8092 },
        'demo-production': { port: 8089 },
      },
      vendor: 'cofre',
      mediaVendor: 'cofre',
      signatureDigest: 'any',
      notifyIntervalMs: 600_000,
      notifyDelayMs: 3000,
      installmentTerms: { monthlyRate: 0.0299, interestFree: 1 },
      wallets: ['pagseguro', 'paypal'],
      purchaseLimitMinor: 1_000_000,
      boletoDays: 3,
    })
    expect(config.databaseUrls.production).toBe(`sqlite:${path.resolve('.cofre', 'gateway.db')}`)
    expect(config.notifyAllow).toHaveLength(2)
  })

  it('lets notifications reach nothing private in service', () => {
    expect(readConfig({}, 'serve').notifyAllow).toEqual([])
  })

  it('listens for operators, gateways and banks on COFRE_HOST, or on the host of a variable', () => {
    const hosts = (environ: Record<string, string>) => {
      const { endpoints, vaultService } = readConfig({ COFRE_HOST: '0.0.0.0', ...environ }, 'dev')
      return [
        endpoints.vault.host,
        endpoints.metrics.host,
        vaultService.host,
        endpoints.notices.host,
      ]
    }
    expect(hosts({})).toEqual(['0.0.0.0', '0.0.0.0', '0.0.0.0', '0.0.0.0'])
    const reported = {
      COFRE_METRICS_HOST: '127.0.0.1',
      COFRE_VAULT_SERVICE_HOST: 'vault-service',
      COFRE_NOTICES_HOST: '10.0.0.7',
    }
    expect(hosts(reported)).toEqual(['0.0.0.0', '127.0.0.1', 'vault-service', '10.0.0.7'])
  })

  it('lets no other machine control the simulated bank', () => {
    const {
      'pix-api': bank,
      adyen,
      cielo,
      inter,
    } = readConfig({ COFRE_HOST: '0.0.0.0' }, 'dev').endpoints
    expect(bank).toMatchObject({ host: '127.0.0.1', publicUrl: 'http://127.0.0.1:8088' })
    expect(adyen).toMatchObject({ host: '127.0.0.1', publicUrl: 'http://127.0.0.1:8090' })
    expect(cielo).toMatchObject({ host: '127.0.0.1', publicUrl: 'http://127.0.0.1:8091' })
    expect(inter).toMatchObject({ host: '127.0.0.1', publicUrl: 'http://127.0.0.1:8092' })
  })

  it('takes an empty variable for an unset one', () => {
    expect(readConfig({ COFRE_API_PORT: '' }, 'dev').endpoints.api.port).toBe(8080)
  })

  it('reads every kind of value', () => {
    const config = readConfig(
      {
        COFRE_HOST: '::1',
        COFRE_API_PORT: '80',
        COFRE_PUBLIC_VAULT_URL: `${longOrigin}/`,
        COFRE_PUBLIC_PANEL_URL: longOrigin,
        COFRE_PUBLIC_NOTICES_URL: `${longOrigin}/`,
        COFRE_MEDIA_VENDOR: 'acme.com',
        COFRE_NOTIFY_INTERVAL: '2h',
        COFRE_NOTIFY_DELAY: '0',
        COFRE_PURCHASE_LIMIT: '500.50',
        COFRE_WALLETS: 'one,two',
        COFRE_DEV_STORE_SECRET: 'a secret of sixteen',
        COFRE_VAULT_KEY_SHARES: 'share-12ab-1,\n file:/run/share',
        COFRE_DEPOSITS_PER_MINUTE: '0',
        COFRE_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32,192.0.2.1',
      },
      'dev',
    )
    expect(config).toMatchObject({
      endpoints: {
        api: { publicUrl: 'http://[::1]:80' },
        vault: { publicUrl: longOrigin },
        panel: { publicUrl: longOrigin },
        notices: { publicUrl: longOrigin },
      },
      mediaVendor: 'acme.com',
      notifyIntervalMs: 7_200_000,
      notifyDelayMs: 0,
      purchaseLimitMinor: 50_050,
      wallets: ['one', 'two'],
      sessionsPerMinute: 1200,
      depositsPerMinute: 0,
    })
    expect(config.vaultKeyShares?.reveal()).toEqual(['share-12ab-1', 'file:/run/share'])
    expect(config.trustedProxies.check('192.0.2.1')).toBe(true)
    expect(config.trustedProxies.check('192.0.2.2')).toBe(false)
    expect(config.trustedProxies.check('2001:db8:9::1', 'ipv6')).toBe(true)
    expect(JSON.stringify(config)).not.toContain('a secret of sixteen')
  })

  it.each([
    ['COFRE_HOST', 'not a host'],
    ['COFRE_API_PORT', '0'],
    ['COFRE_SANDBOX_PORT', '65536'],
    ['COFRE_VAULT_PORT', 'http'],
    ['COFRE_PANEL_PORT', '8083a'],
    ['COFRE_DEMO_PORT', '-1'],
    ['COFRE_DATABASE_URL', 'mysql://host/db'],
    ['COFRE_VAULT_DATABASE_URL', 'sqlite:'],
    ['COFRE_PUBLIC_API_URL', longOrigin],
    ['COFRE_PUBLIC_SANDBOX_URL', 'ftp://host'],
    ['COFRE_PUBLIC_VAULT_URL', 'https://host/path'],
    ['COFRE_PUBLIC_PANEL_URL', 'panel.example'],
    ['COFRE_PUBLIC_NOTICES_URL', 'http://pix.example.com'],
    ['COFRE_PUBLIC_NOTICES_URL', 'https://pix.example.com/notices'],
    ['COFRE_NOTICES_PORT', '0'],
    ['COFRE_NOTICES_HOST', 'not a host'],
    ['COFRE_SIMULATOR_PORT', '65536'],
    ['COFRE_DEMO_PRODUCTION_PORT', 'http'],
    ['COFRE_VENDOR', 'Acme'],
    ['COFRE_MEDIA_VENDOR', 'acme..com'],
    ['COFRE_SIGNATURE_DIGEST', 'hex'],
    ['COFRE_VAULT_KEYS', 'k1:short'],
    ['COFRE_VAULT_SERVICE_URL', 'http://vault:8086/path'],
    ['COFRE_VAULT_SERVICE_KEY', 'k1:short'],
    ['COFRE_VAULT_SERVICE_PORT', '0'],
    ['COFRE_VAULT_KEY_SHARES', 'share-xyz'],
    ['COFRE_VAULT_KEY_SHARES', ','],
    ['COFRE_SESSIONS_PER_MINUTE', '-1'],
    ['COFRE_SESSIONS_PER_MINUTE', '1000001'],
    ['COFRE_DEPOSITS_PER_MINUTE', 'many'],
    ['COFRE_CONSOLE_NETWORKS', 'office'],
    ['COFRE_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['COFRE_TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['COFRE_TRUSTED_PROXIES', 'proxy.example'],
    ['COFRE_DEV_STORE_ID', 'with space'],
    ['COFRE_DEV_STORE_SECRET', 'short'],
    ['COFRE_NOTIFY_ALLOW', '10.0.0.0'],
    ['COFRE_NOTIFY_INTERVAL', '10 minutes'],
    ['COFRE_NOTIFY_INTERVAL', '25h'],
    ['COFRE_NOTIFY_DELAY', '11m'],
    ['COFRE_NOTIFY_DELAY', '-1'],
    ['COFRE_NOTIFY_DELAY', 'soon'],
    ['COFRE_INSTALLMENT_RATE', '2.99'],
    ['COFRE_INTEREST_FREE', '13'],
    ['COFRE_WALLETS', 'Pay Pal'],
    ['COFRE_PURCHASE_LIMIT', 'much'],
    ['COFRE_BOLETO_DAYS', '0'],
    ['COFRE_WORKER_ENVIRONMENTS', 'staging'],
    ['COFRE_WORKER_ENVIRONMENTS', 'production,'],
  ])('names %s when it is %j, and the accepted values', (name, value) => {
    const read = () => readConfig({ [name]: value }, 'dev')
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${name}=.* is not usable: .{10}`))
  })

  it('wants the key of a vault that is elsewhere', () => {
    const url = { COFRE_VAULT_SERVICE_URL: 'http://10.0.0.5:8086' }
    expect(() => readConfig(url, 'dev')).toThrow('COFRE_VAULT_SERVICE_KEY is not set: keys that')
    const key = { COFRE_VAULT_SERVICE_KEY: `k1:${Buffer.alloc(32).toString('base64url')}` }
    expect(readConfig({ ...url, ...key }, 'dev').vaultService).toMatchObject({
      url: 'http://10.0.0.5:8086',
      keys: { current: { id: 'k1' } },
      port: 8086,
    })
  })

  it.each([
    'COFRE_DEV_STORE_SECRET',
    'COFRE_VAULT_KEYS',
    'COFRE_VAULT_SERVICE_KEY',
    'COFRE_VAULT_KEY_SHARES',
    'COFRE_DATABASE_URL',
  ])('does not print the value of %s', (name) => {
    expect(() => readConfig({ [name]: 'hunter2' }, 'dev')).toThrow(/\[secret\]/)
    expect(() => readConfig({ [name]: 'hunter2' }, 'dev')).not.toThrow(/hunter2/)
  })
})

describe('The databases of vault and gateway', () => {
  const at = (file: string) => `sqlite:${path.join('data', file)}`

  it.each([
    { COFRE_DATABASE_URL: at('cofre.db'), COFRE_VAULT_DATABASE_URL: at('cofre.db') },
    { COFRE_DATABASE_URL: at('cofre.db'), COFRE_VAULT_DATABASE_URL: at('x/../cofre-sandbox.db') },
    { COFRE_DATA_DIR: 'data', COFRE_VAULT_DATABASE_URL: at('gateway-bank.db') },
    { COFRE_DATA_DIR: 'data', COFRE_DATABASE_URL: at('vault.db') },
  ])('are refused as one file: %j', (environ) => {
    expect(() => readConfig(environ, 'dev')).toThrow(/need a file each/)
  })

  it('may be one on a server, in which each has a schema', () => {
    const url = 'postgres://host/db'
    const environ = { COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url }
    expect(readConfig(environ, 'dev').namesDatabase).toEqual({ gateway: true, vault: true })
  })
})

describe('A database on several servers', () => {
  it('is named by one URL', () => {
    const url = 'postgres://cofre:s3cret@a:5432,b:5432/cofre?target_session_attrs=read-write'
    expect(readConfig({ COFRE_DATABASE_URL: url }, 'dev').databaseUrls.production).toBe(url)
  })

  it('is refused where no server could be written to, without showing the URL', () => {
    const url = 'postgres://cofre:s3cret@a,b/cofre?target_session_attrs=standby'
    const read = () => readConfig({ COFRE_DATABASE_URL: url }, 'dev')
    expect(read).toThrow(/COFRE_DATABASE_URL.*target_session_attrs is read-write or primary/)
    expect(read).not.toThrow(/s3cret/)
  })
})

describe('The sandbox’s database', () => {
  const urlOf = (url: string) => readConfig({ COFRE_DATABASE_URL: url }, 'dev').databaseUrls.sandbox

  it('is another file beside production’s', () => {
    const url = `sqlite:${path.join('data', 'gateway.db')}`
    expect(urlOf(url)).toBe(`sqlite:${path.resolve('data', 'gateway-sandbox.db')}`)
  })

  it('is the same PostgreSQL database, in which the sandbox has its own schema', () => {
    expect(urlOf('postgres://host/db')).toBe('postgres://host/db')
  })
})

describe.each(['docs', 'docs/pt-BR'])('The table of variables in %s', (folder) => {
  const page = new URL(`../../../../${folder}/configuration.md`, import.meta.url)
  const rows = readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const rowOf = (name: string) => rows.find((row) => row.split('|')[1]?.includes(`\`${name}\``))
  const examples = ['COFRE_API', 'COFRE_STORE_ID', 'COFRE_SECRET']
  const names = Object.keys(VARIABLES.shape).filter((name) => !examples.includes(name))

  it('has every variable, and no other', () => {
    const documented = rows.flatMap((row) => row.split('|')[1]?.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [])
    expect(documented.toSorted()).toEqual(names.toSorted())
  })

  it('has their defaults', () => {
    // The documentation writes times and amounts with their units.
    const shown = Object.entries(VARIABLES.parse({})).filter(
      ([name, value]) =>
        (typeof value === 'number' || typeof value === 'string') &&
        !/^COFRE_(DATA_DIR|DRAIN|NOTIFY_\w+|PURCHASE_LIMIT)$/.test(name),
    )
    expect(shown.length).toBeGreaterThan(15)
    for (const [name, value] of shown)
      expect(rowOf(name)?.split('|')[2]).toContain(String(value as string | number))
  })
})
