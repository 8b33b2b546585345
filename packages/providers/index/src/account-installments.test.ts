import { describe, expect, it } from 'vitest'
import { loadAcquirers } from './index.js'

const acquirers = await loadAcquirers()
const [adyen, cielo] = ['adyen', 'cielo'].map((name) =>
  acquirers.find((provider) => provider.name === name)!,
)
const BY_CONTRACT = { installmentsMax: '18' }

describe('how many installments an account takes', () => {
  it.each([
    ['12 at Cielo', cielo, 'visa', {}, 12],
    ['those of the contract at Cielo', cielo, 'visa', BY_CONTRACT, 18],
    ['one of Diners at Cielo, whatever the contract says', cielo, 'diners', BY_CONTRACT, 1],
    ['none of Hipercard at Cielo', cielo, 'hipercard', BY_CONTRACT, 0],
    ['12 of Diners at Adyen', adyen, 'diners', {}, 12],
    ['those of the contract at Adyen', adyen, 'elo', BY_CONTRACT, 18],
  ])('is %s', (_, provider, brand, settings, expected) => {
    expect(provider!.installmentsOf(brand, settings)).toBe(expected)
  })

  it.each([
    ['12', false],
    ['13', true],
    ['18', true],
    ['19', false],
    ['all', false],
  ])('is asked of a contract: %s', (answer, isTaken) => {
    const answers = {
      merchantId: '12345678-1234-1234-1234-123456789012',
      merchantKey: 'A'.repeat(40),
      installmentsMax: answer,
    }
    const read = () =>
      cielo!.readAccount({ profile: 'e-commerce', kind: 'test', answers, nowMs: 0 })
    if (isTaken) expect(read()).toMatchObject({ settings: { installmentsMax: answer } })
    else expect(read).toThrow(expect.objectContaining({ question: 'installmentsMax' }))
  })
})
