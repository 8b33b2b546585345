// Boletos of the connector at the simulated bank: every request and answer is checked by the
// official document.
import path from 'node:path'
import { DAY_MS, minorUnits } from '@cofre/contracts'
import { type BoletoOrder, drawBoletoName, payerCode } from '@cofre/provider-kit/bank'
import type { Call } from '@cofre/provider-kit/simulator'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { endCalls, stopCallTime } from '../../../../provider-kit/test/call-time.js'
import { openReceiver } from '../../test/simulated-bank.js'
import { SHARED_FOLDER } from '../../../../provider-kit/test/simulator-parts.js'
import { PIX_KEY } from '../../test/accounts.js'
import { dateInBrasilia } from './pix-api-dated-wire.js'
import { txidOfBoleto } from './pix-api-names.js'
import type { PixApiProfileName } from './pix-api-profiles.js'
import {
  MANNERS,
  type SimulatedBank,
  type SimulatedBankSetup,
  type StrangeAnswer,
  openSimulatedBank,
} from './simulated-bank.fixture.js'

let at: SimulatedBank
const open = async (profile: PixApiProfileName, setup: Partial<SimulatedBankSetup> = {}) => {
  at = await openSimulatedBank(profile, { folder: path.join(SHARED_FOLDER, 'pix-api'), ...setup })
  return { ...at, boleto: at.connection.boleto }
}
afterEach(async () => {
  await at.close()
  expect(at.objections).toEqual([])
  for (const secret of [...at.secrets, 'PRIVATE KEY', '52998224725', 'Rua das Flores', PIX_KEY])
    expect(at.connection.logged.join()).not.toContain(secret)
})

const name = drawBoletoName(() => 7)
const txid = txidOfBoleto(name)
/** Never a weekend, whatever the day of the test. */
const dueIn = (days: number): string => {
  const due = at.clock.now() + days * DAY_MS
  const weekday = new Date(dateInBrasilia(due)).getUTCDay()
  return dateInBrasilia(due + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * DAY_MS)
}
const orderOf = (changes: Partial<BoletoOrder> = {}): BoletoOrder => ({
  name,
  amountMinor: minorUnits(12_990),
  dueDate: dueIn(5),
  payableDays: 60,
  description: 'Pedido 1042',
  payer: {
    name: 'Ana Souza',
    document: '52998224725',
    email: 'ana@example.com',
    address: {
      street: 'Rua das Flores',
      number: '12',
      complement: undefined,
      district: 'Centro',
      city: 'Recife',
      state: 'PE',
      postalCode: '50000000',
    },
  },
  ...changes,
})
const reference = { name, bankId: undefined, dueDate: '2026-12-01' }
const find = () => at.connection.boleto.find(reference, 'background')
const boletos = (): number => at.bank.book.charges.size
const isPut = (call: Call): boolean => call.method === 'PUT'
const isApi = ({ path }: Call): boolean => !path.endsWith('token')
const TERMS = { fine: '2', interest: '1', discount: '5', discountDays: '2' }

describe.each(Object.keys(MANNERS) as PixApiProfileName[])('%s', (profile) => {
  it('issues, reads, refunds and cancels, as the official document has it', async () => {
    const { bank, boleto, calls, clock, connection, judged } = await open(profile)
    const issued = await boleto.issue(orderOf())
    expect(issued).toMatchObject({
      kind: 'done',
      value: { state: 'open', bankId: txid, amountMinor: 12_990, dueDate: orderOf().dueDate },
    })
    expect(await find()).toEqual(issued)
    const { endToEndId } = bank.controls.pay(txid)
    const payment = { endToEndId, txid: name, amountMinor: 12_990, way: 'pix', refunds: [] }
    expect(await find()).toMatchObject({ value: { state: 'paid', payments: [payment] } })
    const refund = { endToEndId, refundId: 'r1', amountMinor: minorUnits(990) }
    expect(await boleto.refund(refund)).toMatchObject({ kind: 'done' })
    expect(await boleto.findRefund(refund)).toMatchObject({ value: { state: 'returned' } })
    const period = { fromMs: clock.now() - 60_000, toMs: clock.now() + 1 }
    const listed = await connection.pix.listPayments(period, 0)
    expect(listed).toMatchObject({ value: { payments: [{ endToEndId, txid: name }] } })
    expect(await boleto.cancel(reference)).toMatchObject({ value: { state: 'paid' } })
    const other = drawBoletoName(() => 9)
    await boleto.issue(orderOf({ name: other }))
    const removed = await boleto.cancel({ ...reference, name: other })
    expect(removed).toMatchObject({ value: { state: 'removed' } })
    const base = { sicredi: '/api/v2', default: MANNERS[profile].api[0] }
    const path = `${profile === 'sicredi' ? base.sicredi : base.default}/cobv/${txid}`
    expect(judged[0]).toBe(`PUT ${path}`)
    // Scopes of boletos have a separate token, if the bank has scopes.
    const tokens = calls.length - judged.length
    expect(tokens).toBe(['efi', 'itau', 'santander'].includes(profile) ? 1 : 2)
  })
})

