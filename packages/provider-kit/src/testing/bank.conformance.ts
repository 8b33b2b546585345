// The promises of every bank's connector about opening a PIX or a boleto, tested at its simulator,
// which a driver starts.
import { type Answer, minorUnits } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { endCalls, stopCallTime } from '../../test/call-time.js'
import type { BankNotices, PixBankPayment, PixBankRefund, PixRefundOrder } from '../bank/index.js'
import type { Call, Disturbances } from '../simulator/index.js'

/** A bank's facts about a charge of either kind. */
export interface BankCharge {
  readonly state: string
  readonly amountMinor: number
  readonly payments: readonly PixBankPayment[]
}

/** A connector at its simulator, with empty books. */
export interface SimulatedBank {
  readonly disturbances: Disturbances
  /** Opens the charge of that number; a repetition opens the same charge. */
  open(number: number): Promise<Answer<BankCharge>>
  find(number: number): Promise<Answer<BankCharge>>
  remove(number: number): Promise<Answer<BankCharge>>
  /** Our name of the charge of that number. */
  nameOf(number: number): string
  /** Pays it by PIX. */
  pay(number: number): void
  refund(order: PixRefundOrder): Promise<Answer<PixBankRefund>>
  readonly notices: Pick<BankNotices, 'namesIn'>
  /** The bank's notice about the paid charge of that number. */
  noticeOf(number: number): Promise<unknown>
  /** The number of charges in its books, and the returned amounts. */
  charges(): number
  refunds(): readonly number[]
  close(): Promise<void>
}

export interface BankDriver {
  readonly name: string
  open(): Promise<SimulatedBank>
  /** Recognizes the calls for charges, and for returns. */
  readonly isOpening: (call: Call) => boolean
  readonly isRefund: (call: Call) => boolean
}

const CHARGED = 12_990

export function describeBank(driver: BankDriver): void {
  describe(`${driver.name}, as every bank`, () => {
    let at: SimulatedBank
    beforeEach(async () => {
      at = await driver.open()
    })
    afterEach(() => at.close())

    async function paid(number: number): Promise<string> {
      await at.open(number)
      at.pay(number)
      const found = await at.find(number)
      const [payment] = found.kind === 'done' ? found.value.payments : []
      return payment?.endToEndId ?? ''
    }

    it('opens a charge, finds it as it is, and removes it', async () => {
      expect(await at.find(1)).toEqual({ kind: 'absent' })
      const open = { kind: 'done', value: { state: 'open', amountMinor: CHARGED, payments: [] } }
      await at.open(1)
      expect(await at.find(1)).toMatchObject(open)
      expect(await at.remove(1)).toMatchObject({ kind: 'done', value: { state: 'removed' } })
    })

    it('opens a charge once that is requested twice', async () => {
      expect(await at.open(1)).toMatchObject({ kind: 'done' })
      expect(await at.open(1)).toMatchObject({ kind: 'done' })
      expect(at.charges()).toBe(1)
    })

    it.each(['before', 'after'] as const)(
      'opens once when its answer is cut %s it has booked',
      async (when) => {
        at.disturbances.add({ effect: { kind: 'cut', when }, on: driver.isOpening })
        const first = await at.open(1)
        if (first.kind !== 'done') expect(first).toMatchObject({ kind: 'unknown' })
        expect(await at.open(1)).toMatchObject({ kind: 'done' })
        expect(at.charges()).toBe(1)
      },
    )

    it('opens a charge once that takes too long', async () => {
      onTestFinished(stopCallTime())
      at.disturbances.add({ effect: { kind: 'late', delayMs: 400 }, on: driver.isOpening })
      const asked = at.open(1)
      await expect.poll(() => at.charges()).toBe(1)
      endCalls()
      expect(['done', 'unknown']).toContain((await asked).kind)
      expect(await at.open(1)).toMatchObject({ kind: 'done' })
      expect(at.charges()).toBe(1)
    })

    it.each([
      ['finds the request wrong', 400, { kind: 'refused' }],
      ['wants fewer calls', 429, { kind: 'not-sent', cause: 'limited' }],
    ] as const)('opens nothing where the bank %s', async (_, status, expected) => {
      const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '7' }
      const body = JSON.stringify({ title: 'wrong', status, detail: 'a field is wrong' })
      const effect = { kind: 'answer', status, headers, body } as const
      at.disturbances.add({ effect, on: driver.isOpening })
      expect(await at.open(1)).toMatchObject(expected)
      expect(at.charges()).toBe(0)
    })

    it('reports payments, and names the charge of its notice', async () => {
      const endToEndId = await paid(1)
      expect(await at.find(1)).toMatchObject({
        value: { state: 'paid', payments: [{ endToEndId, amountMinor: CHARGED, refunds: [] }] },
      })
      expect(at.notices.namesIn(await at.noticeOf(1))).toEqual([at.nameOf(1)])
      for (const body of [undefined, null, 'text', 7, {}])
        expect(at.notices.namesIn(body) ?? []).toEqual([])
    })

    it('returns money once under one name, also when its answer is lost', async () => {
      const refund = { endToEndId: await paid(1), refundId: 'r1', amountMinor: minorUnits(990) }
      at.disturbances.add({ effect: { kind: 'cut', when: 'after' }, on: driver.isRefund })
      const first = await at.refund(refund)
      if (first.kind !== 'done') expect(first).toMatchObject({ kind: 'unknown' })
      expect(await at.refund(refund)).toMatchObject({ kind: 'done' })
      expect(at.refunds()).toEqual([990])
      expect(await at.refund({ ...refund, refundId: 'r2' })).toMatchObject({ kind: 'done' })
      expect(at.refunds()).toEqual([990, 990])
    })
  })
}
