import { minorUnits } from '@cofre/contracts'
import { createCallBudget } from '@cofre/outbound'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PIX_KEY, SECRETS, accountOf, bankOf, clock } from '../../test/accounts.js'
import { type Fault, type JudgingBank, startJudgingBank } from '../../test/judging-bank.js'
import { type ChargeOrder, type PixApiBank } from './pix-api-bank.js'
import { newPixTxid, pixRefundId } from './pix-ids.js'

let server: JudgingBank
let bank: PixApiBank
let logged: string[]
beforeEach(async () => {
  server = await startJudgingBank()
  ;({ bank, logged } = bankOf(accountOf('efi', server), { limits: { totalMs: 2000 } }))
})
afterEach(async () => {
  await bank.close()
  await server.close()
  expect(server.objections).toEqual([])
  for (const secret of [...SECRETS, 'token-', 'PRIVATE KEY', '529.982', PIX_KEY])
    expect(logged.join()).not.toContain(secret)
})

const txid = newPixTxid(Buffer.alloc(20, 0xa5))
const order: ChargeOrder = {
  txid,
  amountMinor: minorUnits(12_990),
  expirySeconds: 1800,
  payer: { name: 'Ana Souza', document: '52998224725' },
  message: 'Pedido 1042',
}
const refundId = pixRefundId('r1')
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
    const result = await bank.createCharge(order)
    expect(result).toMatchObject({
      kind: 'done',
      value: { txid, status: 'open', amountMinor: 12_990, pixKey: PIX_KEY, payments: [] },
    })
    const value = result.kind === 'done' ? result.value : undefined
    expect(value?.payerCode).toBe(value?.bankCode)
    expect(value?.expiresAtMs).toBe(Date.parse('2026-11-22T12:30:00Z'))
    expect(server.calls[0]?.body).toEqual({
      calendario: { expiracao: 1800 },
      devedor: { cpf: '52998224725', nome: 'Ana Souza' },
      valor: { original: '129.90' },
      chave: PIX_KEY,
      solicitacaoPagador: 'Pedido 1042',
    })
  })

  it('names a company by its CNPJ, also one with letters', async () => {
    const payer = { name: 'Loja Ltda', document: '12ABC34501DE35' }
    expect(await bank.createCharge({ ...order, payer })).toMatchObject({ kind: 'done' })
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
    expect(await bank.createCharge(order)).toMatchObject({ kind: 'done', value: { txid } })
    expect(server.charges.size).toBe(1)
    expect(callsOf('PUT')).toBe(puts)
  })

  it('is the same when it is asked for again', async () => {
    const first = await bank.createCharge(order)
    expect(await bank.createCharge(order)).toEqual(first)
    expect(server.charges.size).toBe(1)
  })

  it('keeps nobody waiting for a doubt beyond its time', async () => {
    const hasty = bankOf(accountOf('efi', server), { settleWithinMs: 0 })
    server.faults.push(cut(/^PUT/, 'after'))
    expect(await hasty.bank.createCharge(order)).toMatchObject({ kind: 'unknown' })
    expect(server.calls).toHaveLength(1)
    expect(await hasty.bank.createCharge(order)).toMatchObject({ kind: 'unknown' })
    expect(await hasty.bank.findCharge(txid)).toMatchObject({ kind: 'done' })
    await hasty.bank.close()
  })

  it('stays unknown while the bank is away, and is settled by asking again', async () => {
    server.faults.push(cut(/^PUT/, 'after'), cut(/^GET/, 'before'))
    expect(await bank.createCharge(order)).toMatchObject({ kind: 'unknown' })
    expect(await bank.createCharge(order)).toMatchObject({ kind: 'done' })
    expect(server.charges.size).toBe(1)
  })

  it.each<[string, Fault, object]>([
    [
      'a wrong request',
      answering(/^PUT/, 400, '{"type":"x/RequisicaoInvalida","title":"t","detail":"chave"}'),
      { kind: 'refused', refusal: { reason: 'request_invalid', code: 'RequisicaoInvalida' } },
    ],
    [
      'a missing right',
      answering(/^PUT/, 403, '{"type":"https://pix.bcb.gov.br/api/v2/error/AcessoNegado"}'),
      { kind: 'refused', refusal: { reason: 'forbidden', status: 403 } },
    ],
    [
      '403 in HTML',
      answering(/^PUT/, 403, '<html>Request blocked</html>'),
      { refusal: { reason: 'forbidden', detail: '<html>Request blocked</html>' } },
    ],
    [
      '429',
      answering(/^PUT/, 429, '', { 'retry-after': '9' }),
      { kind: 'not_asked', reason: 'paused_by_provider', retryAfterMs: 9000 },
    ],
  ])('is not created after %s', async (_, fault, expected) => {
    server.faults.push(fault)
    expect(await bank.createCharge(order)).toMatchObject(expected)
    expect(server.charges.size).toBe(0)
  })

  it('has a field that is too long, which is cut', async () => {
    const payer = { name: 'N'.repeat(300), document: '52998224725' }
    const long = { ...order, payer, message: '🙂'.repeat(100) }
    expect(await bank.createCharge(long)).toMatchObject({ kind: 'done' })
  })

  it.each([
    ['no amount', { amountMinor: minorUnits(0) }],
    ['an amount beyond ten digits', { amountMinor: minorUnits(1_000_000_000_000) }],
    ['no lifetime', { expirySeconds: 0 }],
    ['a payer without document', { payer: { name: 'Ana', document: '1' } }],
  ])('is not asked for with %s', async (_, changes) => {
    await expect(bank.createCharge({ ...order, ...changes })).rejects.toThrow(RangeError)
    expect(server.calls).toEqual([])
  })

  it('is found with what was paid, which may be twice and another amount', async () => {
    await bank.createCharge(order)
    server.pay(txid)
    server.pay(txid, '1.00')
    expect(await bank.findCharge(txid)).toMatchObject({
      kind: 'done',
      value: {
        status: 'paid',
        amountMinor: 12_990,
        payments: [{ txid, amountMinor: 12_990 }, { amountMinor: 100 }],
      },
    })
  })

  it('is absent when the bank does not know it', async () => {
    expect(await bank.findCharge(txid)).toEqual({ kind: 'absent' })
  })

  it('is not taken for absent when a gateway does not know the path', async () => {
    server.faults.push(answering(/^GET/, 404, '<html>not here</html>'))
    expect(await bank.findCharge(txid)).toMatchObject({ kind: 'unknown' })
  })

  it('has a state that is not known, and fields that are new', async () => {
    await bank.createCharge(order)
    server.disguise = (charge) => ({ ...charge, status: 'EM_ANALISE', novo: [1], loc: null })
    expect(await bank.findCharge(txid)).toMatchObject({
      kind: 'done',
      value: { status: 'not_known' },
    })
  })

  it('of another name decides nothing', async () => {
    await bank.createCharge(order)
    server.disguise = (charge) => ({ ...charge, txid: 'x'.repeat(32), status: 'CONCLUIDA' })
    expect(await bank.findCharge(txid)).toMatchObject({ kind: 'unknown' })
  })

  it('is read as Santander writes it', async () => {
    await bank.createCharge(order)
    const calendario = { criacao: '2026-11-22T12:00:00', expiracao: '1800' }
    server.disguise = (charge) => ({ ...charge, calendario, revisao: '0' })
    expect(await bank.findCharge(txid)).toMatchObject({
      kind: 'done',
      value: { status: 'open', expiresAtMs: undefined },
    })
  })
})

