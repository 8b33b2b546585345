import { Secret } from '@cofre/contracts'
import { type AccountAnswers, AccountError, type AccountKind } from '@cofre/provider-kit/account'
import { expect, it } from 'vitest'
import { ADYEN } from '../../adyen/src/card/adyen-provider.js'
import { ADYEN_ANSWERS } from '../../adyen/test/judging-adyen.js'
import { CIELO } from '../../cielo/src/card/cielo-provider.js'
import { CIELO_ANSWERS } from '../../cielo/test/fake-cielo.js'
import { storedInter } from '../../inter/test/judging-inter.js'

const ADYEN_GIVEN = { ...ADYEN_ANSWERS, apiKey: new Secret(ADYEN_ANSWERS.apiKey), livePrefix: '' }
const CIELO_GIVEN = { ...CIELO_ANSWERS, merchantKey: new Secret(CIELO_ANSWERS.merchantKey) }

/** Makes an account of good answers, but for the given ones. */
const MAKE = {
  Adyen: (kind: AccountKind, changed: AccountAnswers) =>
    ADYEN.readAccount({ profile: '', kind, answers: { ...ADYEN_GIVEN, ...changed }, nowMs: 0 }),
  Cielo: (kind: AccountKind, changed: AccountAnswers) =>
    CIELO.readAccount({
      profile: 'e-commerce',
      kind,
      answers: { ...CIELO_GIVEN, ...changed },
      nowMs: 0,
    }),
  Inter: storedInter,
}

it.each<[keyof typeof MAKE, AccountKind, string, string]>([
  ['Adyen', 'test', 'merchantAccount', 'Loja ECOM'],
  ['Adyen', 'test', 'livePrefix', 'only-live'],
  ['Adyen', 'live', 'livePrefix', 'evil.example/'],
  ['Adyen', 'live', 'livePrefix', '-a'],
  ['Adyen', 'live', 'livePrefix', ''],
  ['Adyen', 'test', 'returnUrl', 'http://loja.example'],
  ['Adyen', 'test', 'returnUrl', 'loja'],
  ['Adyen', 'test', 'apiKey', 'with a blank'],
  ['Adyen', 'test', 'hmacKey', 'ABC'],
  ['Adyen', 'test', 'nextHmacKey', 'not hexadecimal'],
  ['Adyen', 'test', 'softDescriptor', 'Loja São João'],
  ['Adyen', 'test', 'softDescriptor', 'Loja & Filhos'],
  ['Adyen', 'test', 'softDescriptor', 'A'.repeat(23)],
  ['Adyen', 'test', 'captureDays', '30'],
  ['Cielo', 'test', 'softDescriptor', 'Loja Exemplo'],
  ['Cielo', 'test', 'softDescriptor', 'LojaÇa'],
  ['Cielo', 'test', 'softDescriptor', 'A'.repeat(14)],
  ['Cielo', 'test', 'merchantId', '123'],
  ['Cielo', 'test', 'merchantKey', 'short'],
  ['Inter', 'live', 'accountNumber', '0123456'],
  ['Inter', 'live', 'accountNumber', '12345-6'],
  ['Inter', 'live', 'callsPerMinute', '0'],
  ['Inter', 'live', 'testPayerDocument', '529.982.247-25'],
  ['Inter', 'live', 'clientId', 'with space'],
  ['Inter', 'live', 'pixKey', 'loja@example.com'],
])('an account with %s, %s, is not made with a %s of %j', (provider, kind, question, answer) => {
  let error: unknown
  try {
    MAKE[provider](kind, { [question]: answer })
  } catch (caught) {
    error = caught
  }
  expect(error).toBeInstanceOf(AccountError)
  expect(error).toMatchObject({ question })
  // Secrets have no place in an error.
  if (answer.length > 1) expect(String(error)).not.toContain(answer)
})
