// Return files of boletos are compared like files that finance uploads.
import { Readable } from 'node:stream'
import { namedLines, type ReturnLine, settledLines } from '@cofre/provider-kit/bank'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MERCHANT } from '../../gateway/src/gateway.fixture.js'
import { openBoletoGateway } from '../../banks/src/payment/boleto-bank.fixture.js'
import { fileOf, givenFile, returnFilesAt } from '../../boleto-files/src/return-file.fixture.js'
import type { ReturnFileUpload, ReturnFileImport } from '../../boleto-files/src/return-files.js'
import { SETTLEMENT_RESULTS } from './model/settlement.js'
import { withSettlements } from './settlements.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`the money of a return file, on ${engine.name}`, () => {
    const open = () => withSettlements((over) => openBoletoGateway(engine, over))
    let shop: Awaited<ReturnType<typeof open>>
    let name: string
    beforeEach(async () => {
      shop = await open()
      expect((await shop.create('order-1')).status).toBe(201)
      name = shop.bank.name
    })
    afterEach(() => shop.close())

    /** A file whose lines belong to the first order's boleto, unless overridden. */
    const given = (lines: readonly Partial<ReturnLine>[], over: Partial<ReturnFileUpload> = {}) => {
      const named = lines.map((line) => ({ ourNames: [name], ...line }))
      return givenFile(fileOf(named), over)
    }
    const take = (file: ReturnFileUpload): Promise<ReturnFileImport> =>
      returnFilesAt(shop.parts).importFile(file)
    const status = async () => (await shop.find('order-1'))?.status
    const settled = () =>
      shop.settlements.lines(MERCHANT.id, { results: SETTLEMENT_RESULTS, limit: 50 })

    it('is matched with the payment that the file has recorded', async () => {
      await take(given([{ kind: 'registered', code: '02', paidMinor: 0 }, {}]))
      const { items } = await settled()
      expect(items).toMatchObject([
        { kind: 'sale', grossMinor: 10_000, feeMinor: 250, result: 'matched' },
        { kind: 'fee', grossMinor: 0, feeMinor: 250, result: 'no-payment' },
      ])
    })

    it('is only compared if finance uploads it, and again once it is imported', async () => {
      const imported = given([{}])
      const { file, sha256 } = imported
      const named = await namedLines('', file.lines)
      const lines = named.map((line) => ({ line, transactionCode: undefined }))
      const uploaded = {
        storeId: MERCHANT.id,
        accountId: 'bank-1',
        name: 'a.ret',
        actor: 'person:p',
      }
      await shop.settlements.upload(
        { ...uploaded, format: 'cnab' },
        {
          lines: Readable.from(settledLines(lines, { isBankByFile: false, day: '2026-11-20' })),
          read: () => ({ sha256, bytes: 1200 }),
        },
      )
      expect(await status()).toBe('PENDING')
      const { code } = (await shop.find('order-1'))!
      expect((await settled()).items).toMatchObject([
        { result: 'different', difference: 'status', transactionCode: code },
      ])
      await take(imported)
      expect((await settled()).items).toMatchObject([{ result: 'matched', transactionCode: code }])
    })

    it('is refused before any change if a day is in the future', async () => {
      for (const day of ['creditedOn', 'occurredOn']) {
        const file = given([{}, { [day]: '2062-11-21', ourNames: ['X'] }])
        await expect(take(file)).rejects.toMatchObject({ problem: 'bad-value', place: { line: 3 } })
      }
      expect(await status()).toBe('PENDING')
      expect((await settled()).items).toEqual([])
    })
  })
}
