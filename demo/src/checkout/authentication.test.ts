import { describe, expect, it } from 'vitest'
import { FIRST_CODE, searchElement } from '../merchant-client.fixture.js'
import { payAt, shopWith } from '../shopper.fixture.js'

describe('a card whose bank asks its holder', () => {
  const BANK = 'https://pay.example/a/AbCdEfGhIjKlMnOp'

  async function shopWithBank(address: string) {
    const { merchant, shopper } = await shopWith('vale-presente')
    merchant.outcome = 'PENDING'
    const create = merchant.createTransaction.bind(merchant)
    merchant.createTransaction = async (body, options) => {
      const answer = await create(body, options)
      return { ...answer, transaction: { ...answer.transaction, 'authentication-url': address } }
    }
    const answer = await payAt(shopper, {})
    const reference = merchant.asked[0]?.body.transaction.reference ?? ''
    return { merchant, shopper, answer, reference }
  }

  it('sends the browser to the issuer, at once and again from the order', async () => {
    const { shopper, answer, reference } = await shopWithBank(BANK)
    expect(answer.html).toContain(`<meta http-equiv="refresh" content="0; url=${BANK}"`)
    const { html } = await shopper.get(`/orders/${reference}`)
    expect(html).toContain(`href="${BANK}"`)
  })

  it.each([
    ['COMPLETE', 'Pagamento aprovado'],
    ['CANCELLED', 'cancelado'],
  ] as const)('reads its outcome from the service: %s', async (status, heading) => {
    const { shopper, merchant, reference } = await shopWithBank(BANK)
    merchant.known.set(FIRST_CODE, searchElement(reference, status))
    const { html } = await shopper.get(`/orders/${reference}?check=yes`)
    expect(html).toContain(heading)
    const again = await shopper.get(`/orders/${reference}?leave=yes`)
    expect(again.html).not.toContain('http-equiv="refresh"')
  })

  it('is linked to only at an address of the web', async () => {
    const { shopper, answer, reference } = await shopWithBank('javascript:alert(1)')
    const { html } = await shopper.get(`/orders/${reference}`)
    for (const page of [answer.html, html]) expect(page).not.toMatch(/alert\(1\)|refresh/)
  })
})
