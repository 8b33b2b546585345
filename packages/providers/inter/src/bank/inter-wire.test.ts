import { minorUnits } from '@cofre/contracts'
import { type BoletoOrder, drawBoletoName } from '@cofre/provider-kit/bank'
import { describe, expect, it } from 'vitest'
import { violationsOfRequest } from '../../../../../test/judges/inter.js'
import { BOLETO_TERMS } from '../../../../provider-kit/test/boletos.js'
import { boletoAnswerSchema, issueRequest, listAnswerSchema } from './inter-wire.js'

const order: BoletoOrder = {
  ...BOLETO_TERMS,
  name: drawBoletoName(() => 3),
  amountMinor: minorUnits(250),
  payer: {
    ...BOLETO_TERMS.payer,
    address: { ...BOLETO_TERMS.payer.address, complement: 'ap. 3' },
  },
}
const { address } = order.payer
const payer = (changes: Partial<BoletoOrder['payer']>) => ({
  payer: { ...order.payer, ...changes },
})
const at = (changes: Partial<typeof address>) => payer({ address: { ...address, ...changes } })
const requestOf = (changes: Partial<BoletoOrder>) => {
  const body: unknown = JSON.parse(
    JSON.stringify(issueRequest({ ...order, ...changes }).data ?? null),
  )
  return body
}

describe('the request for a boleto', () => {
  const long = 'Associação dos Amigos 🎉 '.repeat(20)

  it.each([
    ['as it is', {}, { valorNominal: 2.5, mensagem: { linha1: 'Pedido 1042' } }],
    [
      'of the largest amount',
      { amountMinor: minorUnits(9_999_999_999) },
      { valorNominal: 99_999_999.99 },
    ],
    ['of an odd amount', { amountMinor: minorUnits(113) }, undefined],
    [
      'of a company',
      payer({ document: '12ABC34501DE35' }),
      { pagador: { tipoPessoa: 'JURIDICA' } },
    ],
    [
      'with long texts',
      {
        ...payer({
          name: long,
          address: {
            street: long,
            number: long,
            complement: long,
            district: long,
            city: long,
            state: 'SP',
            postalCode: '01304001',
          },
        }),
        description: long,
      },
      { pagador: { uf: 'SP' } },
    ],
    [
      'with lines and controls',
      { description: ' Pedido\r\n\u0007 1042\t' },
      { mensagem: { linha1: 'Pedido 1042' } },
    ],
    [
      'with letters that Latin-1 has not',
      payer({ name: 'Nguyễn O’Connor', address: { ...order.payer.address, street: 'Rua Łoś' } }),
      { pagador: { nome: "Nguyen O'Connor", endereco: 'Rua Los' } },
    ],
    [
      'with half an address of e-mail',
      payer({ email: `${'a'.repeat(60)}@example.com` }),
      { pagador: { cidade: 'São Paulo' } },
    ],
    [
      'with nothing that may be missing',
      { ...at({ complement: undefined, district: '' }), description: ' ' },
      { formasRecebimento: ['BOLETO', 'PIX'] },
    ],
  ] as const)('%s is one that the bank takes, or none', (_, changes, expected) => {
    const body = requestOf(changes)
    if (expected === undefined) expect(body).toBeNull()
    else {
      expect(violationsOfRequest({ method: 'POST', path: '/cobrancas', body })).toEqual([])
      expect(body).toMatchObject(expected)
    }
  })

  it('breaks the payer’s text between words, into five lines', () => {
    const words = 'palavras de um texto que o pagador lê no boleto '.repeat(20).trim()
    const { mensagem = {} } = issueRequest({ ...order, description: words }).data ?? {}
    const lines = Object.values(mensagem)
    expect(lines).toHaveLength(5)
    expect(words.startsWith(lines.join(' '))).toBe(true)
    const { mensagem: one } = issueRequest({ ...order, description: 'x'.repeat(100) }).data ?? {}
    expect(one).toEqual({ linha1: 'x'.repeat(78), linha2: 'x'.repeat(22) })
  })

  it.each([
    ['seuNumero', { name: 'OTHER' as BoletoOrder['name'] }],
    ['valorNominal', { amountMinor: minorUnits(249) }],
    ['valorNominal', { amountMinor: minorUnits(10_000_000_000) }],
    ['dataVencimento', { dueDate: '2026-02-30' }],
    ['numDiasAgenda', { payableDays: 61 }],
    ['pagador.cpfCnpj', payer({ document: '1234' })],
    ['pagador.nome', payer({ name: ' ' })],
    ['pagador.uf', at({ state: 'XX' })],
    ['pagador.cep', at({ postalCode: '01304-001' })],
    ['pagador.cidade', at({ city: '' })],
  ])('is none, and names %s, where the bank would refuse it', (field, changes) => {
    const { error } = issueRequest({ ...order, ...changes })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field])
  })
})

describe('an answer', () => {
  it.each([
    ['2026-12-02T10:15:00-03:00', '2026-12-02'],
    ['02/12/2026', undefined],
    [null, undefined],
  ])('is read whatever day it names for the payment: %s', (dataSituacao, on) => {
    const answer = { cobranca: { ...cobranca, dataSituacao } }
    expect(boletoAnswerSchema.parse(answer).receipt).toMatchObject({ way: 'line', on })
  })

  const cobranca = {
    codigoSolicitacao: '183e982a-34e5-4bc0-9643-def5432a',
    seuNumero: order.name,
    situacao: 'RECEBIDO',
    dataVencimento: '2026-12-01',
    valorNominal: 1234.56,
    valorTotalRecebido: '1234.56',
    origemRecebimento: 'BOLETO',
  }

  it.each([
    ['text', { valorTotalRecebido: '1240.10', valorNominal: '1234.56' }, 124_010],
    ['a number', { valorTotalRecebido: 1240.1 }, 124_010],
    ['a number without centavos', { valorTotalRecebido: 1240 }, 124_000],
    ['one that a sum left inexact', { valorTotalRecebido: 0.1 + 0.2 + 1240 }, 124_030],
  ])('has amounts to the centavo as %s', (_, changes, amountMinor) => {
    const read = boletoAnswerSchema.parse({ cobranca: { ...cobranca, ...changes } })
    expect(read).toMatchObject({ amountMinor: 123_456, receipt: { amountMinor } })
  })

  it.each([
    ['no code', { codigoSolicitacao: undefined }],
    ['a code that would leave its place in an address', { codigoSolicitacao: '../../banking/v2' }],
    ['an amount with a third decimal', { valorNominal: '1.234' }],
    ['a day that is none', { dataVencimento: '01/12/2026' }],
    ['a bar code that is too short', {}, { codigoBarras: '123', linhaDigitavel: '1'.repeat(47) }],
  ])('with %s is not understood', (_, changes, boleto = undefined as object | undefined) => {
    const read = boletoAnswerSchema.safeParse({ cobranca: { ...cobranca, ...changes }, boleto })
    expect(read.success).toBe(false)
  })

  it('that is a list ends by its last page, its count or its size', () => {
    const page = (ends: object, count: number) =>
      listAnswerSchema(0).parse({ ...ends, cobrancas: Array(count).fill({ cobranca }) }).hasNext
    expect(page({ ultimaPagina: true, totalPaginas: 9 }, 100)).toBe(false)
    expect(page({ ultimaPagina: false }, 1)).toBe(true)
    expect(page({ totalPaginas: 2 }, 1)).toBe(true)
    expect(page({}, 100)).toBe(true)
    expect(page({}, 99)).toBe(false)
    expect(page({ ultimaPagina: false }, 0)).toBe(false)
  })
})
