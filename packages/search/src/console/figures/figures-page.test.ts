import type { CountedFigure } from '../../model/store-figures.js'
import { describe, expect, it } from 'vitest'
import {
  openPanelForTest,
  NOW_MS,
  shownAccount,
} from '../../../../panel/src/testing/whole-console.fixture.js'

const TODAY = Math.floor(NOW_MS / 86_400_000)

const counted = (changes: Partial<CountedFigure>): CountedFigure => ({
  figure: 'paid',
  day: TODAY,
  method: 'eft',
  detail: '',
  account: '',
  count: 1,
  amount: 10_000,
  ...changes,
})

const FIGURES = [
  counted({ count: 3, amount: 30_000 }),
  counted({ method: 'credit-card', amount: 5050 }),
  counted({ day: TODAY - 30, amount: 700 }),
  counted({
    figure: 'approved',
    method: 'credit-card',
    detail: 'visa',
    account: 'adyen-1',
    count: 3,
  }),
  counted({ figure: 'declined', method: 'credit-card', detail: 'visa', account: 'adyen-1' }),
  counted({ figure: 'decline', method: 'credit-card', detail: 'insufficient_funds' }),
  counted({ figure: 'created', count: 5 }),
  counted({ figure: 'paid-within', detail: '5m', count: 2 }),
  counted({ figure: 'paid-within', detail: 'later' }),
  counted({ figure: 'refunded', amount: 1234 }),
  counted({ figure: 'charged-back', method: 'credit-card', amount: 9900 }),
  counted({ figure: 'notified', count: 4 }),
  counted({ figure: 'acknowledged', count: 3 }),
]

