import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SECRETS, accountInput, certificate } from '../../test/accounts.js'
import { pixApiAccountSchema } from './pix-api-account.js'

const whole = accountInput('bb')

describe('an account', () => {
  it('prints none of its secrets', () => {
    const account = pixApiAccountSchema.parse(whole)
    for (const text of [JSON.stringify(account), inspect(account, { depth: 9 })])
      for (const secret of [...SECRETS, 'PRIVATE KEY']) expect(text).not.toContain(secret)
    expect(account.credentials.clientSecret?.reveal()).toBe(SECRETS[0])
  })

  it.each([
    ['a CPF', '52998224725'],
    ['a CNPJ', '11222333000181'],
    ['a CNPJ with letters', '12ABC34501DE35'],
    ['a phone number', '+5511999998888'],
    ['an e-mail address', 'pix@loja.example.com'],
    ['a random key', '123e4567-e12b-12d1-a456-426655440000'],
  ])('has %s as PIX key', (_, pixKey) => {
    expect(pixApiAccountSchema.parse({ ...whole, pixKey }).pixKey).toBe(pixKey)
  })

  const credentials = (changes: object): object => ({
    ...whole,
    credentials: { ...whole.credentials, ...changes },
  })
  const simulator = { origin: 'https://127.0.0.1:8443', caPem: certificate.certificatePem }
  it.each<[string, object, string]>([
    ['an unknown profile', { ...whole, profile: 'nubank' }, 'profile'],
    ['an unknown kind', { ...whole, kind: 'production' }, 'kind'],
    ['an unknown field', { ...whole, url: 'https://x' }, ''],
    ['a PIX key of no kind', { ...whole, pixKey: 'loja' }, 'pixKey'],
    ['a PIX key that is too long', { ...whole, pixKey: `a@${'b'.repeat(80)}` }, 'pixKey'],
    ['an empty label', { ...whole, label: ' ' }, 'label'],
    ['a label of two lines', { ...whole, label: 'a\nb' }, 'label'],
    ['no receiver', { ...whole, receiver: undefined }, 'receiver'],
    ['an id with a line break', credentials({ clientId: 'a\r\nb' }), 'credentials.clientId'],
    ['no secret', credentials({ clientSecret: undefined }), 'credentials.clientSecret'],
    [
      'no application key',
      credentials({ applicationKey: undefined }),
      'credentials.applicationKey',
    ],
    ['an account number', credentials({ accountNumber: '1' }), 'credentials.accountNumber'],
    ['no certificate', credentials({ certificate: undefined }), 'credentials.certificate'],
    [
      'a certificate instead of a key',
      credentials({ certificate: { ...certificate, keyPem: certificate.certificatePem } }),
      'credentials.certificate.keyPem',
    ],
    [
      'a secret that the bank does not give',
      { ...accountInput('sicoob'), credentials: whole.credentials },
      'credentials.clientSecret',
    ],
    ['no known host for tests', { ...accountInput('itau'), kind: 'test' }, 'kind'],
    ['a simulator without address', { ...whole, kind: 'simulator' }, 'simulator'],
    ['a simulator’s address in a live account', { ...whole, simulator }, 'simulator'],
    [
      'a simulator on another machine',
      { ...whole, kind: 'simulator', simulator: { ...simulator, origin: 'https://10.0.0.1:1' } },
      'simulator.origin',
    ],
  ])('with %s is refused by the field’s name, and says no value', (_, input, field) => {
    const { error } = pixApiAccountSchema.safeParse(input)
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain(field)
    for (const secret of SECRETS) expect(JSON.stringify(error)).not.toContain(secret)
  })
})