describe('a boleto', () => {
  it('is requested with its payer, and with fine, interest and discount', async () => {
    const { bank, boleto } = await open('efi', { answers: TERMS })
    const order = orderOf()
    await boleto.issue(order)
    const until = new Date(Date.parse(order.dueDate) - 2 * DAY_MS).toISOString().slice(0, 10)
    expect(bank.book.charges.values().next().value?.revisions[0].terms).toEqual({
      calendario: { dataDeVencimento: order.dueDate, validadeAposVencimento: 60 },
      devedor: {
        cpf: '52998224725',
        nome: 'Ana Souza',
        logradouro: 'Rua das Flores, 12, Centro',
        cidade: 'Recife',
        uf: 'PE',
        cep: '50000000',
      },
      valor: {
        original: '129.90',
        multa: { modalidade: 2, valorPerc: '2.00' },
        juros: { modalidade: 3, valorPerc: '1.00' },
        desconto: { modalidade: 2, descontoDataFixa: [{ data: until, valorPerc: '5.00' }] },
      },
      chave: PIX_KEY,
      solicitacaoPagador: 'Pedido 1042',
    })
  })

  it('names its payer and the address in Latin-1', async () => {
    const { bank, boleto } = await open('efi')
    const { payer, ...order } = orderOf()
    const address = { ...payer.address, street: 'Rua Żółta’s', city: 'Łódź' }
    await boleto.issue({ ...order, payer: { ...payer, name: 'Bjørn Łoś', address } })
    expect(bank.controls.chargeOf(txid).revisions[0].terms.devedor).toMatchObject({
      nome: 'Bjørn Los',
      logradouro: "Rua Zólta's, 12, Centro",
      cidade: 'Lódz',
    })
  })

  it('has no discount until a day that is over', async () => {
    // The discount is over also if a weekend comes first.
    const { bank, boleto } = await open('efi', { answers: { ...TERMS, discountDays: '9' } })
    await boleto.issue(orderOf({ dueDate: dueIn(1) }))
    expect(bank.controls.chargeOf(txid).revisions[0].terms.valor).not.toHaveProperty('desconto')
  })

  it('has a PIX code that fits it', async () => {
    const { boleto } = await open('efi')
    const issued = await boleto.issue(orderOf())
    if (issued.kind !== 'done') throw new Error(issued.kind)
    const { amountMinor, codes } = issued.value
    const charge = { amountMinor, code: codes?.pixCode, location: codes?.pixLocation }
    expect(payerCode(charge, boleto.receiver)).toMatchObject({ kind: 'bank' })
  })

  it.each([
    ['an early payer, with the discount', undefined, 12_340],
    ['a late payer, with fine and interest', 10, 13_293],
  ])('is settled by %s', async (_, daysLate, amountMinor) => {
    const { bank, boleto, clock, connection } = await open('efi', { answers: TERMS })
    await boleto.issue(orderOf())
    if (daysLate === undefined) bank.controls.pay(txid)
    else bank.controls.payLate(txid, daysLate)
    const payment = { amountMinor, settlesMinor: 12_990 }
    expect(await find()).toMatchObject({ value: { amountMinor: 12_990, payments: [payment] } })
    const period = { fromMs: clock.now() - 60_000, toMs: clock.now() + 1 }
    const listed = await connection.pix.listPayments(period, 0)
    expect(listed).toMatchObject({ value: { payments: [payment] } })
  })

  it('is not settled by another amount, nor by parts that do not make it up', async () => {
    const { bank, boleto } = await open('efi', { answers: TERMS })
    await boleto.issue(orderOf())
    const paid = bank.controls.pay(txid, minorUnits(1000))
    const [payment] = await paymentsFound()
    expect(payment).toMatchObject({ amountMinor: 1000 })
    expect(payment).not.toHaveProperty('settlesMinor')
    const body = {
      txid,
      status: 'CONCLUIDA',
      calendario: { dataDeVencimento: '2026-12-01T00:00:00-03:00' },
      valor: { original: '129.90' },
      pix: ['10.00', 'x'].map((juros) => ({
        endToEndId: paid.endToEndId,
        valor: '130.90',
        componentesValor: { original: { valor: '129.90' }, juros: { valor: juros } },
      })),
    }
    at.answer({ status: 200, body: JSON.stringify(body), on: isApi })
    for (const one of await paymentsFound()) expect(one).not.toHaveProperty('settlesMinor')
  })

  async function paymentsFound() {
    const found = await find()
    return found.kind === 'done' ? found.value.payments : []
  }

  it('stays open after its last payable day, and is then cancelled', async () => {
    const { bank, boleto, clock } = await open('efi')
    await boleto.issue(orderOf({ payableDays: 8 }))
    clock.advance(30 * DAY_MS)
    expect(() => bank.controls.pay(txid)).toThrow('last day')
    expect(await find()).toMatchObject({ value: { state: 'open' } })
    expect(await boleto.cancel(reference)).toMatchObject({ value: { state: 'removed' } })
  })

  it('is absent when the bank does not know it, or knows a charge at once under its txid', async () => {
    const { boleto, connection } = await open('efi')
    expect(await find()).toEqual({ kind: 'absent' })
    expect(await boleto.cancel(reference)).toEqual({ kind: 'absent' })
    const terms = { amountMinor: minorUnits(1), lifetimeSeconds: 60, description: '' }
    await connection.pix.openCharge({
      ...terms,
      txid,
      payerName: 'Ana',
      payerDocument: '52998224725',
    })
    expect(await find()).toEqual({ kind: 'absent' })
  })

  it('is refused with a due date that is over', async () => {
    const { boleto } = await open('efi')
    expect(await boleto.issue(orderOf({ dueDate: '2020-01-01' }))).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('CobVOperacaoInvalida') as string,
    })
    expect(boletos()).toBe(0)
  })

  it.each([
    ['an amount of nothing', { amountMinor: minorUnits(0) }],
    ['a payer without document', { payer: { ...orderPayer(), document: '1' } }],
  ])('is not requested with %s', async (_, changes) => {
    const { boleto, calls } = await open('efi')
    await expect(boleto.issue(orderOf(changes))).rejects.toThrow(RangeError)
    expect(calls).toEqual([])
  })

  function orderPayer() {
    const address = { street: '', number: '', complement: undefined, district: '', city: '' }
    return { name: 'Ana', email: '', address: { ...address, state: 'PE', postalCode: '50000000' } }
  }

  it('is named by a notice as we name it', async () => {
    const { bank, boleto, connection, running } = await open('efi')
    const receiver = await openReceiver(running, { certificates: 'demanded' })
    const address = { url: receiver.url, others: 'keep', bankCertificate: 'checked' } as const
    await connection.notices.register(address)
    await boleto.issue(orderOf())
    bank.controls.pay(txid)
    await bank.notices.settled()
    expect(connection.notices.namesIn(receiver.received.at(-1)?.body)).toEqual([name])
    await receiver.close()
  })
})

