import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { generateKeyRing } from '@cofre/vault'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ROOT } from './packed-packages.js'
import { needs } from './needs.js'

const SCRIPT = path.join(ROOT, '.ci', 'tracked-secrets.mjs')

describe('Keys and databases that git tracks', needs('git'), () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'cofre-tracked-'))
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const track = (file: string, content: string | Buffer): void => {
    const place = path.join(folder, file)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, content)
    execFileSync('git', ['add', '--force', '--', file], { cwd: folder })
  }
  const check = () => spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' })

  it.each([
    ['a key file', 'data/vault-keys', 'anything'],
    ['a key file that is being changed', 'gateway-keys.next', ''],
    ['a database', 'shop.db', ''],
    ['what belongs to a database', 'data/vault.db-wal', ''],
    ['a key by its name', 'tls/server.key', ''],
    ['a certificate store', 'store.p12', ''],
    ['a database by another name', 'data/accounts', 'SQLite format 3\0 and pages'],
    ['a private key', 'notes.txt', ['-----BEGIN RSA PRIVATE', 'KEY-----\n'].join(' ')],
    ['a key file by another name', 'my keys', `${generateKeyRing()},${generateKeyRing()}\n`],
    ['a key in a variable', 'all.env', `ROLES=vault\nCOFRE_VAULT_KEYS=${generateKeyRing()}\n`],
    ['a key beside the one of released data', 'test/releases/key', `${generateKeyRing()}\n`],
    ["a custodian's share", 'mine', `share-${'0f'.repeat(8)}-3-1-${'ab'.repeat(40)}`],
  ])('are refused, and named: %s', (_, file, content) => {
    track('README.md', 'id:key, and 1700000000:more')
    track(file, content)
    const { status, stderr } = check()
    expect(status).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`${file} `)])
  })

  it('are not looked for in folders of public test material, nor in the key of released data', () => {
    track('packages/x/fixtures/public.pem', 'a certificate of nobody')
    track('test/releases/public-test-key', generateKeyRing())
    expect(check()).toMatchObject({ status: 0, stderr: '' })
  })

  it('are not searched for if git tracks no file, and the output reports it', () => {
    writeFileSync(path.join(folder, 'vault-keys'), generateKeyRing())
    expect(check()).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Skipped') as string,
    })
  })

  it('are not in this repository', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
