import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import type { Finding } from '../../doctor/finding.js'
import { COMPARED_ON, RULES_IN_FORCE } from '../../doctor/rules-in-force.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'
import { UsageError } from '../line/command.js'
import { freePorts } from '../../http/free-port.fixture.js'

const PORTS = await freePorts('API', 'SANDBOX', 'VAULT')

const VAULT_KEY = `k:${Buffer.alloc(32).toString('base64url')}`

describe('The commands of an installation', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-store-'))
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  async function cofre(line: string, environ: Record<string, string> = {}) {
    let output = ''
    let warnings = ''
    let failed = false
    await runProgram(line.split(' '), {
      clock: { now: () => Date.now() },
      config: (mode) => readConfig({ COFRE_DATA_DIR: dataDir, ...PORTS, ...environ }, mode),
      print: (text) => (output += text),
      warn: (text) => (warnings += text),
      fail: () => (failed = true),
    })
    return { output, warnings, failed, json: (): unknown => JSON.parse(output) }
  }

  const fileOf = (name: string): string => readFileSync(path.join(dataDir, name), 'latin1')

  describe('cofre store', () => {
    beforeEach(() => {
      copyMigrated(dataDir)
    })

    it('creates a store and shows its secret once, and nowhere else', async () => {
      const { output } = await cofre('store create loja')
      const secret = /Secret key {2}(\S{43})\n/.exec(output)?.[1] ?? 'none was printed'
      expect((await cofre('store list')).output).toBe(
        'Stores in production; what is not shown is as usual\n\nStore  Name  State    Refunds\nloja   loja  enabled  whole or part\n',
      )
      expect((await cofre('store list --json')).output).not.toContain(secret)
      expect(fileOf('gateway.db') + fileOf('gateway-keys')).not.toContain(secret)
      await expect(cofre('store create loja')).rejects.toThrow(
        'There is a store loja in production',
      )
    })

    it('lists on which day a store last signed as the specification has it', async () => {
      await cofre('store create loja')
      const database = new DatabaseSync(path.join(dataDir, 'gateway.db'))
      const atMs = Date.UTC(2026, 10, 23, 12)
      database.prepare('update merchants set specification_signed_at = ?').run(atMs)
      database.close()
      expect((await cofre('store list')).output).toContain('Authorization, last on 2026-11-23')
      expect((await cofre('store list --json')).json()).toMatchObject([
        { signature: 'any', specificationSignedAt: '2026-11-23T12:00:00.000Z' },
      ])
      await cofre('store set loja --signature rfc9421')
      expect((await cofre('store list')).output).not.toContain('Authorization')
    })

    it('keeps production and sandbox apart', async () => {
      const created = (await cofre('store create --sandbox --json')).json() as Record<
        string,
        string
      >
      expect(created).toMatchObject({
        environment: 'sandbox',
        id: expect.stringMatching(/^store-/) as string,
      })
      expect((await cofre('store list --json')).json()).toEqual([])
      expect((await cofre('store list --sandbox --json')).json()).toMatchObject([
        { id: created.id, enabled: true, rawCards: false, previousSecretUntil: null },
      ])
    })

    it('rotates with a day of grace, or at once', async () => {
      await cofre('store create loja --raw-cards --refunds none')
      const until = (await cofre('store rotate loja --json')).json() as {
        previousSecretUntil: string
      }
      expect(Date.parse(until.previousSecretUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
      expect((await cofre('store list --json')).json()).toMatchObject([
        { rawCards: true, refunds: 'none', previousSecretUntil: until.previousSecretUntil },
      ])
      await cofre('store rotate loja --at-once')
      expect((await cofre('store list --json')).json()).toMatchObject([
        { previousSecretUntil: null },
      ])
    })

    it('disables and enables', async () => {
      await cofre('store create loja')
      expect((await cofre('store disable loja')).output).toBe(
        'The store loja is disabled in production.\n',
      )
      expect((await cofre('store list')).output).toContain('DISABLED')
      await cofre('store enable loja')
      expect((await cofre('store list')).output).not.toContain('DISABLED')
      for (const line of ['store disable nobody', 'store rotate nobody'])
        await expect(cofre(line)).rejects.toThrow('There is no store nobody')
    })

    it('sets what is named, and shows it', async () => {
      await cofre('store create loja --rules lenient')
      const set = (await cofre('store set loja --refunds full --raw-cards on --json')).json()
      expect(set).toEqual({
        id: 'loja',
        environment: 'production',
        changed: {
          rawCards: { from: false, to: true },
          refunds: { from: 'full-and-partial', to: 'full' },
        },
      })
      expect((await cofre('store set loja --card-references refuse --name Um')).output).toBe(
        'Changed the store loja in production: name "loja" -> "Um", refusesCardReferences false -> true.\n',
      )
      expect((await cofre('store set loja --name Um')).output).toContain('is so in production')
      expect((await cofre('store set loja --signature rfc9421')).output).toContain(
        'signature "any" -> "rfc9421"',
      )
      expect((await cofre('store set loja --surplus keep --uncaptured capture')).output).toContain(
        'surplus "refund" -> "keep", uncaptured "void" -> "capture"',
      )
      expect(
        (await cofre('store set loja --payer-declines 5 --bin-declines off')).output,
      ).toContain('payerDeclines "usual" -> 5, binDeclines "usual" -> "off".')
      expect((await cofre('store set loja --payer-declines usual')).output).toContain(
        'payerDeclines 5 -> "usual"',
      )
      const shown = { name: 'Um', rawCards: true, refunds: 'full', rules: 'lenient' }
      expect((await cofre('store list --json')).json()).toMatchObject([
        {
          ...shown,
          refusesCardReferences: true,
          signature: 'rfc9421',
          surplus: 'keep',
          uncaptured: 'capture',
          payerDeclines: 'usual',
          binDeclines: 'off',
        },
      ])
      expect((await cofre('store list')).output).toMatch(
        /loja +Um +enabled .* allowed +lenient +like card numbers: refused +RFC 9421 alone +kept +captured +bin off\n$/,
      )
      await expect(cofre('store set nobody --rules lenient')).rejects.toThrow('no store nobody')
    })

    it('sets what installments cost, from a time on, and shows and logs it', async () => {
      await cofre('store create loja')
      expect((await cofre('store interest loja')).output).toBe(
        'Usual in this installation: 2.99% a month, 1 free of interest\n',
      )
      const set = await cofre('store interest loja --rate 1.99% --free 3 --brand elo')
      expect(set.output).toMatch(
        /^Installments of loja in production, elo {2}1.99% a month, 3 free of interest {2}from \S+Z.\n/,
      )
      await cofre('store interest loja --rate 0.035 --from 2099-01-01')
      expect((await cofre('store interest loja --json')).json()).toMatchObject({
        usual: { monthlyRate: 0.0299, interestFree: 1 },
        interest: [
          { brand: 'elo', monthlyRate: 0.0199, interestFree: 3 },
          { brand: null, monthlyRate: 0.035, from: '2099-01-01T00:00:00.000Z' },
        ],
      })
      await cofre('store interest loja --usual --replace')
      expect((await cofre('store interest loja')).output).toMatch(/all brands +as usual/)
      expect((await cofre('store log loja')).output).toContain('elo: 0.0199 a month, 3 free, from')
    })

    it.each([
      ['--rate 1', 'like 2.99% or 0.0299'],
      ['--rate 101%', 'like 2.99% or 0.0299'],
      ['--rate 1,5', 'like 2.99% or 0.0299'],
      ['--free 3', 'needs --rate'],
      ['--brand elo', 'needs --rate'],
      ['--rate 2% --free 19', 'from 1 to 18'],
      ['--rate 2% --usual', '--usual cannot be combined with'],
      ['--rate 2% --from 2020-01-01', '--from is in the past'],
    ])('refuses interest by %s', async (options, reason) => {
      await cofre('store create loja')
      await expect(cofre(`store interest loja ${options}`)).rejects.toThrow(reason)
    })

    it('offers more than 12 installments if set', async () => {
      await cofre('store create loja')
      expect((await cofre('store set loja --installments 18')).output).toContain(
        'installments 12 -> 18',
      )
      expect((await cofre('store list --json')).json()).toMatchObject([{ installments: 18 }])
      await expect(cofre('store set loja --installments 12')).rejects.toThrow('from 13 to 18')
      expect((await cofre('store set loja --installments usual')).output).toContain('18 -> 12')
    })

    it('sets what saved cards of the sandbox are, and nothing of production', async () => {
      await cofre('store create loja --sandbox --saved-cards own')
      const listed = async () => (await cofre('store list --sandbox --json')).json()
      expect(await listed()).toMatchObject([{ savedCards: 'own' }])
      expect((await cofre('store list --sandbox')).output).toContain('Saved cards')
      expect((await cofre('store set loja --sandbox --saved-cards fixed')).output).toContain(
        'savedCards "own" -> "fixed"',
      )
      expect(await listed()).toMatchObject([{ savedCards: 'fixed' }])
      await cofre('store create loja')
      await expect(cofre('store set loja --saved-cards own')).rejects.toThrow('add --sandbox')
      expect((await cofre('store list --json')).output).not.toContain('savedCards')
    })

    it('sets the handling of unknown fields in the sandbox, but not in production', async () => {
      await cofre('store create loja --sandbox')
      const listed = async () => (await cofre('store list --sandbox --json')).json()
      expect(await listed()).toMatchObject([{ unknownFields: 'say' }])
      expect((await cofre('store set loja --sandbox --unknown-fields refuse')).output).toContain(
        'unknownFields "say" -> "refuse"',
      )
      expect(await listed()).toMatchObject([{ unknownFields: 'refuse' }])
      await cofre('store create loja')
      await expect(cofre('store set loja --unknown-fields refuse')).rejects.toThrow('add --sandbox')
    })

    it('sets the origins of pages with card fields, and shows settings that the vault lacks', async () => {
      await cofre('store create loja --origin https://loja.example --fields-bin show')
      await cofre('store create other')
      const listed = async () => (await cofre('store list --json')).json()
      const shown = { fieldOrigins: ['https://loja.example'], showsBin: true, isAtVault: false }
      const none = { id: 'other', fieldOrigins: [], showsBin: false, isAtVault: true }
      expect(await listed()).toMatchObject([{ id: 'loja', ...shown }, none])
      expect((await cofre('store list')).output).toMatch(
        /\nCard fields of loja: https:\/\/loja\.example \(with the BIN\) \(not at the vault yet\)\n$/,
      )
      const origins =
        '--origin HTTPS://Loja.Example:443/ --origin http://localhost:3000 --origin https://caf\u00e9.example --origin https://loja.example'
      const to = ['https://loja.example', 'http://localhost:3000', 'https://xn--caf-dma.example']
      expect((await cofre(`store set loja ${origins} --fields-bin hide`)).output).toBe(
        `Changed the store loja in production: fieldOrigins ["https://loja.example"] -> ${JSON.stringify(to)}, showsBin true -> false.\n`,
      )
      expect((await cofre(`store set loja ${origins}`)).output).toContain('is so in production')
      expect(await listed()).toMatchObject([{ fieldOrigins: to, showsBin: false }, none])
      expect((await cofre('store log loja --json')).json()).toMatchObject([
        { settings: { fieldOrigins: { from: ['https://loja.example'], to } } },
        { settings: { fieldOrigins: { to: ['https://loja.example'] } } },
      ])
      await cofre('store set loja --origin none --replace')
      expect(await listed()).toMatchObject([{ fieldOrigins: [], isAtVault: false }, none])
      expect((await cofre('store list')).output).toContain(
        'Card fields of loja: no page may show them (not at the vault yet)\n',
      )
    })

    it.each([
      ['https://loja.example/checkout', 'an origin'],
      ['https://loja.example?a', 'an origin'],
      ['https://loja.example#', 'an origin'],
      ['https://maria@loja.example', 'an origin'],
      ['https://*.loja.example', 'an origin'],
      ['https://a;script-src', 'an origin'],
      ['http://loja.example', 'http only on this machine'],
      ['https://[::1]', 'an origin'],
      ['loja.example', 'an origin'],
      ['*', 'an origin'],
      ['data:text/html,x', 'an origin'],
      ['none --origin https://loja.example', 'stands alone'],
      [
        Array.from({ length: 21 }, (_, i) => `https://${i}.example`).join(' --origin '),
        'at most 20',
      ],
    ])('refuses card fields on %s', async (origin, reason) => {
      await cofre('store create loja')
      await expect(cofre(`store set loja --origin ${origin}`)).rejects.toThrow(reason)
      expect((await cofre('store list --json')).json()).toMatchObject([{ fieldOrigins: [] }])
    })

    it('logs who changed which store, and never a secret', async () => {
      const secrets = [
        await cofre('store create loja --json'),
        await cofre('store rotate loja --json'),
      ]
      await cofre('store create another')
      await cofre('store set loja --rules lenient')
      await cofre('store disable loja')
      await cofre('store disable loja')
      await cofre('store log loja')
      const { output } = await cofre('store log loja')
      const by = `by operator:${userInfo().username}`
      expect(output.replaceAll(/\d{4}-\S+Z/g, 'TIME').split('\n')).toEqual([
        `TIME  loja  changed ${by}: enabled true -> false`,
        `TIME  loja  changed ${by}: rules "specification" -> "lenient"`,
        `TIME  loja  rotated ${by}: previousSecretUntil "TIME"`,
        `TIME  loja  created ${by}: name "loja", enabled true, rawCards false, refunds "full-and-partial", rules "specification", refusesCardReferences false, fieldOrigins [], showsBin false`,
        '',
      ])
      for (const made of secrets)
        expect(output).not.toContain((made.json() as { secret: string }).secret)
      const latest = (await cofre('store log --limit 1 --json')).json()
      expect(latest).toMatchObject([
        { store: 'loja', action: 'changed', settings: { enabled: { from: true, to: false } } },
      ])
      await expect(cofre('store log nobody')).rejects.toThrow('There is no store nobody')
    })

    it.each(['store create a/b', 'store create loja --refunds some', 'store rotate'])(
      'refuses %j',
      async (line) => {
        await expect(cofre(line)).rejects.toThrow(UsageError)
      },
    )
  })

  it.each([
    'store list',
    'store list --sandbox',
    'store rotate loja',
    'store disable loja',
    'unblock 529.982.247-25',
  ])('makes no installation where there is none: %s', async (line) => {
    const empty = path.join(dataDir, 'none')
    await expect(cofre(line, { COFRE_DATA_DIR: empty })).rejects.toThrow('no gateway here yet')
    expect(existsSync(empty)).toBe(false)
  })

  it.each(['', ' --sandbox'])(
    'makes no gateway key beside a database that wraps something: store create%s',
    async (option) => {
      copyMigrated(dataDir, ['production', 'sandbox'])
      await cofre(`store create loja${option}`)
      const file = path.join(dataDir, 'gateway-keys')
      rmSync(file)
      for (const line of ['store list', 'store create other', 'store create other --sandbox'])
        await expect(cofre(line)).rejects.toThrow('The gateway key is gone')
      expect(existsSync(file)).toBe(false)
    },
  )

  it.each(['store list', 'migrate', 'block 529.982.247-25', 'audit list'])(
    'warns of a misspelt variable, once and apart from what it prints: %s',
    async (line) => {
      copyMigrated(dataDir)
      await cofre('store create loja')
      const environ = { COFRE_DATBASE_URL: 'postgres://db/x', COFRE_VAULT_KEYS: VAULT_KEY }
      const { output, warnings } = await cofre(line, environ)
      expect(warnings).toBe(
        'cofre: warning: nothing reads the variable COFRE_DATBASE_URL: is COFRE_DATABASE_URL meant?\n',
      )
      expect(output).not.toContain('DATBASE')
    },
  )

  it.each([
    ['production', 'COFRE_DATABASE_URL', 'gateway.db', 'store list'],
    ['vault', 'COFRE_VAULT_DATABASE_URL', 'vault.db', 'migrate --roles vault'],
  ])(
    'names a newer version as what changed the database %s',
    async (name, variable, file, line) => {
      copyMigrated(dataDir)
      const database = new DatabaseSync(path.join(dataDir, file))
      database.exec("insert into kysely_migration values ('9999_newer', '2027-01-01')")
      database.close()
      for (const command of [line, 'migrate'])
        await expect(cofre(command)).rejects.toThrow(
          `The database that ${variable} names has migrations of a newer version: run the newer version, or restore the backup from before its upgrade (9999_newer)`,
        )
      const findings = (await cofre('doctor --json')).json() as Finding[]
      expect(findings.find(({ subject }) => subject === `database ${name}`)?.advice).toMatch(
        /^run the newer version/,
      )
    },
  )

  describe('with a vault alone', () => {
    const ofVault = { COFRE_VAULT_SERVICE_KEY: VAULT_KEY }

    it.each<Record<string, string>>([{}, { COFRE_VAULT_DATABASE_URL: '' }])(
      'makes no gateway: %j',
      async (environ) => {
        const file = path.join(dataDir, 'own.db')
        const vaultOnly = { ...ofVault, COFRE_VAULT_DATABASE_URL: `sqlite:${file}`, ...environ }
        const migrated = (await cofre('migrate --json', vaultOnly)).json()
        expect(migrated).toMatchObject([{ database: 'vault' }])
        for (const line of ['store create loja', 'store create --sandbox', 'block a@example.com'])
          await expect(cofre(line, vaultOnly)).rejects.toThrow('Only a vault is configured here')
        expect(readdirSync(dataDir).filter((name) => name.startsWith('gateway'))).toEqual([])
      },
    )

    it('migrates the roles that are named, and makes stores where a gateway is', async () => {
      const names = async (line: string, environ: Record<string, string> = {}) =>
        ((await cofre(`${line} --json`, environ)).json() as { database: string }[]).map(
          ({ database }) => database,
        )
      expect(await names('migrate --roles api', ofVault)).toEqual(['production', 'sandbox', 'bank'])
      // An existing gateway stays one.
      expect((await cofre('store create loja', ofVault)).output).toContain('Secret key')
      expect(await names('migrate', ofVault)).toHaveLength(4)
      const gateway = { ...ofVault, COFRE_VAULT_SERVICE_URL: 'http://127.0.0.1:9' }
      expect(await names('migrate', gateway)).toEqual(['production', 'sandbox', 'bank'])
      expect((await cofre('migrate --roles metrics')).output).toContain('None of these roles')
    })
  })

  it.each(['keys status', 'audit verify', `cards delete ${'a'.repeat(32)} --store loja`])(
    'names the place of the vault on a machine with only a gateway: %s',
    async (line) => {
      const url = 'http://10.0.0.5:8086'
      const gateway = { COFRE_VAULT_SERVICE_KEY: VAULT_KEY, COFRE_VAULT_SERVICE_URL: url }
      await expect(cofre(line, gateway)).rejects.toThrow(
        `The vault is another process (COFRE_VAULT_SERVICE_URL=${url}): run this where that one runs`,
      )
    },
  )

  it('reminds of the key files in a backup, as JSON too', async () => {
    await cofre('store create loja')
    const { output } = await cofre(`backup ${path.join(dataDir, 'text')}`)
    const backup = (await cofre(`backup ${path.join(dataDir, 'json')} --json`)).json() as {
      reminders: string[]
    }
    expect(backup.reminders).toEqual([
      expect.stringMatching(/^The key file .+gateway-keys is not included: keep a copy/),
    ])
    expect(output).toContain(`\n${backup.reminders.join('\n')}\n`)
  })

  it.each(['keys status', 'audit verify', 'store list', 'backup there'])(
    'takes nothing for absent that it may not see: %s',
    async (line) => {
      // Not even root can see a path below a file.
      writeFileSync(path.join(dataDir, 'file'), '')
      const below = { COFRE_DATA_DIR: path.join(dataDir, 'file', 'data') }
      await expect(cofre(line, below)).rejects.toThrow('ENOTDIR')
    },
  )

  it('migrates every database, and reports the changes', async () => {
    const first = (await cofre('migrate --json')).json() as {
      database: string
      applied: string[]
    }[]
    expect(first.map(({ database }) => database)).toEqual([
      'production',
      'sandbox',
      'bank',
      'vault',
    ])
    for (const { applied } of first) expect(applied).not.toEqual([])
    expect((await cofre('migrate')).output).toBe(
      'production: up to date\nsandbox: up to date\nbank: up to date\nvault: up to date\n',
    )
  })

  describe('cofre doctor', () => {
    const examine = async (environ: Record<string, string> = {}, options = '') => {
      const { json, failed } = await cofre(`doctor --json${options}`, environ)
      const findings = json() as Finding[]
      const of = (subject: string) => findings.filter((finding) => finding.subject === subject)
      return { findings, failed, of }
    }

    it('finds nothing wrong with a machine where nothing has run yet, and leaves it so', async () => {
      const { findings, failed } = await examine()
      expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
      expect(failed).toBe(false)
      await expect(cofre('keys status')).rejects.toThrow('There is no vault here yet')
    })

    it('fails on an invalid configuration, and names the variable to set', async () => {
      const { findings, failed } = await examine({ COFRE_API_PORT: 'x' })
      expect(findings).toMatchObject([
        {
          level: 'problem',
          subject: 'configuration',
          advice: 'correct COFRE_API_PORT; see docs/configuration.md',
        },
      ])
      expect(findings[0]?.finding).toContain('COFRE_API_PORT="x" is not usable')
      expect(failed).toBe(true)
    })

    it('lists the rules in force where no configuration can be read', async () => {
      const broken = { COFRE_API_PORT: 'x' }
      const { output, failed } = await cofre('doctor --rules', broken)
      expect(output).toContain(`\nLast compared with their sources on ${COMPARED_ON}.\n`)
      expect(failed).toBe(false)
      const rows = (await cofre('doctor --rules --json', broken)).json()
      expect(rows).toHaveLength(RULES_IN_FORCE.length)
      for (const { rule } of RULES_IN_FORCE) expect(output).toContain(`${rule.en}\n`)
    })

    it('checks the roles of this installation according to the variables, or the named roles', async () => {
      const databases = async (environ: Record<string, string>, options = '') =>
        (await examine(environ, options)).findings
          .filter(
            ({ subject, finding }) =>
              subject.startsWith('database') && finding.includes('does not exist yet'),
          )
          .map(({ subject }) => subject)
      const vault = { COFRE_VAULT_SERVICE_KEY: VAULT_KEY }
      expect(await databases(vault)).toEqual(['database vault'])
      expect(await databases(vault, ' --roles vault,api')).toHaveLength(4)
      const gateway = { ...vault, COFRE_VAULT_SERVICE_URL: 'http://127.0.0.1:9' }
      expect(await databases(gateway)).toEqual([
        'database production',
        'database sandbox',
        'database bank',
      ])
      expect((await examine(gateway)).of('port of vault')).toEqual([])
    })

    it('names misspelt variables', async () => {
      const { of } = await examine({ COFRE_VALUT_PORT: '1' })
      expect(of('configuration')).toMatchObject([
        { level: 'ok' },
        { level: 'warning', finding: expect.stringContaining('COFRE_VAULT_PORT') as string },
      ])
    })

    it('finds a port that another program has', async () => {
      const other = createServer((socket) => socket.destroy())
      await new Promise<void>((resolve) =>
        other.listen(Number(PORTS.COFRE_API_PORT), '127.0.0.1', resolve),
      )
      const { of, failed } = await examine()
      await new Promise((resolve) => other.close(resolve))
      expect(of('port of api')).toMatchObject([{ level: 'problem' }])
      expect(failed).toBe(true)
    })

    it.each([
      ['database production', { COFRE_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/x' }],
      ['database vault', { COFRE_VAULT_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/x' }],
      ['public URL of vault', { COFRE_PUBLIC_VAULT_URL: 'http://vault.example.com' }],
      [
        'vault service',
        {
          COFRE_VAULT_SERVICE_URL: 'http://127.0.0.1:9',
          COFRE_VAULT_SERVICE_KEY: `k:${Buffer.alloc(32).toString('base64url')}`,
        },
      ],
    ])('finds that %s is not as it should be', async (subject, environ) => {
      const { of, failed } = await examine(environ)
      expect(of(subject)).toMatchObject([{ level: 'problem' }])
      expect(failed).toBe(true)
    })

    it('finds a file that is no database', async () => {
      writeFileSync(path.join(dataDir, 'gateway.db'), 'this is no database'.repeat(10))
      expect((await examine()).of('database production')).toMatchObject([{ level: 'problem' }])
    })

    it.each([
      ['production', ''],
      ['sandbox', ' --sandbox'],
    ] as const)(
      'finds that the key of the secrets of the stores of %s is another one, or gone',
      async (environment, option) => {
        copyMigrated(dataDir, [environment])
        await cofre(`store create loja${option}`)
        expect((await examine()).of('gateway key')).toMatchObject([
          {
            level: 'ok',
            finding: `it opens the secrets of the stores of ${environment} (1)`,
          },
        ])
        copyMigrated(dataDir, [environment === 'sandbox' ? 'production' : 'sandbox'])
        expect((await examine()).of('gateway key')).toHaveLength(2)
        const file = path.join(dataDir, 'gateway-keys')
        writeFileSync(file, `other:${Buffer.alloc(32).toString('base64url')}\n`)
        const { of, failed } = await examine()
        expect(failed).toBe(true)
        const found = of('gateway key').filter(({ level }) => level === 'problem')
        expect(found).toHaveLength(1)
        expect(found[0]?.finding).toContain(`in ${environment}, `)
        expect(found[0]?.finding).toContain('needs the gateway key')
        rmSync(file)
        const gone = (await examine()).of('gateway key')
        expect(gone).toMatchObject([{ level: 'problem' }])
        expect(gone[0]?.finding).toContain(`the stores of ${environment}`)
        expect(existsSync(file)).toBe(false)
      },
    )

    it('warns of notifications that may reach a private network', async () => {
      const { of } = await examine({ COFRE_NOTIFY_ALLOW: '10.0.0.0/8:*' })
      expect(of('notifications')).toMatchObject([{ level: 'warning' }])
    })
  })
})
