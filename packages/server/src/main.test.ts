import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS, Secret, minorUnits } from '@cofre/contracts'
import { createSandboxAcquirer } from '@cofre/sandbox'
import { KeyRingError, type Vault, createVault, openVaultDatabase } from '@cofre/vault'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from './commands/line/command.js'
import { readConfig } from './config/config.js'
import { productVersion } from './config/product-version.js'
import { runProgram } from './main.js'
import { SetupError } from './config/errors.js'
import { openVaultKeys } from './installation/keys.js'

const TEST_CARD = { number: '4111111111111111', cvv: '917', month: '12', year: '2030' }

interface Ran {
  readonly output: string
  readonly failed: boolean
}

describe('The cofre command', () => {
  let dataDir: string
  let nowMs = Date.UTC(2026, 10, 21)

  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-command-'))
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const clock = { now: () => nowMs++ }
  const configOf = (environ: Record<string, string>) =>
    readConfig({ COFRE_DATA_DIR: dataDir, ...environ }, 'dev')

  async function cofre(line: string, environ: Record<string, string> = {}): Promise<Ran> {
    let output = ''
    let failed = false
    await runProgram(line.split(' ').filter(Boolean), {
      clock,
      config: () => configOf(environ),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => (failed = true),
    })
    return { output, failed }
  }

  /** Starts a vault with this configuration, uses it and stops it. */
  async function useVault<T>(
    environ: Record<string, string>,
    use: (vault: Vault) => Promise<T>,
  ): Promise<T> {
    const config = configOf(environ)
    const { keys } = await openVaultKeys(config)
    const database = await openVaultDatabase(config.databaseUrls.vault)
    const vault = createVault({
      database,
      keys,
      played: { sandbox: createSandboxAcquirer() },
      clock,
      log: pino({ enabled: false }),
    })
    try {
      return await use(vault)
    } finally {
      await database.close()
    }
  }

  /** Starts a vault, so that a key exists and wraps a data key. */
  const startVault = (environ: Record<string, string> = {}) =>
    useVault(environ, (vault) => vault.openSession())

  const statusOf = async (environ: Record<string, string> = {}) =>
    JSON.parse((await cofre('keys status --json', environ)).output) as {
      id: string
      state: string
      dataKeys: number
    }[]

  const keyFile = () => readFileSync(path.join(dataDir, 'vault-keys'), 'utf8').trim()

  it.each([
    ['', 'Usage: cofre'],
    ['help', 'Usage: cofre'],
    ['--help', 'Exit codes: 0 done, 1 failed, 2'],
    ['-h', 'cofre block 529.982.247-25 --sandbox'],
    ['serve --help', 'api,sandbox,vault,worker,notices)'],
    ['keys --help', 'cofre keys split --shares 5 --threshold 3'],
    ['cards --help', 'cofre cards delete'],
    ['audit --help', 'cofre audit verify'],
    ['help block', 'cofre block 529.982.247-25 --sandbox'],
    ['help store set', 'Usage: cofre store set'],
    ['--version', `${productVersion()}\n`],
  ])('helps with %j', async (line, text) => {
    expect((await cofre(line)).output).toContain(text)
  })

  it.each([
    ['nope', "unknown command 'nope'"],
    ['dev now', 'too many arguments'],
    ['dev --roles api', 'unknown option'],
    ['serve --roles api,demo', 'There is no role demo: one or more of api'],
    ['block', 'missing required argument'],
    ['block 123', 'A payer is a valid CPF'],
    ['block maria@example.com joao@example.com', 'too many arguments'],
    ['keys', 'needs the name of one of its own commands: status, rotate, rewrap, retire, split'],
    [
      'store',
      'commands: create, list, set, interest, rotate, notification-secret, enable, disable, log',
    ],
    ['store set loja', 'needs what to set: --name, --raw-cards, --refunds, --rules'],
    ['store set loja --rules none', 'Allowed choices are specification, lenient.'],
    ['store set loja --name \t', 'A name is 1 to 100 visible characters, and not a card number.'],
    ['store set loja --name 4111111111111111', 'and not a card number.'],
    ...['0', '-1', '1.5', '100001', '1e3', 'none', ''].map((limit): [string, string] => [
      `store set a --payer-declines=${limit}`,
      'from 1 to 100000',
    ]),
    ['store set loja --name \u001b[31mred', "'?[31mred'"],
    ['store log --limit 0', 'It takes a whole number from 1'],
    ['serve --roles ,', 'A role is missing: one or more of api'],
    ['keys split --shares 3', "'--threshold <k>' not specified"],
    ['keys split --shares 3 --threshold 4', '--threshold is at least 2'],
    ['keys split --shares x --threshold 2', 'It takes a whole number.'],
    ['audit verify --head 12', 'A head is a number'],
    ['cards delete 4111111111111111 --store store-1', 'A code has 32 letters and digits.'],
    ['cards delete 7Jq1xk0vXPtFz8mC3sLwYd5RbN2aGhEu', "'--store <id>' not specified"],
    ['audit list --limit 0', 'It takes a whole number from 1'],
    ['audit list --since yesterday', 'It takes a time'],
  ])('refuses %j', async (line, text) => {
    await expect(cofre(line)).rejects.toThrow(UsageError)
    await expect(cofre(line)).rejects.toThrow(text)
  })

  it.each([
    ['nope', 'cofre --help'],
    ['serve --roles nope', 'cofre serve --help'],
    ['keys', 'cofre keys --help'],
    ['keys retire', 'cofre keys retire --help'],
    ['keys split --shares 3 --threshold 4', 'cofre keys split --help'],
  ])('points to the help of the command: %s', async (line, help) => {
    await expect(cofre(line)).rejects.toMatchObject({ help })
  })

  it.each(['keys status', 'keys rotate', 'audit verify'])(
    'makes no vault where there is none: %s',
    async (line) => {
      await expect(cofre(line)).rejects.toThrow(SetupError)
    },
  )

  it('makes no key beside a database that wraps something', async () => {
    await startVault()
    const id = (await statusOf())[0]?.id ?? ''
    rmSync(path.join(dataDir, 'vault-keys'))
    await expect(startVault()).rejects.toThrow(`needs the key-encryption key ${id}: restore it`)
    expect(() => keyFile()).toThrow('ENOENT')
  })

  it('rotates the key of a key file, and retires the old one', async () => {
    await startVault()
    const old = (await statusOf())[0]?.id ?? ''
    nowMs += 40 * DAY_MS
    expect((await cofre('keys status')).output).toMatch(/current +1 +since 2026-11-21 \(40 days\)/)
    expect((await cofre('keys rotate')).output).toContain('it wraps 1 data key more now')
    expect(await statusOf()).toMatchObject([
      { state: 'current', dataKeys: 1 },
      { id: old, state: 'older', dataKeys: 0 },
    ])
    expect((await cofre('keys status')).output).toContain('cofre keys retire <id>')
    await expect(cofre('keys retire nobody')).rejects.toThrow('there is no key nobody')
    await cofre(`keys retire ${old}`)
    expect(keyFile()).not.toContain(old)
    const actions = JSON.parse((await cofre('audit list --json')).output) as { action: string }[]
    expect(actions.map(({ action }) => action)).toEqual([
      'key.removed',
      'data_keys.rewrapped',
      'key.added',
    ])
  })

  it('finishes a rotation that was interrupted after the key was added', async () => {
    await startVault()
    const text = keyFile()
    await cofre('keys rotate')
    const [current = ''] = keyFile().split(',')
    rmSync(path.join(dataDir, 'vault.db'))
    writeFileSync(path.join(dataDir, 'vault-keys'), text)
    await startVault()
    writeFileSync(path.join(dataDir, 'vault-keys'), `${current},${text}\n`)
    expect((await cofre('keys status')).output).toContain('run cofre keys rewrap')
    const old = (await statusOf())[1]?.id ?? ''
    await expect(cofre(`keys retire ${old}`)).rejects.toThrow('still wraps 1 data keys')
    expect((await cofre('keys rewrap')).output).toContain('every data key is wrapped')
    expect((await cofre('keys rewrap')).output).toContain('Nothing to do')
    expect(await statusOf()).toMatchObject([{ dataKeys: 1 }, { dataKeys: 0 }])
  })

  it('refuses to rotate when a key is missing, and names it', async () => {
    await startVault()
    const id = (await statusOf())[0]?.id ?? ''
    rmSync(path.join(dataDir, 'vault-keys'))
    writeFileSync(
      path.join(dataDir, 'vault-keys'),
      `other:${Buffer.alloc(32).toString('base64url')}`,
    )
    await expect(cofre('keys rotate')).rejects.toThrow(`needs the key-encryption key ${id}`)
    expect((await cofre('keys status')).output).toContain('MISSING')
  })

  it('prints the new COFRE_VAULT_KEYS, and rewraps once it is set', async () => {
    const old = `old:${Buffer.alloc(32, 1).toString('base64url')}`
    const environ = { COFRE_VAULT_KEYS: old }
    await startVault(environ)
    const { output } = await cofre('keys rotate', environ)
    expect(output).toContain('cofre keys rewrap')
    const entry = /^ {2}([0-9a-f]{8}:[\w-]{43})$/m.exec(output)?.[1] ?? ''
    const both = { COFRE_VAULT_KEYS: `${entry},${old}` }
    await cofre('keys rewrap', both)
    expect(await statusOf({ COFRE_VAULT_KEYS: entry })).toMatchObject([{ dataKeys: 1 }])
    await expect(cofre('keys retire old', both)).rejects.toThrow('remove it from COFRE_VAULT_KEYS')
  })

  it('puts a key into the hands of custodians', async () => {
    await startVault()
    const { output } = await cofre('keys split --shares 5 --threshold 3')
    const shares = output.match(/share-\S+/g) ?? []
    expect(shares).toHaveLength(5)
    const file = path.join(dataDir, 'custodian-5')
    writeFileSync(file, `${shares[4] ?? ''}\n`, { mode: 0o600 })
    const start = { COFRE_VAULT_KEY_SHARES: `${shares[0] ?? ''}, ${shares[2] ?? ''} file:${file}` }
    await startVault(start)
    expect((await cofre('keys rewrap', start)).output).toContain('Done')
    rmSync(path.join(dataDir, 'vault-keys'))
    expect(await statusOf(start)).toMatchObject([{ state: 'current', dataKeys: 1 }])
    await expect(cofre('keys rotate', start)).rejects.toThrow('cofre keys split')
    const tooFew = { COFRE_VAULT_KEY_SHARES: shares.slice(0, 2).join(',') }
    await expect(cofre('keys status', tooFew)).rejects.toThrow(
      'needs the shares of 3 custodians, and 2 came',
    )
    const noFile = { COFRE_VAULT_KEY_SHARES: 'file:/nowhere/share' }
    await expect(cofre('keys status', noFile)).rejects.toThrow(/names cannot be read: .nowhere/)
    expect(JSON.stringify(configOf(start))).not.toContain(shares[0] ?? 'no share')
    if (process.platform === 'win32') return
    chmodSync(file, 0o644)
    await expect(cofre('keys status', start)).rejects.toThrow(`chmod 600 ${file}`)
  })

  it('has custodians from the first start, without a key file', async () => {
    const { output } = await cofre('keys split --shares 2 --threshold 2 --json')
    const { texts } = JSON.parse(output) as { texts: string[] }
    const start = { COFRE_VAULT_KEY_SHARES: texts.join(',') }
    await startVault(start)
    expect(await statusOf(start)).toMatchObject([{ state: 'current', dataKeys: 1 }])
    expect(() => keyFile()).toThrow('ENOENT')
    await expect(cofre('keys rotate', { COFRE_VAULT_KEY_SHARES: texts[0] ?? '' })).rejects.toThrow(
      KeyRingError,
    )
  })

  it('deletes a saved card, and records the operator', async () => {
    const code = await useVault({}, async (vault) => {
      const answer = await vault.authorize({
        environment: 'sandbox',
        merchantId: 'store-1',
        transactionCode: '1',
        source: { kind: 'raw', card: new Secret(TEST_CARD) },
        payerEmail: 'maria@example.com',
        amountMinor: minorUnits(100),
        installments: 1,
        saveCard: true,
      })
      return answer.kind === 'answered' ? answer.savedCard?.code : undefined
    })
    const line = `cards delete ${code} --store`
    for (const wrong of [`${line} store-1`, `${line} store-2 --sandbox`])
      expect(await cofre(wrong)).toMatchObject({ failed: true })
    const deletion = { failed: false, output: `The card ${code} is deleted.\n` }
    expect(await cofre(`${line} store-1 --sandbox`)).toEqual(deletion)
    const repeated = await cofre(`${line} store-1 --sandbox --json`)
    expect(repeated.failed).toBe(true)
    expect(JSON.parse(repeated.output)).toMatchObject({ code, store: 'store-1', deleted: false })
    expect((await cofre('audit list --action saved_card.deleted')).output).toMatch(
      new RegExp(
        `^\\S+Z {2}saved_card\\.deleted {2}${code} {2}deleted {2}by operator:\\S+ in sandbox\n$`,
      ),
    )
  })

  it('verifies the audit log, prints its head and fails when it is broken', async () => {
    await startVault()
    expect((await cofre('audit verify')).output).toBe('The audit log is empty.\n')
    await cofre('keys rotate')
    const whole = await cofre('audit verify')
    expect(whole).toMatchObject({ failed: false })
    const [, head = ''] =
      /^The audit log is intact: 3 entries\.\nHead: (\S+)\n$/.exec(whole.output) ?? []
    expect(await cofre(`audit verify --head ${head}`)).toMatchObject({ failed: false })
    const database = await openVaultDatabase(configOf({}).databaseUrls.vault)
    await database.transact((trx) =>
      trx.updateTable('audit_log').set({ actor: 'nobody' }).where('position', '=', 2).execute(),
    )
    await database.close()
    expect(await cofre('audit verify')).toEqual({
      failed: true,
      output: 'The audit log is broken at entry 2: it was changed or moved.\n',
    })
    expect(JSON.parse((await cofre('audit verify --json')).output)).toEqual({
      kind: 'broken',
      position: 2,
      reason: 'changed',
    })
    expect((await cofre('audit list --action key.added')).output).toMatch(
      /^2026-\S+Z {2}key\.added {2}[0-9a-f]{8} {2}current {2}by \S+\n$/,
    )
  })
})
