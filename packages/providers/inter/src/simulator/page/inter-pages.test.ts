import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestInter, openInterReceiver, openTestInter } from '../../../test/simulated-inter.js'

const CONDITIONS = {
  issue: '0',
  notices: 'once',
  refunds: 'settled',
  delayMs: '0',
  connection: 'kept',
}

describe("Inter's page", () => {
  let inter: TestInter
  let code: string
  let cookie: string
  let csrf: string
  beforeEach(async () => {
    inter = await openTestInter()
    const answer = await fetch(inter.pageUrl)
    cookie = answer.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    csrf = /name="csrf" value="([^"]+)"/.exec(await answer.text())?.[1] ?? ''
    code = await inter.take('A')
  })
  afterEach(() => inter.close())

  const read = async (path = `/boletos/${code}`, language = 'pt-BR') => {
    const headers = { Cookie: cookie, 'Accept-Language': language }
    return (await fetch(`${inter.pageUrl}${path}`, { headers })).text()
  }
  /** The address of the redirect. */
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const answer = await fetch(`${inter.pageUrl}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie },
      body: new URLSearchParams({ csrf, ...fields }),
    })
    return answer.headers.get('Location') ?? answer.status
  }
  const act = (name: string, fields?: Record<string, string>) =>
    post(`/boletos/${code}/${name}`, fields)

  it('lists boletos in both languages', async () => {
    expect(await read('/')).toMatch(/<html lang="pt-BR">.*Boleto de R\$ 129,90, Ana.*Aberto/s)
    expect(await read('/', 'en')).toMatch(/<html lang="en">.*Boleto of R\$129\.90, Ana.*Open/s)
  })

  it('finds a boleto by the payer’s codes', async () => {
    const { boleto, pix } = await inter.read(code)
    const { linhaDigitavel: line = '', codigoBarras: barcode = '' } = boleto ?? {}
    const dotted = `${line.slice(0, 5)}.${line.slice(5, 10)} ${line.slice(10)}`
    for (const print of [line, dotted, barcode, pix?.pixCopiaECola ?? '']) {
      const address = `${inter.pageUrl}/boletos?code=${encodeURIComponent(print)}`
      const found = await fetch(address, { redirect: 'manual' })
      expect(found.headers.get('Location')).toBe(`/boletos/${code}`)
    }
    for (const print of ['', '1'.repeat(47)])
      expect((await fetch(`${inter.pageUrl}/boletos?code=${print}`)).status).toBe(404)
  })

  it('issues a boleto that waits for a person, or fails to', async () => {
    expect(await post('/conditions', { ...CONDITIONS, issue: 'held' })).toBe('/?said=applied')
    code = await inter.take('B')
    expect(await read()).toMatch(/Em processamento.*Emitir agora.*Fazer a emissão falhar/s)
    expect(await act('issue')).toBe(`/boletos/${code}?said=issued`)
    expect(await act('issue')).toBe(`/boletos/${code}?said=state`)
    code = await inter.take('C')
    await act('fail-issue')
    expect(await read()).toContain('Não emitido')
  })

  it('pays by line with any amount, and by Pix with refunds', async () => {
    expect(await act('pay', { way: 'line', amount: 'x' })).toBe(`/boletos/${code}?said=amount`)
    expect(await act('pay', { way: 'line', amount: '50,5' })).toBe(`/boletos/${code}?said=paid`)
    expect(await read()).toMatch(/Pago.*R\$ 50,50 pela linha/s)
    expect(await act('pay', { way: 'line' })).toBe(`/boletos/${code}?said=state`)
    code = await inter.take('B')
    await act('pay', { way: 'pix' })
    const html = await read()
    const [, id = ''] = /<code>(E[0-9A-Za-z]{31})<\/code>/.exec(html) ?? []
    const back = await post(`/payments/${id}/take-back`, { amount: '10,00' })
    expect(back).toBe(`/boletos/${code}?said=refunded`)
    expect(await read()).toContain('Devolvido pelo banco (MED): R$ 10,00')
    await inter.pix('PUT', `/pix/${id}/devolucao/d1`, { valor: '5.00' })
    expect(await read()).toMatch(/Devolução de R\$ 5,00 .*Devolvida/)
  })

  it.each([
    ['mark-received', 'Recebido por fora'],
    ['expire', 'Expirado'],
    ['cancel', 'Cancelado'],
  ])('ends an open boleto: %s', async (name, text) => {
    expect(await act(name)).toBe(`/boletos/${code}?said=changed`)
    expect(await read()).toContain(text)
    expect(await act(name)).toBe(`/boletos/${code}?said=state`)
  })

  it('books a payment at a till from before the boleto was cancelled', async () => {
    await act('cancel')
    expect(await read()).toMatch(/no caixa pouco antes.*Registrar R\$ 129,90 que foi pago antes/s)
    await act('pay', { way: 'line' })
    expect(await read()).toContain('R$ 129,90 pela linha')
  })

  it('sends a notice again, and shows its result', async () => {
    await inter.read(code)
    const receiver = await openInterReceiver(inter)
    expect(await act('notice')).toBe(`/boletos/${code}?said=sent`)
    expect(await receiver.items()).toMatchObject([{ codigoSolicitacao: code }])
    expect(await read()).toMatch(/Últimos avisos.*Aberto.*200/s)
    await receiver.close()
  })

  it('does nothing for forms of other pages, and has no pages of other boletos', async () => {
    csrf = 'of another browser'
    expect(await act('cancel')).toBe(403)
    expect(await read('/boletos/unknown')).toContain('Este banco não tem essa página')
  })
})
