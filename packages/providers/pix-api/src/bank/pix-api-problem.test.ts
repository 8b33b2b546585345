import type { AnswerBody } from '@cofre/provider-kit/outbound'
import { describe, expect, it } from 'vitest'
import { type Problem, problemOf } from './pix-api-problem.js'

const json = (value: unknown): AnswerBody => ({ kind: 'json', value })
const typed = (last: string): AnswerBody =>
  json({
    type: `https://pix.bcb.gov.br/api/v2/error/${last}`,
    title: 'T',
    status: 400,
    detail: 'D',
  })

describe('a refusal of a bank', () => {
  it.each<[string, number, AnswerBody, Problem['kind'], string]>([
    ['the type', 400, typed('CobOperacaoInvalida'), 'refused', ', CobOperacaoInvalida: D'],
    [
      'the type of a refund',
      400,
      typed('PixDevolucaoInvalida'),
      'refused',
      ', PixDevolucaoInvalida: D',
    ],
    [
      'the type without address',
      400,
      json({ type: 'AcessoNegado' }),
      'forbidden',
      ', AcessoNegado',
    ],
    ['the status with a new type', 403, typed('CobSuspensa'), 'forbidden', ': D'],
    ['the status of nothing', 401, { kind: 'empty' }, 'credentials_refused', ''],
    ['a status that is new', 418, json({}), 'refused', ''],
    [
      'Efí’s words',
      400,
      json({ nome: 'txid_duplicado', mensagem: 'Campo txid já utilizado' }),
      'refused',
      ', txid_duplicado: Campo txid já utilizado',
    ],
    [
      'Banco do Brasil’s words',
      400,
      json({ erros: [{ codigo: '4769515', mensagem: 'Chave inválida' }] }),
      'refused',
      ': Chave inválida',
    ],
    [
      'Sicoob’s words',
      422,
      json({ mensagens: [{ mensagem: 'Valor inválido', codigo: '1' }] }),
      'refused',
      ': Valor inválido',
    ],
    [
      'Itaú’s words',
      400,
      json({ status: 400, title: 'Bad', detail: '', user_message: 'Tente de novo' }),
      'refused',
      ': Tente de novo',
    ],
    [
      'Santander’s second shape',
      400,
      json({ timestamp: 't', httpStatus: '400', details: 'Campo inválido', errorCode: 7 }),
      'refused',
      ': Campo inválido',
    ],
    [
      'Santander’s third shape',
      401,
      json({ fault: { faultstring: 'Access Token expired', detail: { errorcode: 'x' } } }),
      'credentials_refused',
      ': Access Token expired',
    ],
    [
      'Santander’s fourth shape',
      400,
      json({ timestamp: 't', httpStatusCode: '400', detail: 'Saldo insuficiente' }),
      'refused',
      ': Saldo insuficiente',
    ],
    [
      'what is violated, without values',
      400,
      json({
        title: 'T',
        violacoes: [{ razao: 'inválido', propriedade: 'cob.chave', valor: 'v' }],
      }),
      'refused',
      ': inválido',
    ],
    ['no personal data', 400, json({ detail: 'CPF 52998224725' }), 'refused', ': CPF [hidden]'],
    [
      'words of another kind',
      400,
      json({ type: 7, detail: { a: 1 }, erros: 'x', fault: [] }),
      'refused',
      '',
    ],
  ])('is read from %s', (_, status, body, kind, words) => {
    expect(problemOf(status, body)).toEqual({ kind, detail: `status ${status}${words}` })
  })

  it.each<[string, number, AnswerBody, string]>([
    ['a type that is not found', 400, typed('PixNaoEncontrado'), 'absent'],
    ['a refund that is not found', 422, typed('PixDevolucaoNaoEncontrada'), 'absent'],
    ['Efí’s unknown charge', 400, json({ nome: 'cobranca_nao_encontrada' }), 'absent'],
    ['Efí’s unknown payment', 400, json({ nome: 'pix_nao_encontrado' }), 'absent'],
    ['Efí’s unknown refund', 400, json({ nome: 'devolucao_nao_encontrada' }), 'absent'],
    ['Efí’s unknown webhook', 400, json({ nome: 'webhook_nao_encontrado' }), 'absent'],
    ['404 with any JSON', 404, json({ mensagem: 'x' }), 'absent'],
    ['410', 410, typed('PermanentementeRemovido'), 'absent'],
    ['404 in HTML', 404, { kind: 'unreadable', excerpt: '<html>' }, 'not_readable'],
    ['an empty 404', 404, { kind: 'empty' }, 'not_readable'],
    [
      'a failure of the server, whatever its status',
      400,
      typed('ServicoIndisponivel'),
      'not_readable',
    ],
  ])('is none: %s', (_, status, body, kind) => {
    expect(problemOf(status, body).kind).toBe(kind)
  })
})
