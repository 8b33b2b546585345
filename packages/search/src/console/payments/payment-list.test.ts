import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Developer,
  NOW_MS,
  type OpenPanel,
  SANDBOX_URL,
  WAITING_REFUND,
  pixTransaction,
  signedIn,
  visibleText,
} from '../../../../panel/src/testing/whole-console.fixture.js'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})

const textAt = async (path: string): Promise<string> =>
  visibleText((await panel.developer.get(path)).html)

describe('the list of transactions', () => {
  it('explains how to create the first one, with the store’s own receiver', async () => {
    const { html } = await panel.developer.get('/payments')
    expect(visibleText(html)).toContain('Create your first transaction')
    expect(html).toContain('https://panel.example/inbox/unguessable')
    expect(html).toContain(`${SANDBOX_URL}/transactions`)
    expect(html).not.toContain('demo shop')
  })

  it('leads to the demo shop where there is one', async () => {
    const { developer } = await signedIn({ demoShopUrl: 'https://shop.example' })
    const { html } = await developer.get('/payments')
    expect(html).toMatch(/<a href="https:\/\/shop\.example"[^>]*>demo shop/)
  })

  it('shows amounts and times in the reader’s format', async () => {
    panel.held.transactions.push(pixTransaction())
    const english = await textAt('/payments')
    expect(english).toContain('BRL 1,234.56')
    expect(english).toContain('Nov 21, 2026, 09:00 BRL')
    const brazilian = panel.newDeveloper({ 'Accept-Language': 'pt-BR' })
    await brazilian.signIn()
    const portuguese = visibleText((await brazilian.get('/payments')).html)
    expect(portuguese).toContain('R$ 1.234,56')
    expect(portuguese).toContain('21/11/2026, 09:00 R$')
  })

  it.each([
    ['status=COMPLETE', ['paid']],
    ['status=AUTHORIZED', []],
    ['method=postpay', ['boleto']],
    ['text=maria', ['pix', 'paid', 'boleto']],
    ['text=nobody', []],
    ['from=2026-11-22', ['boleto']],
    ['until=2026-11-21', ['pix', 'paid']],
    ['status=COMPLETE&method=postpay', []],
    ['status=NONSENSE&method=cash&from=soon', ['pix', 'paid', 'boleto']],
  ])('filtered by %s shows %j', async (query, references) => {
    // Both days begin at three o'clock UTC.
    panel.held.transactions.push(
      pixTransaction({ reference: 'pix', createdAtMs: Date.parse('2026-11-22T02:59:59Z') }),
      pixTransaction({ reference: 'paid', code: 1002, status: 'COMPLETE' }),
      pixTransaction({
        reference: 'boleto',
        code: 1003,
        paymentType: 'postpay',
        createdAtMs: Date.parse('2026-11-22T03:00:00Z'),
      }),
    )
    const text = await textAt(`/payments?${query}`)
    const shown = ['pix', 'paid', 'boleto'].filter((reference) => text.includes(`${reference} 100`))
    expect(shown).toEqual(references)
  })

  it('keeps the filter from page to page, and for the file', async () => {
    for (let code = 1; code <= 51; code += 1) panel.held.transactions.push(pixTransaction({ code }))
    const { html } = await panel.developer.get('/payments?text=&status=PENDING&after=25')
    expect(html.match(/class="row-link"/g)).toHaveLength(25)
    expect(html).toContain('href="/sandbox/store-1/payments?status=PENDING"')
    expect(html).toContain(
      'rel="next" href="/sandbox/store-1/payments?status=PENDING&amp;after=50"',
    )
    expect(html).toContain(
      'href="/sandbox/store-1/payments.csv?status=PENDING&amp;separator=comma"',
    )
    expect(html).toContain('<option value="PENDING" selected=""')
    const last = await panel.developer.get('/payments?after=50')
    expect(last.html).not.toContain('rel="next"')
  })

  it('sorts by a column’s head, and turns the order by it again', async () => {
    panel.held.transactions.push(pixTransaction())
    const first = (await panel.developer.get('/payments?status=PENDING&after=0')).html
    expect(first).toMatch(/aria-sort="descending"><a href="[^"]*status=PENDING&amp;sort=oldest"/)
    const byAmount = (await panel.developer.get('/payments?sort=highest')).html
    expect(byAmount).toMatch(
      /aria-sort="descending"><a href="\/sandbox\/store-1\/payments\?sort=lowest"/,
    )
  })

  it('keeps a card’s number out of the page and of its address', async () => {
    const address = '/payments?text=4111+1111+1111+1111&status=COMPLETE'
    const answer = await panel.developer.get(address)
    expect([answer.status, answer.location]).toEqual([
      303,
      '/sandbox/store-1/payments?status=COMPLETE',
    ])
    const { html } = await panel.developer.get('/payments?status=COMPLETE')
    expect(visibleText(html)).toContain('Search by its last four digits')
    expect(html).not.toMatch(/4111/)
  })

  it('reports that an undecided order may exist', async () => {
    panel.held.search = { isUndecided: true }
    const text = await textAt('/payments?text=no-such-order')
    expect(text).toContain('This transaction isn’t decided yet')
    expect(text).not.toContain('No transaction matches')
  })

  it('shows how far it has searched, and how late the index is', async () => {
    panel.held.search = { isCutShort: true, searchedToMs: NOW_MS, next: '7-9' }
    panel.held.indexAgeMs = 90_000
    const { html } = await panel.developer.get('/payments?text=maria')
    const text = visibleText(html)
    expect(text).toContain('Searched back to Nov 21, 2026, 09:00:00')
    expect(text).toContain('The search is 1 minute, 30 seconds behind')
    expect(text).not.toContain('No transaction matches')
    expect(html).toContain('rel="next" href="/sandbox/store-1/payments?text=maria&amp;after=7-9"')
    panel.held.search = { isCutShort: true, next: '7-9' }
    expect(await textAt('/payments?sort=highest')).toContain(
      'Only some of the payments were searched',
    )
    expect(await textAt('/payments')).not.toContain('behind')
  })

  it('marks a partly refunded payment, like its page', async () => {
    const refunds = [{ ...WAITING_REFUND, status: 'PROCESSED' }] as const
    panel.held.transactions.push(pixTransaction({ status: 'REFUNDED' }, { refunds }))
    const part = 'in part: BRL 50.00 of BRL 1,234.56'
    expect(await textAt('/payments/1001')).toContain(`Refunded REFUNDED ${part}`)
    const { html } = await panel.developer.get('/payments')
    expect(visibleText(html)).toContain('Refunded REFUNDED in part PIX')
    expect(html).toContain(`title="REFUNDED ${part}"`)
  })
})
