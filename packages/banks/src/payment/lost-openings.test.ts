import { MINUTE_MS } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPEN_INTENT_CHECK_AFTER_MS } from '../../../gateway/src/model/transaction/transaction.js'
import { askAfterOpenCharges } from '../../../gateway/src/payment/open-intent-service.js'
import type { Disturbance } from './bank-calls.fixture.js'
import { openBoletoGateway } from './boleto-bank.fixture.js'
import { openPixGateway } from './pix-bank.fixture.js'

const UNAVAILABLE = { status: 503, codes: [90006] }

type Call = 'open' | 'find'

/** The lost calls, and how many charges the bank has booked after them. */
const LOST: readonly (readonly [string, Partial<Record<Call, Disturbance>>, number])[] = [
  ['the request', { open: 'cut-before' }, 0],
  ['the answer, and that of the look', { open: 'cut-after', find: 'cut-after' }, 1],
  ['a connector that fails', { open: 'rejected', find: 'rejected' }, 1],
  ['the answer, and the bank', { open: 'cut-after', find: 'unavailable' }, 1],
]

/** A PIX, whose charge no payer has seen, is forgotten. */
async function openPix() {
  const gateway = await openPixGateway(TEST_SQLITE)
  const { bank } = gateway
  return {
    gateway,
    disturb: (call: Call, by: Disturbance): void => {
      bank.disturb(call === 'open' ? 'openCharge' : 'findCharge', by)
    },
    names: (): readonly string[] => [...bank.charges.keys()],
    live: () => [...bank.charges.values()].filter(({ state }) => state === 'open').length,
    withdrawn: () => undefined,
  }
}

/** An accepted boleto is not forgotten: the payer's own bank may have shown it. */
async function openBoleto() {
  const gateway = await openBoletoGateway(TEST_SQLITE)
  const { bank } = gateway
  return {
    gateway,
    disturb: (call: Call, by: Disturbance): void => {
      bank.disturb(call === 'open' ? 'issue' : 'find', by)
    },
    names: (): readonly string[] => bank.boletos.map(({ order }) => order.name),
    live: () => bank.boletos.filter(({ state }) => state === 'open' || state === 'issuing').length,
    withdrawn: (booked: number) => (booked === 0 ? undefined : 'CANCELLED'),
  }
}

describe.each([
  ['PIX', openPix],
  ['boleto', openBoleto],
] as const)('a %s whose opening at the bank goes wrong', (_, open) => {
  let at: Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    at = await open()
  })
  afterEach(() => at.gateway.close())

  const later = async (): Promise<void> => {
    at.gateway.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS + MINUTE_MS
    await askAfterOpenCharges(at.gateway.parts)
  }
  const lose = async (calls: Partial<Record<Call, Disturbance>>): Promise<void> => {
    if (calls.open !== undefined) at.disturb('open', calls.open)
    if (calls.find !== undefined) at.disturb('find', calls.find)
    expect(await at.gateway.create('order-1')).toMatchObject(UNAVAILABLE)
  }

  it.each(['refused', 'unavailable', 'away-for-a-minute'] as const)(
    'leaves nothing when the only bank is %s: the reference stays free',
    async (disturbance) => {
      await lose({ open: disturbance })
      expect(await at.gateway.find('order-1')).toBeUndefined()
      expect(await at.gateway.create('order-1')).toMatchObject({ status: 201 })
    },
  )

  it('is found under its name when only the answer was lost', async () => {
    at.disturb('open', 'cut-after')
    expect(await at.gateway.create('order-1')).toMatchObject({ status: 201 })
    expect(at.names()).toHaveLength(1)
  })

  it.each(LOST)('is withdrawn when its outcome is unknown: %s', async (_, calls, booked) => {
    await lose(calls)
    expect(at.names()).toHaveLength(booked)
    expect(await at.gateway.find('order-1')).toMatchObject({ open: true })
    await later()
    await later()
    expect(at.live()).toBe(0)
    const found = await at.gateway.find('order-1')
    expect(found?.status).toBe(at.withdrawn(booked))
    expect(found?.open ?? false).toBe(false)
    if (found !== undefined) return
    expect(await at.gateway.create('order-1')).toMatchObject({ status: 201 })
    expect(at.live()).toBe(1)
  })

  it.each(LOST)('is finished under its name by the same request: %s', async (_, calls) => {
    await lose(calls)
    const { code } = (await at.gateway.find('order-1'))!
    const { name } = (await at.gateway.details(code))!
    at.gateway.time.nowMs += MINUTE_MS
    expect(await at.gateway.create('order-1')).toMatchObject({ status: 201 })
    expect(at.names()).toEqual([name])
  })
})
