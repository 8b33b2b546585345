import {
  type AcquirerCharge,
  DAY_MS,
  HOUR_MS,
  SettlementFileError,
  type SettlementLine,
  minorUnits,
  pages,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { APPROVED, MERCHANT, NOW_MS, cardRequest } from '../../gateway/src/gateway.fixture.js'
import { readAll } from '../../search/src/sql/search-index.fixture.js'
import { dayNumberInBrasilia } from '@cofre/gateway/room'
import { SETTLEMENT_RESULTS } from './model/settlement.js'
import { type SettledGateway, openSettled } from './settlements.fixture.js'
import { sweepAccounts } from '../../banks/src/payment/bank-sweep-service.js'
import { applyCardChanges } from '../../gateway/src/payment/card-return-service.js'
import { processRefunds } from '../../gateway/src/payment/refund-service.js'

const TODAY = dayNumberInBrasilia(NOW_MS)
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** A sale of R$ 100,00 with a fee of R$ 3,00. */
const SALE = {
  line: 2,
  kind: 'sale',
  grossMinor: 10_000,
  feeMinor: 300,
  netMinor: 9_700,
  paidOn: dateOf(TODAY),
} as const satisfies SettlementLine

for (const engine of TEST_ENGINES) {
  describe(`money that arrived, on ${engine.name}`, () => {
    let test: SettledGateway
    beforeEach(async () => {
      test = await openSettled(engine)
    })
    afterEach(() => test.close())

    const pay = async (reference: string, charge: Partial<AcquirerCharge> = {}, info = {}) => {
      test.answerCards(() =>
        Promise.resolve({
          ...APPROVED,
          charge: { accountId: 'adyen-1', provider: 'adyen', ...charge },
        }),
      )
      const body = cardRequest(reference, info)
      const { json, status } = await test.send('POST', '/transactions', { body })
      expect(status).toBe(201)
      return Number((json.transaction as { code: string }).code)
    }
    const readIndex = () => readAll(test.database, test.time.nowMs + 10 * 60_000)
    const work = async () => {
      await test.compareAll()
    }
    let uploads = 0
    const upload = async (
      lines: readonly SettlementLine[] | AsyncIterable<SettlementLine>,
      { accountId, sha256, storeId = MERCHANT.id }: Partial<Record<string, string>> = {},
    ) => {
      test.time.nowMs += 1000
      await readIndex()
      const file = {
        storeId,
        format: 'adyen',
        accountId,
        name: 'report.csv',
        actor: 'person:per_1',
      }
      const end = await test.settlements.upload(
        { ...file, format: 'adyen', accountId },
        {
          lines: (async function* () {
            yield* lines
            await Promise.resolve()
          })(),
          read: () => ({ sha256: sha256 ?? `content ${++uploads}`, bytes: 1000 }),
        },
      )
      await work()
      return end
    }
    const shown = async () => {
      const { items } = await test.settlements.lines(MERCHANT.id, {
        results: SETTLEMENT_RESULTS,
        limit: 100,
      })
      return items
        .map(({ line, result, difference, expectedMinor, transactionCode }) =>
          [line, result, difference, expectedMinor, transactionCode]
            .filter((part) => part !== undefined)
            .join(' '),
        )
        .toSorted()
    }

    it('lists a chargeback without a notice, which a person resolves; the payment stays', async () => {
      const code = await pay('order-1')
      const lost = {
        ...SALE,
        kind: 'chargeback',
        grossMinor: -10_000,
        feeMinor: 0,
        netMinor: -10_000,
        transactionCode: String(code),
      } as const
      const end = await upload([lost, { ...lost, line: 3, transactionCode: '99' }])
      expect(await shown()).toEqual([`2 different status ${code}`, '3 unknown 99'])
      const { settlements } = test
      const found = { fileId: end.id, actor: 'person:per_1', note: 'lost at the bank' }
      expect(await settlements.resolve('another', { ...found, line: 2 })).toBe(false)
      expect(await settlements.resolve(MERCHANT.id, { ...found, line: 2 })).toBe(true)
      expect(await settlements.resolve(MERCHANT.id, { ...found, line: 2 })).toBe(false)
      const resolved = [`2 resolved status ${code}`, '3 unknown 99']
      expect(await shown()).toEqual(resolved)
      await settlements.compareAgain(MERCHANT.id, end.id)
      await work()
      expect(await shown()).toEqual(resolved)
      const { items } = await settlements.lines(MERCHANT.id, { results: ['resolved'], limit: 9 })
      expect(items).toMatchObject([{ resolution: { actor: found.actor, note: found.note } }])
      const period = { fromDay: TODAY, untilDay: TODAY + 1 }
      expect(await settlements.days(MERCHANT.id, period)).toMatchObject([{ unsettled: 1 }])
      const after = await test.parts.transactions.findByReference(MERCHANT.id, 'order-1')
      expect(after?.status).toBe('COMPLETE')
    })

    it('matches a sale by each name that a file may have for it', async () => {
      const code = await pay('order-1', {
        paymentId: 'PSP0000000000001',
        nsu: '001234',
        authorizationCode: 'A1B2C3',
      })
      const names: readonly Partial<SettlementLine>[] = [
        { transactionCode: String(code) },
        { reference: 'order-1' },
        { acquirerId: 'psp0000000000001' },
        { nsu: '1234', authorizationCode: 'a1b2c3' },
        { nsu: '001234' },
      ]
      for (const name of names) {
        const end = await upload([{ ...SALE, ...name }])
        expect(await shown(), JSON.stringify(name)).toEqual([`2 matched ${code}`])
        await test.settlements.remove(MERCHANT.id, end.id)
        await work()
        expect(await shown()).toEqual([])
      }
    })

    it('knows no payment of another store, nor another one of the same code', async () => {
      const code = await pay('order-1', { paymentId: 'PSP1', nsu: '77', authorizationCode: 'X' })
      await upload([
        { ...SALE, line: 2, reference: 'order-2' },
        { ...SALE, line: 3, transactionCode: String(code), acquirerId: 'PSP2' },
        { ...SALE, line: 4, nsu: '77', authorizationCode: 'Y' },
        { ...SALE, line: 5, transactionCode: '999999999999999' },
        { ...SALE, line: 6 },
      ])
      expect(await shown()).toEqual([
        '2 unknown',
        `3 unknown ${code}`,
        '4 unknown',
        '5 unknown 999999999999999',
        '6 unknown',
      ])
      await test.gateway.saveMerchant({ ...MERCHANT, id: 'store-2' })
      await upload([{ ...SALE, transactionCode: String(code) }], { storeId: 'store-2' })
      const { items } = await test.settlements.lines('store-2', {
        results: SETTLEMENT_RESULTS,
        limit: 10,
      })
      expect(items.map(({ result }) => result)).toEqual(['unknown'])
    })

    it('shows the difference, and the expected amount', async () => {
      const code = await pay('order-1')
      const others = await pay('order-2', { accountId: 'cielo-1' })
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'declined' }))
      await test.send('POST', '/transactions', { body: cardRequest('order-3') })
      await upload(
        [
          { ...SALE, line: 2, reference: 'order-1', grossMinor: 9_000, netMinor: 8_700 },
          { ...SALE, line: 3, reference: 'order-1', grossMinor: 10_000 },
          { ...SALE, line: 4, reference: 'order-2' },
          { ...SALE, line: 5, reference: 'order-3' },
          { ...SALE, line: 6, reference: 'order-1', kind: 'chargeback', grossMinor: -10_000 },
          { ...SALE, line: 7, reference: 'order-1', kind: 'refund', grossMinor: -500 },
          { ...SALE, line: 8, kind: 'fee', grossMinor: 0, feeMinor: 990, netMinor: -990 },
        ],
        { accountId: 'adyen-1' },
      )
      const declined = await test.find('order-3')
      expect(await shown()).toEqual([
        `2 different amount 10000 ${code}`,
        `3 different paid-twice 0 ${code}`,
        `4 different account ${others}`,
        `5 different status ${declined!.code}`,
        `6 different status ${code}`,
        `7 different no-refund ${code}`,
        '8 no-payment',
      ])
      expect(
        await test.settlements.days(MERCHANT.id, { fromDay: TODAY, untilDay: TODAY + 1 }),
      ).toEqual([
        {
          day: TODAY,
          lines: 7,
          grossMinor: 9_000 + 30_000 - 10_500,
          feeMinor: 6 * 300 + 990,
          netMinor: 8_700 + 5 * 9_700 - 990,
          unsettled: 6,
        },
      ])
    })

    it('matches parts, refunds, chargebacks and their reversals', async () => {
      const code = await pay('order-1', { nsu: '5' }, { installments: 3 })
      const charged = (await test.find('order-1'))!.chargedMinor
      const part = Math.trunc(charged / 3)
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/r', amount: 10 }
      await test.send('POST', '/refunds', { body })
      test.time.nowMs += HOUR_MS
      await processRefunds(test.parts)
      const [refund] = (await test.parts.refunds.findOf([(await test.find('order-1'))!.code])).get(
        (await test.find('order-1'))!.code,
      )!
      expect(refund!.status).toBe('PROCESSED')
      const lines = [1, 2, 3].map((installment) => ({
        ...SALE,
        line: installment + 1,
        reference: 'order-1',
        installment,
        installments: 3,
        grossMinor: installment === 1 ? charged - 2 * part : part,
      }))
      const back = { ...SALE, reference: 'order-1', kind: 'refund' } as const
      await upload([
        ...lines,
        { ...lines[2]!, line: 5, feeMinor: 0 },
        { ...back, line: 6, grossMinor: 0 - refund!.chargedMinor! },
      ])
      expect(await shown()).toEqual([
        `2 matched ${code}`,
        `3 matched ${code}`,
        `4 matched ${code}`,
        `5 different paid-twice 0 ${code}`,
        `6 matched ${code}`,
      ])
    })

    it('counts a line once, whichever files have it', async () => {
      const fee = { ...SALE, kind: 'fee', grossMinor: 0, feeMinor: 100, netMinor: -100 } as const
      const first = await upload([fee, { ...fee, line: 3 }])
      expect(await shown()).toEqual(['2 no-payment', '3 no-payment'])
      const second = await upload([
        { ...fee, line: 5 },
        { ...fee, line: 6 },
        { ...fee, line: 7 },
      ])
      const repeated = ['5 repeated', '6 repeated', '7 no-payment']
      expect(await shown()).toEqual(['2 no-payment', '3 no-payment', ...repeated])
      await test.settlements.compareAgain(MERCHANT.id, second.id)
      await work()
      expect(await shown()).toEqual(['2 no-payment', '3 no-payment', ...repeated])
      await test.settlements.remove(MERCHANT.id, first.id)
      await work()
      expect(await shown()).toEqual(['5 no-payment', '6 no-payment', '7 no-payment'])
      const { results } = (await test.settlements.file(MERCHANT.id, second.id))!
      expect(results).toEqual({ 'no-payment': 3 })
    })

    it('takes the same content once, also when it comes twice at once', async () => {
      const [one, other] = await Promise.all([
        upload([SALE], { sha256: 'same' }),
        upload([SALE], { sha256: 'same' }),
      ])
      expect([one.kind, other.kind].toSorted()).toEqual(['known', 'taken'])
      expect(one.id).toBe(other.id)
      await work()
      const { items } = await test.settlements.files(MERCHANT.id, { limit: 10 })
      expect(items.map(({ state, lines }) => [state, lines])).toEqual([['ready', 1]])
    })

    it('keeps all of a file or nothing', async () => {
      const broken = async function* (error: Error) {
        for (let line = 1; line <= 1200; line++) yield { ...SALE, line }
        await Promise.resolve()
        throw error
      }
      const wrong = new SettlementFileError('bad-value', { line: 1201, field: 'gross' })
      const end = await upload(broken(wrong))
      const refusal = { problem: 'bad-value', line: 1201, field: 'gross' }
      expect(end).toEqual({ kind: 'refused', id: end.id, refusal })
      await expect(upload(broken(new Error('the line is cut')))).rejects.toThrow('the line is cut')
      await work()
      expect(await shown()).toEqual([])
      const { items } = await test.settlements.files(MERCHANT.id, { limit: 10 })
      expect(items.map(({ state, refusal: why }) => [state, why])).toEqual([['refused', refusal]])
      const { count } = await test.own.reader
        .selectFrom('settlement_lines')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      expect(count).toBe(0)
      expect(await test.settlements.remove(MERCHANT.id, end.id)).toBe(true)
      await work()
      const left = await test.settlements.files(MERCHANT.id, { limit: 10 })
      expect(left.items).toEqual([])
    })

    it('hides a file whose reader was killed, and reports it an hour later', async () => {
      const file = {
        id: 5,
        storeId: MERCHANT.id,
        format: 'adyen',
        accountId: undefined,
        name: 'report.csv',
        actor: 'person:per_1',
        uploadedAtMs: NOW_MS,
      } as const
      await test.settlementFiles.begin(file)
      await test.settlementFiles.insertLines(file, [SALE])
      await work()
      expect(await shown()).toEqual([])
      test.time.nowMs += HOUR_MS + 1
      await work()
      const [kept] = (await test.settlements.files(MERCHANT.id, { limit: 10 })).items
      expect(kept).toMatchObject({ state: 'refused', refusal: { problem: 'interrupted' } })
      await expect(test.settlementFiles.insertLines(file, [SALE])).rejects.toThrow()
      const read = { sha256: 'a', bytes: 1, atMs: NOW_MS }
      expect(await test.settlementFiles.finish(file, read)).toBe('gone')
    })

    it('leaves the files of another store alone', async () => {
      const { id } = await upload([SALE])
      const { settlements } = test
      expect(await settlements.file('store-2', id)).toBeUndefined()
      expect(await settlements.remove('store-2', id)).toBe(false)
      expect(await settlements.compareAgain('store-2', id)).toBe(false)
      const of = { results: SETTLEMENT_RESULTS, limit: 10 }
      expect((await settlements.lines('store-2', { ...of, fileId: id })).items).toEqual([])
      expect((await settlements.lines(MERCHANT.id, { ...of, fileId: id })).items).toHaveLength(1)
    })

    it('pages through lines, each once', async () => {
      const lines = Array.from({ length: 25 }, (_, i) => ({
        ...SALE,
        line: i + 1,
        paidOn: dateOf(TODAY - (i % 3)),
        reference: `order-${i}`,
      }))
      const { id } = await upload(lines)
      for (const fileId of [undefined, id]) {
        const query = { results: ['different', 'unknown'], fileId, limit: 10 } as const
        const seen: number[] = []
        for await (const { line } of pages((after: string | undefined) =>
          test.settlements.lines(MERCHANT.id, { ...query, after }),
        ))
          seen.push(line)
        expect(seen).toHaveLength(25)
        expect(new Set(seen).size).toBe(25)
      }
      const all: unknown[] = []
      const period = { fromDay: TODAY, untilDay: TODAY + 1 }
      const query = { results: ['unknown'], period } as const
      for await (const line of test.settlements.allLines(MERCHANT.id, query)) all.push(line)
      expect(all).toHaveLength(9)
    })

    it('misses a paid card that no file of its account has after 35 days', async () => {
      const code = await pay('order-1', { accountId: 'adyen-1' })
      await pay('order-2', { accountId: 'adyen-1' })
      await pay('order-3', { accountId: 'cielo-1' })
      const missing = async () =>
        (await test.settlements.missing(MERCHANT.id, { limit: 10 })).items
          .map(({ reference, accountId }) => `${reference} ${accountId}`)
          .toSorted()
      expect(await missing()).toEqual([])
      const fee = { ...SALE, kind: 'fee' } as const
      const uploadDays = (from: number, until: number) =>
        upload(
          [
            { ...fee, paidOn: dateOf(TODAY + from) },
            { ...fee, line: 3, paidOn: dateOf(TODAY + until) },
          ],
          {
            accountId: 'adyen-1',
          },
        )
      test.time.nowMs += 60 * DAY_MS
      await uploadDays(-10, 34)
      expect(await missing()).toEqual([])
      // Days without an upload are unknown.
      await uploadDays(43, 50)
      expect(await missing()).toEqual([])
      await uploadDays(35, 36)
      expect(await missing()).toEqual(['order-1 adyen-1', 'order-2 adyen-1'])
      const found = { ...SALE, transactionCode: String(code), line: 9 }
      await upload([found], { accountId: 'adyen-1' })
      expect(await missing()).toEqual(['order-2 adyen-1'])
      const all: unknown[] = []
      for await (const one of test.settlements.allMissing(MERCHANT.id)) all.push(one)
      expect(all).toHaveLength(1)
      await test.parts.transactions.changeStatus((await test.find('order-2'))!.code, {
        to: 'REFUNDED',
        atMs: NOW_MS,
      })
      expect(await missing()).toEqual([])
    })

    it.each(['1999-12-31', '2026-11-25', '9999-12-31'])(
      'refuses a file with a line of %s',
      async (paidOn) => {
        const end = await upload([SALE, { ...SALE, line: 3, paidOn }])
        expect(end).toMatchObject({ kind: 'refused', refusal: { problem: 'bad-value', line: 3 } })
      },
    )

    it('takes each refund and each chargeback for one line', async () => {
      const code = await pay('order-1')
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/r', amount: 10 }
      await test.send('POST', '/refunds', { body })
      test.time.nowMs += HOUR_MS
      await processRefunds(test.parts)
      const back = { ...SALE, reference: 'order-1', kind: 'refund', grossMinor: -1_000 } as const
      await upload([back, { ...back, line: 3 }])
      await upload([{ ...back, line: 4, netMinor: -1_000, feeMinor: 0 }])
      expect(await shown()).toEqual([
        `2 matched ${code}`,
        `3 different no-refund ${code}`,
        `4 different no-refund ${code}`,
      ])
      test.changes.push({
        transactionCode: String(code),
        atMs: NOW_MS,
        id: 'change-1',
        change: { kind: 'charged_back', amountMinor: minorUnits(10_000) },
      })
      await applyCardChanges(test.parts, AbortSignal.abort())
      const taken = {
        ...SALE,
        reference: 'order-1',
        kind: 'chargeback',
        grossMinor: -10_000,
      } as const
      await upload([
        { ...taken, line: 7 },
        { ...taken, line: 8 },
      ])
      expect((await shown()).slice(3)).toEqual([
        `7 matched ${code}`,
        `8 different paid-twice 0 ${code}`,
      ])
      test.changes.push({
        transactionCode: String(code),
        atMs: NOW_MS + HOUR_MS,
        id: 'change-2',
        change: { kind: 'chargeback_reversed', amountMinor: minorUnits(10_000) },
      })
      await applyCardChanges(test.parts, AbortSignal.abort())
      const reversed = { ...SALE, reference: 'order-1', kind: 'chargeback-reversed' } as const
      const end = await upload([
        { ...reversed, line: 7 },
        { ...taken, line: 8, feeMinor: 1 },
      ])
      await test.settlements.compareAgain(MERCHANT.id, end.id)
      await work()
      expect((await shown()).slice(3)).toEqual([
        `7 matched ${code}`,
        `7 matched ${code}`,
        `8 different paid-twice 0 ${code}`,
        `8 matched ${code}`,
      ])
    })

    it('knows the parts of a sale', async () => {
      const code = await pay('order-1', {}, { installments: 3 })
      const part = Math.trunc((await test.find('order-1'))!.chargedMinor / 3)
      const of = (line: number, installment: number, installments: number): SettlementLine => ({
        ...SALE,
        line,
        reference: 'order-1',
        grossMinor: part,
        installment,
        installments,
      })
      await upload([of(2, 1, 4), of(3, 4, 3), of(4, 2, 3)])
      expect(await shown()).toEqual([
        `2 different parts ${code}`,
        `3 different parts ${code}`,
        `4 matched ${code}`,
      ])
    })

    it('knows a sale by its NSU for its time alone, and never before it', async () => {
      const code = await pay('order-1', { nsu: '77' })
      test.time.nowMs += 900 * DAY_MS
      await upload(
        [-1, 0, 720, 721].map((days, i) => ({
          ...SALE,
          line: i + 1,
          nsu: '77',
          feeMinor: i,
          paidOn: dateOf(TODAY + days),
        })),
      )
      expect(await shown()).toEqual([
        '1 unknown',
        `2 matched ${code}`,
        `3 different paid-twice 0 ${code}`,
        '4 unknown',
      ])
    })

    it('compares again what a file that is gone has had before', async () => {
      const code = await pay('order-1')
      const first = await upload([{ ...SALE, reference: 'order-1' }])
      await upload([{ ...SALE, line: 5, reference: 'order-1', feeMinor: 0, netMinor: 10_000 }])
      expect(await shown()).toEqual([`2 matched ${code}`, `5 different paid-twice 0 ${code}`])
      await test.settlements.remove(MERCHANT.id, first.id)
      const days = { fromDay: TODAY, untilDay: TODAY + 1 }
      expect(await test.settlements.days(MERCHANT.id, days)).toMatchObject([{ lines: 1 }])
      await work()
      expect(await shown()).toEqual([`5 matched ${code}`])
    })

    it('counts each line once, whatever runs beside each other', async () => {
      const line = { ...SALE, kind: 'fee' } as const
      const ids: number[] = []
      const settlements = test.settlements
      for (let round = 0; round < 6; round++) {
        const uploads = [1, 2, 3].map((of) => upload([{ ...line, line: of + 1 }]))
        const removing = ids.splice(0, 1).map((id) => settlements.remove(MERCHANT.id, id))
        const workers = [work(), work()]
        ids.push(...(await Promise.all(uploads)).map(({ id }) => id))
        await Promise.all([...removing, ...workers])
      }
      await work()
      const { items } = await settlements.lines(MERCHANT.id, {
        results: SETTLEMENT_RESULTS,
        limit: 100,
      })
      expect(items).toHaveLength(13)
      expect(items.filter(({ result }) => result === 'no-payment')).toHaveLength(1)
      const [day] = await settlements.days(MERCHANT.id, { fromDay: TODAY, untilDay: TODAY + 1 })
      expect(day).toMatchObject({ lines: 1, feeMinor: 300 })
    })

    it('adds up the largest amounts of a large file', async () => {
      const most = { ...SALE, grossMinor: 99_999_999_999, netMinor: 99_999_999_699 }
      await upload(Array.from({ length: 2_000 }, (_, i) => ({ ...most, line: i + 1 })))
      const [day] = await test.settlements.days(MERCHANT.id, {
        fromDay: TODAY,
        untilDay: TODAY + 1,
      })
      expect(day).toMatchObject({ lines: 2_000, grossMinor: 2_000 * 99_999_999_999 })
    })

    it("compares each PIX of a bank's daily list, once", async () => {
      await test.create('pix-1')
      test.bank.pay(10_000)
      await test.create('pix-2')
      test.bank.pay(9_999)
      test.bank.foreign.push({
        endToEndId: 'E11111111202611211200aaaaaaaaaaa',
        amountMinor: SALE.grossMinor as never,
        paidAtMs: NOW_MS,
        refunds: [],
      })
      test.time.nowMs += DAY_MS
      for (let i = 0; i < 10; i++) {
        await sweepAccounts(test.parts)
        test.time.nowMs += HOUR_MS
      }
      test.time.nowMs += DAY_MS
      for (let i = 0; i < 10; i++) {
        await sweepAccounts(test.parts)
        test.time.nowMs += HOUR_MS
      }
      await readIndex()
      await test.work()
      const one = await test.find('pix-1')
      const two = await test.find('pix-2')
      expect((await shown()).map((text) => text.replace(/^\d+ /, '')).toSorted()).toEqual([
        `different surplus 0 ${two!.code}`,
        `matched ${one!.code}`,
        'unknown',
      ])
      const [file] = (await test.settlements.files(MERCHANT.id, { limit: 10 })).items
      expect(file).toMatchObject({ format: 'pix', name: 'Bank of the tests', lines: 3 })
      expect(await test.settlements.remove(MERCHANT.id, file!.id)).toBe(false)
      expect(await test.settlements.compareAgain(MERCHANT.id, file!.id)).toBe(true)
    })
  })
}
