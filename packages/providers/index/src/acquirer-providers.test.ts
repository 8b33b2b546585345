import { type AccountAnswers, AccountError, type AccountKind } from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { CIELO_ANSWERS, FACTS } from '../../cielo/test/fake-cielo.js'
import { ADYEN_ANSWERS } from '../../adyen/test/judging-adyen.js'
import { enteredAccount, testClock } from '../../../provider-kit/test/payments.js'
import { adyenAccount } from '@cofre/adyen/card'
import { cieloAccount } from '@cofre/cielo/card'
import type { AcquirerProvider } from '@cofre/provider-kit/card'
import { loadAcquirerTerms, loadAcquirers } from './index.js'

const ACQUIRERS = await loadAcquirers()
const TERMS = await loadAcquirerTerms()
const termsOf = (name: string) => TERMS.find((one) => one.name === name)

const ANSWERS: Readonly<Record<string, AccountAnswers>> = {
  adyen: { ...ADYEN_ANSWERS, apiKey: new Secret(ADYEN_ANSWERS.apiKey), livePrefix: '' },
  cielo: { ...CIELO_ANSWERS, merchantKey: new Secret(CIELO_ANSWERS.merchantKey) },
}
const SECRET_ANSWERS = ['apiKey', 'hmacKey', 'merchantKey', 'nextHmacKey']
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

function providerNamed(name: string): AcquirerProvider {
  const provider = ACQUIRERS.find((one) => one.name === name)
  if (provider === undefined) throw new Error('no such provider')
  return provider
}
const entryOf = (name: string, kind: AccountKind, changes: AccountAnswers = {}) => {
  return { profile: '', kind, answers: { ...ANSWERS[name], ...changes }, nowMs: 0 }
}

describe.each(ACQUIRERS.map((provider) => [provider.name, provider] as const))(
  'the provider %s',
  (name, provider) => {
    it('asks for what it reads, keeps secrets sealed, and connects', async () => {
      const asked = provider.questions(provider.profiles[0]?.name ?? '')
      expect(asked.map((question) => question.name)).toEqual(
        expect.arrayContaining(Object.keys(ANSWERS[name] ?? {})),
      )
      for (const question of asked)
        expect(question.kind).toBe(SECRET_ANSWERS.includes(question.name) ? 'secret' : 'text')
      const entered = provider.readAccount(entryOf(name, 'test'))
      const shown = JSON.stringify(entered)
      for (const secret of [ADYEN_ANSWERS.apiKey, ADYEN_ANSWERS.hmacKey, CIELO_ANSWERS.merchantKey])
        expect(shown).not.toContain(secret)
      const account = enteredAccount(provider, 'test', ANSWERS[name] ?? {})
      const tools = { clock: testClock(), log: silent }
      const { acquirer, steps } = provider.connect(account, tools)
      expect(steps).toHaveLength(1)
      await acquirer.close()
      expect(() => provider.connect({ ...account, kind: 'simulator' }, tools)).toThrow('simulator')
      expect(() => provider.connect({ ...account, settings: {} }, tools)).toThrow()
    })

    it('takes answers that are missing for wrong, by their names', () => {
      for (const { name: question, isOptional } of provider.questions('')) {
        const read = () => provider.readAccount(entryOf(name, 'test', { [question]: ' ' }))
        if (isOptional) expect(read).not.toThrow()
        else expect(read).toThrow(expect.objectContaining({ name: 'AccountError', question }))
      }
    })
  },
)

describe('an answer that cannot be used', () => {
  it.each<[string, AccountKind, string, string]>([
    ['adyen', 'test', 'merchantAccount', 'Loja ECOM'],
    ['adyen', 'test', 'livePrefix', 'only-live'],
    ['adyen', 'live', 'livePrefix', 'evil.example/'],
    ['adyen', 'live', 'livePrefix', '-a'],
    ['adyen', 'live', 'livePrefix', ''],
    ['adyen', 'test', 'returnUrl', 'http://loja.example'],
    ['adyen', 'test', 'returnUrl', 'loja'],
    ['adyen', 'test', 'apiKey', 'with a blank'],
    ['adyen', 'test', 'hmacKey', 'ABC'],
    ['adyen', 'test', 'nextHmacKey', 'not hexadecimal'],
    ['adyen', 'test', 'softDescriptor', 'Loja São João'],
    ['adyen', 'test', 'softDescriptor', 'Loja & Filhos'],
    ['adyen', 'test', 'softDescriptor', 'A'.repeat(23)],
    ['cielo', 'test', 'softDescriptor', 'Loja Exemplo'],
    ['cielo', 'test', 'softDescriptor', 'LojaÇa'],
    ['cielo', 'test', 'softDescriptor', 'A'.repeat(14)],
    ['cielo', 'test', 'merchantId', '123'],
    ['cielo', 'test', 'merchantKey', 'short'],
  ])('of %s (%s), %s, is named and not repeated', (name, kind, question, value) => {
    const provider = providerNamed(name)
    let error: unknown
    try {
      provider.readAccount(entryOf(name, kind, { [question]: value }))
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(AccountError)
    expect(error).toMatchObject({ question })
    if (value !== '') expect(String(error)).not.toContain(value)
  })

  it('is a file where a text is wanted', () => {
    for (const { name } of ACQUIRERS) {
      const [question = ''] = Object.keys(ANSWERS[name] ?? {})
      const entry = entryOf(name, 'test', { [question]: Buffer.from('file') })
      const read = () => providerNamed(name).readAccount(entry)
      expect(read).toThrow(expect.objectContaining({ name: 'AccountError', question }))
    }
  })
})

describe('the days in which a sale is refunded', () => {
  it.each([
    ['in one', { method: 'credit', brand: 'visa', installments: 1 }, 330],
    ['in two installments', { method: 'credit', brand: 'mastercard', installments: 2 }, 690],
    ['by debit', { method: 'debit', brand: 'visa', installments: 1 }, 330],
    ['by debit of Maestro', { method: 'debit', brand: 'mastercard', installments: 1 }, 150],
  ] as const)('are at Cielo those of September 2026 for one %s', (_, sale, days) => {
    expect(termsOf('cielo')?.refundDays?.(sale)).toBe(days)
  })

  it('are not known of Adyen', () => {
    expect(termsOf('adyen')?.refundDays).toBeUndefined()
  })
})

describe('the address of', () => {
  const adyen = (kind: AccountKind, answers: AccountAnswers = {}) =>
    adyenAccount(
      enteredAccount(providerNamed('adyen'), kind, { ...ANSWERS.adyen, ...answers }),
      undefined,
    )
  const cielo = (kind: AccountKind) =>
    cieloAccount(enteredAccount(providerNamed('cielo'), kind, ANSWERS.cielo ?? {}), undefined)

  it('Adyen is its test system, or that of the company alone', () => {
    expect(adyen('test').baseUrl).toBe('https://checkout-test.adyen.com/v72')
    const live = adyen('live', { livePrefix: '1797a841fbb37ca7-Loja' })
    expect(live.baseUrl).toBe(
      'https://1797a841fbb37ca7-Loja-checkout-live.adyenpayments.com/checkout/v72',
    )
  })

  it('Cielo is as its manual has it', () => {
    expect(cielo('live').hosts).toEqual(FACTS.hosts.production)
    expect(cielo('test').hosts).toEqual(FACTS.hosts.sandbox)
  })
})
