import { minorUnits } from '@cofre/contracts'
import { type PixBank, type PixChargeOrder, payerCode } from '@cofre/provider-kit/bank'
import { type CallBudget, createCallBudget } from '@cofre/provider-kit/outbound'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../../provider-kit/test/certificates.js'
import { authority, serverCertificate } from '../../../../provider-kit/test/https-server.js'
import {
  PIX_KEY,
  SECRETS,
  type TestConnection,
  clock,
  connect,
  storedAccount,
  txidOf,
} from '../../test/accounts.js'
import { type Fault, type JudgingBank, startJudgingBank } from '../../test/judging-bank.js'

let server: JudgingBank
let connection: TestConnection
let bank: PixBank
beforeEach(async () => {
  server = await startJudgingBank()
  connection = connect(storedAccount('efi'), server, { limits: { totalMs: 2000 } })
  bank = connection.pix
})
afterEach(async () => {
  await connection.close()
  await server.close()
  expect(server.objections).toEqual([])
  for (const secret of [...SECRETS, 'token-', 'PRIVATE KEY', '529.982', PIX_KEY])
    expect(connection.logged.join()).not.toContain(secret)
})

const txid = txidOf(5)
const order: PixChargeOrder = {
  txid,
  amountMinor: minorUnits(12_990),
  lifetimeSeconds: 1800,
  payerName: 'Ana Souza',
  payerDocument: '52998224725',
  description: 'Pedido 1042',
}
const find = () => bank.findCharge(txid, 'payer-waits')
const refundId = 'r1'
const cut = (on: RegExp, when: Fault['when']): Fault => ({ on, when, act: 'cut' })
const answering = (on: RegExp, status: number, body: string, headers = {}): Fault => ({
  on,
  when: 'before',
  act: { status, body, headers },
})
const callsOf = (method: string): number =>
  server.calls.filter((one) => one.method === method).length

