import { DAY_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  AUTHORIZED_CARD,
  NOW_MS,
  OTHER_STORE_ID,
  type OpenConsole,
  STORE_ID,
  openConsole,
  pixTransaction,
  visibleText,
} from '../../../../panel/src/testing/whole-console.fixture.js'

const LIST = `/production/${STORE_ID}/waiting-for-capture`

let panel: OpenConsole
beforeEach(() => {
  panel = openConsole()
})

const authorized = (code: number, daysLeft: number) => {
  const capture = { ...AUTHORIZED_CARD.capture, beforeMs: NOW_MS + daysLeft * DAY_MS }
  const reference = `order-${code}`
  panel.production.held.transactions.push(
    pixTransaction({ ...AUTHORIZED_CARD, code, reference, capture }),
  )
}

describe('the list of payments to capture', () => {
  it('marks those that are due within two days, and leads to each', async () => {
    authorized(1001, 2)
    authorized(1002, 3)
    panel.production.held.transactions.push(pixTransaction({ code: 1003, reference: 'pix' }))
    const { html } = await panel.newPerson('support').get(LIST)
    const text = visibleText(html)
    expect(text).toContain('Nov 23, 2026, 09:00:00 due within 2 days BRL 1,234.56')
    expect(text).toContain('Nov 24, 2026, 09:00:00 BRL 1,234.56')
    expect(html).toContain(`href="/production/${STORE_ID}/payments/1001"`)
    expect(text).not.toContain('pix')
  })

  it('is in Portuguese for readers of it', async () => {
    authorized(1001, 1)
    const person = panel.newPerson('finance')
    await person.get('/language/pt-BR?to=%2F')
    const text = visibleText((await person.get(LIST)).html)
    expect(text).toContain('Pagamentos a capturar')
    expect(text).toContain('22/11/2026, 09:00:00 vence em até 2 dias')
  })

  it.each([
    ['capture', 'capture in progress'],
    ['void', 'void in progress'],
  ] as const)('shows an order that is not confirmed (%s)', async (ordered, text) => {
    authorized(1001, 5)
    panel.production.held.ordered = ordered
    expect(visibleText((await panel.newPerson('finance').get(LIST)).html)).toContain(text)
  })

  it('continues on the next page', async () => {
    for (let code = 1; code <= 26; code += 1) authorized(code, 5)
    const { html } = await panel.newPerson('finance').get(LIST)
    expect(html.match(/class="row-link"/g)).toHaveLength(25)
    expect(html).toContain(`rel="next" href="${LIST}?after=25"`)
  })

  it('is empty for a store without any, and hidden from other stores', async () => {
    const person = panel.newPerson('finance')
    expect(visibleText((await person.get(LIST)).html)).toContain('No payments to capture')
    const elsewhere = `/production/${OTHER_STORE_ID}/waiting-for-capture`
    expect((await person.get(elsewhere)).status).toBe(404)
  })
})
