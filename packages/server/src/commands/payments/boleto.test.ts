import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { RoomTables } from '../../../../boleto-files/src/sql/boleto-file-tables.js'
import { createReturnFiles } from '@cofre/boleto-files'
import { createChargeRecords } from '@cofre/banks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { openGatewayKeys } from '../../installation/keys.js'
import { openStores } from '@cofre/gateway/upkeep'
import { importReturnFile } from '../../process/providers/return-import.js'
import { createMoneyOfFiles, createSettlements } from '@cofre/settlements'
import { loadSettlementFormats } from '../../process/providers/settlement-formats.js'
import { createInstallation, createMadeUpBank } from '../account/account.fixture.js'

const FILES = new URL('../../../../../test/judges/cnab/', import.meta.url)
const given = (name: string) => readFileSync(new URL(`${name}.ret`, FILES))

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const formats = await loadSettlementFormats()

const linesIn = (database: Database<RoomTables>) =>
  database.reader.selectFrom('boleto_file_lines').select('id').execute()

/** The console's view of a gateway's files. */
function filesIn(database: Parameters<typeof createSettlements>[0]['database']) {
  return createSettlements({
    database,
    environment: 'production',
    clock: Date,
    machineClock: Date,
    randomBelow: randomInt,
    log,
    formats,
    cards: { coverAccounts: () => Promise.resolve() },
  }).settlements
}

/** An installation with an account whose bank answers through files. */
async function openInstallation() {
  const { provider } = createMadeUpBank()
  const installation = createInstallation({ banks: [{ ...provider, answersByFile: true }] })
  const { cofre, environ, time, write } = installation
  await cofre('store create loja-um')
  const config = readConfig(environ, 'dev')
  const keys = await openGatewayKeys(config)
  const clock = { now: () => time.nowMs }
  const addAccount = (id: string, settings: Record<string, string>) =>
    DATABASES.production.use(config, async (database) => {
      const { accounts } = openStores({ environment: 'production', database, keys, clock })
      const account = {
        id,
        merchantId: 'loja-um',
        provider: provider.name,
        kind: 'live',
        label: 'Bradesco da loja',
        settings,
        secrets: { credentials: new Secret('{}'), noticeSecret: new Secret('n'.repeat(32)) },
        certificateUntilMs: undefined,
        lastTest: undefined,
        disabledAtMs: undefined,
        createdAtMs: time.nowMs,
      } as const
      await accounts.create(account, ['boleto'], 'operator:ana')
    })
  await addAccount('bradesco-1', { bank: '237', agency: '1420', agreement: '4466911' })
  const kept = () =>
    DATABASES.production.use(config, async (database) => ({
      lines: await linesIn(database),
      files: (await filesIn(database).files('loja-um', { limit: 9 })).items
        .filter(({ state }) => state !== 'removing')
        .map(({ name, accountId, actor, state }) => ({
          name,
          account_id: accountId,
          actor,
          state,
        })),
    }))
  const file = write('CB.RET', given('cnab400/bradesco'))
  return { ...installation, config, clock, keys, addAccount, kept, file }
}

