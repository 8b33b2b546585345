import { DAY_MS } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callTwice, openPage } from '../../../../provider-kit/test/card-acquirer.js'
import { APPROVED, type TestCielo, openTestCielo } from '../../test/simulated-cielo.js'

const OPEN_CARD = { CardNumber: '4024007153763199' }

describe("the simulated Cielo's page", () => {
  let cielo: TestCielo
  let page: Awaited<ReturnType<typeof openPage>>
  beforeEach(async () => {
    cielo = await openTestCielo()
    page = await openPage(cielo.pageUrl)
  })
  afterEach(() => cielo.close())

  const act = async (id: string, action: string) => {
    const { location } = await page.post(`/payments/${id}/${action}`)
    expect(location).toBe(`/?said=done#${id}`)
  }

  it('lists sales in both languages, with the card masked', async () => {
    await cielo.sell('order')
    await cielo.sell('no', {}, { CardNumber: `${APPROVED.slice(0, -1)}5` })
    const portuguese = await page.read()
    expect(portuguese).toMatch(/Recusado.*Status 3 · 78 · Blocked Card/s)
    expect(portuguese).toMatch(/R\$\s129,90, 3x.*Capturado.*visa 402400\*{6}3191/s)
    expect(portuguese).not.toContain(APPROVED)
    expect(await page.read('en')).toMatch(/<html lang="en">.*Captured/s)
  })

  it('simulates issuer and card scheme', async () => {
    const first = (await cielo.sell('first', {}, OPEN_CARD)).PaymentId
    const second = (await cielo.sell('second', {}, OPEN_CARD)).PaymentId
    await act(first, 'authorise')
    await act(second, 'refuse')
    await act(first, 'charge-back')
    await act(first, 'reverse-chargeback')
    await act(first, 'fraud-alert')
    await act(first, 'notice')
    const changes = (await cielo.notices()) as { ChangeType: number }[]
    expect(changes.map(({ ChangeType }) => ChangeType)).toEqual([1, 1, 1, 1, 7, 7, 8, 1])
    expect(await page.read()).toMatch(/Chargeback.*Revertido/s)
    for (const action of ['authorise', 'fail-capture'])
      expect((await page.post(`/payments/${first}/${action}`)).location).toBe('/?said=state')
  })

  it('lets an authorization expire', async () => {
    const { PaymentId } = await cielo.sell('order', { Capture: false })
    expect(await page.read('en')).toContain('Let the authorization expire')
    await act(PaymentId, 'expire')
    expect(await page.read('en')).toMatch(/Expired.*Status 10/s)
    await cielo.sell('by the clock', { Capture: false })
    cielo.clock.advance(8 * DAY_MS)
    expect(await page.read('en')).not.toContain('Let the authorization expire')
  })

  it('refuses a refund that was answered with success', async () => {
    const { PaymentId } = await cielo.sell('order')
    cielo.clock.advance(DAY_MS)
    await cielo.put(`${PaymentId}/void`)
    expect(await page.read()).toContain('Reembolsado')
    const at = `/payments/${PaymentId}/entries/void-1`
    expect((await page.post(`${at}/fail`)).location).toBe(`/?said=done#${PaymentId}`)
    expect((await page.post(`${at}/settle`)).location).toBe('/?said=state')
    expect(await page.read()).toMatch(/Capturado.*Recusado/s)
  })

  it('gives money back at the acquirer, on the same day too', async () => {
    const { PaymentId } = await cielo.sell('order')
    const refundPaid = (amount: string) => page.post(`/payments/${PaymentId}/give-back`, { amount })
    expect((await refundPaid('29,90')).location).toBe(`/?said=done#${PaymentId}`)
    expect((await refundPaid('100,01')).location).toBe('/?said=state')
    expect((await cielo.get(`/${PaymentId}`)).body.Payment).toMatchObject({ VoidedAmount: 2_990 })
    expect((await cielo.notices()).at(-1)).toEqual({ PaymentId, ChangeType: 1 })
  })

  it('lists the digits that decide a payment’s outcome', async () => {
    expect(await page.read()).toMatch(
      /<code>0, 1, 4<\/code>.*<code>2<\/code>: Not Authorized \(05\)/s,
    )
  })

  it('is served by the caller if that listens for it', async () => {
    const other = await openTestCielo({ pageUrl: 'http://127.0.0.1:9' })
    const headers = { Host: '127.0.0.1:9' }
    const answer = await other.page(new Request(other.pageUrl, { headers }))
    expect(await answer.text()).toContain('<h1>Cielo simulada</h1>')
    await other.close()
  })

  it('makes Cielo slow, away, silent and forgetful', async () => {
    const settings = { notices: 'never', refunds: 'no-balance', connection: 'cut-before' }
    await page.post('/settings', { ...settings, delayMs: '2000', queryLagMs: '60000' })
    const numbers = { delayMs: 2_000, queryLagMs: 60_000 }
    expect(cielo.cielo.conditions).toMatchObject({ ...settings, ...numbers })
    expect(await page.read()).toMatch(/value="no-balance" selected/)
    expect((await page.post('/settings', settings)).status).toBe(403)
  })

  it.each(['apiPort', 'queryPort'] as const)(
    'lets no call through a kept connection of %s once it is away',
    async (name) => {
      const settings = { notices: 'once', refunds: 'at-once', connection: 'away' }
      const leave = () => page.post('/settings', { ...settings, delayMs: '0', queryLagMs: '0' })
      const api = { port: cielo[name], authority: cielo.authority }
      expect(await callTwice(api, leave)).toEqual(['refused', 'not-sent'])
    },
  )
})
