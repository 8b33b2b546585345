import { minorUnits } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRemittances } from './remittances.js'
import { eraseInstructedPayers } from './sql/instruction-store-sql.js'
import type { BoletoBank, BoletoName, BoletoOrder, BoletoFileBank } from '@cofre/provider-kit/bank'
import { boletoOrderOf } from '../../banks/src/payment/boleto-bank.fixture.js'
import { boletosByFile } from './boletos-by-file.js'
import type { RoomTables } from './sql/boleto-file-tables.js'
import {
  type PixGateway,
  accountOf,
  openPixGateway,
} from '../../banks/src/payment/pix-bank.fixture.js'

/** A bank that reads one JSON line for each instruction. */
const FILE_BANK: BoletoFileBank = {
  code: '237',
  numberMax: 40,
  minimumMinor: minorUnits(1),
  receiver: { name: 'Loja Um', city: '' },
  ourNumber: (number) => String(number).padStart(11, '0'),
  freeField: (number) => String(number).padStart(25, '0'),
  remittanceFile: ({ sequence, instructions }) =>
    [String(sequence), ...instructions.map((one) => JSON.stringify(one))].join('\n'),
}
const REFERENCE = { bankId: undefined, dueDate: '2026-11-24' }

const orderOf = (letter: string, over: Partial<BoletoOrder> = {}): BoletoOrder =>
  boletoOrderOf(letter.repeat(15) as BoletoName, over)

