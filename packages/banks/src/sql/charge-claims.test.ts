import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type PixGateway, openPixGateway } from '../payment/pix-bank.fixture.js'
import { sweepAccounts } from '../payment/bank-sweep-service.js'
import { readCharges } from '../payment/charge-read-service.js'
import { refundSurpluses } from '../payment/bank-refund-service.js'

/** Each claim of workers, the job that processes it, and the duration of its lease. */
const CLAIMS = {
  looks: {
    claim: ({ parts, time }: PixGateway) =>
      parts.bankCharges.claimReads({
        machineNowMs: time.nowMs,
        limit: 10,
        unreadable: () => undefined,
      }),
    work: readCharges,
    leaseMs: MINUTE_MS,
  },
  sweeps: {
    // The daily list is a separate claim.
    claim: async ({ parts, time }: PixGateway) =>
      (await parts.bankSweeps.claim(time.nowMs)).filter(({ kind }) => kind === 'recent'),
    work: sweepAccounts,
    leaseMs: 2 * MINUTE_MS,
  },
  surpluses: {
    claim: ({ parts, time }: PixGateway) => parts.surpluses.claim({ nowMs: time.nowMs, limit: 10 }),
    work: refundSurpluses,
    // Longer than three calls, each cut off after 20 seconds.
    leaseMs: 90 * SECOND_MS,
  },
} as const

for (const engine of TEST_ENGINES) {
  describe.each(Object.entries(CLAIMS))(`claimed %s on ${engine.name}`, (name, claimed) => {
    let pix: PixGateway
    beforeEach(async () => {
      pix = await openPixGateway(engine)
      await pix.create('order-1')
      pix.bank.pay(700)
      if (name === 'surpluses') {
        pix.time.nowMs += 5 * SECOND_MS
        await readCharges(pix.parts)
      } else pix.time.nowMs += 30 * SECOND_MS
    })
    afterEach(() => pix.close())

    const isDone = async (): Promise<boolean> => {
      const { code } = (await pix.find('order-1'))!
      const [payment] = (await pix.details(code))!.payments
      return name === 'surpluses' ? payment?.refundStatus === 'PROCESSED' : payment !== undefined
    }

    it('are given to one of several workers', async () => {
      const each = await Promise.all([1, 2, 3].map(() => claimed.claim(pix)))
      expect(each.map(({ length }) => length).toSorted()).toEqual([0, 0, 1])
    })

    it('are worked off by another when their worker ended', async () => {
      expect(await claimed.claim(pix)).toHaveLength(1)
      await claimed.work(pix.parts)
      pix.time.nowMs += claimed.leaseMs - 1
      await claimed.work(pix.parts)
      expect(await isDone()).toBe(false)
      pix.time.nowMs += 1
      await claimed.work(pix.parts)
      expect(await isDone()).toBe(true)
      expect(pix.bank.refundedMinor()).toBe(name === 'surpluses' ? 700 : 0)
    })

    it('are given again after the clock was set back by days', async () => {
      expect(await claimed.claim(pix)).toHaveLength(1)
      pix.time.nowMs -= 10 * DAY_MS
      expect(await claimed.claim(pix)).toHaveLength(1)
    })
  })

  it(`claimed sweeps on ${engine.name} are given again after the clock was set back, each kind by its own pause`, async () => {
    const pix = await openPixGateway(engine)
    onTestFinished(() => pix.close())
    const { parts, time } = pix
    await pix.create('order-1')
    time.nowMs += DAY_MS
    const kinds: string[] = []
    const sweep = async () => {
      const sweeps = await parts.bankSweeps.claim(time.nowMs)
      for (const each of sweeps) await parts.bankSweeps.finish(each, time.nowMs)
      kinds.splice(0, kinds.length, ...sweeps.map(({ kind }) => kind).toSorted())
    }
    await sweep()
    const all = [...kinds]
    expect(all).toContain('daily')
    expect(all).toContain('recent')
    await sweep()
    expect(kinds).toEqual([])
    time.nowMs -= 3 * HOUR_MS
    await sweep()
    expect(kinds).toEqual(['recent'])
    time.nowMs -= 2 * DAY_MS
    await sweep()
    expect(kinds).toEqual(all)
  })
}
