import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SECOND_MS } from '@cofre/contracts'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { freePorts } from '../../http/free-port.fixture.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'
import { startCofre } from '../start.js'

const ADDRESS_REFUSED = { code: 90709 }

describe('An operator’s key with addresses', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-operator-'))
    copyMigrated(dataDir)
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  /** Adds a key that may be used from networks. */
  async function keyFrom(networks: readonly string[]) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const file = path.join(dataDir, 'operator.pub.pem')
    writeFileSync(file, publicKey.export({ format: 'pem', type: 'spki' }))
    const usual = ['operator-key', 'add', '--public-key', file, '--name', 'Office', '--json']
    let output = ''
    await runProgram([...usual, ...networks.flatMap((network) => ['--address', network])], {
      clock: Date,
      config: (mode) => readConfig({ COFRE_DATA_DIR: dataDir }, mode),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
    })
    return { privateKey, id: (JSON.parse(output) as { readonly key: string }).key }
  }

  /** The answers to requests of that key, each with an `X-Forwarded-For`, by its text. */
  async function answers(
    networks: readonly string[],
    trusted: string | undefined,
    forwarded: readonly (string | undefined)[],
  ) {
    const { id, privateKey } = await keyFrom(networks)
    const ports = await freePorts('OPERATOR', 'VAULT', 'VAULT_SERVICE')
    const environ = {
      COFRE_DATA_DIR: dataDir,
      ...ports,
      ...(trusted !== undefined && { COFRE_TRUSTED_PROXIES: trusted }),
    }
    const config = readConfig(environ, 'serve')
    const running = await startCofre(config, ['vault', 'operator'], pino({ enabled: false }))
    try {
      const url = `http://127.0.0.1:${ports.COFRE_OPERATOR_PORT}/sandbox/stores`
      const statuses: unknown[] = []
      for (const each of forwarded) {
        const headers = {
          ...signed(url, id, privateKey),
          ...(each !== undefined && { 'X-Forwarded-For': each }),
        }
        const answer = await fetch(url, { headers })
        const body = (await answer.json()) as { readonly errors?: readonly object[] }
        statuses.push(body.errors?.[0] ?? answer.status)
      }
      return statuses
    } finally {
      await running.close()
    }
  }

  // The tests' own connection is the proxy's, inside the key's networks.
  const NETWORKS = ['127.0.0.0/8', '10.0.0.0/8', '2001:db8::/32']

  it('is used from its networks, also behind a proxy that names the client', async () => {
    const inside = ['10.1.2.3', '10.1.2.3:51234', '203.0.113.9, 10.1.2.3', '[2001:db8::1]:443']
    const outside = ['203.0.113.9', '203.0.113.9:51234', '[2001:db9::1]:443', '10.1.2.3, 11.0.0.1']
    const answered = await answers(NETWORKS, '127.0.0.1', [...inside, ...outside])
    expect(answered).toMatchObject([
      ...inside.map(() => 200),
      ...outside.map(() => ADDRESS_REFUSED),
    ])
  })

  it('is refused where only a proxy’s address is known', async () => {
    const hidden = [undefined, 'unknown', '127.0.0.1']
    const answered = await answers(NETWORKS, '127.0.0.1', hidden)
    expect(answered).toMatchObject(hidden.map(() => ADDRESS_REFUSED))
  })

  it('is refused behind a proxy that nobody named', async () => {
    const answered = await answers(NETWORKS, undefined, ['10.1.2.3', undefined])
    expect(answered).toMatchObject([ADDRESS_REFUSED, 200])
  })

  it('needs no known client where any address may use it', async () => {
    expect(await answers([], undefined, ['203.0.113.9'])).toEqual([200])
  })
})

function signed(url: string, id: string, key: KeyObject): Record<string, string> {
  const created = Math.floor(Date.now() / SECOND_MS)
  const nonce = randomBytes(16).toString('base64url')
  const covered = `("@method" "@target-uri");created=${created};keyid="${id}";nonce="${nonce}";alg="ed25519"`
  const base = `"@method": GET\n"@target-uri": ${url}\n"@signature-params": ${covered}`
  return {
    Accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
    'Signature-Input': `cofre=${covered}`,
    Signature: `cofre=:${sign(null, Buffer.from(base), key).toString('base64')}:`,
  }
}