describe('a charge', () => {
  it('is created under our txid and shown with the bank’s code', async () => {
    const result = await bank.openCharge(order)
    expect(result).toMatchObject({
      kind: 'done',
      value: { txid, state: 'open', amountMinor: 12_990, pixKey: PIX_KEY, payments: [] },
    })
    const value = result.kind === 'done' ? result.value : undefined
    expect(value && payerCode(value, bank.receiver)).toEqual({ kind: 'bank', code: value?.code })
    expect(value?.expiresAtMs).toBe(Date.parse('2026-11-22T12:30:00Z'))
    expect(server.calls[0]?.body).toEqual({
      calendario: { expiracao: 1800 },
      devedor: { cpf: '52998224725', nome: 'Ana Souza' },
      valor: { original: '129.90' },
      chave: PIX_KEY,
      solicitacaoPagador: 'Pedido 1042',
    })
  })

  it('names its payer in Latin-1', async () => {
    await bank.openCharge({ ...order, payerName: 'José O’Connor Nguyễn'.normalize('NFD') })
    expect(server.calls[0]?.body).toMatchObject({ devedor: { nome: "José O'Connor Nguyen" } })
  })

  it('names a company by its CNPJ, also one with letters', async () => {
    const company = { ...order, payerName: 'Loja Ltda', payerDocument: '12ABC34501DE35' }
    expect(await bank.openCharge(company)).toMatchObject({ kind: 'done' })
    expect(server.calls[0]?.body).toMatchObject({ devedor: { cnpj: '12ABC34501DE35' } })
  })

  it.each<[string, Fault[], number]>([
    ['is cut before the bank booked', [cut(/^PUT/, 'before')], 2],
    ['is cut after the bank booked', [cut(/^PUT/, 'after')], 1],
    ['stays unanswered', [{ on: /^PUT/, when: 'after', act: 'silence' }], 1],
    ['ends in a 500', [answering(/^PUT/, 500, 'oops')], 2],
    ['ends in HTML', [{ on: /^PUT/, when: 'after', act: { status: 200, body: '<html>' } }], 1],
    [
      'ends in 10 MB',
      [{ on: /^PUT/, when: 'after', act: { status: 201, body: ' '.repeat(10 * 1024 ** 2) } }],
      1,
    ],
    ['ends in an answer of another kind', [answering(/^PUT/, 201, '{"txid":1}')], 2],
    ['is cut twice', [cut(/^PUT/, 'before'), cut(/^PUT/, 'after')], 2],
  ])('exists once when its request %s', async (_, faults, puts) => {
    server.faults.push(...faults)
    expect(await bank.openCharge(order)).toMatchObject({ kind: 'done', value: { txid } })
    expect(server.charges.size).toBe(1)
    expect(callsOf('PUT')).toBe(puts)
  })

  it('is the same when it is requested again', async () => {
    const first = await bank.openCharge(order)
    expect(await bank.openCharge(order)).toEqual(first)
    expect(server.charges.size).toBe(1)
  })

  it('is not looked up beyond the time that a payer waits', async () => {
    const hasty = connect(storedAccount('efi'), server, { settleWithinMs: 0 })
    server.faults.push(cut(/^PUT/, 'after'))
    expect(await hasty.pix.openCharge(order)).toMatchObject({ kind: 'unknown' })
    expect(server.calls).toHaveLength(1)
    expect(await hasty.pix.openCharge(order)).toMatchObject({ kind: 'unknown' })
    expect(await hasty.pix.findCharge(txid, 'payer-waits')).toMatchObject({ kind: 'done' })
    await hasty.close()
  })

  it('stays unknown while the bank is away, and is settled by asking again', async () => {
    server.faults.push(cut(/^PUT/, 'after'), cut(/^GET/, 'before'))
    expect(await bank.openCharge(order)).toMatchObject({ kind: 'unknown' })
    expect(await bank.openCharge(order)).toMatchObject({ kind: 'done' })
    expect(server.charges.size).toBe(1)
  })

  it.each<[string, Fault, object]>([
    [
      'a wrong request',
      answering(/^PUT/, 400, '{"type":"x/RequisicaoInvalida","title":"t","detail":"chave"}'),
      { kind: 'refused', detail: 'status 400, RequisicaoInvalida: chave' },
    ],
    [
      'a missing right',
      answering(/^PUT/, 403, '{"type":"https://pix.bcb.gov.br/api/v2/error/AcessoNegado"}'),
      { kind: 'not-sent', reason: 'forbidden', detail: 'status 403, AcessoNegado' },
    ],
    [
      '403 in HTML',
      answering(/^PUT/, 403, '<html>Request blocked</html>'),
      { reason: 'forbidden', detail: 'status 403: <html>Request blocked</html>' },
    ],
    [
      '429',
      answering(/^PUT/, 429, '', { 'retry-after': '9' }),
      { kind: 'not-sent', reason: 'paused_by_provider', retryAfterMs: 9000 },
    ],
  ])('is not created after %s', async (_, fault, expected) => {
    server.faults.push(fault)
    expect(await bank.openCharge(order)).toMatchObject(expected)
    expect(server.charges.size).toBe(0)
  })

  it('has a field that is too long, which is cut', async () => {
    const long = { ...order, payerName: 'N'.repeat(300), description: '🙂'.repeat(100) }
    expect(await bank.openCharge(long)).toMatchObject({ kind: 'done' })
  })

  it.each([
    ['no amount', { amountMinor: minorUnits(0) }],
    ['an amount beyond ten digits', { amountMinor: minorUnits(1_000_000_000_000) }],
    ['no lifetime', { lifetimeSeconds: 0 }],
    ['a payer without document', { payerDocument: '1' }],
  ])('is not requested with %s', async (_, changes) => {
    await expect(bank.openCharge({ ...order, ...changes })).rejects.toThrow(RangeError)
    expect(server.calls).toEqual([])
  })

  it('is found with its payments, which may be two and of another amount', async () => {
    await bank.openCharge(order)
    server.pay(txid)
    server.pay(txid, '1.00')
    expect(await find()).toMatchObject({
      kind: 'done',
      value: {
        state: 'paid',
        amountMinor: 12_990,
        payments: [{ txid, amountMinor: 12_990 }, { amountMinor: 100 }],
      },
    })
  })

  it('is absent when the bank does not know it', async () => {
    expect(await find()).toEqual({ kind: 'absent' })
  })

  it('is not taken for absent when a gateway does not know the path', async () => {
    server.faults.push(answering(/^GET/, 404, '<html>not here</html>'))
    expect(await find()).toMatchObject({ kind: 'unknown' })
  })

  it('has a state that is not known, and fields that are new', async () => {
    await bank.openCharge(order)
    server.disguise = (charge) => ({ ...charge, status: 'EM_ANALISE', novo: [1], loc: null })
    expect(await find()).toMatchObject({
      kind: 'done',
      value: { state: 'not-known' },
    })
  })

  it('of another name decides nothing', async () => {
    await bank.openCharge(order)
    server.disguise = (charge) => ({ ...charge, txid: 'x'.repeat(32), status: 'CONCLUIDA' })
    expect(await find()).toMatchObject({ kind: 'unknown' })
  })

  it('is read as Santander writes it', async () => {
    await bank.openCharge(order)
    const calendario = { criacao: '2026-11-22T12:00:00', expiracao: '1800' }
    server.disguise = (charge) => ({ ...charge, calendario, revisao: '0' })
    expect(await find()).toMatchObject({
      kind: 'done',
      value: { state: 'open', expiresAtMs: undefined },
    })
  })
})

