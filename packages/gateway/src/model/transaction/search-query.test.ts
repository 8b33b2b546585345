import { ApiError, DAY_MS, HOUR_MS, errorCatalogue } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { readSearchQuery } from './search-query.js'

const NOW_MS = Date.UTC(2026, 10, 21, 12)
const RULES = { nowMs: NOW_MS, refusesEmptyReference: true }
const initial = { 'initial-order-date': '2026-11-01T00:00:00.0-03:00' }

function codesOf(parameters: Record<string, string>, rules = RULES): number[] {
  try {
    readSearchQuery(parameters, rules)
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.failures.map(({ name }) => errorCatalogue[name].code)
  }
}

describe('readSearchQuery', () => {
  it('reads every parameter', () => {
    const query = {
      reference: 'order-7',
      ...initial,
      'final-order-date': '2026-11-05T00:00:00.000Z',
      'initial-payment-date': '2026-11-02T00:00:00.5Z',
      'final-payment-date': '2026-11-03T00:00:00.0Z',
      'initial-last-status-change-date': '2026-11-20T00:00:00.0Z',
      status: 'NOT-PAID',
      page: '3',
      'max-page-results': '5',
    }
    expect(readSearchQuery(query, RULES)).toEqual({
      reference: 'order-7',
      ranges: [
        { date: 'order', afterMs: Date.UTC(2026, 10, 1, 3), beforeMs: Date.UTC(2026, 10, 5) },
        { date: 'payment', afterMs: Date.UTC(2026, 10, 2) + 500, beforeMs: Date.UTC(2026, 10, 3) },
        { date: 'last-status-change', afterMs: Date.UTC(2026, 10, 20), beforeMs: NOW_MS },
      ],
      status: 'NOT-PAID',
      reachesArchive: false,
      page: 3,
      pageSize: 5,
    })
  })

  it('reaches the archive unless all that it may find is newer', () => {
    const reaches = (query: Record<string, string>) => readSearchQuery(query, RULES).reachesArchive
    const old = { 'initial-order-date': new Date(NOW_MS - 721 * DAY_MS).toISOString() }
    const young = { 'initial-payment-date': new Date(NOW_MS - 718 * DAY_MS).toISOString() }
    expect(reaches({ reference: 'order-7' })).toBe(true)
    expect(reaches(old)).toBe(true)
    // The archiving process's clock may be ahead.
    const border = { 'initial-order-date': new Date(NOW_MS - 720 * DAY_MS + HOUR_MS).toISOString() }
    expect(reaches(border)).toBe(true)
    expect(reaches(young)).toBe(false)
    expect(reaches({ ...old, ...young })).toBe(false)
  })

  it('ends a range without a final date now, and at most 30 days after its start', () => {
    const [recent] = readSearchQuery(initial, RULES).ranges
    expect(recent?.beforeMs).toBe(NOW_MS)
    const [old] = readSearchQuery({ 'initial-order-date': '2026-01-01T00:00:00.0Z' }, RULES).ranges
    expect(old).toMatchObject({ beforeMs: (old?.afterMs ?? 0) + 30 * DAY_MS })
  })

  it('takes an offset whose plus sign arrived as a space', () => {
    const [range] = readSearchQuery(
      { 'initial-order-date': '2026-11-01T00:00:00.0 02:00' },
      RULES,
    ).ranges
    expect(range?.afterMs).toBe(Date.UTC(2026, 9, 31, 22))
  })

  it('needs no date with a reference', () => {
    expect(readSearchQuery({ reference: 'order-7' }, RULES)).toMatchObject({ ranges: [] })
  })

  it('may take an empty reference for none, and never a wrong one', () => {
    const rules = { ...RULES, refusesEmptyReference: false }
    const query = readSearchQuery({ ...initial, reference: '' }, rules)
    expect(query).toEqual(readSearchQuery(initial, rules))
    expect(codesOf({ reference: '' }, rules)).toEqual([22117])
    expect(codesOf({ ...initial, reference: 'a b' }, rules)).toEqual([90019])
  })

  const good = '2026-11-01T00:00:00.0Z'
  it.each<[string, Record<string, string>, number[]]>([
    ['no date', {}, [22117]],
    ['only a status', { status: 'COMPLETE' }, [22117]],
    ['an initial order date', { 'initial-order-date': '2026-11-01' }, [22100]],
    ['a final order date', { ...initial, 'final-order-date': 'x' }, [22101]],
    ['an initial payment date', { 'initial-payment-date': '2026-13-01T00:00:00.0Z' }, [22102]],
    ['a final payment date', { 'initial-payment-date': good, 'final-payment-date': '' }, [22103]],
    [
      'an initial status date',
      { 'initial-last-status-change-date': '2026-02-30T00:00:00.0Z' },
      [22104],
    ],
    [
      'a final status date',
      { 'initial-last-status-change-date': good, 'final-last-status-change-date': '1' },
      [22105],
    ],
    ['a final order date alone', { 'final-order-date': good }, [22106]],
    [
      'a final order date before',
      { ...initial, 'final-order-date': '2026-10-01T00:00:00.0Z' },
      [22107],
    ],
    ['a final payment date alone', { 'final-payment-date': good }, [22108]],
    [
      'a payment range of nothing',
      { 'initial-payment-date': good, 'final-payment-date': good },
      [22109],
    ],
    ['a final status date alone', { 'final-last-status-change-date': good }, [22110]],
    [
      'a status range of nothing',
      { 'initial-last-status-change-date': good, 'final-last-status-change-date': good },
      [22111],
    ],
    [
      'an order range of 31 days',
      { ...initial, 'final-order-date': '2026-12-02T03:00:00.0Z' },
      [22112],
    ],
    [
      'a payment range too long',
      { 'initial-payment-date': good, 'final-payment-date': '2027-11-01T00:00:00.0Z' },
      [22113],
    ],
    [
      'a status range too long',
      {
        'initial-last-status-change-date': good,
        'final-last-status-change-date': '2026-12-01T00:00:00.1Z',
      },
      [22114],
    ],
    ['an empty reference', { reference: '' }, [90019]],
    ['a reference that no order can have', { reference: 'a b' }, [90019]],
    ['page 0', { ...initial, page: '0' }, [22115]],
    ['page x', { ...initial, page: 'x' }, [22115]],
    ['page 1.5', { ...initial, page: '1.5' }, [22115]],
    ['11 results', { ...initial, 'max-page-results': '11' }, [22116]],
    ['no results', { ...initial, 'max-page-results': '0' }, [22116]],
    ['a status in lower case', { ...initial, status: 'complete' }, [22118]],
    ['an unknown status', { ...initial, status: 'PAID' }, [22119]],
    [
      'several at once',
      { ...initial, page: '0', 'max-page-results': 'x', status: '?' },
      [22115, 22116, 22118],
    ],
  ])('refuses %s', (_, parameters, codes) => {
    expect(codesOf(parameters)).toEqual(codes)
  })
})
