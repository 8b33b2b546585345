import { minorUnits } from '@cofre/contracts'
import { createChargeRecords } from '@cofre/banks'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestMoney } from '../../banks/src/banks.fixture.js'
import type { ReturnLine } from '@cofre/provider-kit/bank'
import {
  type BoletoGateway,
  openBoletoGateway,
} from '../../banks/src/payment/boleto-bank.fixture.js'
import { fileOf, givenFile, returnFilesAt } from './return-file.fixture.js'
import { type ReturnFileUpload, type ReturnFileImport, createReturnFiles } from './return-files.js'
import { createSqlReturnLineStore } from './sql/return-line-store-sql.js'

/** The bank's confirmation on the day after. */
const REGISTERED = {
  kind: 'registered',
  code: '02',
  paidMinor: 0,
  occurredOn: '2026-11-19',
} as const

for (const engine of TEST_ENGINES) {
  describe(`a return file on ${engine.name}`, () => {
    let shop: BoletoGateway
    let arrived: ReturnType<typeof createTestMoney>
    /** The name of the boleto of `order-1`. */
    let name: string

    beforeEach(async () => {
      arrived = createTestMoney()
      shop = await openBoletoGateway(engine, { money: arrived.money })
      name = await createBoleto('order-1')
    })
    afterEach(() => shop.close())

    /** Creates an order by boleto. Returns the boleto's name. */
    async function createBoleto(reference: string): Promise<string> {
      expect((await shop.create(reference)).status).toBe(201)
      return shop.bank.name
    }

    /** A file whose lines belong to the first order's boleto, unless overridden. */
    const given = (lines: readonly Partial<ReturnLine>[], over: Partial<ReturnFileUpload> = {}) => {
      const named = lines.map((line) => ({ ourNames: [name], ...line }))
      return givenFile(fileOf(named), over)
    }
    const take = (file: ReturnFileUpload): Promise<ReturnFileImport> =>
      returnFilesAt(shop.parts).importFile(file)
    const status = async (reference = 'order-1') => (await shop.find(reference))?.status
    const payments = async (reference = 'order-1') =>
      (await shop.details((await shop.find(reference))!.code))!.payments
    const settled = () => arrived.files.flatMap(({ lines }) => lines)
    const notified = async () => {
      const rows = await shop.parts.database.reader
        .selectFrom('notifications')
        .select('status')
        .execute()
      return rows.map((row) => row.status)
    }

    it('pays orders with what was paid for their boletos, and shows money and fees', async () => {
      const { lines } = await take(given([REGISTERED, {}]))
      expect(lines.map(({ isNew }) => isNew)).toEqual([true, true])
      expect(await shop.find('order-1')).toMatchObject({ status: 'COMPLETE' })
      expect(await payments()).toMatchObject([{ amountMinor: 10_000, purpose: 'order' }])
      expect(settled()).toMatchObject([
        { kind: 'fee', grossMinor: 0, feeMinor: 250 },
        {
          kind: 'sale',
          grossMinor: 10_000,
          feeMinor: 250,
          transactionCode: expect.any(String) as string,
        },
      ])
    })

    it('changes nothing when it is repeated, and when another file has the same content', async () => {
      const file = given([REGISTERED, {}])
      const first = await take(file)
      const before = [await shop.find('order-1'), await payments(), await notified()]
      const again = await take(file)
      expect(again.settlementId).toBe(first.settlementId)
      const other = await take(given([{ line: 9, creditedOn: '2026-11-23' }]))
      expect([...again.lines, ...other.lines].map(({ isNew }) => isNew)).toEqual([
        false,
        false,
        false,
      ])
      expect([await shop.find('order-1'), await payments(), await notified()]).toEqual(before)
    })

    it('is imported once by two concurrent processes', async () => {
      const file = given([REGISTERED, {}])
      const both = await Promise.all([take(file), take(file)])
      const news = both.flatMap(({ lines }) => lines.filter(({ isNew }) => isNew))
      expect(news).toHaveLength(2)
      expect(await payments()).toHaveLength(1)
      const sales = settled().filter(({ kind }) => kind === 'sale')
      expect(sales).toHaveLength(1)
    })

    it('finds a boleto by the number that its bank has given it, at its account alone', async () => {
      const returnLines = createSqlReturnLineStore(shop.database)
      const { code } = (await shop.find('order-1'))!
      const { ourNumber = '' } = (await shop.details(code))!
      expect(await returnLines.ofNumbers('bank-1', [ourNumber])).toEqual(
        new Map([[ourNumber, code]]),
      )
      expect(await returnLines.ofNumbers('bank-2', [ourNumber])).toEqual(new Map())
    })

    it('records what a process that was killed has only kept', async () => {
      const file = given([{}])
      const charges = {
        ...createChargeRecords(shop.parts),
        record: () => Promise.reject(new Error('killed')),
      }
      const { unrecorded } = await createReturnFiles({ ...shop.parts, charges }).importFile(file)
      expect(unrecorded).toEqual([(await shop.find('order-1'))?.code])
      expect(await status()).toBe('PENDING')
      await take(file)
      expect(await status()).toBe('COMPLETE')
    })

    it("keeps money that is no order's as surplus", async () => {
      const cases = {
        'another-amount': [[{ paidMinor: 9000 }], 'PENDING', ['other-amount']],
        'twice-on-a-day': [[{}, {}], 'COMPLETE', ['order', 'second-payment']],
        'on-two-days': [
          [{}, { occurredOn: '2026-11-21' }],
          'COMPLETE',
          ['order', 'second-payment'],
        ],
      } as const
      for (const [what, [lines, expected, purposes]] of Object.entries(cases)) {
        const name = await createBoleto(what)
        await take(given(lines.map((line) => ({ ourNames: [name], ourNumber: name, ...line }))))
        expect([what, await status(what)]).toEqual([what, expected])
        const found = (await payments(what)).map(({ purpose }) => purpose)
        expect(found.toSorted()).toEqual(purposes)
      }
    })

    it('ends only orders whose boletos can no longer be paid', async () => {
      const cases = {
        rejected: [{ kind: 'rejected', code: '03', reasons: ['16'] }, 'CANCELLED'],
        'written-off-before-it-was-due': [{ kind: 'written-off', code: '10' }, 'CANCELLED'],
        'written-off-by-its-age': [
          { kind: 'written-off', code: '09', occurredOn: '2026-12-10' },
          'NOT-PAID',
        ],
        registered: [REGISTERED, 'PENDING'],
        'sent-to-a-notary': [{ kind: 'protest', code: '23' }, 'PENDING'],
        'whose-order-was-refused': [{ kind: 'order-refused', code: '27' }, 'PENDING'],
        'of-a-code-that-nobody-knows': [{ kind: 'other', code: '77' }, 'PENDING'],
      } as const
      for (const [what, [line, expected]] of Object.entries(cases)) {
        const name = await createBoleto(what)
        await take(given([{ ourNames: [name], ourNumber: name, paidMinor: 0, ...line }]))
        expect([what, await status(what)]).toEqual([what, expected])
        expect(await payments(what)).toEqual([])
      }
      const ended = (await notified()).filter((to) => to !== 'PENDING')
      expect(ended.toSorted()).toEqual(['CANCELLED', 'CANCELLED', 'NOT-PAID'])
    })

    it('does not end an order for a rejection of what is registered', async () => {
      await take(given([REGISTERED]))
      await take(given([{ kind: 'rejected', code: '03', paidMinor: 0 }]))
      expect(await status()).toBe('PENDING')
    })

    it('pays no order of a boleto that was paid after it was written off', async () => {
      await take(given([{ kind: 'written-off', code: '10', paidMinor: 0 }]))
      await take(given([{ code: '17', occurredOn: '2026-11-21' }]))
      expect(await status()).toBe('CANCELLED')
      expect(await payments()).toMatchObject([{ purpose: 'after-the-end' }])
    })

    it('leaves an order with a reversed payment as it is, and warns of it once', async () => {
      const warn = vi.spyOn(shop.parts.log, 'warn')
      const file = given([{}, { kind: 'reversed', code: '40' }])
      await take(file)
      await take(file)
      expect(await status()).toBe('COMPLETE')
      const { code } = (await shop.find('order-1'))!
      const facts = { transaction: code, account: 'bank-1', line: 3 }
      expect(warn.mock.calls).toEqual([
        [facts, 'bank reversed a boleto payment; decide whether to ship'],
      ])
    })

    it('keeps and shows a line that belongs to no payment', async () => {
      const stranger = {
        ourNames: ['12530/01'],
        ourNumber: '55',
        paidMinor: 7700,
        titleMinor: 7700,
      }
      const { lines } = await take(given([stranger, { ...stranger, ...REGISTERED, feeMinor: 0 }]))
      expect(lines.map(({ transactionCode }) => transactionCode)).toEqual([undefined, undefined])
      expect(settled()).toMatchObject([
        { kind: 'sale', grossMinor: 7700, transactionCode: undefined, reference: '12530/01' },
        { kind: 'other', grossMinor: 0, transactionCode: undefined, reference: '12530/01' },
      ])
    })

    it('knows a boleto by the number that an earlier line has given it', async () => {
      await take(given([REGISTERED]))
      await take(given([{ ourNames: [] }]))
      expect(await status()).toBe('COMPLETE')
    })

    it('knows a boleto by the number that another line of the same file has given it', async () => {
      await take(given([{ ourNames: [] }, REGISTERED]))
      expect(await status()).toBe('COMPLETE')
    })

    it('knows a boleto by the number that its bank has answered, however long the field', async () => {
      const { code } = (await shop.find('order-1'))!
      const { ourNumber = '' } = (await shop.details(code))!
      await take(given([{ ourNames: [], ourNumber: ourNumber.padStart(11, '0') }]))
      expect(await status()).toBe('COMPLETE')
    })

    it.each([
      ['a number whose title has another value', { ourNames: [], titleMinor: 9900 }, {}],
      ['a name of another account', {}, { accountId: 'bank-2' }],
    ])('does not take %s for an order', async (_, line, over) => {
      await shop.parts.accounts.create(
        { ...(await shop.parts.accounts.find('bank-1'))!, id: 'bank-2' },
        ['boleto'],
        'operator:ana',
      )
      await take(given([REGISTERED]))
      const { lines } = await take(given([line], over))
      expect(lines[0]?.transactionCode).toBeUndefined()
      expect(await status()).toBe('PENDING')
    })

    it('pays each order once of a file of many lines', async () => {
      const otherName = await createBoleto('order-2')
      const strangers = Array.from({ length: 1200 }, (_, index) => ({
        ourNames: [`S${index}`],
        ourNumber: String(1000 + index),
        paidMinor: 100 + index,
      }))
      const { lines } = await take(given([...strangers, {}, { ourNames: [otherName] }]))
      expect(lines.filter(({ isNew }) => isNew)).toHaveLength(1202)
      expect([await status(), await status('order-2')]).toEqual(['COMPLETE', 'COMPLETE'])
    })

    it('is a hint where the bank can be asked: it has the boleto read, and pays nothing', async () => {
      await take(given([{}], { isBankByFile: false }))
      expect(await status()).toBe('PENDING')
      const claim = { machineNowMs: shop.time.nowMs, limit: 10, unreadable: () => undefined }
      const looks = await shop.parts.bankCharges.claimReads(claim)
      expect(looks.map(({ accountId }) => accountId)).toEqual(['bank-1'])
    })

    it('counts interest and discounts of the bank as part of what is owed', async () => {
      await take(given([{ paidMinor: 10_150, interestMinor: 150 }]))
      expect(await payments()).toMatchObject([{ amountMinor: minorUnits(10_150) }])
    })
  })
}
