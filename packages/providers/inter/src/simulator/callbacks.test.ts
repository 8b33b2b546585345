import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestInter, openInterReceiver, openTestInter } from '../../test/simulated-inter.js'

describe("Inter's notices", () => {
  let inter: TestInter
  beforeEach(async () => {
    inter = await openTestInter()
  })
  afterEach(() => inter.close())

  const history = async (query: Record<string, string> = {}) => {
    const period = new URLSearchParams({
      dataHoraInicio: new Date(inter.clock.now() - DAY_MS).toISOString(),
      dataHoraFim: new Date(inter.clock.now() + DAY_MS).toISOString(),
      ...query,
    }).toString()
    return (await inter.call('GET', `/cobrancas/webhook/callbacks?${period}`)).json
  }
  const letWaitEnd = async () => {
    inter.waits.shift()?.end()
    await new Promise(setImmediate)
    await inter.inter.callbacks.settled()
  }

  it('report the issue and the payment, over mTLS and with the account', async () => {
    const receiver = await openInterReceiver(inter)
    const code = await inter.take('A')
    await letWaitEnd()
    inter.inter.controls.pay(code, { way: 'line' })
    expect(await receiver.items()).toMatchObject([
      { codigoSolicitacao: code, seuNumero: 'A', situacao: 'A_RECEBER' },
      { situacao: 'RECEBIDO', valorTotalRecebido: '129.90', origemRecebimento: 'BOLETO' },
    ])
    expect(receiver.received[0]).toMatchObject({
      path: new URL(receiver.url).pathname,
      headers: { 'x-conta-corrente': '13525622' },
      hasCertificate: true,
    })
    await receiver.close()
  })

  it('are tried again after 20, 30, 60 and 120 minutes, and then no more', async () => {
    const receiver = await openInterReceiver(inter, 503)
    const code = await inter.take('A')
    await letWaitEnd()
    const waited: number[] = []
    while (inter.waits[0] !== undefined) {
      waited.push(inter.waits[0].ms / MINUTE_MS)
      await letWaitEnd()
    }
    expect(waited).toEqual([20, 30, 60, 120])
    expect(await receiver.items()).toHaveLength(5)
    expect(await history()).toMatchObject({
      totalElementos: 5,
      data: [{ numeroTentativa: 5, sucesso: false, httpStatus: 503 }, {}, {}, {}, {}],
    })
    expect(await history({ codigoSolicitacao: 'another' })).toMatchObject({ data: [] })
    const path = '/cobrancas/webhook/callbacks/retry'
    const body = { codigoSolicitacao: [code, 'another'] }
    expect((await inter.call('POST', path, body)).json).toEqual({ foundIds: [code] })
    expect(await receiver.items()).toHaveLength(6)
    await receiver.close()
  })

  it('come twice or never, and in any order, by a person’s choice', async () => {
    const receiver = await openInterReceiver(inter)
    inter.inter.conditions.notices = 'never'
    const [one, other] = [await inter.take('A'), await inter.take('B')]
    inter.inter.controls.pay(one, { way: 'line' })
    expect(await receiver.items()).toEqual([])
    inter.inter.controls.notify([other, one])
    expect((await receiver.items()).map(({ seuNumero }) => seuNumero)).toEqual(['B', 'A'])
    inter.inter.conditions.notices = 'twice'
    inter.inter.controls.expire(other)
    expect((await receiver.items()).slice(2)).toMatchObject([
      { situacao: 'EXPIRADO' },
      { situacao: 'EXPIRADO' },
    ])
    await receiver.close()
  })

  it('go to the one address of the account, as long as it is registered', async () => {
    const at = '/cobrancas/webhook'
    expect((await inter.call('GET', at)).status).toBe(404)
    const receiver = await openInterReceiver(inter)
    expect((await inter.call('GET', at)).json).toMatchObject({ webhookUrl: receiver.url })
    expect((await inter.call('DELETE', at)).status).toBe(204)
    const code = await inter.take('A')
    inter.inter.controls.boletoOf(code)
    expect(await receiver.items()).toEqual([])
    const wrong = await inter.call('PUT', at, { webhookUrl: 'ftp://x' }, { isWrong: true })
    expect(wrong.status).toBe(400)
    await receiver.close()
  })
})
