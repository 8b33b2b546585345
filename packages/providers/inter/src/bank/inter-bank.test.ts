import { minorUnits } from '@cofre/contracts'
import { type BoletoBank, type BoletoOrder, drawBoletoName } from '@cofre/provider-kit/bank'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SECRETS } from '../../../pix-api/test/accounts.js'
import { BOLETO_TERMS } from '../../../../provider-kit/test/boletos.js'
import {
  type JudgingInter,
  type JudgedBoleto,
  connectTo,
  startJudgingInter,
  storedInter,
} from '../../test/judging-inter.js'
import type { Fault } from '../../../pix-api/test/judging-bank.js'

let server: JudgingInter
let connection: ReturnType<typeof connectTo>
let bank: BoletoBank
beforeEach(async () => {
  server = await startJudgingInter()
  connection = connectTo(server, { limits: { totalMs: 2000 } })
  bank = connection.boleto
})
afterEach(async () => {
  await connection.close()
  await server.close()
  expect(server.objections).toEqual([])
  for (const secret of [...SECRETS, 'token-', 'PRIVATE KEY', order.payer.document, 'Ana Souza'])
    expect(connection.logged.join()).not.toContain(secret)
})

const name = drawBoletoName(() => 5)
const { dueDate } = BOLETO_TERMS
const order: BoletoOrder = { ...BOLETO_TERMS, name }
const unnamed = { name, dueDate, bankId: undefined }
/** The bank's only boleto. */
function lastBoleto(): JudgedBoleto {
  const [one, ...others] = server.boletos.values()
  if (one === undefined || others.length > 0) throw new Error('one boleto is expected')
  return one
}
const reference = () => ({ ...unnamed, bankId: lastBoleto().cobranca.codigoSolicitacao })
const find = () => bank.find(reference(), 'payer-waits')
const fault = (on: RegExp, when: Fault['when'], act: Fault['act'] = 'cut'): void => {
  server.faults.push({ on, when, act })
}
const callsOf = (method: string, path: RegExp): number =>
  server.calls.filter((one) => one.method === method && path.test(one.path)).length
const ISSUE = /^POST \/cobrancas$/
const LIST = /^GET \/cobrancas\?/

describe('a boleto', () => {
  it('is accepted under our name, and has its codes once it is issued', async () => {
    server.behaviour.issues = 'later'
    const taken = await bank.issue(order)
    expect(taken).toMatchObject({
      kind: 'done',
      value: { state: 'issuing', amountMinor: 12_990, dueDate, codes: undefined, payments: [] },
    })
    expect(await find()).toEqual(taken)
    server.issued(lastBoleto())
    const { boleto, pix } = lastBoleto()
    expect(await find()).toMatchObject({
      value: {
        state: 'open',
        codes: {
          barcode: boleto?.codigoBarras,
          digitableLine: boleto?.linhaDigitavel,
          ourNumber: boleto?.nossoNumero,
          pixCode: pix?.pixCopiaECola,
        },
      },
    })
  })

  it('is requested with the account, one access token and the scopes of boletos and PIX', async () => {
    await connection.close()
    connection = connectTo(server, {
      account: storedInter('simulator', { accountNumber: '1234567' }),
    })
    await connection.boleto.issue(order)
    await connection.boleto.find(reference(), 'background')
    expect(server.tokenCalls).toHaveLength(1)
    expect(Object.fromEntries(new URLSearchParams(server.tokenCalls[0]))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'Client_Id_1',
      client_secret: SECRETS[0],
      scope: 'boleto-cobranca.read boleto-cobranca.write pix.read pix.write',
    })
    for (const { headers } of server.calls)
      expect(headers).toMatchObject({ 'x-conta-corrente': '1234567' })
  })

  it.each([
    ['before the bank has it', 'before', 'unknown', 0],
    ['after the bank has it', 'after', 'done', 1],
  ] as const)('is requested once when the connection is cut %s', async (_, when, kind, count) => {
    fault(ISSUE, when)
    expect(await bank.issue(order)).toMatchObject({ kind })
    expect(server.boletos.size).toBe(count)
    expect(callsOf('POST', /cobrancas$/)).toBe(1)
    expect(await bank.find(unnamed, 'background')).toMatchObject({
      kind: count === 0 ? 'absent' : 'done',
    })
  })

  it('is not known to be there while the bank fails, whatever it did', async () => {
    for (const when of ['before', 'after'] as const) {
      fault(ISSUE, when, { status: 503, body: '{"title":"Indisponível"}' })
      fault(LIST, 'before', { status: 500, body: '{"title":"Erro"}' })
      expect(await bank.issue(order)).toMatchObject({ kind: 'unknown' })
    }
    expect(server.boletos.size).toBe(1)
  })

  it('is the one that is there when the bank refuses it a second time', async () => {
    await bank.issue(order)
    expect(await bank.issue(order)).toMatchObject({
      kind: 'done',
      value: { bankId: lastBoleto().cobranca.codigoSolicitacao, state: 'open' },
    })
    expect(await bank.issue({ ...order, amountMinor: minorUnits(500) })).toMatchObject({
      kind: 'refused',
      detail: 'the bank holds another amount under this name',
    })
  })

  it('is refused where the bank refuses it, and its list shows none', async () => {
    fault(ISSUE, 'before', { status: 400, body: '{"title":"Vencimento após 19h59"}' })
    expect(await bank.issue(order)).toEqual({
      kind: 'refused',
      detail: 'status 400: Vencimento após 19h59',
    })
  })

  it('is absent only where a list by our name has none', async () => {
    await bank.issue(order)
    const lost = { ...unnamed, bankId: '00000000-0000-0000-0000-000000000000' }
    expect(await bank.find(lost, 'background')).toMatchObject({
      kind: 'done',
      value: { bankId: lastBoleto().cobranca.codigoSolicitacao },
    })
    fault(LIST, 'before', { status: 404, body: '{"title":"Não encontrado"}' })
    expect(await bank.find(unnamed, 'background')).toMatchObject({ kind: 'unknown' })
    server.boletos.clear()
    expect(await bank.find(lost, 'background')).toEqual({ kind: 'absent' })
  })

  it('of another name decides nothing', async () => {
    await bank.issue(order)
    const other = { ...reference(), name: drawBoletoName(() => 6) }
    expect(await bank.find(other, 'background')).toMatchObject({ kind: 'unknown' })
  })

  it.each([
    ['EM_PROCESSAMENTO', 'issuing'],
    ['A_RECEBER', 'open'],
    ['ATRASADO', 'open'],
    ['PROTESTO', 'open'],
    ['CANCELADO', 'removed'],
    ['EXPIRADO', 'expired'],
    ['FALHA_EMISSAO', 'failed'],
    ['NEGATIVADO', 'not-known'],
  ])('that is %s is %s, with unknown fields', async (situacao, state) => {
    await bank.issue(order)
    server.behaviour.disguise = ({ cobranca, ...rest }) => ({
      ...rest,
      cobranca: { ...cobranca, situacao, valorNominal: '129.90', novo: [{}] },
      extra: null,
    })
    expect(await find()).toMatchObject({
      kind: 'done',
      value: { state, amountMinor: 12_990, payments: [] },
    })
  })

  it('that a bank describes without its codes is not open yet', async () => {
    await bank.issue(order)
    server.behaviour.disguise = ({ cobranca }) => ({ cobranca, boleto: null, pix: null })
    expect(await find()).toMatchObject({ value: { state: 'issuing', codes: undefined } })
  })
})

