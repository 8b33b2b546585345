import { getBoletoInfo, isValidBoleto } from '@brazilian-utils/brazilian-utils'
import { DAY_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PAYER, type TestInter, openTestInter } from '../../test/simulated-inter.js'
import { dayAfter } from './calendar.js'

/** The barcode of a line, by FEBRABAN's positions of digits. */
function barcodeIn(line: string): string {
  const part = (from: number, to: number) => line.slice(from, to)
  const freeField = part(4, 9) + part(10, 20) + part(21, 31)
  return part(0, 4) + part(32, 33) + part(33, 47) + freeField
}

describe('boletos at Inter', () => {
  let inter: TestInter
  beforeEach(async () => {
    inter = await openTestInter()
  })
  afterEach(() => inter.close())

  const situationOf = async (code: string) => (await inter.read(code)).cobranca.situacao

  it('are being processed until they are issued, and have no codes before', async () => {
    inter.inter.conditions.issue = 5000
    const code = await inter.take('A')
    expect(await inter.read(code)).toEqual({
      cobranca: expect.objectContaining({
        situacao: 'EM_PROCESSAMENTO',
        seuNumero: 'A',
        valorNominal: 129.9,
      }) as unknown,
    })
    inter.clock.advance(5000)
    const issued = await inter.read(code)
    expect(issued.cobranca.situacao).toBe('A_RECEBER')
    expect(issued.pix?.pixCopiaECola).toContain('br.gov.bcb.pix')
  })

  it('wait for a person to issue or fail them, if the bank holds them', async () => {
    inter.inter.conditions.issue = 'held'
    const [one, other] = [await inter.take('A'), await inter.take('B')]
    inter.clock.advance(MINUTE_MS)
    inter.inter.controls.issue(one)
    inter.inter.controls.failIssue(other)
    expect(await situationOf(one)).toBe('A_RECEBER')
    expect(await situationOf(other)).toBe('FALHA_EMISSAO')
    expect(() => {
      inter.inter.controls.issue(one)
    }).toThrow(RangeError)
  })

  it("have a barcode and a line of bank 077 that strangers' code reads", async () => {
    for (const [name, amount, days] of [
      ['A', 2.5, 1],
      ['B', 99_999_999.99, 9],
      ['C', 1234.56, 40],
    ] as const) {
      const dataVencimento = dayAfter(inter.today(), days)
      const code = await inter.take(name, { valorNominal: amount, dataVencimento })
      const { boleto } = await inter.read(code)
      const { codigoBarras = '', linhaDigitavel = '' } = boleto ?? {}
      expect(isValidBoleto(linhaDigitavel)).toBe(true)
      const referenceDate = new Date(inter.clock.now())
      const info = getBoletoInfo(linhaDigitavel, { referenceDate })
      expect(info).toMatchObject({ amount: Math.round(amount * 100) })
      expect(codigoBarras).toMatch(/^0779/)
      // The library returns dates in local time.
      expect(info?.expirationDate?.toLocaleDateString('sv-SE')).toBe(dataVencimento)
      expect(barcodeIn(linhaDigitavel)).toBe(codigoBarras)
    }
  })

  it('are listed by the number of the shop, with amounts as text', async () => {
    const code = await inter.take('A')
    await inter.take('B')
    const range = { dataInicial: inter.today(), dataFinal: dayAfter(inter.today(), 9) }
    const list = async (query: Record<string, string>) => {
      const text = new URLSearchParams({ ...range, ...query }).toString()
      return (await inter.call('GET', `/cobrancas?${text}`)).json
    }
    expect(await list({ seuNumero: 'A' })).toMatchObject({
      totalElementos: 1,
      cobrancas: [{ cobranca: { codigoSolicitacao: code, valorNominal: '129.90' } }],
    })
    expect(await list({ 'paginacao.itensPorPagina': '1' })).toMatchObject({
      totalPaginas: 2,
      ultimaPagina: false,
      numeroDeElementos: 1,
    })
    const late = { dataInicial: dayAfter(inter.today(), 8), seuNumero: 'A' }
    expect(await list(late)).toMatchObject({ totalElementos: 0, cobrancas: [] })
  })

  it.each<[string, object, string]>([
    ['a number of 16 letters', { seuNumero: 'A'.repeat(16) }, 'seuNumero'],
    ['an amount below the least', { valorNominal: 2.49 }, 'valorNominal'],
    ['an amount above the most', { valorNominal: 100_000_000 }, 'valorNominal'],
    ['a part of a centavo', { valorNominal: 2.505 }, 'valorNominal'],
    ['61 days after the due date', { numDiasAgenda: 61 }, 'numDiasAgenda'],
    ['a due date that is past', { dataVencimento: '2026-01-01' }, 'dataVencimento'],
    ['no day of the calendar', { dataVencimento: '2027-02-30' }, 'dataVencimento'],
    ['Pix alone', { formasRecebimento: ['PIX'] }, 'formasRecebimento'],
    ['no street', { pagador: { ...PAYER, endereco: undefined } }, 'pagador.endereco'],
    ['a long name', { pagador: { ...PAYER, nome: 'a'.repeat(101) } }, 'pagador.nome'],
    ['a long number', { pagador: { ...PAYER, numero: '12345678901' } }, 'pagador.numero'],
    ['a postal code with a hyphen', { pagador: { ...PAYER, cep: '30160-011' } }, 'pagador.cep'],
    ['no state', { pagador: { ...PAYER, uf: 'XX' } }, 'pagador.uf'],
    ['not a CPF', { pagador: { ...PAYER, cpfCnpj: '11111111111' } }, 'pagador.cpfCnpj'],
    ['a CPF of a company', { pagador: { ...PAYER, tipoPessoa: 'JURIDICA' } }, 'pagador.cpfCnpj'],
  ])('are refused with %s', async (_, changes, property) => {
    const body = inter.order('A', changes)
    const answer = await inter.call('POST', '/cobrancas', body, { isWrong: true })
    expect(answer).toMatchObject({
      status: 400,
      json: { violacoes: [expect.objectContaining({ propriedade: property })] },
    })
    expect(inter.inter.book.boletos.size).toBe(0)
  })

  it('are accepted with empty texts for unknown values', async () => {
    const unknown = { numero: '', complemento: '', bairro: '', email: '', ddd: '', telefone: '' }
    const body = inter.order('A', { pagador: { ...PAYER, ...unknown } })
    expect((await inter.call('POST', '/cobrancas', body, { isWrong: true })).status).toBe(200)
  })

  it('are refused within 30 minutes of an equal one, with its code, and taken later', async () => {
    const code = await inter.take('A')
    const { status, json } = await inter.call('POST', '/cobrancas', inter.order('A'))
    expect(status).toBe(400)
    expect(json).toMatchObject({ detail: expect.stringContaining(code) as unknown })
    expect(await inter.take('A', { valorNominal: 130 })).not.toBe(code)
    inter.clock.advance(30 * MINUTE_MS)
    expect(await inter.take('A')).not.toBe(code)
  })

  it('become overdue and expire by time, and cannot be cancelled then', async () => {
    const code = await inter.take('A', { numDiasAgenda: 2 })
    const cancel = () =>
      inter.call('POST', `/cobrancas/${code}/cancelar`, { motivoCancelamento: 'Desistiu' })
    inter.clock.advance(4 * DAY_MS)
    expect(await situationOf(code)).toBe('ATRASADO')
    inter.clock.advance(2 * DAY_MS)
    expect(await situationOf(code)).toBe('EXPIRADO')
    expect((await cancel()).status).toBe(400)
  })

  it('are cancelled once, for a reason that is kept', async () => {
    const code = await inter.take('A')
    const cancel = (motivoCancelamento: string) =>
      inter.call('POST', `/cobrancas/${code}/cancelar`, { motivoCancelamento }, { isWrong: true })
    expect((await cancel('a'.repeat(51))).status).toBe(400)
    expect((await cancel('Desistiu')).status).toBe(202)
    const { cobranca } = await inter.read(code)
    expect(cobranca).toMatchObject({ situacao: 'CANCELADO', motivoCancelamento: 'Desistiu' })
    expect((await cancel('Desistiu')).status).toBe(400)
  })

  it('are paid by line, with any amount, once', async () => {
    const code = await inter.take('A')
    inter.inter.controls.pay(code, { way: 'line', amountMinor: minorUnits(5000) })
    expect((await inter.read(code)).cobranca).toMatchObject({
      situacao: 'RECEBIDO',
      valorTotalRecebido: '50.00',
      origemRecebimento: 'BOLETO',
    })
    for (const way of ['line', 'pix'] as const)
      expect(() => {
        inter.inter.controls.pay(code, { way })
      }).toThrow(RangeError)
  })

  it('are paid by Pix: the API Pix has the payment, and refunds it', async () => {
    const code = await inter.take('A')
    const { pix } = await inter.read(code)
    inter.inter.controls.pay(code, { way: 'pix' })
    expect((await inter.read(code)).cobranca).toMatchObject({ origemRecebimento: 'PIX' })
    const period = new URLSearchParams({
      inicio: new Date(inter.clock.now() - DAY_MS).toISOString(),
      fim: new Date(inter.clock.now()).toISOString(),
    }).toString()
    const listed = await inter.pix('GET', `/pix?${period}&txId=${pix?.txid ?? ''}`)
    expect(listed.json).toMatchObject({ pix: [{ txid: pix?.txid, valor: '129.90' }] })
    const other = await inter.pix('GET', `/pix?${period}&txId=${'x'.repeat(32)}`)
    expect(other.json).toMatchObject({ pix: [] })
    const { endToEndId } = (listed.body.pix as unknown as [{ endToEndId: string }])[0]
    const refund = await inter.pix('PUT', `/pix/${endToEndId}/devolucao/d1`, { valor: '10.00' })
    expect(refund).toMatchObject({ status: 201, json: { status: 'EM_PROCESSAMENTO' } })
    const settled = await inter.pix('GET', `/pix/${endToEndId}/devolucao/d1`)
    expect(settled.json).toMatchObject({ status: 'DEVOLVIDO', valor: '10.00' })
  })

  it('have no Pix code if none was requested', async () => {
    const code = await inter.take('A', { formasRecebimento: ['BOLETO'] })
    expect(await inter.read(code)).not.toHaveProperty('pix')
    expect(() => {
      inter.inter.controls.pay(code, { way: 'pix' })
    }).toThrow('no Pix code')
  })

  it('are marked as received elsewhere, without a way of payment', async () => {
    const code = await inter.take('A')
    inter.inter.controls.markReceived(code)
    const { cobranca } = await inter.read(code)
    expect(cobranca).toMatchObject({ situacao: 'MARCADO_RECEBIDO', valorTotalRecebido: '129.90' })
    expect(cobranca).not.toHaveProperty('origemRecebimento')
  })

  it('that were cancelled can still turn out to have been paid at a till before', async () => {
    const code = await inter.take('A')
    inter.inter.controls.cancel(code)
    inter.inter.controls.pay(code, { way: 'line' })
    expect(await situationOf(code)).toBe('RECEBIDO')
  })

  it('that do not exist are not found', async () => {
    const code = '0b7e4c1a-5d3f-4a2b-9c8d-7e6f5a4b3c2d'
    for (const at of [`/cobrancas/${code}`, `/cobrancas/${code}/pdf`])
      expect((await inter.call('GET', at)).status).toBe(404)
  })
})
