import { minorUnits } from '@cofre/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHARGE, type TestBank, openTestBank, txidOf } from '../../test/simulated-bank.js'
import { crc } from './wire/br-code.js'

const ERROR = 'https://pix.bcb.gov.br/api/v2/error/'
const REMOVAL = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }

describe('charges', () => {
  let bank: TestBank
  let made = 0
  beforeAll(async () => {
    bank = await openTestBank()
  })
  afterAll(() => bank.close())

  const newCharge = async (changes: object = {}) => {
    made += 1
    const txid = txidOf(made)
    const answer = await bank.put(`/cob/${txid}`, { ...CHARGE, ...changes })
    expect(answer.status).toBe(201)
    return { txid, body: answer.body }
  }

  it('are created under the txid of the receiver, and read', async () => {
    const { txid, body } = await newCharge({ devedor: { cpf: '12345678909', nome: 'Ana' } })
    expect(body).toMatchObject({ txid, revisao: 0, status: 'ATIVA', ...CHARGE })
    expect(body.location).toBe(body.loc.location)
    const read = await bank.get(`/cob/${txid}`)
    expect(read).toMatchObject({ status: 200, body })
  })

  it('live a day by default', async () => {
    expect((await newCharge({ calendario: {} })).body.calendario.expiracao).toBe(86_400)
  })

  it('carry a Pix Copia e Cola with their location, amount and a right CRC', async () => {
    const { body } = await newCharge()
    const code = body.pixCopiaECola
    expect(code).toContain(`25${body.location.length}${body.location}`)
    expect(code).toContain('5406129.90')
    expect(code).toContain('5913Loja Sao Jose6009Sao Paulo')
    expect(code.slice(-4)).toBe(crc(code.slice(0, -4)))
    // The check value of CRC-16/CCITT-FALSE in the catalogue of CRCs.
    expect(crc('123456789')).toBe('29B1')
  })

  it('may be sent again without a change, for the answer may have been lost', async () => {
    const { txid, body } = await newCharge()
    expect(await bank.put(`/cob/${txid}`, CHARGE)).toMatchObject({ status: 201, body })
  })

  it('are revised, by one each time, and every revision can be read', async () => {
    const { txid } = await newCharge()
    const second = await bank.patch(`/cob/${txid}`, { valor: { original: '5.00' } })
    expect(second.body).toMatchObject({ revisao: 1, valor: { original: '5.00' } })
    const third = await bank.put(`/cob/${txid}`, { ...CHARGE, valor: { original: '6.00' } })
    expect(third.body).toMatchObject({ revisao: 2, valor: { original: '6.00' } })
    const first = await bank.get(`/cob/${txid}?revisao=0`)
    expect(first.body).toMatchObject({ revisao: 0, valor: CHARGE.valor })
    const none = await bank.get(`/cob/${txid}?revisao=3`)
    expect(none).toMatchObject({ status: 400, body: { type: `${ERROR}CobConsultaInvalida` } })
  })

  it('are removed by the receiver alone with nothing else, and then stay as they are', async () => {
    const { txid } = await newCharge()
    const both = await bank.patch(`/cob/${txid}`, { ...REMOVAL, valor: { original: '5.00' } })
    expect(both).toMatchObject({ status: 400, body: { type: `${ERROR}CobOperacaoInvalida` } })
    expect((await bank.patch(`/cob/${txid}`, REMOVAL)).body).toMatchObject(REMOVAL)
    const again = [
      await bank.put(`/cob/${txid}`, CHARGE),
      await bank.patch(`/cob/${txid}`, { valor: { original: '5.00' } }),
      await bank.patch(`/cob/${txid}`, REMOVAL),
    ]
    for (const answer of again)
      expect(answer).toMatchObject({ status: 400, body: { type: `${ERROR}CobOperacaoInvalida` } })
    expect(() => bank.bank.controls.pay(txid)).toThrow(RangeError)
  })

  it('are removed by the bank', async () => {
    const { txid } = await newCharge()
    bank.bank.controls.removeCharge(txid)
    expect((await bank.get(`/cob/${txid}`)).body.status).toBe('REMOVIDA_PELO_PSP')
    expect(() => {
      bank.bank.controls.removeCharge(txid)
    }).toThrow(RangeError)
  })

  it('keep their txid for ever: one that was paid is not taken for another charge', async () => {
    const { txid } = await newCharge()
    bank.bank.controls.pay(txid)
    for (const body of [CHARGE, { ...CHARGE, valor: { original: '1.00' } }])
      expect((await bank.put(`/cob/${txid}`, body)).status).toBe(400)
    expect((await bank.patch(`/cob/${txid}`, REMOVAL)).status).toBe(400)
  })

  it('are paid with their amount, and read with the payment', async () => {
    const { txid } = await newCharge()
    const { endToEndId } = bank.bank.controls.pay(txid)
    const { body } = await bank.get(`/cob/${txid}`)
    expect(body).toMatchObject({
      status: 'CONCLUIDA',
      pix: [{ endToEndId, txid, valor: '129.90' }],
    })
    expect(await bank.get(`/pix/${endToEndId}`)).toMatchObject({ status: 200, body: body.pix[0] })
  })

  it('are paid with another amount, and twice', async () => {
    const { txid } = await newCharge()
    bank.bank.controls.pay(txid, minorUnits(100))
    bank.bank.controls.pay(txid)
    const { body } = await bank.get(`/cob/${txid}`)
    expect(body.status).toBe('CONCLUIDA')
    expect(body.pix.map(({ valor }) => valor)).toEqual(['1.00', '129.90'])
  })

  it('expire by time: their status stays, and late money is booked', async () => {
    const { txid } = await newCharge({ calendario: { expiracao: 60 } })
    bank.clock.advance(61_000)
    expect((await bank.get(`/cob/${txid}`)).body.status).toBe('ATIVA')
    bank.bank.controls.pay(txid)
    const { body } = await bank.get(`/cob/${txid}`)
    expect(body.status).toBe('CONCLUIDA')
    const expiredMs = Date.parse(body.calendario.criacao) + 60_000
    expect(Date.parse(body.pix[0].horario)).toBeGreaterThan(expiredMs)
  })

  it('belong to their receiver: another one neither finds them nor shares their txids', async () => {
    const { txid } = await newCharge()
    const stranger = { label: 'outra', taxId: '3', name: 'Outra', city: 'Rio', pixKeys: ['outra'] }
    const credential = await bank.openAccount(stranger)
    const { clientId, clientSecret } = credential
    const fields = { client_id: clientId, client_secret: clientSecret?.reveal() ?? '' }
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...fields })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const asked = { method: 'POST', path: '/oauth/token', headers }
    const token = (await bank.send(asked, form.toString(), credential)).body.access_token
    const as = { token, credential }
    expect((await bank.get(`/cob/${txid}`, as)).status).toBe(404)
    expect((await bank.put(`/cob/${txid}`, CHARGE, as)).status).toBe(400)
    expect((await bank.put(`/cob/${txid}`, { ...CHARGE, chave: 'outra' }, as)).status).toBe(201)
    const { endToEndId } = bank.bank.controls.pay(txid)
    expect((await bank.get(`/pix/${endToEndId}`, as)).status).toBe(404)
  })

  it.each([
    ['an unknown key', { ...CHARGE, chave: 'somebody@else.example' }, 'cob.chave'],
    ['a location that is not there', { ...CHARGE, loc: { id: 4711 } }, 'cob.loc.id'],
    ['a location of another charge', { ...CHARGE, loc: { id: 1 } }, 'cob.loc.id'],
    ['an expiry of zero', { ...CHARGE, calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
    ['an amount of zero', { ...CHARGE, valor: { original: '0.00' } }, 'cob.valor.original'],
    ['an amount without cents', { ...CHARGE, valor: { original: '12.3' } }, 'cob.valor.original'],
    ['a debtor without a name', { ...CHARGE, devedor: { cpf: '12345678909' } }, 'cob.devedor'],
    ['both documents', { ...CHARGE, devedor: { cpf: '1', cnpj: '2', nome: 'A' } }, 'cob.devedor'],
    ['no key', { ...CHARGE, chave: undefined }, 'cob.chave'],
    ['a long text', { ...CHARGE, solicitacaoPagador: 'a'.repeat(141) }, 'cob.solicitacaoPagador'],
    ['Pix Saque', { ...CHARGE, valor: { original: '1.00', retirada: {} } }, 'cob.valor.retirada'],
  ])('are refused with %s', async (_, body, propriedade) => {
    const answer = await bank.put(`/cob/${txidOf(900)}`, body, { isWrong: true })
    expect(answer).toMatchObject({ status: 400, body: { type: `${ERROR}CobOperacaoInvalida` } })
    expect(answer.body.violacoes).toMatchObject([{ propriedade }])
  })

  it.each([
    ['PUT', `/cob/${'a'.repeat(25)}`, CHARGE, 400],
    ['PUT', `/cob/${'a'.repeat(36)}`, CHARGE, 400],
    ['PATCH', `/cob/${txidOf(999)}`, REMOVAL, 404],
    ['GET', `/cob/${txidOf(999)}`, undefined, 404],
    ['GET', '/pix/E0', undefined, 404],
    ['GET', '/nothing', undefined, 404],
    ['DELETE', `/cob/${txidOf(1)}`, undefined, 404],
  ])('%s %s is refused', async (method, path, body, status) => {
    expect((await bank.call({ method, path, body }, { isWrong: true })).status).toBe(status)
  })

  it('are refused in a body that is not JSON', async () => {
    const token = (await bank.askToken()).body.access_token
    const path = `/v2/cob/${txidOf(901)}`
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await bank.send({ method: 'PUT', path, headers }, '{')
    expect(answer).toMatchObject({ status: 400, body: { type: `${ERROR}RequisicaoInvalida` } })
  })
})