describe('a bank that answers with something else', () => {
  it.each<[string, (charge: Record<string, unknown>) => Record<string, unknown>]>([
    ['another amount', (charge) => ({ ...charge, valor: { original: '1.00' } })],
    ['another key', (charge) => ({ ...charge, chave: 'thief@example.com' })],
    ['another txid', (charge) => ({ ...charge, txid: 'x'.repeat(32) })],
  ])('%s has its charge removed, and nothing is shown', async (_, disguise) => {
    server.disguise = disguise
    expect(await bank.openCharge(order)).toMatchObject({ kind: 'refused' })
    expect(server.charges.get(txid)?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  })

  it('the key in capitals is not taken for another', async () => {
    server.disguise = (charge) => ({ ...charge, chave: PIX_KEY.toUpperCase() })
    expect(await bank.openCharge(order)).toMatchObject({ kind: 'done' })
  })

  it('no code has one composed from the location', async () => {
    server.disguise = (charge) => ({ ...charge, pixCopiaECola: undefined })
    const result = await bank.openCharge(order)
    const shown = result.kind === 'done' && payerCode(result.value, bank.receiver)
    expect(shown).toMatchObject({ kind: 'composed' })
    for (const part of [`pix.example.com/qr/v2/${txid}`, 'Loja Exemplo', 'Sao Paulo'])
      expect(JSON.stringify(shown)).toContain(part)
  })
})

describe('a removal', () => {
  it.each<[string, Fault[]]>([
    ['is answered', []],
    ['is cut before the bank booked', [cut(/^PATCH/, 'before')]],
    ['is cut after the bank booked', [cut(/^PATCH/, 'after')]],
  ])('that %s removes the charge', async (_, faults) => {
    await bank.openCharge(order)
    server.faults.push(...faults)
    expect(await bank.removeCharge(txid)).toMatchObject({
      kind: 'done',
      value: { state: 'removed' },
    })
    expect(await bank.removeCharge(txid)).toMatchObject({ value: { state: 'removed' } })
  })

  it('comes too late for a charge that was paid', async () => {
    await bank.openCharge(order)
    server.pay(txid)
    expect(await bank.removeCharge(txid)).toMatchObject({ kind: 'done', value: { state: 'paid' } })
  })

  it('finds no charge', async () => {
    expect(await bank.removeCharge(txid)).toEqual({ kind: 'absent' })
  })
})

describe('a refund', () => {
  let endToEndId: string
  beforeEach(async () => {
    await bank.openCharge(order)
    endToEndId = server.pay(txid).endToEndId
  })
  const refundOf = (amountMinor: number, id = refundId) =>
    bank.refund({ endToEndId, refundId: id, amountMinor: minorUnits(amountMinor) })
  const returned = (): unknown[] =>
    server.payments().flatMap(({ devolucoes }) => devolucoes.map(({ valor }) => valor))

  it.each<[string, Fault[]]>([
    ['is answered', []],
    ['is cut before the bank booked', [cut(/^PUT/, 'before')]],
    ['is cut after the bank booked', [cut(/^PUT/, 'after')]],
    ['is cut twice', [cut(/^PUT/, 'before'), cut(/^PUT/, 'after')]],
    ['stays unanswered', [{ on: /^PUT/, when: 'after', act: 'silence' }]],
    ['ends in a 504', [answering(/^PUT/, 504, '')]],
  ])('that %s returns the money once', async (_, faults) => {
    server.faults.push(...faults)
    expect(await refundOf(12_990)).toMatchObject({
      kind: 'done',
      value: { id: refundId, amountMinor: 12_990, state: 'in-process' },
    })
    expect(await refundOf(12_990)).toMatchObject({ kind: 'done', value: { id: refundId } })
    expect(returned()).toEqual(['129.90'])
  })

  it('may be partial, and several', async () => {
    await refundOf(5000)
    await refundOf(7990, 'r2')
    expect(returned()).toEqual(['50.00', '79.90'])
    expect(await refundOf(1, 'r3')).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('PixDevolucaoInvalida') as string,
    })
  })

  it('stays unknown while the bank is away, and is never requested under a new id', async () => {
    server.faults.push(cut(/^PUT/, 'after'), cut(/^GET/, 'before'))
    expect(await refundOf(100)).toMatchObject({ kind: 'unknown' })
    expect(await refundOf(100)).toMatchObject({ kind: 'done' })
    expect(returned()).toEqual(['1.00'])
  })

  it.each<[string, Fault]>([
    ['silence', { on: /^PUT/, when: 'before', act: 'silence' }],
    ['a 500', answering(/^PUT/, 500, '')],
  ])('is not refused while its bank may still make it, after %s', async (_, fault) => {
    server.faults.push(fault, answering(/^PUT/, 422, '{"detail":"already in progress"}'))
    const answer = await refundOf(100)
    expect(answer).toMatchObject({ kind: 'unknown' })
    expect('detail' in answer && answer.detail).toContain('already in progress')
    // The bank completes the first.
    expect(await refundOf(100)).toMatchObject({ kind: 'done' })
    expect(returned()).toEqual(['1.00'])
  })

  it('of another amount is not the one that the bank holds', async () => {
    await refundOf(100)
    expect(await refundOf(200)).toMatchObject({ kind: 'refused' })
    expect(returned()).toEqual(['1.00'])
  })

  it.each([
    ['DEVOLVIDO', 'returned'],
    ['NAO_REALIZADO', 'not-done'],
    ['EM_ANALISE', 'in-process'],
  ])('that is %s is %s', async (status, state) => {
    await refundOf(100)
    const [refund] = server.payments().flatMap(({ devolucoes }) => devolucoes)
    Object.assign(refund ?? {}, { status, motivo: 'Saldo insuficiente de ana@example.com' })
    server.disguise = (charge) => charge
    // An operator sees the reason, without the payer's data.
    const word = { reason: 'Saldo insuficiente de [hidden]' }
    const known = { state, ...(state === 'not-done' && word) }
    const found = await bank.findRefund({ endToEndId, refundId })
    expect(found).toEqual({ kind: 'done', value: { id: refundId, amountMinor: 100, ...known } })
    const charge = await bank.findCharge(txid, 'background')
    expect(charge).toMatchObject({ value: { payments: [{ refunds: [known] }] } })
  })

  it('is absent for a payment or an id that the bank does not know', async () => {
    expect(await bank.findRefund({ endToEndId, refundId })).toEqual({ kind: 'absent' })
    const unknown = { endToEndId: 'E'.repeat(32), refundId, amountMinor: minorUnits(1) }
    expect(await bank.findRefund(unknown)).toEqual({ kind: 'absent' })
    expect(await bank.refund(unknown)).toMatchObject({ kind: 'refused' })
  })

  it.each(['', 'a'.repeat(36), 'a-b', 'a/b'])('is not requested as %j', async (id) => {
    await expect(refundOf(100, id)).rejects.toThrow(RangeError)
    await expect(bank.findRefund({ endToEndId, refundId: id })).rejects.toThrow(RangeError)
  })

  it.each([
    ['MED_OPERACIONAL', { nature: 'MED_OPERACIONAL' }],
    ['MED_FRAUDE', { nature: 'MED_FRAUDE' }],
    ['MED_PIX_AUTOMATICO', { nature: 'MED_PIX_AUTOMATICO' }],
    ['ORIGINAL', {}],
    ['RETIRADA', {}],
  ])('that the bank began as %s is seen with the payment', async (natureza, why) => {
    server.payments()[0]?.devolucoes.push({
      id: 'bank1',
      rtrId: `D${'1'.repeat(31)}`,
      valor: '129.90',
      natureza,
      horario: { solicitacao: '2026-11-22T13:00:00Z' },
      status: 'DEVOLVIDO',
    })
    const found = await find()
    const [payment] = found.kind === 'done' ? found.value.payments : []
    // Nothing else: the gateway stores it.
    expect(payment?.refunds).toEqual([
      { id: 'bank1', amountMinor: 12_990, state: 'returned', ...why },
    ])
  })
})

