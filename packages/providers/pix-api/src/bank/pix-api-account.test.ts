import { inspect } from 'node:util'
import { type AccountAnswers, type AccountEntry, AccountError } from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { makeCertificate, makePkcs12 } from '../../../../provider-kit/test/certificates.js'
import { authority } from '../../../../provider-kit/test/https-server.js'
import { SECRETS, answersFor, clock, storedAccount } from '../../test/accounts.js'
import { readPixApiAccount } from './pix-api-account.js'
import { PIX_API_PROFILES, type PixApiProfileName } from './pix-api-profiles.js'
import { pixApi } from './pix-api-provider.js'

const simulator = { origin: 'https://127.0.0.1:8443', caPem: authority.certificatePem }
const PASSWORD = 'p4ssw0rd-of-the-file'

function errorOf(changes: Partial<AccountEntry>, answers: AccountAnswers = {}): AccountError {
  const profile = changes.profile ?? 'bb'
  const own = answersFor(profile in PIX_API_PROFILES ? (profile as PixApiProfileName) : 'bb')
  const entry = { profile, kind: 'live', nowMs: clock.now(), ...changes } as const
  try {
    pixApi.readAccount({ ...entry, answers: { ...own, ...answers } })
  } catch (error) {
    if (error instanceof AccountError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('the questions about an account', () => {
  const namesFor = (profile: string): string[] =>
    pixApi.questions(profile).map(({ name, isOptional }) => (isOptional ? `${name}?` : name))
  const whose = ['pixKey', 'receiverName', 'receiverCity', 'clientId']
  const file = ['certificate', 'certificateKey?', 'certificatePassword?']
  const boletos = ['fine?', 'interest?', 'discount?', 'discountDays?', 'testPayerDocument?']

  it.each([
    ['efi', ['clientSecret']],
    ['bb', ['clientSecret', 'applicationKey']],
    ['inter', ['clientSecret', 'accountNumber?']],
    ['itau', ['clientSecret']],
    ['santander', ['clientSecret']],
    ['sicoob', []],
    ['sicredi', ['clientSecret']],
  ])('for %s is what its bank issues', (profile, own) => {
    expect(namesFor(profile)).toEqual([...whose, ...own, 'callsPerMinute?', ...file, ...boletos])
  })

  it('is asked for each profile, and nothing secret is asked openly', () => {
    expect(pixApi.profiles.map(({ name }) => name)).toEqual(Object.keys(PIX_API_PROFILES))
    const kinds = pixApi.profiles.flatMap(({ name }) => pixApi.questions(name))
    for (const { name, kind } of kinds)
      expect(kind === 'secret').toBe(/Secret|applicationKey|Password/.test(name))
  })

  it('is nothing for a profile that is not there', () => {
    expect(() => pixApi.questions('nubank')).toThrow(AccountError)
  })
})

describe('an account', () => {
  it('prints none of its secrets, and keeps them sealed', () => {
    const stored = storedAccount('bb')
    const account = readPixApiAccount(stored, simulator)
    for (const one of [stored, account])
      for (const text of [JSON.stringify(one), inspect(one, { depth: 9 })])
        for (const secret of [...SECRETS, 'PRIVATE KEY']) expect(text).not.toContain(secret)
    expect(account.credentials.clientSecret?.reveal()).toBe(SECRETS[0])
    expect(JSON.stringify(stored.settings)).not.toContain('BEGIN')
  })

  it('knows when its certificate ends', () => {
    const { certificateUntilMs } = storedAccount('efi')
    expect(certificateUntilMs).toBeGreaterThan(clock.now())
    expect(readPixApiAccount(storedAccount('efi'), simulator).certificate.expiresAtMs).toBe(
      certificateUntilMs,
    )
  })

  it.each([
    ['a CPF', '52998224725'],
    ['a CNPJ', '11222333000181'],
    ['a CNPJ with letters', '12ABC34501DE35'],
    ['a phone number', '+5511999998888'],
    ['an e-mail address', 'pix@loja.example.com'],
    ['a random key', '123e4567-e12b-12d1-a456-426655440000'],
  ])('has %s as PIX key', (_, pixKey) => {
    expect(storedAccount('efi', { answers: { pixKey } }).settings.pixKey).toBe(pixKey)
  })

  it('takes a PKCS#12 file with its password, and PEM in two files', () => {
    const own = makeCertificate({ name: 'Loja', kind: 'client', issuer: authority })
    const certificatePassword = new Secret(PASSWORD)
    const pkcs12 = makePkcs12(own, PASSWORD)
    const two = {
      certificate: Buffer.from(own.certificatePem),
      certificateKey: Buffer.from(own.keyPem),
    }
    for (const answers of [{ certificate: pkcs12, certificatePassword }, two])
      expect(storedAccount('efi', { answers }).certificateUntilMs).toBeGreaterThan(clock.now())
  })

  it('keeps percentages of boletos as the API Pix has them', () => {
    const answers = { fine: '2', interest: '0.5', discount: '10.25', discountDays: '0' }
    const { settings } = storedAccount('efi', { answers })
    const kept = { fine: '2.00', interest: '0.50', discount: '10.25', discountDays: 0 }
    expect(settings).toMatchObject(kept)
    const again = pixApi.questions('efi').map(({ answerIn, name }) => [name, answerIn?.(settings)])
    const { fine, interest, discount } = kept
    expect(Object.fromEntries(again)).toMatchObject({ fine, interest, discount, discountDays: '0' })
  })

  it('leaves out empty answers', () => {
    const answers = { accountNumber: '', certificatePassword: new Secret('') }
    expect(storedAccount('inter', { answers }).settings).not.toHaveProperty('accountNumber')
  })
})

describe('an answer', () => {
  it.each<[string, Partial<AccountEntry>, AccountAnswers, string]>([
    ['an unknown profile', { profile: 'nubank' }, {}, 'profile'],
    ['no known host for tests', { profile: 'itau', kind: 'test' }, {}, 'kind'],
    ['an answer that was not asked for', {}, { url: 'https://x' }, 'url'],
    ['a PIX key of no kind', {}, { pixKey: 'loja' }, 'pixKey'],
    ['a PIX key that is too long', {}, { pixKey: `a@${'b'.repeat(80)}` }, 'pixKey'],
    ['no receiver', {}, { receiverName: ' ' }, 'receiverName'],
    ['a payer without check digits', {}, { testPayerDocument: '52998224724' }, 'testPayerDocument'],
    ['a city of two lines', {}, { receiverCity: 'a\nb' }, 'receiverCity'],
    ['an id with a line break', {}, { clientId: 'a\r\nb' }, 'clientId'],
    ['no secret', {}, { clientSecret: '' }, 'clientSecret'],
    ['a secret with a line break', {}, { clientSecret: new Secret('a\nb') }, 'clientSecret'],
    ['no application key', {}, { applicationKey: new Secret('') }, 'applicationKey'],
    ['an account number', {}, { accountNumber: '1' }, 'accountNumber'],
    ['a number of letters', { profile: 'inter' }, { accountNumber: 'x' }, 'accountNumber'],
    ['no number of calls', {}, { callsPerMinute: 'many' }, 'callsPerMinute'],
    ['no calls', {}, { callsPerMinute: '0' }, 'callsPerMinute'],
    ['too many calls', {}, { callsPerMinute: '10000' }, 'callsPerMinute'],
    ['a fine in words', {}, { fine: 'two' }, 'fine'],
    ['a fine of all', {}, { fine: '100' }, 'fine'],
    ['a fine of nothing', {}, { fine: '0.00' }, 'fine'],
    ['interest of a thousandth', {}, { interest: '0.001' }, 'interest'],
    ['a discount below nothing', {}, { discount: '-5', discountDays: '1' }, 'discount'],
    ['a discount without its days', {}, { discount: '5' }, 'discountDays'],
    ['days without a discount', {}, { discountDays: '5' }, 'discountDays'],
    ['days that are many', {}, { discount: '5', discountDays: '100' }, 'discountDays'],
    ['a payer of no document', {}, { testPayerDocument: '529.982.247-25' }, 'testPayerDocument'],
    ['a secret that is not given', { profile: 'sicoob' }, { clientSecret: 'x' }, 'clientSecret'],
    ['no certificate', {}, { certificate: new Uint8Array() }, 'certificate'],
    ['a path instead of a file', {}, { certificate: '/a.p12' }, 'certificate'],
    ['a file instead of a key', {}, { pixKey: new Uint8Array(3) }, 'pixKey'],
  ])('with %s is refused by the question’s name', (_, changes, answers, question) => {
    const error = errorOf(changes, answers)
    expect(error.question).toBe(question)
    for (const secret of SECRETS) expect(error.message).not.toContain(secret)
  })

  it.each([
    ['pixKey', '00000000000', 'not a CPF'],
    ['pixKey', '52998224724', 'not a CPF'],
    ['pixKey', '11999998888', 'begins with +55'],
    ['pixKey', '00000000000000', 'not a CNPJ'],
    ['pixKey', '11222333000182', 'not a CNPJ'],
    ['pixKey', '+5500000000000', 'not a phone number'],
    ['pixKey', '+551100000000', 'not a phone number'],
    ['pixKey', '+551111111111', 'not a phone number'],
    ['pixKey', 'pix@---', 'not an e-mail address'],
    ['pixKey', 'lo\u200bja@example.com', 'not an e-mail address'],
    ['pixKey', 'josé@example.com', 'not an e-mail address'],
    ['pixKey', '.@example.com', 'not an e-mail address'],
    ['pixKey', 'pix@loja', 'not an e-mail address'],
    ['pixKey', '00000000-0000-0000-0000-000000000000', 'not a random key'],
    ['receiverName', '東京ストア', 'Latin letters'],
    ['receiverName', '123 !', 'Latin letters'],
    ['receiverCity', 'Москва', 'Latin letters'],
  ])('for %s that is %s is refused with the reason', (question, answer, why) => {
    for (const profile of Object.keys(PIX_API_PROFILES)) {
      const error = errorOf({ profile }, { [question]: answer })
      expect(error.question).toBe(question)
      expect(error.message).toContain(why)
    }
  })

  it.each(['+551132654321', '+5511999999999', '+12125550123', 'loja+1@example.com', 'a.b@c.com'])(
    'may be paid by the key %s',
    (pixKey) => {
      const { settings } = storedAccount('efi', { answers: { pixKey } })
      expect(settings).toMatchObject({ pixKey })
    },
  )

  it.each(['Łódź', 'São Paulo', 'ﬁ', 'Ｔóquio', 'Loja 東京'])(
    'may name the receiver %s',
    (name) => {
      const { settings } = storedAccount('efi', { answers: { receiverName: name } })
      expect(settings).toMatchObject({ receiver: { name } })
    },
  )

  const made = (setup: Partial<Parameters<typeof makeCertificate>[0]> = {}) =>
    makeCertificate({ name: 'Loja', kind: 'client', issuer: authority, ...setup })
  const other = made()
  const file = ({ certificatePem, keyPem }: typeof other) => Buffer.from(certificatePem + keyPem)
  const bare = Buffer.from(other.certificatePem)
  const past = new Date(clock.now() - 1)
  const selfSigned = makeCertificate({ name: 'Loja', kind: 'client' })
  it.each<[string, string, AccountAnswers, string, RegExp]>([
    [
      'the wrong password',
      'efi',
      { certificate: makePkcs12(other, PASSWORD), certificatePassword: new Secret('wrong') },
      'certificatePassword',
      /password/,
    ],
    [
      'an expired certificate',
      'efi',
      { certificate: file(made({ validTo: past })) },
      'certificate',
      /expired on/,
    ],
    [
      'a foreign certificate',
      'efi',
      { certificate: file(selfSigned) },
      'certificate',
      /self-signed/,
    ],
    [
      'a certificate without its issuers',
      'bb',
      { certificate: file(other) },
      'certificate',
      /every issuer/,
    ],
    ['no private key', 'efi', { certificate: bare }, 'certificateKey', /no private key/],
    [
      'a key that does not fit',
      'efi',
      { certificate: bare, certificateKey: Buffer.from(selfSigned.keyPem) },
      'certificateKey',
      /does not belong/,
    ],
    ['a file of something else', 'efi', { certificate: Buffer.from('%PDF') }, 'certificate', /./],
  ])('with %s is refused with the reason', (_, profile, answers, question, message) => {
    const error = errorOf({ profile }, answers)
    expect(error.question).toBe(question)
    expect(error.message).toMatch(message)
    expect(error.message).not.toMatch(/PRIVATE|p4ssw0rd|wrong/)
  })
})

describe('a stored account that cannot be connected', () => {
  const tools = { clock, log: console, randomBelow: () => 0 }
  const stored = storedAccount('efi')
  const sealed = (text: string) => ({ ...stored.secrets, credentials: new Secret(text) })
  it.each([
    ['another provider’s', { ...stored, provider: 'cnab' }, 'provider'],
    ['one with settings of something else', { ...stored, settings: { profile: 'efi' } }, 'pixKey'],
    ['one without credentials', { ...stored, secrets: sealed('{}') }, 'clientId'],
    ['one whose credentials are damaged', { ...stored, secrets: sealed('{"s3cr') }, 'credentials'],
    ['one without the end of its certificate', { ...stored, certificateUntilMs: undefined }, 'end'],
    [
      'one for tests without a host',
      { ...storedAccount('itau'), kind: 'test' as const },
      'test environment',
    ],
  ])('is %s', (_, account, word) => {
    const connect = (): unknown => pixApi.connect(account, { ...tools, simulator })
    expect(connect).toThrow(word)
    expect(connect).not.toThrow('s3cr')
  })

  it('is a simulator’s that does not run, or that is another machine', () => {
    expect(() => pixApi.connect(stored, tools)).toThrow('npm start')
    const far = { ...simulator, origin: 'https://10.0.0.1:1' }
    expect(() => pixApi.connect(stored, { ...tools, simulator: far })).toThrow('this machine')
  })

  it('never goes to a simulator when it is the bank’s', () => {
    const live = storedAccount('efi', { kind: 'live' })
    const { hosts, simulatorCaPem } = readPixApiAccount(live, simulator)
    expect(hosts).toEqual(PIX_API_PROFILES.efi.production)
    expect(simulatorCaPem).toBeUndefined()
  })
})
