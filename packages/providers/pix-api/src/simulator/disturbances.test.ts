import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHARGE, type TestBank, openTestBank, txidOf } from '../../test/simulated-bank.js'
import { CALM } from './conditions.js'
import { createDisturbances } from '@cofre/provider-kit/simulator'
import { createRecords } from './book.js'
import { createPixBank } from './pix-bank.js'

describe('a bank that is disturbed', () => {
  let bank: TestBank
  beforeEach(async () => {
    bank = await openTestBank()
    // Gets a token before any disturbance.
    await bank.get('/webhook')
  })
  afterEach(() => bank.close())

  const create = () => bank.put(`/cob/${txidOf(1)}`, CHARGE)

  it('cuts the connection after it has booked, once', async () => {
    const on = ({ method }: { method: string }) => method === 'PUT'
    bank.bank.disturbances.add({ effect: { kind: 'cut', when: 'after' }, on })
    await expect(create()).rejects.toThrow()
    expect(await bank.get(`/cob/${txidOf(1)}`)).toMatchObject({ status: 200 })
    expect(await create()).toMatchObject({ status: 201, body: { revisao: 0 } })
  })

  it('cuts the connection before it books', async () => {
    bank.bank.disturbances.add({ effect: { kind: 'cut', when: 'before' } })
    await expect(create()).rejects.toThrow()
    expect((await bank.get(`/cob/${txidOf(1)}`)).status).toBe(404)
  })

  it('is away until it is back', async () => {
    for (const connection of ['cut-before', 'cut-after'] as const) {
      bank.bank.conditions.connection = connection
      await expect(create()).rejects.toThrow()
      await expect(bank.askToken()).rejects.toThrow()
    }
    bank.bank.conditions.connection = 'kept'
    expect((await bank.get(`/cob/${txidOf(1)}`)).status).toBe(200)
  })

  it('gives a test’s answer, and books nothing', async () => {
    const headers = { 'Retry-After': '30', 'Content-Type': 'text/html' }
    const body = 'a'.repeat(10 * 1024 * 1024)
    const effect = { kind: 'answer', status: 429, headers, body } as const
    bank.bank.disturbances.add({ effect, times: 2 })
    for (const round of [1, 2]) {
      const path = `/cob/${txidOf(round)}`
      const answer = await bank.put(path, CHARGE, { isStrange: true })
      expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
      expect(answer.text).toHaveLength(body.length)
    }
    expect((await bank.get(`/cob/${txidOf(1)}`)).status).toBe(404)
  })

  it('uses the first disturbance that is meant for a call, then the next', () => {
    const disturbances = createDisturbances({ ...CALM, delayMs: 5 })
    const late = { kind: 'late', delayMs: 5 }
    const first = { kind: 'cut', when: 'before' } as const
    const second = { kind: 'cut', when: 'after' } as const
    disturbances.add({ effect: first, on: ({ path }) => path === '/v2/pix' })
    disturbances.add({ effect: second, times: 2 })
    const call = { method: 'GET', path: '/v2/pix' }
    expect([1, 2, 3].map(() => disturbances.take(call))).toEqual([
      [late, first],
      [late, second],
      [late, second],
    ])
    disturbances.add({ effect: first })
    disturbances.clear()
    expect(disturbances.take(call)).toEqual([late])
  })
})

describe('a bank that is slow', () => {
  it('answers late, after it has booked', async () => {
    const waited: (readonly [ms: number, charges: number])[] = []
    const bank = await openTestBank({
      wait: (ms) => Promise.resolve(waited.push([ms, charges()] as const)),
    })
    const charges = () => bank.bank.book.charges.size
    await bank.get('/webhook')
    bank.bank.conditions.delayMs = 25_000
    expect((await bank.put(`/cob/${txidOf(1)}`, CHARGE)).status).toBe(201)
    expect(waited).toEqual([[25_000, 1]])
    await bank.close()
  })

  it('waits by the real time by default', () => {
    const post = () => Promise.resolve({ status: 200 })
    const books = { records: createRecords(), append: () => undefined }
    const deps = { clock: { now: () => 0 }, randomBytes: () => new Uint8Array(), books, post }
    expect(createPixBank(deps).wait).toBeTypeOf('function')
  })
})