describe('the list of payments', () => {
  const period = { fromMs: Date.parse('2026-11-22T11:00:00.900Z'), toMs: 1_795_348_800_100 }

  it('is read page by page', async () => {
    await bank.openCharge(order)
    for (let at = 0; at < 250; at++) server.pay(txid, '1.00')
    const seen: number[] = []
    let page: number | undefined = 0
    while (page !== undefined) {
      const result = await bank.listPayments(period, page)
      if (result.kind !== 'done') throw new Error(result.kind)
      seen.push(result.value.payments.length)
      page = result.value.nextPage
    }
    expect(seen).toEqual([100, 100, 50])
    expect(server.calls.at(-1)?.path).toContain('inicio=2026-11-22T11%3A00%3A00Z&fim=')
  })

  it('is empty when nothing was paid', async () => {
    const value = { payments: [], nextPage: undefined }
    expect(await bank.listPayments(period, 0)).toMatchObject({ kind: 'done', value })
  })

  it('loses no page for one item that cannot be read, and no last page for a missing number', async () => {
    const item = { endToEndId: 'E1', valor: '1.00', horario: 'yesterday' }
    const pix = [...Array.from({ length: 99 }, () => item), { valor: 1 }]
    server.faults.push(answering(/^GET/, 200, JSON.stringify({ pix })))
    expect(await bank.listPayments(period, 4)).toMatchObject({
      kind: 'done',
      value: { nextPage: 5, payments: { length: 99 } },
    })
    expect(connection.logged.join()).toContain('"unreadable":1')
  })

  it('ends with a page that is empty, however many pages the bank names', async () => {
    const parametros = { paginacao: { quantidadeDePaginas: 100_000 } }
    server.faults.push(answering(/^GET/, 200, JSON.stringify({ parametros, pix: [] })))
    const value = { payments: [], nextPage: undefined }
    expect(await bank.listPayments(period, 0)).toMatchObject({ kind: 'done', value })
  })

  it.each([
    ['a payment', { endToEndId: 'E\0' }],
    ['a refund', { devolucoes: [{ id: 'D\0', valor: '1.00', status: 'DEVOLVIDO' }] }],
  ])('leaves out %s with a name that cannot be stored, and nothing else', async (_, changes) => {
    const item = { endToEndId: 'E1', valor: '1.00' }
    const pix = [{ ...item, ...changes }, item]
    server.faults.push(answering(/^GET/, 200, JSON.stringify({ pix })))
    expect(await bank.listPayments(period, 0)).toMatchObject({
      kind: 'done',
      value: { payments: [{ endToEndId: 'E1', refunds: [] }], unreadable: 1 },
    })
  })

  it('shares the workers’ part of the budget, not the payers’', async () => {
    const asked: string[] = []
    const budget: CallBudget = {
      take(priority) {
        asked.push(priority)
        return { kind: 'granted' }
      },
      pause: () => undefined,
    }
    const watched = connect(storedAccount('efi'), server, { budget })
    const { pix } = watched
    await pix.openCharge(order)
    const { endToEndId } = server.pay(txid)
    asked.length = 0
    const refund = { endToEndId, refundId, amountMinor: minorUnits(100) }
    server.faults.push(cut(/^PUT/, 'before'))
    await pix.refund(refund)
    await pix.findRefund(refund)
    await pix.removeCharge(txid)
    expect(new Set(asked)).toEqual(new Set(['background']))
    asked.length = 0
    await pix.findCharge(txid, 'background')
    await pix.listPayments(period, 0)
    await pix.listPayments({ ...period, isOld: true }, 0)
    expect(asked).toEqual(['spare', 'sweep', 'spare'])
    await watched.close()
  })

  it('leaves calls of the account’s budget to payers', async () => {
    const budget = createCallBudget({ clock, callsPerMinute: 3 })
    const small = connect(storedAccount('efi'), server, { budget })
    const list = () => small.pix.listPayments(period, 0)
    expect(await list()).toMatchObject({ kind: 'done' })
    expect(await list()).toMatchObject({ kind: 'not-sent', reason: 'budget_spent' })
    expect(await small.pix.openCharge(order)).toMatchObject({ kind: 'done' })
    await small.close()
  })

  it.each([
    ['60 calls a minute', {}, 47],
    ['the calls a minute that its bank allows it', { callsPerMinute: '90' }, 71],
  ])('gives an account %s, some of them not for payers', async (_, answers, calls) => {
    const own = connect(storedAccount('efi', { answers }), server, { budget: undefined })
    const read = () => own.pix.findCharge(txid, 'payer-waits')
    // The token request counts as one.
    for (let made = 1; made < calls; made++)
      expect(await read()).not.toMatchObject({ reason: 'budget_spent' })
    expect(await read()).toMatchObject({ kind: 'not-sent', reason: 'budget_spent' })
    await own.close()
  })
})

