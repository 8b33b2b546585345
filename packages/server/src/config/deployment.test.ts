import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.js'

const deploy = fileURLToPath(new URL('../../../../deploy/', import.meta.url))

describe('The secrets that are drawn for compose.yaml', () => {
  let folder: string
  const draw = () =>
    execFileSync(process.execPath, [path.join(folder, 'make-secrets.mjs')], { stdio: 'pipe' })
  const secretsOf = (container: string): Record<string, string> =>
    Object.fromEntries(
      readFileSync(path.join(folder, 'secrets', `${container}.env`), 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
  const configOf = (container: string): Config =>
    readConfig({ COFRE_ACQUIRER: 'sandbox', ...secretsOf(container) }, 'serve')

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-deploy-'))
    copyFileSync(path.join(deploy, 'make-secrets.mjs'), path.join(folder, 'make-secrets.mjs'))
    draw()
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('leave no key to a container’s own disk, which ends with the container', () => {
    const [vault, gateway] = [configOf('vault'), configOf('gateway')]
    expect(vault.vaultKeys).toBeDefined()
    expect(gateway.gatewayKeys).toBeDefined()
    expect(vault.vaultService.keys?.current.id).toBe(gateway.vaultService.keys?.current.id)
    expect(vault.vaultDatabaseUrl).toMatch(/^postgres:.+@vault-database\/cofre$/)
    expect(gateway.gatewayDatabaseUrl).toMatch(/^postgres:.+@gateway-database\/cofre$/)
    expect([...vault.misspelt, ...gateway.misspelt]).toEqual([])
  })

  it('give no zone what is the other’s', () => {
    expect(Object.keys(secretsOf('gateway'))).not.toContain('COFRE_VAULT_KEYS')
    expect(Object.keys(secretsOf('vault'))).not.toContain('COFRE_GATEWAY_KEY')
    const [vault, gateway] = [secretsOf('vault-database'), secretsOf('gateway-database')]
    expect(vault.POSTGRES_PASSWORD).not.toBe(gateway.POSTGRES_PASSWORD)
  })

  it('are for their owner’s eyes, named by the compose file, and drawn once', () => {
    const compose = readFileSync(path.join(deploy, 'compose.yaml'), 'utf8')
    const files = readdirSync(path.join(folder, 'secrets'))
    for (const file of files) {
      expect(statSync(path.join(folder, 'secrets', file)).mode & 0o777).toBe(0o600)
      expect(compose).toContain(`secrets/${file}`)
    }
    expect(new Set(compose.match(/secrets\/[\w-]+\.env/g))).toEqual(
      new Set(files.map((file) => `secrets/${file}`)),
    )
    expect(draw).toThrow('EEXIST')
  })
})
