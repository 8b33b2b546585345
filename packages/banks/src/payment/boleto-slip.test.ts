import { type Answer, MINUTE_MS } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BoletoReference } from '@cofre/provider-kit/bank'
import {
  type BoletoGateway,
  createFakeBoletoBank,
  openBoletoGateway,
} from './boleto-bank.fixture.js'
import { readCharges } from './charge-read-service.js'
import { cancelWaiting } from '../../../gateway/src/payment/cancellation-service.js'

const PDF = new TextEncoder().encode('%PDF-1.4 of the bank')
const CONTENT = { kind: 'done', value: PDF } as const

describe("the slip that a boleto's bank draws", () => {
  let test: BoletoGateway
  let answer: Answer<Uint8Array> | Error
  let asked: BoletoReference[]
  const bank = createFakeBoletoBank(() => test.time.nowMs)
  const slip = (boleto: BoletoReference) => {
    asked.push(boleto)
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  }
  beforeEach(async () => {
    answer = CONTENT
    asked = []
    bank.boletos.length = 0
    bank.settings.takenAs = 'open'
    test = await openBoletoGateway(TEST_SQLITE, {
      bankOf: () => ({ boleto: { ...bank.bank, slip } }),
    })
  })
  afterEach(() => test.close())

  /** The path of the page of a new boleto. */
  const create = async (reference = 'order-1') => {
    const { json } = await test.create(reference)
    const { 'payment-url': url = '' } = json.transaction as Record<string, string>
    return new URL(url).pathname
  }
  const open = async (path: string) => await test.app.request(path)

  it('is linked from our page, and is sent unchanged', async () => {
    const path = await create()
    expect(await (await open(path)).text()).toContain(`href="${path}.pdf"`)
    // The link costs no call of the bank.
    expect(asked).toEqual([])
    const response = await open(`${path}.pdf`)
    expect(response.status).toBe(200)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PDF)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="boleto.pdf"',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    const { bankId, order } = bank.boletos[0]!
    expect(asked).toEqual([{ name: bank.name, bankId, dueDate: order.dueDate }])
  })

  it.each<[string, Answer<Uint8Array> | Error, number]>([
    ['has none', { kind: 'absent' }, 404],
    ['says no', { kind: 'refused', detail: 'no' }, 503],
    ['is not reached', { kind: 'not-sent', cause: 'no-connection', detail: 'no connection' }, 503],
    ['is lost', { kind: 'unknown', detail: 'cut' }, 503],
    ['fails', new Error('a connector that fails'), 503],
  ])('is not there where its bank %s', async (_, said, status) => {
    const path = await create()
    answer = said
    const response = await open(`${path}.pdf`)
    expect(response.status).toBe(status)
    expect(response.headers.has('retry-after')).toBe(status === 503)
  })

  it('costs the bank a call a minute, however often and at once it is opened', async () => {
    const path = await create()
    const other = await create('order-2')
    answer = { kind: 'not-sent', cause: 'no-connection', detail: 'no connection' }
    await Promise.all(Array.from({ length: 20 }, () => open(`${path}.pdf`)))
    expect(asked).toHaveLength(1)
    expect((await open(`${other}.pdf`)).status).toBe(503)
    expect(asked).toHaveLength(2)
    test.time.nowMs += MINUTE_MS
    answer = CONTENT
    expect((await open(`${path}.pdf`)).status).toBe(200)
    expect(asked).toHaveLength(3)
  })

  it('is requested neither before the issue nor after the end', async () => {
    bank.settings.takenAs = 'issuing'
    const path = await create()
    expect((await open(`${path}.pdf`)).status).toBe(404)
    expect(await (await open(path)).text()).toContain('O banco está emitindo este boleto')
    bank.decide('open')
    test.time.nowMs += MINUTE_MS
    await readCharges(test.parts)
    expect((await open(`${path}.pdf`)).status).toBe(200)
    expect(await (await open(path)).text()).toContain('.pdf')
    await cancelWaiting(test.parts, (await test.find('order-1'))!)
    expect((await open(`${path}.pdf`)).status).toBe(404)
    expect(await (await open(path)).text()).toContain('Não o pague')
    expect(asked).toHaveLength(1)
  })

  it("and the codes disappear once it can't be paid, before its bank has decided", async () => {
    const path = await create()
    test.time.nowMs = Date.parse('2026-12-03T00:00:00-03:00') - 1
    expect(await (await open(path)).text()).toContain('Linha digitável')
    test.time.nowMs += 1
    const page = await (await open(path)).text()
    expect(page).toContain('Não o pague')
    expect(page).not.toContain('Linha digitável')
    expect((await open(`${path}.pdf`)).status).toBe(404)
    expect((await test.find('order-1'))?.status).toBe('PENDING')
  })
})