describe('an access token', () => {
  it('that was revoked is renewed once, and the charge is made', async () => {
    await bank.openCharge(order)
    server.tokens.clear()
    expect(await find()).toMatchObject({ kind: 'done' })
    expect(server.tokenCalls).toHaveLength(2)
  })

  it('that is bound to another certificate is refused as Santander does, with a reason', async () => {
    const set = server.tokens.set.bind(server.tokens)
    server.tokens.set = (token) => set(token, 'another')
    expect(await bank.openCharge(order)).toMatchObject({
      kind: 'not-sent',
      reason: 'credentials_refused',
      detail: 'status 401: Invalid access token',
    })
    expect(server.charges.size).toBe(0)
  })
})

describe('an account that cannot be used', () => {
  it.each([
    [401, 'credentials_refused'],
    [403, 'credentials_refused'],
    [500, 'token_unavailable'],
  ])(
    'for which the bank answers a token request with %i makes no charge',
    async (status, reason) => {
      server.tokenStatus = status
      expect(await bank.openCharge(order)).toMatchObject({ kind: 'not-sent', reason })
      expect(server.calls).toEqual([])
    },
  )

  it('whose certificate expires while the process runs leaves nothing in doubt', async () => {
    const account = storedAccount('efi')
    let nowMs = clock.now()
    const expiring = connect(account, server, { clock: { now: () => nowMs } })
    expect(await expiring.pix.openCharge(order)).toMatchObject({ kind: 'done' })
    nowMs = account.certificateUntilMs ?? 0
    const result = await expiring.pix.findCharge(txid, 'payer-waits')
    expect(result).toMatchObject({ kind: 'not-sent', reason: 'certificate_expired' })
    expect(expiring.logged.join()).toContain('the client certificate expired on')
    await expiring.close()
  })

  it('whose bank shows an expired certificate makes no charge until it has a new one', async () => {
    expect(await find()).toEqual({ kind: 'absent' })
    const setup = { name: 'localhost', kind: 'server', issuer: authority } as const
    server.present(makeCertificate({ ...setup, validTo: new Date(clock.now() - 1) }))
    // The connection may just have ended.
    await find()
    expect(await bank.openCharge(order)).toMatchObject({
      kind: 'not-sent',
      reason: 'server_not_trusted',
      detail: expect.stringContaining('expired') as string,
    })
    server.present(serverCertificate)
    expect(await bank.openCharge(order)).toMatchObject({ kind: 'done' })
  })
})
