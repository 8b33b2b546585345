import { DAY_MS, HOUR_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { installmentPlan } from './installment-plan.js'
import {
  INTEREST_CHANGES_MAX,
  type InterestQuery,
  type StoreInterest,
  type WantedInterest,
  chargedTerms,
  interestText,
  shownTerms,
  withInterest,
} from './store-interest.js'

const NOW_MS = Date.UTC(2026, 10, 28, 12)
const usual = { monthlyRate: 0.0299, interestFree: 1 }
const cheap = { monthlyRate: 0.01, interestFree: 3 }
const dear = { monthlyRate: 0.05, interestFree: 1 }

function changed(
  changes: StoreInterest,
  wanted: WantedInterest,
  nowMs: number = NOW_MS,
): StoreInterest {
  const result = withInterest(changes, wanted, nowMs)
  if (typeof result === 'string') throw new Error(result)
  return result
}

const query = (over: Partial<InterestQuery>): InterestQuery => ({
  changes: [],
  usual,
  brand: 'visa',
  nowMs: NOW_MS,
  ...over,
})

/** The total of 12 installments for 100.00. */
const totalBy = (terms: ReturnType<typeof shownTerms>): number =>
  installmentPlan(minorUnits(10_000), { terms, quantityMax: 12 }).at(-1)?.totalMinor ?? 0

describe('what installments cost at a store', () => {
  it('is the installation’s interest until the store has its own, and again after that', () => {
    expect(shownTerms(query({ changes: undefined }))).toEqual([usual])
    const own = changed([], { terms: cheap })
    expect(shownTerms(query({ changes: own }))).toEqual([cheap])
    const ended = changed(own, { terms: null })
    expect(shownTerms(query({ changes: ended, nowMs: NOW_MS + 1 }))).toEqual([usual])
  })

  it('is of the brand where it has terms of its own, of all brands otherwise', () => {
    const changes = changed(changed([], { terms: cheap }), { brand: 'amex', terms: dear })
    expect(shownTerms(query({ changes, brand: 'amex' }))).toEqual([dear])
    expect(shownTerms(query({ changes, brand: 'visa' }))).toEqual([cheap])
    expect(shownTerms(query({ changes, brand: undefined }))).toEqual([cheap, dear])
  })

  it('changes at its time, and is shown as it is then', () => {
    const changes = changed([], { terms: dear, fromMs: NOW_MS + DAY_MS })
    expect(shownTerms(query({ changes }))).toEqual([usual])
    expect(shownTerms(query({ changes, nowMs: NOW_MS + DAY_MS }))).toEqual([dear])
  })

  it('is charged as it was shown for an hour after it rose', () => {
    const changes = changed([], { terms: dear })
    const chargedAfter = (afterMs: number) =>
      totalBy(chargedTerms(query({ changes, nowMs: NOW_MS + afterMs })))
    expect(chargedAfter(HOUR_MS)).toBe(totalBy([usual]))
    expect(chargedAfter(2 * HOUR_MS)).toBe(totalBy([dear]))
  })

  it('is charged less at once when it falls', () => {
    const changes = changed([], { terms: cheap })
    expect(totalBy(chargedTerms(query({ changes })))).toBe(totalBy([cheap]))
  })

  it('drops what was to hold later when its brand is changed again, and no other brand’s', () => {
    const planned = changed(changed([], { brand: 'elo', terms: cheap, fromMs: NOW_MS + DAY_MS }), {
      terms: dear,
      fromMs: NOW_MS + 2 * DAY_MS,
    })
    expect(changed(planned, { terms: null }).map(interestText)).toEqual([
      'elo: 0.01 a month, 3 free, from 2026-11-29T12:00:00.000Z',
      'all brands: as usual, from 2026-11-28T12:00:00.000Z',
    ])
  })

  it('is refused for a time that is over, and where a store has very many changes', () => {
    expect(withInterest([], { terms: dear, fromMs: NOW_MS - 1 }, NOW_MS)).toBe('past')
    let changes: StoreInterest = []
    for (let day = 1; day <= INTEREST_CHANGES_MAX; day++)
      changes = changed(changes, { terms: dear, fromMs: NOW_MS + day * DAY_MS })
    const later = { terms: dear, fromMs: NOW_MS + 1000 * DAY_MS }
    expect(withInterest(changes, later, NOW_MS)).toBe('too-many')
  })

  it('forgets changes of which no price holds any more', () => {
    let changes: StoreInterest = []
    for (let day = 0; day < 2 * INTEREST_CHANGES_MAX; day++)
      changes = changed(changes, { terms: day % 2 === 0 ? dear : cheap }, NOW_MS + day * DAY_MS)
    expect(changes).toHaveLength(2)
  })

  it('never exceeds a price that was shown in the last hour, whatever was changed between', () => {
    const terms = fc.constantFrom(null, usual, cheap, dear)
    const brand = fc.constantFrom(undefined, 'visa', 'elo')
    const step = fc.record({
      afterMs: fc.integer({ min: 0, max: 40 * MINUTE_MS }),
      change: fc.option(
        fc.record({
          brand,
          terms,
          inMs: fc.option(fc.integer({ min: 0, max: 30 * MINUTE_MS }), { nil: undefined }),
        }),
        { nil: undefined },
      ),
      shownBy: brand,
      /** How far ahead the clock of the showing process is. */
      aheadMs: fc.integer({ min: -2 * MINUTE_MS, max: 2 * MINUTE_MS }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), brand, (steps, chargedBy) => {
        let nowMs = NOW_MS
        let changes: StoreInterest = []
        const shown: { atMs: number; brand: string | undefined; total: number }[] = []
        for (const { afterMs, change, shownBy, aheadMs } of steps) {
          nowMs += afterMs
          if (change !== undefined) {
            const { inMs, ...of } = change
            const fromMs = inMs === undefined ? undefined : nowMs + inMs
            changes = changed(changes, { ...of, fromMs }, nowMs)
          }
          const terms = shownTerms(query({ changes, brand: shownBy, nowMs: nowMs + aheadMs }))
          shown.push({ atMs: nowMs, brand: shownBy, total: totalBy(terms) })
        }
        const charged = totalBy(chargedTerms(query({ changes, brand: chargedBy, nowMs })))
        for (const { atMs, brand: of, total } of shown)
          if (nowMs - atMs <= HOUR_MS && (chargedBy === undefined || chargedBy === of))
            expect(charged).toBeLessThanOrEqual(total)
      }),
      { numRuns: 300 },
    )
  })
})
