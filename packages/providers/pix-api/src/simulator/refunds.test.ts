import { DAY_MS, minorUnits } from '@cofre/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHARGE, type TestBank, openTestBank, txidOf } from '../../test/simulated-bank.js'

const INVALID = 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida'

describe('refunds', () => {
  let bank: TestBank
  let endToEndId: string
  let made = 0
  beforeAll(async () => {
    bank = await openTestBank()
  })
  afterAll(() => bank.close())
  beforeEach(async () => {
    made += 1
    bank.bank.conditions.refunds = 'held'
    await bank.put(`/cob/${txidOf(made)}`, CHARGE)
    endToEndId = bank.bank.controls.pay(txidOf(made)).endToEndId
  })

  const refund = (id: string, valor: string) =>
    bank.put(`/pix/${endToEndId}/devolucao/${id}`, { valor, descricao: 'Troca' })
  const read = (id: string) => bank.get(`/pix/${endToEndId}/devolucao/${id}`)

  it('are being processed at first, then settled', async () => {
    const asked = await refund('r1', '129.90')
    expect(asked).toMatchObject({ status: 201, body: { id: 'r1', status: 'EM_PROCESSAMENTO' } })
    expect(asked.body.rtrId).toMatch(/^D99999999\d{12}\w{11}$/)
    expect(await read('r1')).toMatchObject({ status: 200, body: asked.body })
    bank.bank.controls.endRefund(endToEndId, 'r1', 'DEVOLVIDO')
    expect((await read('r1')).body).toMatchObject({ status: 'DEVOLVIDO', valor: '129.90' })
    const { body } = await bank.get(`/cob/${txidOf(made)}`)
    expect(body.pix[0].devolucoes).toMatchObject([{ id: 'r1', status: 'DEVOLVIDO' }])
  })

  it('are settled by themselves, after an answer with the state in process', async () => {
    bank.bank.conditions.refunds = 'settled'
    expect((await refund('r1', '1.00')).body.status).toBe('EM_PROCESSAMENTO')
    expect((await read('r1')).body.status).toBe('DEVOLVIDO')
  })

  it('return in parts at most what was paid', async () => {
    expect((await refund('r1', '100.00')).status).toBe(201)
    expect(await refund('r2', '29.91')).toMatchObject({ status: 400, body: { type: INVALID } })
    expect((await refund('r2', '29.90')).status).toBe(201)
    expect((await refund('r3', '0.01')).status).toBe(400)
  })

  it('that fail have the reason, and their amount is free again', async () => {
    await refund('r1', '129.90')
    bank.bank.controls.endRefund(endToEndId, 'r1', 'NAO_REALIZADO')
    const { body } = await read('r1')
    expect(body.status).toBe('NAO_REALIZADO')
    expect(body.motivo).not.toBe('')
    expect((await refund('r2', '129.90')).status).toBe(201)
    expect(() => {
      bank.bank.controls.endRefund(endToEndId, 'r1', 'DEVOLVIDO')
    }).toThrow(RangeError)
  })

  it('use an id once for a payment, whatever the amount is', async () => {
    await refund('r1', '1.00')
    for (const amount of ['1.00', '2.00'])
      expect(await refund('r1', amount)).toMatchObject({ status: 400, body: { type: INVALID } })
    bank.bank.controls.endRefund(endToEndId, 'r1', 'NAO_REALIZADO')
    expect((await refund('r1', '1.00')).status).toBe(400)
  })

  it('are refused after 90 days', async () => {
    bank.clock.advance(90 * DAY_MS)
    expect((await refund('r1', '1.00')).status).toBe(201)
    bank.clock.advance(1)
    expect((await refund('r2', '1.00')).status).toBe(400)
  })

  it('are begun by the bank, too', async () => {
    const back = { amountMinor: minorUnits(12_000), nature: 'MED_FRAUDE' } as const
    bank.bank.controls.refundAtBank(endToEndId, back)
    const { body } = await bank.get(`/pix/${endToEndId}`)
    expect(body.devolucoes).toMatchObject([{ natureza: 'MED_FRAUDE', status: 'DEVOLVIDO' }])
    expect((await refund('r1', '10.00')).status).toBe(400)
    expect(() => bank.bank.controls.refundAtBank(endToEndId, back)).toThrow(RangeError)
  })

  it.each([
    ['an unknown refund', 'GET', 'devolucao/none', undefined, 404],
    ['an id of 36', 'PUT', `devolucao/${'a'.repeat(36)}`, { valor: '1.00' }, 400],
    ['an amount of zero', 'PUT', 'devolucao/r1', { valor: '0.00' }, 400],
    ['no amount', 'PUT', 'devolucao/r1', {}, 400],
    ['a text of 141', 'PUT', 'devolucao/r1', { valor: '1.00', descricao: 'a'.repeat(141) }, 400],
  ])('are refused with %s', async (_, method, rest, body, status) => {
    const path = `/pix/${endToEndId}/${rest}`
    expect((await bank.call({ method, path, body }, { isWrong: true })).status).toBe(status)
  })

  it('of an unknown payment are not found', async () => {
    const path = `/pix/E${'0'.repeat(31)}/devolucao/r1`
    expect((await bank.put(path, { valor: '1.00' })).status).toBe(404)
  })
})