describe('a bank that answers with something else', () => {
  it.each<[string, (charge: Record<string, unknown>) => Record<string, unknown>, string]>([
    ['another amount', (charge) => ({ ...charge, valor: { original: '1.00' } }), 'differs'],
    ['another key', (charge) => ({ ...charge, chave: 'thief@example.com' }), 'differs'],
    ['another txid', (charge) => ({ ...charge, txid: 'x'.repeat(32) }), 'differs'],
    [
      'a code for another location',
      (charge) => ({ ...charge, location: 'pix.example.com/qr/v2/other' }),
      'code_contradicts',
    ],
    [
      'neither code nor location',
      (charge) => ({ ...charge, location: '', loc: null, pixCopiaECola: '' }),
      'code_contradicts',
    ],
  ])('%s has its charge removed, and nothing is shown', async (_, disguise, reason) => {
    server.disguise = disguise
    const result = await bank.createCharge(order)
    expect(result).toMatchObject({ kind: 'refused', refusal: { reason } })
    expect(server.charges.get(txid)?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  })

  it('the key in capitals is not taken for another', async () => {
    server.disguise = (charge) => ({ ...charge, chave: PIX_KEY.toUpperCase() })
    expect(await bank.createCharge(order)).toMatchObject({ kind: 'done' })
  })

  it('no code has one composed from the location', async () => {
    server.disguise = (charge) => ({ ...charge, pixCopiaECola: undefined })
    const result = await bank.createCharge(order)
    const code = result.kind === 'done' ? result.value.payerCode : ''
    expect(code).toContain(`pix.example.com/qr/v2/${txid}`)
    expect(code).toContain('Loja Exemplo')
    expect(code).toContain('Sao Paulo')
  })
})

describe('a removal', () => {
  it.each<[string, Fault[]]>([
    ['is answered', []],
    ['is cut before the bank booked', [cut(/^PATCH/, 'before')]],
    ['is cut after the bank booked', [cut(/^PATCH/, 'after')]],
  ])('that %s removes the charge', async (_, faults) => {
    await bank.createCharge(order)
    server.faults.push(...faults)
    expect(await bank.removeCharge(txid)).toMatchObject({
      kind: 'done',
      value: { status: 'removed' },
    })
    expect(await bank.removeCharge(txid)).toMatchObject({ value: { status: 'removed' } })
  })

  it('comes too late for a charge that was paid', async () => {
    await bank.createCharge(order)
    server.pay(txid)
    expect(await bank.removeCharge(txid)).toMatchObject({ kind: 'done', value: { status: 'paid' } })
  })

  it('finds no charge', async () => {
    expect(await bank.removeCharge(txid)).toEqual({ kind: 'absent' })
  })
})

describe('a refund', () => {
  let endToEndId: string
  beforeEach(async () => {
    await bank.createCharge(order)
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
      value: { id: refundId, amountMinor: 12_990, status: 'processing', nature: 'ORIGINAL' },
    })
    expect(await refundOf(12_990)).toMatchObject({ kind: 'done', value: { id: refundId } })
    expect(returned()).toEqual(['129.90'])
  })

  it('may be partial, and several', async () => {
    await refundOf(5000)
    await refundOf(7990, pixRefundId('r2'))
    expect(returned()).toEqual(['50.00', '79.90'])
    expect(await refundOf(1, pixRefundId('r3'))).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'operation_invalid', code: 'PixDevolucaoInvalida' },
    })
  })

  it('stays unknown while the bank is away, and is never asked for under a new id', async () => {
    server.faults.push(cut(/^PUT/, 'after'), cut(/^GET/, 'before'))
    expect(await refundOf(100)).toMatchObject({ kind: 'unknown' })
    expect(await refundOf(100)).toMatchObject({ kind: 'done' })
    expect(returned()).toEqual(['1.00'])
  })

  it('of another amount is not the one that the bank holds', async () => {
    await refundOf(100)
    expect(await refundOf(200)).toMatchObject({ kind: 'refused', refusal: { reason: 'differs' } })
    expect(returned()).toEqual(['1.00'])
  })

  it.each([
    ['DEVOLVIDO', 'returned', undefined],
    ['NAO_REALIZADO', 'rejected', 'Saldo insuficiente'],
    ['EM_ANALISE', 'processing', undefined],
  ])('that is %s is %s', async (status, expected, motivo) => {
    await refundOf(100)
    const [refund] = server.payments().flatMap(({ devolucoes }) => devolucoes)
    Object.assign(refund ?? {}, { status, ...(motivo !== undefined && { motivo }) })
    server.disguise = (charge) => charge
    expect(await bank.findRefund({ endToEndId, refundId })).toMatchObject({
      kind: 'done',
      value: { status: expected, reason: motivo },
    })
  })

  it('is absent for a payment or an id that the bank does not know', async () => {
    expect(await bank.findRefund({ endToEndId, refundId })).toEqual({ kind: 'absent' })
    const unknown = { endToEndId: 'E'.repeat(32), refundId, amountMinor: minorUnits(1) }
    expect(await bank.findRefund(unknown)).toEqual({ kind: 'absent' })
    expect(await bank.refund(unknown)).toMatchObject({ kind: 'refused' })
  })

  it('that the bank began is seen with the payment', async () => {
    server.payments()[0]?.devolucoes.push({
      id: 'bank1',
      rtrId: `D${'1'.repeat(31)}`,
      valor: '129.90',
      natureza: 'MED_FRAUDE',
      horario: { solicitacao: '2026-11-22T13:00:00Z' },
      status: 'DEVOLVIDO',
    })
    expect(await bank.findCharge(txid)).toMatchObject({
      value: { payments: [{ refunds: [{ nature: 'MED_FRAUDE', status: 'returned' }] }] },
    })
  })
})

