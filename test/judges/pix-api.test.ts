import { describe, expect, it } from 'vitest'
import { violationsOfAnswer, violationsOfNotice, violationsOfRequest } from './pix-api.js'

const TXID = 'k7f2c0ffee00000000000000000000aa'
const CHARGE = {
  calendario: { expiracao: 1800 },
  valor: { original: '129.90' },
  chave: 'a@b.example',
}
const GENERATED = {
  ...CHARGE,
  calendario: { criacao: '2026-11-22T12:00:00.000Z', expiracao: 1800 },
  txid: TXID,
  revisao: 0,
  status: 'ATIVA',
  loc: { id: 789, location: 'pix.example/qr/v2/ab12', tipoCob: 'cob' },
}
const PROBLEM = {
  type: 'https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado',
  title: 'Not found',
  status: 404,
}
const E2E = 'E12345678202611221200abcdefghijk'

const put = (body: unknown) => ({ method: 'PUT', path: `/cob/${TXID}`, body })
const get = (path: string) => ({ method: 'GET', path })
const ok = (body: unknown) => ({ status: 200, contentType: 'application/json', body })
const created = (body: unknown) => ({ ...ok(body), status: 201 })

describe('the official document as a judge', () => {
  it('accepts what is right', () => {
    const payer = { cpf: '12345678909', nome: 'Ana' }
    expect(violationsOfRequest(put({ ...CHARGE, devedor: payer }))).toEqual([])
    expect(violationsOfAnswer(put(CHARGE), created(GENERATED))).toEqual([])
    expect(violationsOfAnswer(get(`/cob/${TXID}`), ok(GENERATED))).toEqual([])
    const absent = { status: 404, contentType: 'application/problem+json', body: PROBLEM }
    expect(violationsOfAnswer(get(`/cob/${TXID}`), absent)).toEqual([])
    const range = 'inicio=2026-11-22T00:00:00Z&fim=2026-11-23T00:00:00Z'
    const page = 'paginacao.paginaAtual=1&paginacao.itensPorPagina=100'
    expect(violationsOfRequest(get(`/pix?${range}&${page}&txIdPresente=true`))).toEqual([])
    const refund = { method: 'PUT', path: `/pix/${E2E}/devolucao/r1`, body: { valor: '1.00' } }
    expect(violationsOfRequest(refund)).toEqual([])
    const paid = { endToEndId: E2E, txid: TXID, valor: '1.00', horario: '2026-11-22T12:00:00Z' }
    expect(violationsOfNotice({ pix: [paid] })).toEqual([])
  })

  it.each([
    ['a txid of 36', { method: 'PUT', path: `/cob/${'a'.repeat(36)}`, body: CHARGE }],
    ['a value without cents', put({ ...CHARGE, valor: { original: '12.3' } })],
    ['a debtor without a name', put({ ...CHARGE, devedor: { cpf: '12345678909' } })],
    ['no key', put({ valor: { original: '1.00' } })],
    ['no body', put(undefined)],
    ['a list without a range', get('/pix')],
    ['a page that is no number', get('/webhook?paginacao.paginaAtual=one')],
    ['a made-up parameter', get('/webhook?pagina=1')],
    ['a path that is none', get('/charges/1')],
    ['a method that is none', { method: 'DELETE', path: `/cob/${TXID}` }],
    ['a body on a GET', { ...get(`/cob/${TXID}`), body: {} }],
  ])('refuses a request with %s', (_, request) => {
    expect(violationsOfRequest(request)).not.toEqual([])
  })

  it.each([
    ['a made-up status of the charge', created({ ...GENERATED, status: 'PAGA' })],
    ['a status of HTTP that is not foreseen', { ...created(GENERATED), status: 200 }],
    ['a missing txid', created({ ...GENERATED, txid: undefined })],
    ['a time that is none', created({ ...GENERATED, calendario: { criacao: 'x', expiracao: 1 } })],
    ['another media type', { ...created(GENERATED), contentType: 'text/html' }],
    ['an error that is no problem', { status: 400, contentType: 'text/html' }],
    [
      'a problem without a title',
      { status: 400, contentType: 'application/problem+json', body: {} },
    ],
  ])('refuses an answer with %s', (_, answer) => {
    expect(violationsOfAnswer(put(CHARGE), answer)).not.toEqual([])
  })

  it('refuses a notice without an end-to-end id', () => {
    const payment = { txid: TXID, valor: '1.00', horario: '2026-11-22T12:00:00Z' }
    expect(violationsOfNotice({ pix: [payment] })).not.toEqual([])
  })
})
