import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.js'

const deploy = fileURLToPath(new URL('../../../../deploy/', import.meta.url))

const UNITS = ['cofre@', 'cofre-audit@', 'cofre-backup@']
const compose = readFileSync(path.join(deploy, 'compose.yaml'), 'utf8')

/** The lines of a service, or another entry, indented by two spaces. */
function entryOf(name: string): string {
  return new RegExp(`^  ${name}:\\n(?:(?: {4}.*)?\\n)+`, 'm').exec(compose)?.[0] ?? ''
}

/** The secrets of a service, by variables that name files. */
function secretsOf(service: string): ReadonlyMap<string, string> {
  const shared = entryOf(service).includes('*gateway-environment')
    ? compose.slice(compose.indexOf('x-environment'), compose.indexOf('x-database'))
    : (/^x-environment[^]*?\n\n/m.exec(compose)?.[0] ?? '')
  const named = `${shared}${entryOf(service)}`.matchAll(/(COFRE_\w+)_FILE: \/run\/secrets\/(\S+)/g)
  return new Map([...named].map(([, variable = '', file = '']) => [variable, file]))
}

describe('The secrets that are drawn for compose.yaml', () => {
  let folder: string
  const run = () =>
    execFileSync(process.execPath, [path.join(folder, 'make-secrets.mjs')], { stdio: 'pipe' })
  const secret = (name: string): string => path.join(folder, 'secrets', name)
  const text = (name: string): string => readFileSync(secret(name), 'utf8').trim()
  const configOf = (service: string): Config => {
    const files = [...secretsOf(service)].map(
      ([name, file]) => [`${name}_FILE`, secret(file)] as const,
    )
    return readConfig({ ...Object.fromEntries<string>(files) }, 'serve')
  }

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-deploy-'))
    copyFileSync(path.join(deploy, 'make-secrets.mjs'), path.join(folder, 'make-secrets.mjs'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('leave no key to a container’s own disk, which ends with the container', () => {
    run()
    const vault = configOf('vault')
    expect(vault.vaultKeys).toBeDefined()
    expect(vault.databaseUrls.vault).toMatch(/^postgres:.+@vault-database\/cofre$/)
    for (const service of ['gateway', 'sandbox', 'panel']) {
      const gateway = configOf(service)
      expect(gateway.gatewayKeys).toBeDefined()
      expect(vault.vaultService.keys?.current.id).toBe(gateway.vaultService.keys?.current.id)
      expect(gateway.databaseUrls.production).toMatch(/^postgres:.+@gateway-database\/cofre$/)
      expect(gateway.misspelt).toEqual([])
    }
  })

  it('give neither side the other’s secrets, and no value to an environment', () => {
    run()
    expect(
      [...secretsOf('gateway').values()].filter((file) => /vault-(keys|data)/.test(file)),
    ).toEqual([])
    expect([...secretsOf('vault').values()].filter((file) => file.includes('gateway'))).toEqual([])
    expect(text('vault-database-password')).not.toBe(text('gateway-database-password'))
    expect(compose).not.toContain('env_file')
  })

  it('are for their owner’s eyes, named by the compose file, and drawn once', () => {
    run()
    const files = readdirSync(path.join(folder, 'secrets'))
    for (const file of files) {
      expect(statSync(secret(file)).mode & 0o777).toBe(0o600)
      expect(compose).toContain(`${file}: { file: secrets/${file} }`)
    }
    expect(compose.match(/\{ file: secrets\/[\w-]+ \}/g)).toHaveLength(files.length)
    expect(run).toThrow('EEXIST')
  })

  it('are taken over from the files of an earlier version, in which they were variables', () => {
    mkdirSync(path.join(folder, 'secrets'))
    const url = 'postgres://cofre:old@vault-database/cofre'
    writeFileSync(secret('vault.env'), `COFRE_VAULT_KEYS=k1:old\nCOFRE_VAULT_DATABASE_URL=${url}\n`)
    writeFileSync(secret('vault-database.env'), 'POSTGRES_USER=cofre\nPOSTGRES_PASSWORD=old\n')
    run()
    expect(text('vault-keys')).toBe('k1:old')
    expect(text('vault-database-url')).toBe(url)
    expect(text('vault-database-password')).toBe('old')
    expect(text('gateway-key')).toMatch(/^g1:[\w-]{43}$/)
  })
})

describe('The compose file', () => {
  it('runs sandbox and production in processes of their own', () => {
    expect(entryOf('gateway')).toContain("command: [serve, --roles, 'api,worker,notices,metrics']")
    expect(entryOf('gateway')).toContain('COFRE_WORKER_ENVIRONMENTS: production\n')
    expect(entryOf('sandbox')).toContain("command: [serve, --roles, 'sandbox,worker,metrics']")
    expect(entryOf('sandbox')).toContain('COFRE_WORKER_ENVIRONMENTS: sandbox\n')
  })

  it('asks for images by their digest', () => {
    for (const name of ['NODE_IMAGE', 'POSTGRES_IMAGE'])
      expect(compose).toMatch(new RegExp(`\\$\\{${name}:\\?.{20,}\\}`))
    expect(compose.match(/^ +image: .+$/gm)?.filter((line) => /:[\w.-]+$/.test(line))).toEqual([])
    const dockerfile = readFileSync(path.join(deploy, 'Dockerfile'), 'utf8')
    expect(new Set(dockerfile.match(/^FROM \S+/gm))).toEqual(new Set(['FROM ${NODE_IMAGE}']))
  })

  it('has 8085 and 8086 in networks that lead nowhere else', () => {
    expect(compose.match(/^ +ports: .*808[56]/gm)).toBeNull()
    for (const service of ['vault', 'gateway', 'sandbox', 'panel']) {
      const [, alias] = /COFRE_METRICS_HOST: (\S+)/.exec(entryOf(service)) ?? []
      expect(entryOf(service)).toMatch(
        new RegExp(`(vault|gateway)-monitoring: \\{ aliases: \\[${alias ?? '-'}\\] \\}`),
      )
    }
    expect(entryOf('vault')).toMatch(/service: \{ aliases: \[vault-service\] \}/)
    for (const network of ['service', 'vault-monitoring', 'gateway-monitoring'])
      expect(compose).toContain(`\n  ${network}: { internal: true }\n`)
  })

  it('lets no memory of Cofre into a core file or swap', () => {
    expect(compose).toContain('ulimits: { core: 0 }')
    const [, limit] = /mem_limit: (.+)/.exec(compose) ?? []
    expect(compose).toContain(`memswap_limit: ${limit ?? '-'}`)
  })
})

it.each(UNITS)('%s.service lets no memory out, and reads its secrets from files', (unit) => {
  const lines = readFileSync(path.join(deploy, `${unit}.service`), 'utf8').split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'LimitCORE=0',
      'MemorySwapMax=0',
      'LoadCredential=COFRE:/etc/cofre/%i.secrets',
    ]),
  )
  expect(lines.filter((line) => line.startsWith('ExecStart=')).join()).toContain(
    '/usr/bin/node --disable-sigusr1 ',
  )
})