describe('the list of payments', () => {
  const period = { fromMs: Date.parse('2026-11-22T11:00:00.900Z'), toMs: 1_795_348_800_100 }

  it('is read page by page', async () => {
    await bank.createCharge(order)
    for (let at = 0; at < 250; at++) server.pay(txid, '1.00')
    const seen: number[] = []
    let page: number | undefined = 0
    while (page !== undefined) {
      const result = await bank.listPayments({ ...period, page })
      if (result.kind !== 'done') throw new Error(result.kind)
      seen.push(result.value.payments.length)
      page = result.value.nextPage
    }
    expect(seen).toEqual([100, 100, 50])
    expect(server.calls.at(-1)?.path).toContain('inicio=2026-11-22T11%3A00%3A00Z&fim=')
  })

  it('is empty when nothing was paid', async () => {
    const value = { payments: [], unreadable: 0, nextPage: undefined }
    expect(await bank.listPayments({ ...period, page: 0 })).toEqual({ kind: 'done', value })
  })

  it('loses no page for one item that cannot be read, and no last page for a missing number', async () => {
    const item = { endToEndId: 'E1', valor: '1.00', horario: 'yesterday' }
    const pix = [...Array.from({ length: 99 }, () => item), { valor: 1 }]
    server.faults.push(answering(/^GET/, 200, JSON.stringify({ pix })))
    expect(await bank.listPayments({ ...period, page: 4 })).toMatchObject({
      kind: 'done',
      value: { unreadable: 1, nextPage: 5, payments: { length: 99 } },
    })
  })

  it('leaves calls of the account’s budget to payers', async () => {
    const budget = createCallBudget({ clock, callsPerMinute: 3 })
    const small = bankOf(accountOf('efi', server), { budget })
    const list = () => small.bank.listPayments({ ...period, page: 0 })
    expect(await list()).toMatchObject({ kind: 'done' })
    expect(await list()).toMatchObject({ kind: 'not_asked', reason: 'budget_spent' })
    expect(await small.bank.createCharge(order)).toMatchObject({ kind: 'done' })
    await small.bank.close()
  })
})