describe('money for a boleto', () => {
  it('that came by its line has a name that stays the same, and its own amount', async () => {
    await bank.issue(order)
    server.payByLine(lastBoleto(), '131.07')
    const { bankId } = reference()
    const payment = {
      endToEndId: bankId,
      txid: name,
      amountMinor: 13_107,
      refunds: [],
      way: 'line',
    }
    expect(await find()).toMatchObject({ value: { state: 'paid', payments: [payment] } })
    expect(await bank.find(unnamed, 'background')).toMatchObject({ value: { payments: [payment] } })
    expect(server.calls.filter(({ path }) => path.startsWith('/pix'))).toEqual([])
  })

  it('that came by PIX has its end-to-end id and is refunded by it', async () => {
    await bank.issue(order)
    const endToEndId = server.payByPix(lastBoleto())
    const refund = { endToEndId, refundId: 'r1', amountMinor: minorUnits(990) }
    expect(await bank.refund(refund)).toMatchObject({
      kind: 'done',
      value: { state: 'in-process' },
    })
    expect(await bank.findRefund(refund)).toMatchObject({ value: { id: 'r1', amountMinor: 990 } })
    expect(await find()).toMatchObject({
      value: {
        state: 'paid',
        payments: [
          { endToEndId, txid: name, amountMinor: 12_990, way: 'pix', refunds: [{ id: 'r1' }] },
        ],
      },
    })
  })

  it('is refunded once when the connection is cut after the bank has booked', async () => {
    await bank.issue(order)
    const endToEndId = server.payByPix(lastBoleto())
    fault(/^PUT \/pix\//, 'after')
    const refund = { endToEndId, refundId: 'r1', amountMinor: minorUnits(12_990) }
    expect(await bank.refund(refund)).toMatchObject({ kind: 'done' })
    expect(server.pix[0]?.devolucoes).toHaveLength(1)
  })

  it('that the merchant was given elsewhere is that', async () => {
    await bank.issue(order)
    lastBoleto().cobranca.situacao = 'MARCADO_RECEBIDO'
    expect(await find()).toMatchObject({
      value: { state: 'paid', payments: [{ way: 'elsewhere', amountMinor: 12_990 }] },
    })
  })

  it('that came by its line after the merchant was given it elsewhere is another', async () => {
    await bank.issue(order)
    const idOf = async () => {
      const found = await find()
      return found.kind === 'done' ? found.value.payments[0]?.endToEndId : undefined
    }
    lastBoleto().cobranca.situacao = 'MARCADO_RECEBIDO'
    const elsewhere = await idOf()
    server.payByLine(lastBoleto(), '129.90')
    expect(await idOf()).toBe(reference().bankId)
    expect(elsewhere).toMatch(/^[\x21-\x7e]{1,80}$/)
    expect(elsewhere).not.toBe(reference().bankId)
  })

  it.each([
    ['its PIX is not listed yet', { origemRecebimento: 'PIX', valorTotalRecebido: '129.90' }],
    ['its way is a new word', { origemRecebimento: 'CARTAO', valorTotalRecebido: '129.90' }],
    ['its way is not told', { valorTotalRecebido: '129.90' }],
    ['its amount is not told', { origemRecebimento: 'BOLETO' }],
  ])('is not guessed while %s', async (_, detail) => {
    await bank.issue(order)
    server.behaviour.disguise = ({ cobranca, ...rest }) => ({
      ...rest,
      cobranca: { ...cobranca, situacao: 'RECEBIDO', ...detail },
    })
    expect(await find()).toMatchObject({ kind: 'unknown' })
  })

  it('is waited for while the bank does not let the client read PIX', async () => {
    await bank.issue(order)
    server.payByPix(lastBoleto())
    fault(/^GET \/pix\?/, 'before', { status: 403, body: '{"title":"Acesso negado"}' })
    expect(await find()).toMatchObject({ kind: 'not-sent', reason: 'forbidden' })
  })
})

describe('the end of a boleto', () => {
  it('is removed, with or without the bank’s name of it', async () => {
    await bank.issue(order)
    expect(await bank.cancel(unnamed)).toMatchObject({ value: { state: 'removed' } })
    expect(await bank.cancel(reference())).toMatchObject({ value: { state: 'removed' } })
  })

  it('is open as long as the bank has not carried it out', async () => {
    await bank.issue(order)
    server.behaviour.cancels = 'later'
    expect(await bank.cancel(reference())).toMatchObject({ kind: 'done', value: { state: 'open' } })
  })

  it('is paid where the payer was faster', async () => {
    await bank.issue(order)
    server.payByLine(lastBoleto())
    expect(await bank.cancel(reference())).toMatchObject({
      kind: 'done',
      value: { state: 'paid', payments: [{ amountMinor: 12_990 }] },
    })
  })

  it('is refused while it is being issued, and unknown after silence', async () => {
    server.behaviour.issues = 'later'
    await bank.issue(order)
    expect(await bank.cancel(reference())).toMatchObject({ kind: 'refused' })
    server.issued(lastBoleto())
    fault(/cancelar$/, 'before')
    expect(await bank.cancel(reference())).toMatchObject({ kind: 'unknown' })
    fault(/cancelar$/, 'after')
    expect(await bank.cancel(reference())).toMatchObject({ value: { state: 'removed' } })
  })

  it('is absent of a boleto that the bank never took', async () => {
    expect(await bank.cancel(unnamed)).toEqual({ kind: 'absent' })
  })
})

describe('the slip', () => {
  it('is the bank’s PDF', async () => {
    await bank.issue(order)
    const slip = await bank.slip?.(unnamed)
    expect(slip).toMatchObject({ kind: 'done' })
    if (slip?.kind === 'done') expect(Buffer.from(slip.value).toString()).toBe('%PDF-1.7 a slip')
  })

  it.each([
    ['is no PDF', JSON.stringify({ pdf: Buffer.from('<html>').toString('base64') })],
    ['is no base64', JSON.stringify({ pdf: '%PDF-' })],
    ['is larger than an answer may be', `{"pdf":"${'A'.repeat(2 ** 20)}"}`],
  ])('is not passed on when it %s', async (_, body) => {
    await bank.issue(order)
    fault(/pdf$/, 'before', { status: 200, body })
    expect(await bank.slip?.(reference())).toMatchObject({ kind: 'unknown' })
  })
})

describe('the history of notices', () => {
  it('names our boletos, from all pages', async () => {
    await bank.issue(order)
    server.notify(lastBoleto())
    for (let at = 0; at < 60; at += 1) {
      const item = { ...server.history[0] }
      const [payload] = item.payload as object[]
      server.history.push({ ...item, payload: [{ ...payload, seuNumero: `248_${at}` }] })
    }
    server.history.push(...server.history.splice(0, 1))
    expect(await bank.listNotices?.(0, 1)).toEqual({ kind: 'done', value: [name] })
    expect(callsOf('GET', /callbacks/)).toBe(2)
  })

  it('is read within the bank’s own limit', async () => {
    for (let at = 0; at < 9; at += 1) await bank.listNotices?.(0, 1)
    expect(await bank.listNotices?.(0, 1)).toMatchObject({ kind: 'not-sent' })
    expect(callsOf('GET', /callbacks/)).toBe(9)
  })
})
