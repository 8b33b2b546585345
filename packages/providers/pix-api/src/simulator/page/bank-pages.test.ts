import { request as requestHttp } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CALM } from '../conditions.js'
import { CHARGE, DATED, type TestBank, openTestBank, txidOf } from '../../../test/simulated-bank.js'

const TXID = txidOf(1)
const CHARGE_PAGE = `/charges/${TXID}`
const CONDITIONS = { ...CALM, delayMs: '0' }

describe("the bank's page", () => {
  let bank: TestBank
  let cookie: string
  let csrf: string
  beforeEach(async () => {
    bank = await openTestBank()
    const answer = await fetch(bank.pageUrl)
    cookie = answer.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    csrf = /name="csrf" value="([^"]+)"/.exec(await answer.text())?.[1] ?? ''
    await bank.put(`/cob/${TXID}`, CHARGE)
  })
  afterEach(() => bank.close())

  const read = async (path = '/', headers: Record<string, string> = {}) => {
    const answer = await fetch(`${bank.pageUrl}${path}`, {
      headers: { Cookie: cookie, ...headers },
    })
    return answer.text()
  }
  const post = (path: string, fields: Record<string, string> = {}, headers: object = {}) =>
    fetch(`${bank.pageUrl}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie, ...headers },
      body: new URLSearchParams({ csrf, ...fields }),
    })
  const pay = async (fields: Record<string, string> = {}) => {
    const answer = await post(`${CHARGE_PAGE}/pay`, fields)
    expect(answer.headers.get('Location')).toBe(`${CHARGE_PAGE}?said=paid`)
    return bank.bank.controls.chargeOf(TXID).payments.at(-1)!
  }

  it('lists charges in both languages', async () => {
    const english = { 'Accept-Language': 'en' }
    expect(await read('/', english)).toMatch(/<html lang="en">.*Charge of R\$129\.90.*Open/s)
    expect(await read()).toMatch(/<html lang="pt-BR">.*Cobrança de R\$ 129,90.*Aberta/s)
    const chosen = await fetch(`${bank.pageUrl}/language/en?to=/`, { redirect: 'manual' })
    cookie = `${cookie}; ${chosen.headers.getSetCookie()[0]?.split(';')[0] ?? ''}`
    expect(await read()).toContain('lang="en"')
  })

  it('finds the charge of a code that a payer was shown', async () => {
    const { body } = await bank.get(`/cob/${TXID}`)
    const find = (code: string) =>
      fetch(`${bank.pageUrl}/charges?code=${encodeURIComponent(code)}`, { redirect: 'manual' })
    const found = await find(` ${body.pixCopiaECola}\n`)
    expect(found.headers.get('Location')).toBe(CHARGE_PAGE)
    for (const code of ['', body.pixCopiaECola.slice(0, 60)])
      expect((await find(code)).status).toBe(404)
  })

  it('pays a charge with a due date, on time and late, and not after its last day', async () => {
    const [onTime, late, unpaid] = [txidOf(7), txidOf(8), txidOf(9)]
    for (const txid of [onTime, late, unpaid]) await bank.put(`/cobv/${txid}`, DATED)
    const page = await read(`/charges/${onTime}`)
    expect(page).toMatch(/Pagador.*Ana.*Vencimento.*03\/01\/2090.*Pagar R\$ 100,00</s)
    await post(`/charges/${onTime}/pay`)
    await post(`/charges/${late}/pay-late`, { days: '30' })
    const paidFor = async (txid: string) => (await bank.get(`/cobv/${txid}`)).body.pix[0].valor
    expect([await paidFor(onTime), await paidFor(late)]).toEqual(['100.00', '103.00'])
    const refused = await post(`/charges/${unpaid}/pay-late`, { days: '99' })
    expect(refused.headers.get('Location')).toBe(`/charges/${unpaid}?said=state`)
    bank.clock.advance(Date.parse('2090-02-04T12:00:00Z') - bank.clock.now())
    expect(await read(`/charges/${unpaid}`)).toMatch(/Expirada(?!.*pay-late)/s)
  })

  it('pays a charge, with another amount, late and once more', async () => {
    expect(await read(CHARGE_PAGE)).toContain('Pagar R$ 129,90<')
    await pay({ amount: '1,5' })
    expect(await read(`${CHARGE_PAGE}?said=paid`)).toMatch(/Pago\..*Paga.*R\$ 1,50.*/s)
    expect(await read(CHARGE_PAGE)).toContain('Pagar R$ 129,90 de novo')
    await pay()
    const { body } = await bank.get(`/cob/${TXID}`)
    expect(body.pix.map(({ valor }) => valor)).toEqual(['1.50', '129.90'])
    await bank.put(`/cob/${txidOf(2)}`, CHARGE)
    bank.clock.advance(1_800_001)
    expect(await read()).toContain('Expirada')
    const late = await read(`/charges/${txidOf(2)}`)
    expect(late).toContain('Pagar R$ 129,90 com atraso')
    expect(late).toContain('expira cerca de cinco minutos depois deste prazo')
    expect(await read(CHARGE_PAGE)).not.toContain('depois deste prazo')
  })

  it('lets new charges hold a minute, to be paid late', async () => {
    await post('/conditions', { ...CONDITIONS, lifetime: 'minute' })
    for (const expiracao of [1800, 30]) {
      const charge = { ...CHARGE, calendario: { expiracao } }
      const { body } = await bank.put(`/cob/${txidOf(expiracao)}`, charge)
      expect(body).toMatchObject({ revisao: 0, calendario: { expiracao: Math.min(expiracao, 60) } })
    }
    const again = await bank.put(`/cob/${txidOf(1800)}`, CHARGE)
    expect(again.body).toMatchObject({ revisao: 0 })
  })

  it('removes an open charge at the bank', async () => {
    await post(`/charges/${TXID}/remove`)
    expect((await bank.get(`/cob/${TXID}`)).body.status).toBe('REMOVIDA_PELO_PSP')
    expect((await read()) + (await read(CHARGE_PAGE))).not.toContain('/pay')
    const again = await post(`/charges/${TXID}/pay`, { amount: '1' })
    expect(again.headers.get('Location')).toBe(`${CHARGE_PAGE}?said=state`)
  })

  it('settles and refuses refunds, and gives money back by itself', async () => {
    await post('/conditions', { ...CONDITIONS, refunds: 'held' })
    const { endToEndId } = await pay()
    const at = `/payments/${endToEndId}`
    for (const id of ['r1', 'r2'])
      await bank.put(`/pix/${endToEndId}/devolucao/${id}`, { valor: '1.00' })
    await post(`${at}/refunds/r1/settle`)
    await post(`${at}/refunds/r2/refuse`)
    await post(`${at}/take-back`, { amount: '2' })
    await post(`${at}/take-back`, { amount: '3', nature: 'MED_PIX_AUTOMATICO' })
    const { body } = await bank.get(`/pix/${endToEndId}`)
    expect(body.devolucoes).toMatchObject([
      { status: 'DEVOLVIDO', natureza: 'ORIGINAL' },
      { status: 'NAO_REALIZADO' },
      { status: 'DEVOLVIDO', natureza: 'MED_FRAUDE', valor: '2.00' },
      { status: 'DEVOLVIDO', natureza: 'MED_PIX_AUTOMATICO', valor: '3.00' },
    ])
    const late = await post(`${at}/refunds/r1/refuse`)
    expect(late.headers.get('Location')).toBe(`${CHARGE_PAGE}?said=state`)
    expect(await read(`${CHARGE_PAGE}?said=state`)).toContain('não é mais possível')
  })

  it('makes the bank slow, away and silent, and shows what was noticed', async () => {
    const webhookUrl = 'http://127.0.0.1:1/notices'
    await bank.put(`/webhook/${CHARGE.chave}`, { webhookUrl })
    const conditions = { ...CALM, notices: 'never', connection: 'cut-after' }
    await post('/conditions', { ...conditions, delayMs: '2000' })
    expect(bank.bank.conditions).toEqual({ ...conditions, delayMs: 2000 })
    expect(await read()).toMatch(/value="cut-after" selected/)
    const { endToEndId } = await pay()
    await post(`/payments/${endToEndId}/notice`)
    await bank.bank.notices.settled()
    for (const page of ['/', CHARGE_PAGE])
      expect(await read(page)).toMatch(/127\.0\.0\.1:1.*ECONNREFUSED/s)
  })

  it.each(['', '0', '-1', '1.234', 'ten', '99999999999'])(
    'refuses %j as an amount',
    async (amount) => {
      const answer = await post(`/charges/${TXID}/pay`, { amount })
      expect(answer.headers.get('Location')).toBe(`${CHARGE_PAGE}?said=amount`)
      expect(bank.bank.book.payments.size).toBe(0)
    },
  )

  it.each([
    ['without its token', { csrf: '' }, {}],
    ['with the token of another browser', {}, { Cookie: `cofre_pix_bank=${'a'.repeat(43)}` }],
    ['from elsewhere', {}, { 'Sec-Fetch-Site': 'cross-site' }],
    ['that is no form', {}, { 'Content-Type': 'text/plain' }],
  ])('changes nothing for a form %s', async (_, fields, headers) => {
    const answer = await post(`/charges/${TXID}/pay`, { amount: '1', ...fields }, headers)
    expect(answer.status).toBe(403)
    expect(bank.bank.book.payments.size).toBe(0)
  })

  it('changes nothing for conditions that are none, or a charge that is not there', async () => {
    expect((await post('/conditions', { notices: 'often' })).status).toBe(403)
    const answer = await post('/charges/none/pay', { amount: '1' })
    expect(answer.headers.get('Location')).toBe('/?said=state')
    expect((await post('/nothing')).status).toBe(404)
    for (const path of ['/nothing', '/charges/none'])
      expect((await fetch(`${bank.pageUrl}${path}`)).status).toBe(404)
  })

  it('runs nothing inline and belongs in no frame', async () => {
    const { headers } = await fetch(bank.pageUrl)
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
  })

  it('is not served under a foreign name of its address', async () => {
    const { port } = new URL(bank.pageUrl)
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    const headers = { Host: `evil.example:${port}` }
    requestHttp({ host: '127.0.0.1', port, headers }, ({ statusCode }) => {
      resolve(statusCode)
    }).end()
    expect(await promise).toBe(421)
  })
})
