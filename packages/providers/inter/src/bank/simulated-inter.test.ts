// The connector and the simulated Inter over real TLS, each written from the facts and independent
// of the other.
import { DAY_MS, type Log, minorUnits } from '@cofre/contracts'
import {
  type BoletoName,
  type BoletoOrder,
  drawBoletoName,
  boletoBarcode,
  digitableLine,
} from '@cofre/provider-kit/bank'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestInter, openTestInter } from '../../test/simulated-inter.js'
import { BOLETO_TERMS } from '../../../../provider-kit/test/boletos.js'
import { storedInter } from '../../test/judging-inter.js'
import { readInterAccount } from './inter-account.js'
import { type InterConnection, connectInter } from './inter-provider.js'

describe('the connector of Inter at the simulated Inter', () => {
  let inter: TestInter
  let connection: InterConnection
  const connect = (): InterConnection => {
    const { clientId, clientSecret = '', certificate, privateKey } = inter.credentials
    const file = Buffer.from(certificate + privateKey.reveal())
    const answers = { clientId, clientSecret, certificate: file, accountNumber: '13525622' }
    const place = { origin: `https://127.0.0.1:${inter.apiPort}`, caPem: inter.authority }
    const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    return connectInter(readInterAccount(storedInter('simulator', answers), place), {
      clock: inter.clock,
      log,
      randomBelow: () => 3,
      wait: () => Promise.resolve(),
      limits: { totalMs: 5000 },
    })
  }
  beforeEach(async () => {
    inter = await openTestInter()
    connection = connect()
  })
  afterEach(async () => {
    await connection.close()
    await inter.close()
  })

  const orderOf = (draw: number): BoletoOrder => ({
    ...BOLETO_TERMS,
    name: drawBoletoName(() => draw),
    dueDate: inter.order('').dataVencimento,
  })
  const find = async (order: BoletoOrder) => {
    const { dueDate, name } = order
    return connection.boleto.find({ name, dueDate, bankId: undefined }, 'payer-waits')
  }
  const codeOf = (name: BoletoName): string => {
    const boletos = [...inter.inter.book.boletos.values()]
    const own = boletos.filter(({ terms }) => terms.seuNumero === name)
    expect(own).toHaveLength(1)
    return own[0]?.code ?? ''
  }

  it('issues a boleto late, whose codes the gateway composes equally', async () => {
    inter.inter.conditions.issue = 'held'
    const order = orderOf(1)
    expect(await connection.boleto.issue(order)).toMatchObject({ value: { state: 'issuing' } })
    expect(await find(order)).toMatchObject({ value: { state: 'issuing', codes: undefined } })
    inter.inter.controls.issue(codeOf(order.name))
    const found = await find(order)
    expect(found).toMatchObject({ kind: 'done', value: { state: 'open', amountMinor: 12_990 } })
    const codes = found.kind === 'done' ? found.value.codes : undefined
    const { barcode = '' } = codes ?? {}
    const { amountMinor, dueDate } = order
    const own = { bank: '077', amountMinor, dueDate, freeField: barcode.slice(19) }
    expect(boletoBarcode(own)).toBe(barcode)
    expect(digitableLine(barcode)).toBe(codes?.digitableLine)
  })

  it('issues a boleto once whose answer was lost', async () => {
    inter.inter.disturbances.add({
      effect: { kind: 'cut', when: 'after' },
      on: ({ method, path }) => method === 'POST' && path.endsWith('/cobrancas'),
    })
    const order = orderOf(2)
    expect(await connection.boleto.issue(order)).toMatchObject({ kind: 'done' })
    expect(await connection.boleto.issue(order)).toMatchObject({ kind: 'done' })
    codeOf(order.name)
  })

  it('reads how much was paid, by line, by PIX and elsewhere, and gives a PIX back', async () => {
    const [line, pix, elsewhere] = [orderOf(3), orderOf(4), orderOf(5)]
    for (const order of [line, pix, elsewhere]) await connection.boleto.issue(order)
    const { controls } = inter.inter
    controls.pay(codeOf(line.name), { way: 'line', amountMinor: minorUnits(5000) })
    controls.pay(codeOf(pix.name), { way: 'pix' })
    controls.markReceived(codeOf(elsewhere.name))
    expect(await find(line)).toMatchObject({
      value: { state: 'paid', payments: [{ way: 'line', amountMinor: 5000 }] },
    })
    expect(await find(elsewhere)).toMatchObject({ value: { payments: [{ way: 'elsewhere' }] } })
    const paid = await find(pix)
    expect(paid).toMatchObject({ value: { payments: [{ way: 'pix', amountMinor: 12_990 }] } })
    const endToEndId = paid.kind === 'done' ? (paid.value.payments[0]?.endToEndId ?? '') : ''
    const refund = { endToEndId, refundId: 'r1', amountMinor: minorUnits(1000) }
    expect(await connection.boleto.refund(refund)).toMatchObject({ kind: 'done' })
    expect(await find(pix)).toMatchObject({
      value: { payments: [{ refunds: [{ amountMinor: 1000, state: 'returned' }] }] },
    })
  })

  it('cancels, and reports boletos that failed or expired', async () => {
    const [cancelled, expired] = [orderOf(6), orderOf(7)]
    for (const order of [cancelled, expired]) await connection.boleto.issue(order)
    const { name, dueDate } = cancelled
    const reference = { name, dueDate, bankId: undefined }
    expect(await connection.boleto.cancel(reference)).toMatchObject({ value: { state: 'removed' } })
    inter.clock.advance(30 * DAY_MS)
    expect(await find(expired)).toMatchObject({ value: { state: 'expired' } })
    inter.inter.conditions.issue = 'held'
    const failed = orderOf(8)
    await connection.boleto.issue(failed)
    inter.inter.controls.failIssue(codeOf(failed.name))
    expect(await find(failed)).toMatchObject({ value: { state: 'failed' } })
  })

  it('gets the slip, and lists the bank’s notices', async () => {
    const url = 'https://127.0.0.1:9/notices/loja/secret'
    const address = { url, others: 'replace', bankCertificate: 'checked' } as const
    expect(await connection.notices.register(address)).toMatchObject({ kind: 'done' })
    const order = orderOf(9)
    await connection.boleto.issue(order)
    const { dueDate, name } = order
    const slip = await connection.boleto.slip?.({ name, dueDate, bankId: undefined })
    expect(slip).toMatchObject({ kind: 'done' })
    inter.inter.controls.pay(codeOf(name), { way: 'line' })
    await inter.inter.callbacks.settled()
    const nowMs = inter.clock.now()
    const notified = await connection.boleto.listNotices?.(nowMs - DAY_MS, nowMs + DAY_MS)
    expect(notified).toEqual({ kind: 'done', value: [name] })
  })
})