async function seen(path: string, figures: readonly CountedFigure[] = FIGURES) {
  const panel = openPanelForTest()
  panel.held.figures.push(...figures)
  panel.held.accounts.push(shownAccount('adyen-1', 'Adyen, site'))
  const developer = panel.newDeveloper({ 'Accept-Language': 'en' })
  await developer.signIn()
  const { status, html } = await developer.get(path)
  return { status, html, text: html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ') }
}

describe('example data in the figures', () => {
  const seenWith = async (path: string, examples: readonly CountedFigure[]) => {
    const panel = openPanelForTest()
    panel.held.figures.push(...FIGURES)
    panel.held.exampleFigures.push(...examples)
    panel.held.examples = examples.length > 0 ? 'made' : undefined
    const developer = panel.newDeveloper({ 'Accept-Language': 'en' })
    await developer.signIn()
    return (await developer.get(path)).html
  }

  it('is left out where that is asked for, in the file too, and for other periods', async () => {
    const examples = [counted({ count: 100, amount: 1_000_000 })]
    const withThem = await seenWith('/figures', examples)
    expect(withThem).toContain('BRL 10,350.50 in 104 payments')
    expect(withThem).toContain('name="examples"')
    const without = await seenWith('/figures?examples=without', examples)
    expect(without).toContain('BRL 350.50 in 4 payments')
    expect(without).toMatch(/name="examples"[^>]*checked/)
    expect(without).toContain('/figures?days=7&amp;examples=without')
    expect(without).toContain('examples=without&amp;separator=')
    expect(await seenWith('/figures.csv?examples=without', examples)).not.toContain('1000000')
  })

  it('is no choice where there is none', async () => {
    expect(await seenWith('/figures', [])).not.toContain('name="examples"')
  })
})

describe('the figures', () => {
  it('call accounts by their names', async () => {
    const { text } = await seen('/figures')
    expect(text).toContain('Account: Adyen, site')
    expect(text).not.toContain('adyen-1')
  })

  it('show a period beside the one before', async () => {
    const { text } = await seen('/figures')
    for (const expected of [
      'BRL 350.50 in 4 payments. In the previous period: BRL 7.00 in 1.',
      '75% of the cards were approved. In the previous period: no data.',
      'Declines: 1. In the previous period: 0.',
      'PIX: 3 of 5 were paid (60%). In the previous period: no data.',
      'Refunds: BRL 12.34. In the previous period: BRL 0.00.',
      'Chargebacks: BRL 99.00. In the previous period: BRL 0.00.',
      '75% were accepted at the first attempt',
    ])
      expect(text).toContain(expected)
  })

  it('keep money apart that is authorized and not captured', async () => {
    const card = { figure: 'authorized', method: 'credit-card' } as const
    const open = [counted({ ...card, amount: 123_457 }), counted({ ...card, day: TODAY - 30 })]
    const { text } = await seen('/figures', [...FIGURES, ...open])
    expect(text).toContain('BRL 350.50 in 4 payments. In the previous period')
    expect(text).toContain(
      'BRL 1,234.57 in 1 payments, reserved on cards and not charged. Still open from the previous period: BRL 100.00 in 1.',
    )
    const { html } = await seen('/figures.csv?days=7&separator=comma', open)
    expect(html.trim().split('\r\n')).toEqual([
      'Report,Day,Of,Measure,Count,Amount,Account name',
      '"Authorized, not yet captured",2026-11-21,Credit card,,1,1234.57,',
    ])
    expect((await seen('/figures', [counted({ amount: 700 })])).text).not.toContain('Authorized')
  })

  it('are pictures without inline style, each with its title and its table', async () => {
    const { html } = await seen('/figures')
    expect(html).not.toContain('style=')
    // Sales and returned money are of one day: bars by method replace the chart of thirty days.
    expect(html.match(/<div class="chart"/g)).toHaveLength(1)
    expect(html.match(/<ul class="bars"/g)).toHaveLength(5)
    expect(html.match(/<details data-keep="table-/g)).toHaveLength(6)
    for (const [, id] of html.matchAll(/aria-labelledby="([\w-]+)"/g))
      expect(html).toContain(`<title id="${id}">`)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, id] of html.matchAll(/url\(#([\w-]+)\)/g)) expect(ids).toContain(id)
  })

  it.each([
    ['', [TODAY - 29, TODAY]],
    ['?days=7', [TODAY - 6, TODAY]],
    ['?days=8', [TODAY - 29, TODAY]],
    ['?from=2026-11-01&until=2026-11-01', [20_758, 20_758]],
    ['?from=2026-11-02&until=2026-11-01', [TODAY - 29, TODAY]],
    ['?from=2020-01-01&until=2026-11-01', [TODAY - 29, TODAY]],
    ['?from=2026-02-30&until=2026-11-01', [TODAY - 29, TODAY]],
  ])('of %s are of days %s', async (query, [from, until]) => {
    const dates = [from, until].map((day = 0) =>
      new Date(day * 86_400_000).toISOString().slice(0, 10),
    )
    const { html, text } = await seen(`/figures${query}`)
    expect([...html.matchAll(/type="date"[^>]*value="([\d-]+)"/g)].map(([, day]) => day)).toEqual(
      dates,
    )
    const isRefused = query.includes('from=') && from === TODAY - 29
    expect(text.includes('Choose a start date before the end date')).toBe(isRefused)
  })

  it('state that there is nothing, in total or for one subject', async () => {
    expect((await seen('/figures', [])).text).toContain('Nothing in this period')
    const { text, html } = await seen('/figures', [counted({})])
    expect(text).toContain('Nothing in this period.')
    expect(html.match(/<ul class="bars"/g)).toHaveLength(1)
  })

  it('of a day on which nothing was worth anything have an axis', async () => {
    const { html } = await seen('/figures?days=7', [counted({ amount: 0 })])
    expect(html).not.toContain('NaN')
  })

  it('leave as one table of the period, amounts as the spreadsheet reads them', async () => {
    const { html } = await seen('/figures.csv?days=7&separator=comma')
    expect(html.trim().split('\r\n')).toEqual([
      'Report,Day,Of,Measure,Count,Amount,Account name',
      'Paid sales by day,2026-11-21,Credit card,,1,50.50,',
      'Paid sales by day,2026-11-21,PIX,,3,300.00,',
      'Card approvals,,Brand: Visa,Approved,3,,',
      'Card approvals,,Brand: Visa,Declined,1,,',
      'Card approvals,,Account: adyen-1,Approved,3,,"Adyen, site"',
      'Card approvals,,Account: adyen-1,Declined,1,,"Adyen, site"',
      'Declines by reason,,insufficient_funds,,1,100.00,',
      'Paid PIX and boletos,,PIX,Created,5,,',
      'Paid PIX and boletos,,PIX,Paid within 5 minutes,2,,',
      'Paid PIX and boletos,,PIX,within 1 hour,0,,',
      'Paid PIX and boletos,,PIX,within 1 day,0,,',
      'Paid PIX and boletos,,PIX,within 3 days,0,,',
      'Paid PIX and boletos,,PIX,later,1,,',
      'Refunds and chargebacks,2026-11-21,Chargebacks,,1,99.00,',
      'Refunds and chargebacks,2026-11-21,Refunds,,1,12.34,',
      'Notifications that the store accepted,2026-11-21,,Sent,4,,',
      'Notifications that the store accepted,2026-11-21,,Accepted right away,3,,',
    ])
  })
})
