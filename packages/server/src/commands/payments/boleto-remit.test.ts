import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { loadBanks } from '@cofre/providers'
import type { Database } from '@cofre/sql'
import { describe, expect, it } from 'vitest'
import type { RoomTables } from '../../../../boleto-files/src/sql/boleto-file-tables.js'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { createInstallation } from '../account/account.fixture.js'

const ANSWERS = ['3166-1', '84725-6', '67261', 'Loja Um Ltda.', '11222333000181']
const PAYER = {
  name: 'João da Silva',
  document: '52998224725',
  email: 'joao@example.com',
  address: {
    street: 'Praça da Sé',
    number: '1',
    district: 'Sé',
    city: 'São Paulo',
    state: 'SP',
    postalCode: '01001000',
  },
}

/** An installation whose store has boletos at Sicoob, through files. */
async function openInstallation() {
  const installation = createInstallation({ banks: await loadBanks() })
  const { cofre, dataDir, environ } = installation
  await cofre('store create loja-um')
  const added = await cofre('account add --store loja-um --provider cnab --profile sicoob --json', {
    answers: ANSWERS,
  })
  const { id } = added.json() as { readonly id: string }
  const config = readConfig(environ, 'dev')
  let number = 0
  const boleto = (): Promise<void> =>
    DATABASES.production.use(config, async (database: Database<RoomTables>) => {
      number += 1
      await database.transact(async (trx) => {
        const row = {
          account_id: id,
          number,
          kind: 'register',
          name: String(number).padStart(15, 'A') as never,
          amount: 12_345,
          due_date: '2026-11-30',
          issued_on: '2026-11-22',
          payer: JSON.stringify(PAYER),
          withdrawn: 0,
          file: null,
        } as const
        await trx.insertInto('boleto_instructions').values(row).execute()
        await trx
          .insertInto('boleto_counters')
          .values({ account_id: id, last_number: number, last_file: 0 })
          .onConflict((of) => of.column('account_id').doUpdateSet({ last_number: number }))
          .execute()
      })
    })
  const remit = (name: string, ...options: string[]) => {
    const out = path.join(dataDir, name)
    return cofre(['boleto', 'remit', '--account', id, '--out', out, ...options])
  }
  const read = (name: string): string => readFileSync(path.join(dataDir, name), 'latin1')
  const unsave = () =>
    DATABASES.production.use(config, (database: Database<RoomTables>) =>
      database.transact((trx) =>
        trx.updateTable('boleto_remittances').set({ on_disk: 0 }).execute(),
      ),
    )
  return { ...installation, id, added, boleto, read, remit, unsave }
}

describe('cofre boleto remit', () => {
  it('writes each order for the bank in one file only', async () => {
    const { boleto, id, read, remit } = await openInstallation()
    expect((await remit('0.REM')).output).toContain('Nothing waits')
    await boleto()
    await boleto()
    const { output } = await remit('1.REM')
    expect(output).toContain(`File 1 of the account ${id}`)
    expect(output).toContain('2 boletos to register, 0 to cancel')
    const lines = read('1.REM').split('\r\n')
    expect(lines.map((line) => line.length)).toEqual([400, 400, 400, 400, 0])
    expect(lines[0]).toContain('LOJA UM LTDA.')
    expect(lines[1]).toContain('JOAO DA SILVA')
    const { json } = await remit('2.REM', '--json')
    expect(json()).toEqual({
      account: id,
      environment: 'production',
      file: null,
      late: 0,
      unanswered: 0,
    })
  })

  it('writes the same file again after an interruption, or on request', async () => {
    const { boleto, read, remit, unsave } = await openInstallation()
    await boleto()
    await remit('1.REM')
    await unsave()
    await boleto()
    const { json } = await remit('again.REM', '--json')
    expect(json()).toMatchObject({ file: { sequence: 1, registers: 1, wasWrittenBefore: false } })
    expect(read('again.REM')).toBe(read('1.REM'))
    await remit('2.REM')
    expect(read('2.REM')).not.toBe(read('1.REM'))
    const { output } = await remit('third.REM', '--again', '1')
    expect(output).toContain('It is the same as before: send only one of them.')
    expect(read('third.REM')).toBe(read('1.REM'))
    await expect(remit('fourth.REM', '--again', '9')).rejects.toThrow('has no file 9')
  })

  it('leaves numbers out that the bank may know from before a backup was restored', async () => {
    const { boleto, cofre, id, remit } = await openInstallation()
    await boleto()
    const skipped = await cofre(`boleto skip --account ${id} --numbers 500 --files 3`)
    expect(skipped.output).toContain('its next 500 boleto numbers and 3 file numbers')
    expect((await remit('1.REM', '--json')).json()).toMatchObject({ file: { sequence: 4 } })
  })

  it('overwrites no file, and refuses an unknown account', async () => {
    const { added, cofre, remit, write } = await openInstallation()
    expect(added.json()).toMatchObject({ noticeAddress: null, registered: null })
    write('old.REM', 'x')
    await expect(remit('old.REM')).rejects.toThrow('already exists')
    await expect(cofre('boleto remit --account no --out /tmp/x.REM')).rejects.toThrow(
      'There is no account no',
    )
  })

  it('lets no other user read the names of payers', async () => {
    const { boleto, dataDir, remit } = await openInstallation()
    await boleto()
    await remit('1.REM')
    if (process.platform !== 'win32')
      expect(statSync(path.join(dataDir, '1.REM')).mode & 0o777).toBe(0o600)
  })
})
