import { Readable } from 'node:stream'
import {
  DAY_MS,
  type SettlementFormat,
  SettlementFileError,
  type SettlementLine,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS } from '../../gateway/src/gateway.fixture.js'
import { dayNumberInBrasilia } from '@cofre/gateway/room'
import { SETTLEMENT_RESULTS } from './model/settlement.js'
import { createSettlementFormats } from './model/settlement-formats.js'
import { type SettledGateway, openSettled } from './settlements.fixture.js'

/** An amount in centavos, a day and the name of a charge on each line. */
async function* readMadeUp(content: AsyncIterable<Uint8Array>): AsyncGenerator<SettlementLine> {
  let text = ''
  for await (const chunk of content) text += Buffer.from(chunk).toString()
  for (const [i, row] of text.split('\n').entries()) {
    const [amount = '', paidOn = '', reference] = row.split(' ')
    const grossMinor = Number(amount)
    if (Number.isNaN(grossMinor)) throw new SettlementFileError('bad-value', { line: i + 1 })
    const money = { grossMinor, feeMinor: 0, netMinor: grossMinor }
    yield { line: i + 1, kind: 'sale', paidOn, reference, ...money }
  }
}

const MADE_UP: SettlementFormat = {
  name: 'made-up',
  titles: { en: 'Made up', 'pt-BR': 'Inventado' },
  daysAhead: 9,
  namesCharges: true,
  loadReader: () => Promise.resolve(readMadeUp),
}

const dayFromNow = (days: number): string =>
  new Date((dayNumberInBrasilia(NOW_MS) + days) * DAY_MS).toISOString().slice(0, 10)

for (const engine of TEST_ENGINES) {
  describe(`a format that only its reader's package knows, on ${engine.name}`, () => {
    const formats = createSettlementFormats([MADE_UP])
    let test: SettledGateway
    beforeEach(async () => {
      test = await openSettled(engine, formats)
    })
    afterEach(() => test.close())

    const uploaded = (format: string) => ({
      storeId: MERCHANT.id,
      format,
      accountId: undefined,
      name: 'payouts.txt',
      actor: 'person:per_1',
    })
    const upload = async (text: string) => {
      const read = await formats.find('made-up')!.loadReader()
      return await test.settlements.upload(uploaded('made-up'), {
        lines: read(Readable.from([Buffer.from(text)]), 'production'),
        read: () => ({ sha256: text, bytes: text.length }),
      })
    }
    const files = async () => (await test.settlements.files(MERCHANT.id, { limit: 10 })).items
    const lines = async () => {
      const asked = { results: SETTLEMENT_RESULTS, limit: 10 }
      return (await test.settlements.lines(MERCHANT.id, asked)).items
    }

    it('is imported, compared by the names of charges, and listed', async () => {
      await test.create('order-1')
      test.bank.pay(10_000)
      const { code } = (await test.find('order-1'))!
      const { txid } = await test.database.reader
        .selectFrom('charge_names')
        .select('txid')
        .where('transaction_code', '=', code)
        .executeTakeFirstOrThrow()
      const end = await upload(`10000 ${dayFromNow(9)} ${txid}`)
      expect(end.kind).toBe('taken')
      expect(await lines()).toMatchObject([{ source: 'made-up', transactionCode: code }])
      expect(await files()).toMatchObject([
        { id: end.id, format: 'made-up', state: 'ready', lines: 1 },
      ])
    })

    it('is refused by its own reader, and past its own days ahead', async () => {
      expect(await upload('word')).toMatchObject({ refusal: { problem: 'bad-value', line: 1 } })
      expect(await upload(`10000 ${dayFromNow(10)}`)).toMatchObject({
        refusal: { problem: 'bad-value', line: 1, field: 'date' },
      })
    })

    it('is refused with an explanation, before anything is stored, if its format is unknown', async () => {
      const content = { lines: Readable.from([]), read: () => ({ sha256: 'x', bytes: 0 }) }
      await expect(test.settlements.upload(uploaded('adyen'), content)).rejects.toThrow(
        'No reader knows settlement files of the format "adyen": use made-up.',
      )
      expect(await files()).toEqual([])
    })

    it('is shown where it was stored, and is compared, after its reader is gone', async () => {
      await upload(`10000 ${dayFromNow(0)}`)
      await test.own.transact((trx) =>
        trx.updateTable('settlement_files').set({ format: 'retired' }).execute(),
      )
      const [file] = await files()
      expect(file).toMatchObject({ format: 'retired', lines: 1 })
      expect(await test.settlements.compareAgain(MERCHANT.id, file!.id)).toBe(true)
      await test.compareAll()
      expect(await lines()).toMatchObject([{ source: 'retired', result: 'unknown' }])
    })
  })
}

describe('the registry of formats', () => {
  it.each([
    ['two of one name', [MADE_UP, MADE_UP]],
    ["the name of banks' lists", [{ ...MADE_UP, name: 'pix' }]],
    ['a name that cannot be stored', [{ ...MADE_UP, name: 'Made up' }]],
  ])('refuses %s', (_, formats) => {
    expect(() => createSettlementFormats(formats)).toThrow(/name|called/)
  })
})
