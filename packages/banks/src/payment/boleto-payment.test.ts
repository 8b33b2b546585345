import { DAY_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NOW_MS } from '../../../gateway/src/gateway.fixture.js'
import { replaceBankParts } from '../banks.fixture.js'
import type { BankBoleto, BoletoCodes } from '@cofre/provider-kit/bank'
import { OPEN_INTENT_CHECK_AFTER_MS } from '../../../gateway/src/model/transaction/transaction.js'
import type { Disturbance } from './bank-calls.fixture.js'
import {
  ADDRESS,
  type BoletoCall,
  type BoletoGateway,
  boletoRequest,
  codesOf,
  createFakeBoletoBank,
  openBoletoGateway,
} from './boleto-bank.fixture.js'
import { askAfterOpenCharges } from '../../../gateway/src/payment/open-intent-service.js'
import { accountOf } from './pix-bank.fixture.js'
import { stopTime } from '../../../gateway/src/payment/stopped-time.fixture.js'

const KEY = { 'idempotency-key': 'one' }
const UNAVAILABLE = { status: 503, codes: [90006] }

for (const engine of TEST_ENGINES) {
  describe(`a boleto at the bank of an account, on ${engine.name}`, () => {
    let boleto: BoletoGateway
    beforeEach(async () => {
      boleto = await openBoletoGateway(engine)
    })
    afterEach(() => boleto.close())

    const later = async (): Promise<void> => {
      boleto.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS + MINUTE_MS
      await askAfterOpenCharges(boleto.parts)
    }
    const openAtBank = (): number =>
      boleto.bank.boletos.filter(({ state }) => state === 'open' || state === 'issuing').length
    const disturb = (calls: readonly (readonly [BoletoCall, Disturbance])[]): void => {
      for (const [call, disturbance] of calls) boleto.bank.disturb(call, disturbance)
    }

    it('shows what its bank has issued, and is written down with its account', async () => {
      const { status, json } = await boleto.create('order-1')
      const [{ bankId, order }] = boleto.bank.boletos as [(typeof boleto.bank.boletos)[0]]
      const codes = codesOf(order, bankId)
      expect(status).toBe(201)
      expect(json.transaction).toMatchObject({
        'barcode-number': codes.barcode,
        'digitable-line': codes.digitableLine,
        'payment-url': expect.stringContaining('/b/') as string,
      })
      // 2026-11-24 is three days later; eight days after it, it can still be paid.
      expect(order).toMatchObject({
        name: expect.stringMatching(/^[A-Z2-7]{15}$/) as string,
        amountMinor: 10_000,
        dueDate: '2026-11-24',
        payableDays: 8,
        payer: {
          name: 'Maria da Silva',
          document: '52998224725',
          email: 'maria@example.com',
          address: { street: 'Rua das Flores', state: 'PR', postalCode: '80010000' },
        },
      })
      const found = await boleto.find('order-1')
      expect(found).toMatchObject({
        status: 'PENDING',
        open: false,
        expiresAtMs: undefined,
        paymentDetails: { kind: 'boleto', pixCode: codes.pixCode, accountId: 'bank-1' },
      })
      expect(await boleto.details(found!.code)).toMatchObject({
        accountId: 'bank-1',
        method: 'boleto',
        name: order.name,
        state: 'live',
        bankId,
        ourNumber: '1',
        issuedAtMs: NOW_MS,
        dueDate: '2026-11-24',
      })
      expect(boleto.bank.calls).toEqual(['issue'])
    })

    it('is issued again by one of ten that ask at the same moment', async () => {
      boleto.bank.disturb('issue', 'cut-before')
      expect(await boleto.create('order-1')).toMatchObject(UNAVAILABLE)
      boleto.time.nowMs += MINUTE_MS
      await Promise.all(Array.from({ length: 10 }, () => boleto.create('order-1')))
      expect(boleto.bank.boletos).toHaveLength(1)
    })

    // The rest are rules of the service; other suites run its statements on PostgreSQL.
    if (engine.name === 'postgres') return

    it('may be paid for longer when it is due on a day without banks', async () => {
      boleto.time.nowMs += DAY_MS * 26
      await boleto.create('order-1')
      // 2026-12-20 is a Sunday.
      expect(boleto.bank.boletos[0]?.order).toMatchObject({ dueDate: '2026-12-20', payableDays: 9 })
    })

    it('is read for eight seconds until it is issued', async () => {
      boleto.bank.settings.takenAs = 'issuing'
      boleto.pauses.meanwhile = () => {
        if (boleto.pauses.taken.length === 3) boleto.bank.decide('open')
      }
      const { status, json } = await boleto.create('order-1')
      expect(status).toBe(201)
      expect(json.transaction).toMatchObject({ 'barcode-number': expect.any(String) as string })
      expect(boleto.pauses.taken).toEqual([1_000, 2_000, 4_000])
      expect(boleto.bank.calls).toEqual(['issue', 'find', 'find', 'find'])
    })

    it('is answered without codes when it is issued later', async () => {
      boleto.bank.settings.takenAs = 'issuing'
      const { status, json } = await boleto.create('order-1')
      expect(status).toBe(201)
      const transaction = json.transaction as Record<string, unknown>
      expect(transaction['payment-url']).toMatch(/\/b\/\w{16}$/)
      expect(Object.keys(transaction)).not.toContain('barcode-number')
      expect(boleto.time.nowMs - NOW_MS).toBeLessThanOrEqual(8 * SECOND_MS)
      expect(await boleto.find('order-1')).toMatchObject({ status: 'PENDING', open: false })
      expect(openAtBank()).toBe(1)
    })

    it('is read no longer than the shop waits, however slow each read is', async () => {
      stopTime()
      boleto.bank.settings.takenAs = 'issuing'
      const real = { ...boleto.bank.bank }
      boleto.bank.bank.find = async (...of) => {
        vi.advanceTimersByTime(7 * SECOND_MS)
        return await real.find(...of)
      }
      expect((await boleto.create('order-1')).status).toBe(201)
      expect(boleto.bank.calls).toEqual(['issue', 'find'])
    })

    it.each<[string, object | undefined, number[]]>([
      ['none', undefined, [210319]],
      ['one abroad', { ...ADDRESS, country: 'PT' }, [210334]],
      ['a state that is none', { ...ADDRESS, state: 'XX' }, [210330]],
      ['both', { ...ADDRESS, country: 'US', state: 'NY' }, [210330, 210334]],
      ['a short postal code', { ...ADDRESS, 'zip-code': '8001000' }, [210336]],
      ['no street', { ...ADDRESS, street: '' }, [210321]],
    ])('is refused with the address of the payer: %s', async (_, address, codes) => {
      const { payer, ...request } = boletoRequest('order-1')
      const body = { ...request, payer: { ...payer, address } }
      const answer = await boleto.send('POST', '/transactions', { body })
      expect(answer.status).toBe(400)
      expect(answer.codes.toSorted()).toEqual(codes)
      expect(await boleto.find('order-1')).toBeUndefined()
      expect(boleto.bank.calls).toEqual([])
    })

    it("is refused with the minimum when it is below the bank's minimum", async () => {
      const body = boletoRequest('order-1', { amount: 2.49 })
      const headers = { 'accept-language': 'en-US' }
      const answer = await boleto.send('POST', '/transactions', { body, headers })
      expect(answer).toMatchObject({ status: 400, codes: [210204] })
      expect(answer.text).toContain('doesn’t register boletos below R$ 2.50')
      const least = boletoRequest('order-1', { amount: 2.5 })
      expect((await boleto.send('POST', '/transactions', { body: least })).status).toBe(201)
    })

    const useSecond = (second: ReturnType<typeof createFakeBoletoBank>): void => {
      const banks = new Map([
        ['bank-1', boleto.bank.bank],
        ['bank-2', second.bank],
      ])
      replaceBankParts(boleto.parts, { bankOf: ({ id }) => ({ boleto: banks.get(id) }) })
    }

    it('goes to an account whose bank accepts the small amount', async () => {
      const other = createFakeBoletoBank(() => boleto.time.nowMs)
      other.settings.minimumMinor = minorUnits(1)
      useSecond(other)
      await boleto.parts.accounts.create(accountOf('bank-2'), ['boleto'], 'operator:ana')
      const body = boletoRequest('order-1', { amount: 1 })
      expect((await boleto.send('POST', '/transactions', { body })).status).toBe(201)
      expect([boleto.bank.boletos.length, other.boletos.length]).toEqual([0, 1])
    })

    it.each(['refused', 'unavailable', 'failed'] as const)(
      'goes to the next account when the first is %s, under another name',
      async (answer) => {
        const other = createFakeBoletoBank(() => boleto.time.nowMs)
        useSecond(other)
        await boleto.parts.accounts.create(accountOf('bank-2'), ['boleto'], 'operator:ana')
        if (answer === 'failed') boleto.bank.settings.takenAs = 'failed'
        else boleto.bank.disturb('issue', answer)
        expect((await boleto.create('order-1')).status).toBe(201)
        const { code } = (await boleto.find('order-1'))!
        expect(await boleto.details(code)).toMatchObject({
          accountId: 'bank-2',
          name: other.name,
          dueDate: other.boletos[0]?.order.dueDate,
        })
        expect(openAtBank()).toBe(0)
      },
    )

    it('is simulated by the rails if the store has no account', async () => {
      await boleto.parts.accounts.disable('bank-1', 'operator:ana')
      expect((await boleto.create('order-1')).status).toBe(201)
      replaceBankParts(boleto.parts, { rails: { ...boleto.parts.rails, opens: () => false } })
      expect(await boleto.create('order-2')).toMatchObject({ status: 422, codes: [210601] })
      expect(boleto.bank.calls).toEqual([])
    })

    it('is not issued again while the first request may be on its way', async () => {
      boleto.bank.disturb('issue', 'cut-before')
      expect(await boleto.create('order-1', KEY)).toMatchObject(UNAVAILABLE)
      boleto.time.nowMs += MINUTE_MS - 1
      expect(await boleto.create('order-1', KEY)).toMatchObject(UNAVAILABLE)
      expect(boleto.bank.calls.filter((call) => call === 'issue')).toHaveLength(1)
    })

    it('that arrives at the bank after all is cancelled when it is found', async () => {
      boleto.bank.disturb('issue', 'cut-before')
      expect(await boleto.create('order-1')).toMatchObject(UNAVAILABLE)
      const { code } = (await boleto.find('order-1'))!
      const { name } = (await boleto.details(code))!
      await later()
      // A single read proves nothing.
      expect(await boleto.find('order-1')).toMatchObject({ open: true })
      await boleto.bank.bank.issue({ ...boletoOrder, name: name as never })
      await later()
      expect(openAtBank()).toBe(0)
      expect(await boleto.find('order-1')).toMatchObject({ status: 'CANCELLED' })
    })

    it('whose outcome is unknown counts as a surplus when it is paid', async () => {
      disturb([
        ['issue', 'cut-after'],
        ['find', 'cut-after'],
      ])
      await boleto.create('order-1')
      boleto.bank.pay('line')
      await later()
      const { code, status } = (await boleto.find('order-1'))!
      expect(status).toBe('CANCELLED')
      expect((await boleto.details(code))?.payments).toMatchObject([
        { purpose: 'after-the-end', way: 'line', refundStatus: 'KEPT' },
      ])
    })

    it('stays until the bank has cancelled it', async () => {
      disturb([
        ['issue', 'cut-after'],
        ['find', 'cut-after'],
      ])
      await boleto.create('order-1')
      boleto.bank.disturb('cancel', 'unavailable', 'cut-before', 'refused')
      for (let round = 0; round < 3; round++) {
        await later()
        expect(await boleto.find('order-1')).toMatchObject({ open: true })
        boleto.time.nowMs += 60 * MINUTE_MS
      }
      boleto.bank.settings.cancelsAtOnce = false
      await later()
      expect(await boleto.find('order-1')).toMatchObject({ open: true })
      boleto.bank.decide('removed')
      boleto.time.nowMs += 60 * MINUTE_MS
      await later()
      expect(await boleto.find('order-1')).toMatchObject({ status: 'CANCELLED' })
    })

    it.each<[string, Partial<BankBoleto>, Partial<BoletoCodes>]>([
      ['another amount', { amountMinor: minorUnits(1) }, {}],
      ['the barcode of another', {}, { barcode: '0'.repeat(44) }],
      ['no codes at all', {}, { barcode: '', digitableLine: '' }],
      ['another due date in its line', {}, lineDue('2027-01-04')],
    ])('that says something else is cancelled and never shown: %s', async (_, answers, codes) => {
      Object.assign(boleto.bank.settings, { answers, codes })
      expect(await boleto.create('order-1')).toMatchObject(UNAVAILABLE)
      expect(openAtBank()).toBe(0)
      const { code, paymentDetails, status } = (await boleto.find('order-1'))!
      expect({ status, paymentDetails }).toEqual({ status: 'CANCELLED', paymentDetails: undefined })
      const { reason } = (await boleto.details(code))!
      expect(reason).toMatch(/another|digits|differ/)
    })
  })
}

const boletoOrder = {
  amountMinor: minorUnits(10_000),
  dueDate: '2026-11-24',
  payableDays: 8,
  payer: {} as never,
  description: '',
}

function lineDue(dueDate: string): Partial<BoletoCodes> {
  const { barcode, digitableLine } = codesOf(
    { ...boletoOrder, dueDate, name: 'X' as never },
    '1'.repeat(36),
  )
  return { barcode, digitableLine }
}
