import { readFileSync } from 'node:fs'
import { DECLINE_REASONS } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { ABECS_ROWS, type CodeTable, codeTableOf, meaningOf } from './abecs-codes.js'

const file = new URL('../../../../test/judges/abecs-decline-codes.csv', import.meta.url)
const [, ...rows] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.trim().split(','))

const TABLES: readonly CodeTable[] = ['elo', 'visa', 'mastercard', 'amex', 'amex_at_cielo']

describe('the table of codes', () => {
  it('is ABECS’s, row by row', () => {
    expect(ABECS_ROWS.map(([, ...cells]) => cells)).toEqual(rows.map(([, ...cells]) => cells))
  })

  it('says the same in our words where ABECS does', () => {
    const words = new Map<string, string>()
    rows.forEach(([name = ''], index) => {
      const ours = ABECS_ROWS[index]?.[0] ?? ''
      expect(words.get(name) ?? ours).toBe(ours)
      words.set(name, ours)
    })
  })

  it('forbids a retry wherever a row of the code does', () => {
    for (const [column, table] of TABLES.entries())
      for (const [, mayRetry, ...codes] of rows)
        for (const code of codes[column]?.split(' ').filter(Boolean) ?? []) {
          const meaning = meaningOf(table, code)
          expect(DECLINE_REASONS).toContain(meaning?.reason)
          if (mayRetry === 'no')
            expect([table, code, meaning?.mayRetry]).toEqual([table, code, false])
        }
  })

  it.each<[string, CodeTable, string, object | undefined]>([
    ['with leading zeros', 'visa', '05', { reason: 'generic', mayRetry: true }],
    ['of another brand', 'visa', 'A5', undefined],
    ['that is none', 'visa', '', undefined],
    ['of zeros alone', 'visa', '00', undefined],
    ['in two rows', 'amex_at_cielo', 'FD', { reason: 'not_permitted', mayRetry: false }],
  ])('reads a code %s', (_, table, code, meaning) => {
    expect(meaningOf(table, code)).toEqual(meaning)
  })

  it('serves Hipercard with Mastercard’s column and knows none for Diners', () => {
    expect(codeTableOf('hipercard', 'amex')).toBe('mastercard')
    expect(codeTableOf('amex', 'amex_at_cielo')).toBe('amex_at_cielo')
    expect(codeTableOf('diners', 'amex')).toBeUndefined()
  })
})
