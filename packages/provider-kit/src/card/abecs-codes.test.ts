import { readFileSync } from 'node:fs'
import { DECLINE_REASONS } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { ABECS_ROWS, CODE_CHANGES, type CodeTable, codeTableOf, meaningOf } from './abecs-codes.js'

const file = new URL('../../../../test/judges/abecs-decline-codes.csv', import.meta.url)
const [, ...rows] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.trim().split(','))

const TABLES: readonly CodeTable[] = ['elo', 'visa', 'mastercard', 'amex', 'amex_at_cielo']

const isChanged = (table: CodeTable, code: string): boolean =>
  CODE_CHANGES.some((change) => change.table === table && change.code === code)

describe('the table of codes', () => {
  it('is ABECS’s, row by row', () => {
    expect(ABECS_ROWS.map(([, ...cells]) => cells)).toEqual(rows.map(([, ...cells]) => cells))
  })

  it('maps each meaning of ABECS to one of our reasons', () => {
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
          if (mayRetry === 'no' && !isChanged(table, code))
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

  it('takes Elo 62 for a temporary block that may be retried, since October 2026', () => {
    expect(meaningOf('elo', '62')).toEqual({ reason: 'card_blocked', mayRetry: true })
    expect(meaningOf('elo', '62', 'Restricted card')).toMatchObject({ mayRetry: true })
  })

  it.each([
    'CARTAO NAO PERMITE TRANSACAO INTERNACIONAL',
    'Não autorizada: cartão doméstico no exterior',
    'International transaction not allowed',
  ])('takes Elo 62 for a domestic card abroad, never to be retried, with the text %s', (words) => {
    expect(meaningOf('elo', '62', words)).toEqual({
      reason: 'not_permitted_abroad',
      mayRetry: false,
    })
    expect(meaningOf('visa', '62', words)).toMatchObject({ mayRetry: true })
  })

  it.each(['Falha interna no emissor', 'Internal error', 'Cartao restrito para uso domestico'])(
    'takes Elo 62 for a temporary block with the text %s',
    (words) => {
      expect(meaningOf('elo', '62', words)).toMatchObject({
        reason: 'card_blocked',
        mayRetry: true,
      })
    },
  )

  it('takes Elo 5C for not supported or blocked by the issuer, reversible, since 23 October 2026', () => {
    expect(meaningOf('elo', '5C')).toEqual({ reason: 'not_permitted', mayRetry: true })
  })

  it.each([
    ['visa', '46', 'account_closed', false],
    ['elo', '78', 'card_not_unblocked', true],
  ] as const)(
    'keeps the reason of %s %s, reworded in March 2026',
    (table, code, reason, mayRetry) => {
      expect(meaningOf(table, code)).toEqual({ reason, mayRetry })
    },
  )

  it.each([
    ['elo', '15'],
    ['elo', '66'],
    ['elo', '73'],
    ['elo', '79'],
    ['elo', '80'],
    ['amex', '102'],
    ['amex_at_cielo', '102'],
  ] as const)('guesses nothing of %s %s, new in March 2026', (table, code) => {
    expect(meaningOf(table, code)).toBeUndefined()
  })

  it('never retries Visa 14, although Visa counts it as bad data (category 3)', () => {
    expect(meaningOf('visa', '14')).toEqual({ reason: 'invalid_card_number', mayRetry: false })
  })

  it('serves Hipercard with Mastercard’s column, and brands that ABECS does not list with none', () => {
    expect(codeTableOf('hipercard', 'amex')).toBe('mastercard')
    expect(codeTableOf('amex', 'amex_at_cielo')).toBe('amex_at_cielo')
    expect(codeTableOf('diners', 'amex')).toBe('others')
  })

  it.each([
    ['51', { reason: 'insufficient_funds', mayRetry: true }],
    ['91', { reason: 'issuer_unavailable', mayRetry: true }],
    ['5', { reason: 'generic', mayRetry: true }],
    ['43', { reason: 'stolen_card', mayRetry: false }],
    // Mastercard forbids a retry, Elo and Visa don't.
    ['59', undefined],
    // Only Elo has it.
    ['AB', undefined],
    ['5C', undefined],
    ['62', undefined],
  ])(
    'reads %s of a brand that ABECS does not list as Elo, Visa and Mastercard agree',
    (code, meaning) => {
      expect(meaningOf('others', code)).toEqual(meaning)
    },
  )
})
