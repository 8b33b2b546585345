import { describe, expect, it } from 'vitest'
import { DECLINE_REASONS } from '../transaction/decline.js'
import { explainDecline, shopperTextOf } from './decline-explanation.js'
import texts from './declines.json' with { type: 'json' }

const LANGUAGES = ['en', 'pt-BR'] as const

describe('the explanations of declines', () => {
  it.each(DECLINE_REASONS)('have sentences with the meaning and the fix of %s', (reason) => {
    for (const language of LANGUAGES) {
      const { meaning, advice } = explainDecline(reason, language)
      for (const text of [meaning, advice]) expect(text).toMatch(/^[A-Z][^{}]{3,}\.$/)
    }
    expect(explainDecline(reason, 'en').meaning).not.toBe(explainDecline(reason, 'pt-BR').meaning)
  })

  it('have no text that no reason uses', () => {
    expect(Object.keys(texts.reasons).toSorted()).toEqual([...DECLINE_REASONS].toSorted())
    const used = new Set(Object.values(texts.reasons).map(({ shopper }) => shopper))
    expect(Object.keys(texts.shopper).toSorted()).toEqual([...used].toSorted())
  })
})

describe('a reason of a later release', () => {
  it('is explained as a refusal without a reason', () => {
    expect(explainDecline('a_later_reason', 'en')).toEqual(explainDecline('generic', 'en'))
  })
})

describe('what a shopper reads', () => {
  it.each([
    'lost_card',
    'stolen_card',
    'suspected_fraud',
    'refused_by_risk_rules',
    'card_blocked',
    'insufficient_funds',
    'retry_not_allowed',
    'a_reason_of_a_later_version',
    'toString',
    '',
  ])('of %s is the same as of a refusal without a reason', (reason) => {
    for (const language of LANGUAGES)
      expect(shopperTextOf(reason, language)).toBe(shopperTextOf('generic', language))
  })

  it.each([
    ['a number and a security code that are wrong', 'invalid_card_number', 'security_code_invalid'],
    ['a wrong date and a wrong security code', 'expired_card', 'security_code_invalid'],
    ['a bank and an acquirer that fail', 'issuer_unavailable', 'system_failure'],
  ])('is one text for %s', (_, one, other) => {
    for (const language of LANGUAGES) {
      expect(shopperTextOf(one, language)).toBe(shopperTextOf(other, language))
      expect(shopperTextOf(one, language)).not.toBe(shopperTextOf('generic', language))
    }
  })

  it.each(DECLINE_REASONS)('of %s names no reason for it', (reason) => {
    for (const language of LANGUAGES)
      expect(shopperTextOf(reason, language)).not.toMatch(
        /lost|stolen|fraud|block|fund|perd|roub|bloque|saldo|suspe|expired|venc/i,
      )
  })
})
