import { Secret } from '@cofre/contracts'
import type { AccountKind } from '@cofre/provider-kit/account'
import { describe, expect, it } from 'vitest'
import { enteredAccount } from '../../../../provider-kit/test/payments.js'
import { CIELO_ANSWERS, FACTS } from '../../test/fake-cielo.js'
import { CIELO_TERMS } from '../terms/index.js'
import { cieloAccount } from './cielo-account.js'
import { CIELO } from './cielo-provider.js'

const ANSWERS = { ...CIELO_ANSWERS, merchantKey: new Secret(CIELO_ANSWERS.merchantKey) }
const read = (changes: object) =>
  CIELO.readAccount({
    profile: 'e-commerce',
    kind: 'test',
    answers: { ...ANSWERS, ...changes },
    nowMs: 0,
  })

describe('an account with Cielo', () => {
  it.each([
    ['12', 'visa', {}, 12],
    ['those of the contract', 'visa', { installmentsMax: '18' }, 18],
    ['one of Diners, whatever the contract says', 'diners', { installmentsMax: '18' }, 1],
    ['none of Hipercard', 'hipercard', { installmentsMax: '18' }, 0],
  ])('takes %s', (_, brand, settings, expected) => {
    expect(CIELO.installmentsOf(brand, settings)).toBe(expected)
  })

  it.each([
    ['12', false],
    ['13', true],
    ['18', true],
    ['19', false],
    ['all', false],
  ])('is asked how many installments the contract allows: %s', (installmentsMax, isTaken) => {
    if (isTaken) expect(read({ installmentsMax })).toMatchObject({ settings: { installmentsMax } })
    else
      expect(() => read({ installmentsMax })).toThrow(
        expect.objectContaining({ question: 'installmentsMax' }),
      )
  })

  it.each(['visa', 'mastercard', 'diners'])(
    'leaves seven days to capture a %s, or those of the contract',
    (brand) => {
      expect(CIELO.captureDaysOf?.(brand, {})).toBe(7)
      expect(CIELO.captureDaysOf?.(brand, { captureDays: '29' })).toBe(29)
    },
  )

  it.each([
    ['1', true],
    ['29', true],
    ['0', false],
    ['30', false],
    ['7 days', false],
  ])('is asked how many days the contract leaves to capture: %s', (captureDays, isTaken) => {
    if (isTaken) expect(read({ captureDays })).toMatchObject({ settings: { captureDays } })
    else
      expect(() => read({ captureDays })).toThrow(
        expect.objectContaining({ question: 'captureDays' }),
      )
  })

  it('is where its manual has it', () => {
    const cielo = (kind: AccountKind) =>
      cieloAccount(enteredAccount(CIELO, kind, ANSWERS), undefined)
    expect(cielo('live').hosts).toEqual(FACTS.hosts.production)
    expect(cielo('test').hosts).toEqual(FACTS.hosts.sandbox)
  })

  it.each([
    ['in one', { method: 'credit', brand: 'visa', installments: 1 }, 330],
    ['in two installments', { method: 'credit', brand: 'mastercard', installments: 2 }, 690],
    ['by debit', { method: 'debit', brand: 'visa', installments: 1 }, 330],
    ['by debit of Maestro', { method: 'debit', brand: 'mastercard', installments: 1 }, 150],
  ] as const)('refunds a sale %s in the days of September 2026', (_, sale, days) => {
    expect(CIELO_TERMS.refundDays?.(sale)).toBe(days)
  })
})