describe('what goes wrong', () => {
  it.each(['before', 'after'] as const)(
    'issues once when the connection is cut %s the bank books',
    async (when) => {
      const { bank, boleto } = await open('efi')
      bank.disturbances.add({ effect: { kind: 'cut', when }, on: isPut })
      expect(await boleto.issue(orderOf())).toMatchObject({ kind: 'done' })
      expect(await boleto.issue(orderOf())).toMatchObject({ kind: 'done' })
      expect(boletos()).toBe(1)
    },
  )

  it('refuses a charge whose txid the bank has with other terms', async () => {
    const { bank, boleto } = await open('efi')
    await boleto.issue(orderOf({ amountMinor: minorUnits(100) }))
    bank.controls.pay(txid)
    const other = await boleto.issue(orderOf())
    expect(other).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('could not be removed') as string,
    })
  })

  it.each<[string, Omit<StrangeAnswer, 'on' | 'times'>, string, RegExp]>([
    ['403', { status: 403, body: '{"type":"x/AcessoNegado"}' }, 'not-sent', /403/],
    ['429', { status: 429, headers: { 'Retry-After': '7' } }, 'not-sent', /429/],
    ['500', { status: 500, body: '{}' }, 'unknown', /status 500/],
    ['HTML', { status: 200, body: '<html>Manutenção</html>' }, 'unknown', /cannot be read/],
    ['10 MB', { status: 201, body: ' '.repeat(10 * 1024 ** 2) }, 'unknown', /cannot be read/],
  ])('issues nothing while the bank answers with %s, and then it does', async (...one) => {
    const [, answer, kind, detail] = one
    const { bank, boleto, clock } = await open('efi')
    at.answer({ ...answer, on: isApi, times: 9 })
    expect(await boleto.issue(orderOf())).toMatchObject({
      kind,
      detail: expect.stringMatching(detail) as string,
    })
    expect(boletos()).toBe(0)
    bank.disturbances.clear()
    clock.advance(7000)
    expect(await boleto.issue(orderOf())).toMatchObject({ kind: 'done' })
    expect(boletos()).toBe(1)
  })

  it('issues once when every answer is late', async () => {
    const { bank, boleto } = await open('efi')
    onTestFinished(stopCallTime())
    bank.disturbances.add({ effect: { kind: 'late', delayMs: 1000 }, on: isPut })
    const issuing = boleto.issue(orderOf())
    await expect.poll(boletos).toBe(1)
    endCalls()
    expect(await issuing).toMatchObject({ kind: 'done' })
    expect(boletos()).toBe(1)
  })

  it.each(['before', 'after'] as const)(
    'cancels when the connection is cut %s the bank books',
    async (when) => {
      const { bank, boleto } = await open('efi')
      await boleto.issue(orderOf())
      bank.disturbances.add({
        effect: { kind: 'cut', when },
        on: ({ method }) => method === 'PATCH',
      })
      expect(await boleto.cancel(reference)).toMatchObject({ value: { state: 'removed' } })
    },
  )

  it('reads a state that is not known, and another boleto decides nothing', async () => {
    const { boleto } = await open('efi')
    await boleto.issue(orderOf())
    const body = {
      txid,
      status: 'EM_ANALISE',
      calendario: { dataDeVencimento: '2026-12-01', novo: 1 },
      valor: { original: '129.90', multa: { modalidade: '2', valorPerc: '2.00' } },
      novo: [1],
    }
    at.answer({ status: 200, body: JSON.stringify(body), on: isApi })
    expect(await find()).toMatchObject({ value: { state: 'not-known', dueDate: '2026-12-01' } })
    const stranger = { ...body, txid: txidOfBoleto(drawBoletoName(() => 1)) }
    at.answer({ status: 200, body: JSON.stringify(stranger), on: isApi })
    expect(await find()).toMatchObject({ kind: 'unknown' })
  })

  it('leaves PIX unchanged if the bank grants no scopes of boletos', async () => {
    const scopes = ['cob.read', 'cob.write', 'pix.read'] as const
    const { boleto, connection } = await open('bb', { scopes })
    expect(await boleto.issue(orderOf())).toMatchObject({ kind: 'not-sent' })
    const steps = connection.steps.filter(({ method }) => method === 'boleto')
    const detail = await Promise.all(steps.map((step) => step.run()))
    expect(detail.map(({ isDone }) => isDone)).toContain(false)
    for (const step of connection.steps.filter(({ method }) => method === 'pix'))
      expect(await step.run()).toMatchObject({ isDone: true })
  })
})
