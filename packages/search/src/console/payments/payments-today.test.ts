import { DAY_MS } from '@cofre/contracts'
import { expect, it } from 'vitest'
import {
  signedIn,
  visibleText,
  NOW_MS,
  pixTransaction,
} from '../../../../panel/src/testing/whole-console.fixture.js'

it('the list of payments has what happened today above it, unless it is filtered', async () => {
  const { developer, held } = await signedIn()
  held.transactions.push(pixTransaction())
  const day = Math.floor((NOW_MS - 3 * 3_600_000) / DAY_MS)
  const of = { day, method: 'eft', detail: '', account: '', amount: 5000 } as const
  held.figures.push(
    { ...of, figure: 'paid', count: 2 },
    { ...of, figure: 'created', count: 3 },
    { ...of, figure: 'paid-within', detail: '5m', count: 2 },
    { ...of, figure: 'decline', detail: 'generic', method: 'credit-card', count: 1 },
    { ...of, figure: 'paid', day: day - 1, count: 40 },
  )
  const today = 'Today 2 paid, BRL 50.00 1 unpaid PIX or boleto 1 card declined'
  expect(visibleText((await developer.get('/payments')).html)).toContain(today)
  expect(visibleText((await developer.get('/payments?status=PENDING')).html)).not.toContain('Today')
})

it("shows the age of today's figures if they lag", async () => {
  const { developer, held } = await signedIn()
  held.transactions.push(pixTransaction())
  expect(visibleText((await developer.get('/payments')).html)).not.toContain('as of')
  held.indexAgeMs = 90_000
  expect(visibleText((await developer.get('/payments')).html)).toMatch(
    /Today .* as of 1 minute, 30 seconds ago/,
  )
})

it('shows that examples are still being written', async () => {
  const { developer, held } = await signedIn()
  held.transactions.push(pixTransaction())
  held.indexAgeMs = 28 * DAY_MS
  for (const [examples, isSaid] of [
    ['making', true],
    ['made', false],
  ] as const) {
    held.examples = examples
    for (const path of ['/payments', '/payments?status=COMPLETE']) {
      const text = visibleText((await developer.get(path)).html)
      expect(text.includes('We’re still creating a month of example payments')).toBe(isSaid)
      // Made just now and dated weeks ago: their dates do not show the index's age.
      expect(text.includes('28 days')).toBe(!isSaid)
    }
  }
})