describe('cofre boleto import', () => {
  it('takes a file in for the account that its header names, once', async () => {
    const { cofre, file, kept } = await openInstallation()
    const first = await cofre(['boleto', 'import', file])
    expect(first.failed).toBe(false)
    expect(first.output).toContain('bank 237, file 42 of 2012-04-11, for the account bradesco-1')
    expect(first.output).toContain(
      'Imported: 7 of 7 lines are new. 7 of 7 lines match no payment here',
    )
    const before = await kept()
    expect(before.lines).toHaveLength(7)
    expect(before.files).toMatchObject([{ name: 'CB.RET', account_id: 'bradesco-1' }])
    const again = await cofre(['boleto', 'import', file])
    expect(again.output).toContain('It was imported before: no line is new.')
    expect(await kept()).toEqual(before)
  })

  it('shows as JSON the result of a dry run, and changes nothing', async () => {
    const { cofre, file, kept } = await openInstallation()
    const { json } = await cofre(['boleto', 'import', file, '--dry-run', '--json'])
    expect(json()).toMatchObject({
      file: 'CB.RET',
      bank: '237',
      layout: 400,
      account: 'bradesco-1',
      store: 'loja-um',
      isTrial: true,
      held: [{ of: 'records', value: 9 }, {}, {}, {}, {}],
      lines: [
        { line: 2, kind: 'registered', code: '02', fee: '2.52', order: null, new: null },
        { line: 3, kind: 'paid', code: '06', paid: '5.00', creditedOn: '2012-04-13' },
        ...Array.from({ length: 5 }, () => ({ kind: 'paid', code: '17', paid: '0.02' })),
      ],
    })
    expect(await kept()).toEqual({ lines: [], files: [] })
  })

  it.each([
    ['a broken file', 'cnab400/retorno_banco_fake', [], 'line 1, column 77, found "999"'],
    ['a file of no account', 'cnab240/caixa', [], 'agreement 043210'],
    ['an account that is none', 'cnab240/caixa', ['--account', 'x'], 'There is no account x'],
    ['a file of another bank', 'cnab240/caixa', ['--account', 'bradesco-1'], 'file is of bank 104'],
  ])('refuses %s as a whole, with a reason', async (_, name, options, why) => {
    const { cofre, write, kept } = await openInstallation()
    const file = write('BAD.RET', given(name))
    const { output, failed } = await cofre(['boleto', 'import', file, ...options])
    expect(failed).toBe(true)
    expect(output).toContain('BAD.RET is refused, and nothing of it is stored.')
    expect(output).toContain(why)
    const { json } = await cofre(['boleto', 'import', file, ...options, '--json'])
    expect(json()).toMatchObject({
      file: 'BAD.RET',
      refused: expect.stringContaining(why) as string,
    })
    expect(await kept()).toEqual({ lines: [], files: [] })
  })

  it('asks which of several accounts a file is for', async () => {
    const { cofre, addAccount, file, kept } = await openInstallation()
    await addAccount('bradesco-2', { bank: '237', account: '0016910' })
    const { output } = await cofre(['boleto', 'import', file])
    expect(output).toContain('--account: bradesco-1, bradesco-2')
    await cofre(['boleto', 'import', file, '--account', 'bradesco-2'])
    expect((await kept()).files).toMatchObject([{ account_id: 'bradesco-2' }])
  })

  it('takes a file for none of the accounts whose agreement is another', async () => {
    const { cofre, addAccount, file, kept } = await openInstallation()
    await addAccount('bradesco-2', { bank: '237', account: '16910', agreement: '4466912' })
    expect((await cofre(['boleto', 'import', file])).failed).toBe(false)
    expect((await kept()).files).toMatchObject([{ account_id: 'bradesco-1' }])
  })

  it('imports a whole file or nothing, even if the file is damaged', async () => {
    const { addAccount, config, clock, keys } = await openInstallation()
    await addAccount('of-any-bank', {})
    const files = ['cnab400/bradesco', 'cnab400/itau', 'cnab240/caixa'].map(given)
    const mutation = fc.record({
      file: fc.constantFrom(...files),
      at: fc.nat(4000),
      removed: fc.nat(3),
      bytes: fc.string({ unit: fc.constantFrom('0', '7', ' ', 'X', '\n'), maxLength: 3 }),
    })
    await DATABASES.production.use(config, async (database) => {
      const time = { database, clock, machineClock: clock, randomBelow: randomInt }
      const money = createMoneyOfFiles({ ...time, formats })
      const tools = { ...time, log, money, charges: createChargeRecords({ ...time, log }) }
      const { accounts } = openStores({ environment: 'production', database, keys, clock })
      const importer = { returnFiles: createReturnFiles(tools), accounts }
      const rows = async () => (await linesIn(database)).length
      await fc.assert(
        fc.asyncProperty(mutation, async ({ file, at, removed, bytes }) => {
          const start = at % file.length
          const rest = file.subarray(start + removed)
          const content = Buffer.concat([file.subarray(0, start), Buffer.from(bytes), rest])
          const before = await rows()
          const end = await importReturnFile(importer, {
            name: 'F.RET',
            content,
            actor: 'operator:ana',
            accountId: 'of-any-bank',
          })
          const news = end.kind === 'taken' ? end.taken.lines.filter(({ isNew }) => isNew) : []
          expect((await rows()) - before).toBe(news.length)
        }),
        { numRuns: 40 },
      )
    })
  })

  it('reports a missing file', async () => {
    const { cofre } = await openInstallation()
    await expect(cofre('boleto import /nowhere/CB.RET')).rejects.toThrow('cannot be read')
  })
})
