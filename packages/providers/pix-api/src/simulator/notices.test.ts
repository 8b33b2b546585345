import { minorUnits } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  CHARGE,
  PIX_KEY,
  type TestBank,
  openReceiver,
  openTestBank,
  txidOf,
} from '../../test/simulated-bank.js'

const AT = `/webhook/${PIX_KEY}`

describe('notices', () => {
  let bank: TestBank
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  beforeEach(async () => {
    bank = await openTestBank()
    receiver = await openReceiver(bank, { certificates: 'demanded' })
    expect((await bank.put(AT, { webhookUrl: receiver.url })).status).toBe(200)
    for (const n of [1, 2, 3]) await bank.put(`/cob/${txidOf(n)}`, CHARGE)
  })
  afterEach(async () => {
    await receiver.close()
    await bank.close()
  })

  const noticed = async () => {
    await bank.bank.notices.settled()
    return receiver.received.map(({ body }) => body.pix?.map(({ endToEndId }) => endToEndId))
  }

  it('reach the address with /pix appended, over mTLS with the bank as client', async () => {
    const { endToEndId } = bank.bank.controls.pay(txidOf(1))
    expect(await noticed()).toEqual([[endToEndId]])
    const path = `${new URL(receiver.url).pathname}/pix`
    expect(receiver.received).toMatchObject([{ path, hasCertificate: true }])
    expect(bank.bank.notices.attempts).toMatchObject([{ result: { status: 200 } }])
  })

  it('keep the query of the address', async () => {
    await bank.put(AT, { webhookUrl: `${receiver.url}?hmac=1` })
    bank.bank.controls.pay(txidOf(1))
    await noticed()
    expect(receiver.received[0]?.path).toBe('/notices/loja/secret/pix?hmac=1')
  })

  it('come twice, and never, by a person’s choice', async () => {
    bank.bank.conditions.notices = 'twice'
    const { endToEndId } = bank.bank.controls.pay(txidOf(1))
    expect(await noticed()).toEqual([[endToEndId], [endToEndId]])
    bank.bank.conditions.notices = 'never'
    bank.bank.controls.pay(txidOf(2))
    expect(await noticed()).toHaveLength(2)
  })

  it('come in any order, with several payments in a body', async () => {
    bank.bank.conditions.notices = 'never'
    const [first, second, third] = [1, 2, 3].map(
      (n) => bank.bank.controls.pay(txidOf(n)).endToEndId,
    )
    bank.bank.controls.notify([third!, first!])
    await bank.bank.notices.settled()
    bank.bank.controls.notify([second!])
    expect(await noticed()).toEqual([[third, first], [second]])
  })

  it('report a refund when it is final, with any end', async () => {
    bank.bank.conditions.refunds = 'held'
    const { endToEndId } = bank.bank.controls.pay(txidOf(1))
    for (const [id, end] of [
      ['r1', 'NAO_REALIZADO'],
      ['r2', 'DEVOLVIDO'],
    ] as const) {
      await bank.put(`/pix/${endToEndId}/devolucao/${id}`, { valor: '1.00' })
      bank.bank.controls.endRefund(endToEndId, id, end)
      await bank.bank.notices.settled()
    }
    expect(receiver.received.at(-1)?.body.pix).toMatchObject([
      { devolucoes: [{ status: 'NAO_REALIZADO' }, { status: 'DEVOLVIDO' }] },
    ])
    expect(await noticed()).toHaveLength(3)
  })

  it('are only about payments with a txid', async () => {
    bank.bank.controls.receive({ pixKey: PIX_KEY, amountMinor: minorUnits(1) })
    expect(await noticed()).toEqual([])
    bank.bank.controls.receive({ pixKey: PIX_KEY, amountMinor: minorUnits(1), txid: txidOf(99) })
    expect(await noticed()).toHaveLength(1)
  })

  it('end when the address is removed, or cannot be reached', async () => {
    await receiver.close()
    bank.bank.controls.pay(txidOf(1))
    await bank.bank.notices.settled()
    expect(bank.bank.notices.attempts).toMatchObject([{ result: { failure: 'ECONNREFUSED' } }])
    expect((await bank.call({ method: 'DELETE', path: AT })).status).toBe(204)
    bank.bank.controls.pay(txidOf(2))
    await bank.bank.notices.settled()
    expect(bank.bank.notices.attempts).toHaveLength(1)
  })

  it('have an address for each key, which is read, listed, replaced and removed', async () => {
    const { body } = await bank.get(AT)
    expect(body).toMatchObject({ webhookUrl: receiver.url, chave: PIX_KEY })
    expect((await bank.get('/webhook')).body.webhooks).toEqual([body])
    await bank.put(AT, { webhookUrl: 'https://other.example/' })
    expect((await bank.get(AT)).body.webhookUrl).toBe('https://other.example/')
    expect((await bank.call({ method: 'DELETE', path: AT })).status).toBe(204)
    expect((await bank.get(AT)).status).toBe(404)
    expect((await bank.call({ method: 'DELETE', path: AT })).status).toBe(404)
    expect((await bank.get('/webhook')).body.webhooks).toEqual([])
  })

  it.each([
    ['a key of somebody else', '/webhook/somebody', { webhookUrl: 'https://a.example' }],
    ['an address that is none', AT, { webhookUrl: 'here' }],
    ['another scheme', AT, { webhookUrl: 'ftp://a.example' }],
    ['no address', AT, {}],
  ])('are not promised for %s', async (_, path, body) => {
    const answer = await bank.put(path, body, { isWrong: true })
    expect(answer.status).toBe(400)
    expect(answer.body.type).toMatch(/WebhookOperacaoInvalida$/)
  })
})

describe("Efí's handshake", () => {
  const register = async (
    certificates: 'demanded' | 'ignored',
    { answers = 200, headers = {} }: { answers?: number; headers?: Record<string, string> } = {},
  ) => {
    const bank = await openTestBank({ webhookHandshake: 'efi' })
    const receiver = await openReceiver(bank, { certificates, answers })
    const { status } = await bank.put(AT, { webhookUrl: receiver.url }, { headers })
    const known = await bank.get(AT)
    await receiver.close()
    await bank.close()
    return { status, known: known.status, received: receiver.received }
  }

  it('registers an address that refuses a call without certificate and answers one with it', async () => {
    const { status, known, received } = await register('demanded')
    expect([status, known]).toEqual([200, 200])
    expect(received).toMatchObject([
      { path: '/notices/loja/secret', hasCertificate: true, body: { evento: 'teste_webhook' } },
    ])
  })

  it('refuses an address that answers a call without certificate', async () => {
    const { status, known, received } = await register('ignored')
    expect([status, known]).toEqual([400, 404])
    expect(received).toMatchObject([{ hasCertificate: false }])
  })

  it('omits the first call if the receiver requests that', async () => {
    const headers = { 'x-skip-mtls-checking': 'true' }
    const { status, received } = await register('ignored', { headers })
    expect(status).toBe(200)
    expect(received).toMatchObject([{ hasCertificate: true }])
  })

  it('refuses an address that does not answer 2xx', async () => {
    expect(await register('demanded', { answers: 404 })).toMatchObject({ status: 400, known: 404 })
  })
})
