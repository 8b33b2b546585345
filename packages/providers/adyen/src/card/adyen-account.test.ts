import { Secret } from '@cofre/contracts'
import type { AccountAnswers, AccountKind } from '@cofre/provider-kit/account'
import { describe, expect, it } from 'vitest'
import { enteredAccount } from '../../../../provider-kit/test/payments.js'
import { ADYEN_ANSWERS } from '../../test/judging-adyen.js'
import { ADYEN_TERMS } from '../terms/index.js'
import { adyenAccount } from './adyen-account.js'
import { ADYEN } from './adyen-provider.js'

const ANSWERS = { ...ADYEN_ANSWERS, apiKey: new Secret(ADYEN_ANSWERS.apiKey), livePrefix: '' }

describe('an account with Adyen', () => {
  it.each([
    ['12 of Diners', 'diners', {}, 12],
    ['those of the contract', 'elo', { installmentsMax: '18' }, 18],
  ])('takes %s installments', (_, brand, settings, expected) => {
    expect(ADYEN.installmentsOf(brand, settings)).toBe(expected)
  })

  it('keeps the days for a capture that its contract allows', () => {
    const answers = { ...ANSWERS, captureDays: '10' }
    expect(ADYEN.readAccount({ profile: '', kind: 'test', answers, nowMs: 0 })).toMatchObject({
      settings: { captureDays: '10' },
    })
  })

  it('is at the test system, or at the company’s own host', () => {
    const adyen = (kind: AccountKind, answers: AccountAnswers = {}) =>
      adyenAccount(enteredAccount(ADYEN, kind, { ...ANSWERS, ...answers }), undefined)
    expect(adyen('test').baseUrl).toBe('https://checkout-test.adyen.com/v72')
    const live = adyen('live', { livePrefix: '1797a841fbb37ca7-Loja' })
    expect(live.baseUrl).toBe(
      'https://1797a841fbb37ca7-Loja-checkout-live.adyenpayments.com/checkout/v72',
    )
  })

  it('has no known limit of days for a refund', () => {
    expect(ADYEN_TERMS.refundDays).toBeUndefined()
  })
})