describe('an access token', () => {
  it('that was revoked is renewed once, and the charge is made', async () => {
    await bank.createCharge(order)
    server.tokens.clear()
    expect(await bank.findCharge(txid)).toMatchObject({ kind: 'done' })
    expect(server.tokenCalls).toHaveLength(2)
  })

  it('that is bound to another certificate is refused as Santander does, with a reason', async () => {
    const set = server.tokens.set.bind(server.tokens)
    server.tokens.set = (token) => set(token, 'another')
    expect(await bank.createCharge(order)).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'credentials_refused', status: 401, detail: 'Invalid access token' },
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
    'for which the bank answers a token request with %i charges nobody',
    async (status, reason) => {
      server.tokenStatus = status
      expect(await bank.createCharge(order)).toMatchObject({ kind: 'not_asked', reason })
      expect(server.calls).toEqual([])
    },
  )

  it('whose certificate expires while the process runs leaves nothing in doubt', async () => {
    const account = accountOf('efi', server)
    let nowMs = clock.now()
    const expiring = bankOf(account, { clock: { now: () => nowMs } })
    expect(await expiring.bank.createCharge(order)).toMatchObject({ kind: 'done' })
    nowMs = account.credentials.certificate.expiresAtMs
    const result = await expiring.bank.findCharge(txid)
    expect(result).toMatchObject({ kind: 'not_asked', reason: 'certificate_expired' })
    expect(expiring.logged.join()).toContain('the client certificate expired on')
    await expiring.bank.close()
  })
})