describe('lists', () => {
  let bank: TestBank
  let range: string
  beforeAll(async () => {
    bank = await openTestBank()
    const at = (ms: number) => new Date(bank.clock.now() + ms).toISOString()
    range = `inicio=${at(0)}&fim=${at(60_000)}`
    for (let n = 1; n <= 5; n++) {
      await bank.put(`/cob/${txidOf(n)}`, CHARGE)
      bank.clock.advance(1000)
      if (n > 2) bank.bank.controls.pay(txidOf(n))
    }
    bank.bank.controls.receive({ pixKey: CHARGE.chave, amountMinor: minorUnits(7) })
  })
  afterAll(() => bank.close())

  it('charges by time and status, page by page', async () => {
    const page = 'paginacao.itensPorPagina=2&paginacao.paginaAtual'
    const first = await bank.get(`/cob?${range}&${page}=0`)
    expect(first.body.parametros.paginacao).toEqual({
      paginaAtual: 0,
      itensPorPagina: 2,
      quantidadeDePaginas: 3,
      quantidadeTotalDeItens: 5,
    })
    const last = await bank.get(`/cob?${range}&${page}=2`)
    expect(last.body.cobs).toMatchObject([{ txid: txidOf(5) }])
    const open = await bank.get(`/cob?${range}&status=ATIVA`)
    expect(open.body.cobs).toMatchObject([{ txid: txidOf(1) }, { txid: txidOf(2) }])
    expect((await bank.get(`/cob?${range}&cpf=12345678909`)).body.cobs).toEqual([])
  })

  it('payments by time, txid and whether they have one', async () => {
    expect((await bank.get(`/pix?${range}`)).body.pix).toHaveLength(4)
    expect((await bank.get(`/pix?${range}&txIdPresente=true`)).body.pix).toHaveLength(3)
    expect((await bank.get(`/pix?${range}&txIdPresente=false`)).body.pix).toMatchObject([
      { valor: '0.07' },
    ])
    const one = await bank.get(`/pix?${range}&txid=${txidOf(4)}`)
    expect(one.body.pix).toMatchObject([{ txid: txidOf(4) }])
    expect((await bank.get(`/pix?${range}&devolucaoPresente=true`)).body.pix).toEqual([])
    const past = 'inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00-03:00'
    const { parametros, pix } = (await bank.get(`/pix?${past}`)).body
    expect({ ...parametros.paginacao, pix }).toMatchObject({ quantidadeDePaginas: 1, pix: [] })
  })

  it.each([
    ['no range', '/pix'],
    ['a time that is none', '/pix?inicio=today&fim=tomorrow'],
    ['an end before the beginning', '/cob?inicio=2026-01-02T00:00:00Z&fim=2026-01-01T00:00:00Z'],
    ['a negative page', '/webhook?paginacao.paginaAtual=-1'],
    ['a page of 1001', '/webhook?paginacao.itensPorPagina=1001'],
    [
      'both documents',
      '/pix?inicio=2026-01-01T00:00:00Z&fim=2026-01-01T00:00:00Z&cpf=12345678909&cnpj=12345678000195',
    ],
  ])('refuse %s', async (_, path) => {
    const answer = await bank.get(path, { isWrong: true })
    expect(answer.status).toBe(400)
    expect(answer.body.type).toMatch(/ConsultaInvalida$/)
  })
})