for (const engine of TEST_ENGINES) {
  describe(`boletos by file on ${engine.name}`, () => {
    let pix: PixGateway
    let bank: BoletoBank
    beforeEach(async () => {
      pix = await openPixGateway(engine)
      const bankOf = boletosByFile(() => ({ boletoFiles: FILE_BANK }), pix.parts)
      bank = (await bankOf(accountOf('bank-1'))).boleto!
    })
    afterEach(() => pix.close())

    const remittances = () => {
      const { clock, database, machineClock } = pix.parts
      const of = { database, accountId: 'bank-1', bank: FILE_BANK }
      return createRemittances({ ...of, clock, machineClock })
    }
    const nameOf = (letter: string) => ({ ...REFERENCE, name: orderOf(letter).name })
    /** The instructions of the next file, which is then marked as saved. */
    const sent = async () => {
      const file = await remittances().create()
      if (file === undefined) return undefined
      await remittances().saved(file.sequence)
      return file.instructions.map(({ kind, number }) => `${kind} ${number}`)
    }

    it('are reported as unpaid only by return files once the bank knows of them', async () => {
      for (const letter of ['A', 'B']) {
        await bank.issue(orderOf(letter))
        if (letter === 'A') await sent()
      }
      const statesNow = async () => {
        const found = ['A', 'B'].map((letter) => bank.find(nameOf(letter), 'background'))
        return (await Promise.all(found)).map((one) => one.kind === 'done' && one.value.state)
      }
      expect(await statesNow()).toEqual(['open', 'open'])
      pix.time.nowMs = Date.parse('2026-12-05T00:00:00-03:00')
      expect(await statesNow()).toEqual(['not-known', 'open'])
    })

    it('have each its own number, and a line at once', async () => {
      const letters = ['A', 'B', 'C', 'D', 'E']
      const issued = await Promise.all(letters.map((letter) => bank.issue(orderOf(letter))))
      const numbers = issued.map((answer) => answer.kind === 'done' && answer.value.bankId)
      expect(new Set(numbers).size).toBe(5)
      expect(issued[0]).toMatchObject({
        kind: 'done',
        value: {
          state: 'open',
          payments: [],
          codes: { ourNumber: expect.stringMatching(/^0{10}[1-5]$/) as string },
        },
      })
    })

    it('keep their number when they are requested again, and are found by their name', async () => {
      expect(await bank.find(nameOf('A'), 'payer-waits')).toEqual({ kind: 'absent' })
      const first = await bank.issue(orderOf('A'))
      expect(await bank.issue(orderOf('A'))).toEqual(first)
      expect(await bank.find(nameOf('A'), 'background')).toEqual(first)
    })

    it('are refused when the account has used its numbers up, and go to no bank', async () => {
      await remittances().skip({ numbers: 40, files: 0 })
      expect(await bank.issue(orderOf('A'))).toMatchObject({ kind: 'refused' })
      expect(await sent()).toBeUndefined()
    })

    it('come into one file each, however many are made at once', async () => {
      await bank.issue(orderOf('A'))
      await bank.issue(orderOf('B'))
      const made = await Promise.all([remittances().create(), remittances().create()])
      expect(made[0]).toEqual(made[1])
      expect(await sent()).toEqual(['register 1', 'register 2'])
      expect(await sent()).toBeUndefined()
      await bank.issue(orderOf('C'))
      expect(await sent()).toEqual(['register 3'])
    })

    it('are in the same file again until it is saved, and later on request', async () => {
      await bank.issue(orderOf('A'))
      const lost = await remittances().create()
      await bank.issue(orderOf('B'))
      expect(await remittances().create()).toEqual(lost)
      await remittances().saved(1)
      expect(await sent()).toEqual(['register 2'])
      expect(await remittances().again(1)).toEqual({ ...Object(lost), isOnDisk: true })
      expect(await remittances().again(3)).toBeUndefined()
    })

    it('stay in an unsaved file, even if it can no longer be written as before', async () => {
      await bank.issue(orderOf('A'))
      await remittances().create()
      const changed = { ...FILE_BANK, remittanceFile: () => 'of another version' }
      const { clock, database, machineClock } = pix.parts
      const of = { database, accountId: 'bank-1', bank: changed, clock, machineClock }
      const later = createRemittances(of)
      expect(await later.create()).toMatchObject({ sequence: 1, text: 'of another version' })
      await later.saved(1)
      expect(await later.again(1)).toMatchObject({ text: 'of another version' })
    })

    it('go to no bank once they were cancelled before', async () => {
      await bank.issue(orderOf('A'))
      const cancelled = { kind: 'done', value: { state: 'removed' } }
      expect(await bank.cancel(nameOf('A'))).toMatchObject(cancelled)
      expect(await bank.find(nameOf('A'), 'background')).toMatchObject(cancelled)
      expect(await sent()).toBeUndefined()
    })

    it('are cancelled once at a bank that knows of them, and open until it confirms', async () => {
      await bank.issue(orderOf('A'))
      await sent()
      for (const letter of ['A', 'A'])
        expect(await bank.cancel(nameOf(letter))).toMatchObject({ value: { state: 'open' } })
      expect(await sent()).toEqual(['cancel 1'])
      await bank.cancel(nameOf('A'))
      expect(await sent()).toBeUndefined()
    })

    it('are left out, and counted, where they were due before', async () => {
      await bank.issue(orderOf('A', { dueDate: '2026-11-20' }))
      await bank.issue(orderOf('B'))
      expect(await remittances().countLate()).toBe(1)
      expect(await sent()).toEqual(['register 2'])
    })

    it('continue after the numbers that a bank may know', async () => {
      await bank.issue(orderOf('A'))
      await sent()
      await remittances().skip({ numbers: 10, files: 2 })
      await bank.issue(orderOf('B'))
      expect(await remittances().create()).toMatchObject({
        sequence: 4,
        instructions: [{ number: 12 }],
      })
    })

    it('forget a payer with the order, and are then not written again', async () => {
      await bank.issue(orderOf('A'))
      await bank.issue(orderOf('B'))
      await sent()
      await pix.create('order-1')
      const { code } = (await pix.find('order-1'))!
      await pix.parts.database.transact(async (trx) => {
        await trx
          .updateTable('charge_names')
          .set({ txid: orderOf('A').name as never })
          .where('transaction_code', '=', code)
          .execute()
        await eraseInstructedPayers(trx, [code])
      })
      const own: Database<RoomTables> = pix.parts.database
      const rows = await own.reader
        .selectFrom('boleto_instructions')
        .select('payer')
        .orderBy('number')
        .execute()
      expect(rows.map(({ payer }) => payer === null)).toEqual([true, false])
      expect(await remittances().again(1)).toBe('changed')
    })
  })
}
