import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Config, readConfig } from './config.js'
import { needs } from '../../../../test/needs.js'

const KEY = `k1:${randomBytes(32).toString('base64url')}`
const URL = 'postgres://cofre:hunter2@host/cofre'
const SECRET = 'a secret of sixteen'

/** Every variable with a secret, and where its value appears. */
const SECRETS: readonly [name: string, value: string, read: (config: Config) => unknown][] = [
  ['COFRE_VAULT_KEYS', KEY, ({ vaultKeys }) => vaultKeys?.current.id === 'k1'],
  ['COFRE_VAULT_KEY_SHARES', 'share-1-2', ({ vaultKeyShares }) => vaultKeyShares !== undefined],
  ['COFRE_VAULT_SERVICE_KEY', KEY, (config) => config.vaultService.keys?.current.id === 'k1'],
  ['COFRE_GATEWAY_KEY', KEY, ({ gatewayKeys }) => gatewayKeys?.current.id === 'k1'],
  ['COFRE_DATABASE_URL', URL, ({ databaseUrls }) => databaseUrls.production === URL],
  ['COFRE_VAULT_DATABASE_URL', URL, ({ databaseUrls }) => databaseUrls.vault === URL],
  ['COFRE_SMTP_URL', 'smtps://a:b@mail.example', ({ smtp }) => smtp?.from === 'cofre@localhost'],
  ['COFRE_DEV_STORE_SECRET', SECRET, (config) => config.devStoreSecret?.reveal() === SECRET],
]

describe('A secret in a file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-secrets-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const write = (name: string, text: string, mode = 0o400): string => {
    const file = path.join(folder, name)
    writeFileSync(file, text, { mode })
    chmodSync(file, mode)
    return file
  }
  const read = (environ: Record<string, string>): Config => readConfig(environ, 'dev')

  it.each(SECRETS)('is read in the place of %s, and of a credential of systemd', (...secret) => {
    const [name, value, isRead] = secret
    const file = write(name, `${value}\n`)
    const reported = read({ [`${name}_FILE`]: file })
    expect(isRead(reported)).toBe(true)
    expect(reported.misspelt).toEqual([])
    expect(isRead(read({ CREDENTIALS_DIRECTORY: folder }))).toBe(true)
  })

  it.each(SECRETS)('is refused beside %s, and both are named', (name, value) => {
    const file = write('x', value)
    const both = () => read({ [name]: value, [`${name}_FILE`]: file })
    expect(both).toThrow(`${name}_FILE="${file}" is not usable: ${name} is set, too`)
    write(name, value)
    expect(() => read({ [name]: value, CREDENTIALS_DIRECTORY: folder })).toThrow(
      `${name} is set, too`,
    )
    expect(() => read({ [`${name}_FILE`]: file, CREDENTIALS_DIRECTORY: folder })).toThrow(
      `the credential ${name} is there, too`,
    )
  })

  it.each([0o604, 0o644, 0o602, 0o620, 0o666, 0o601])(
    'is refused when others may read or change it: mode %o',
    needs('a system with file modes'),
    (mode) => {
      const file = write('key', KEY, mode)
      expect(() => read({ COFRE_GATEWAY_KEY_FILE: file })).toThrow(
        `others may read or change it (mode ${mode.toString(8)}): chmod 600 ${file}`,
      )
    },
  )

  it('of a variable may be read by its group: systemd and Kubernetes give it so', () => {
    expect(read({ COFRE_GATEWAY_KEY_FILE: write('key', KEY, 0o440) }).gatewayKeys).toBeDefined()
  })

  it('that is not there, or holds something else, is named without what it holds', () => {
    const gone = path.join(folder, 'gone')
    expect(() => read({ COFRE_VAULT_KEYS_FILE: gone })).toThrow(
      `COFRE_VAULT_KEYS_FILE="${gone}" is not usable: it cannot be read (ENOENT)`,
    )
    const other = write('other', 'hunter2')
    const wrong = () => read({ COFRE_VAULT_KEYS_FILE: other })
    expect(wrong).toThrow('the file has to hold key-encryption keys as id:key')
    expect(wrong).not.toThrow(/hunter2/)
  })
})
