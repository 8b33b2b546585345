import { describe, expect, it } from 'vitest'
import { messageOf } from '../explanation/explained-error.js'
import { requestFacts, transactionRequestTables } from './request.js'
import { REQUEST_RULES, type RequestPolicy } from './rule-set.js'

const policy: RequestPolicy = {
  today: '2026-11-21',
  wallets: ['paypal'],
  acceptsNotificationUrl: () => true,
}
const RECIFE = {
  street: 'Rua Augusta',
  number: '1500',
  district: 'Consolação',
  state: 'SP',
  city: 'São Paulo',
  country: 'BR',
  'zip-code': '01304001',
}
const METHODS = {
  card: {
    'payment-method': { type: 'credit-card' },
    'payment-info': { installments: 1, token: 'a.b.c.d.e' },
  },
  wallet: { 'payment-method': { type: 'e-wallet', 'sub-type': 'paypal' } },
  boleto: { 'payment-method': { type: 'postpay', 'sub-type': 'boleto' } },
  pix: { 'payment-method': { type: 'eft', 'sub-type': 'pix' } },
}
type Method = keyof typeof METHODS

function bodyOf(method: Method, payer: object, shipping: object = {}) {
  return {
    transaction: {
      reference: 'pedido-1',
      country: 'BR',
      currency: 'BRL',
      'checkout-type': 'direct',
      'notification-url': 'https://loja.example/aviso',
      language: 'pt-BR',
      'redirect-urls': { success: 'https://loja.example/ok', fail: 'https://loja.example/nok' },
    },
    charge: [{ amount: 100, ...METHODS[method] }],
    payer: {
      name: 'Maria de Souza',
      email: 'maria@loja.example',
      document: { type: 'CPF', number: '52998224725' },
      'birth-date': '1990-02-28',
      'phone-number': '+5511987654321',
      ip: '187.10.20.30',
      address: { ...RECIFE, ...payer },
    },
    shipping: { cost: 1, address: { ...RECIFE, ...shipping } },
    cart: [{ quantity: 1, description: 'Livro', 'unit-price': 99, type: 'physical' }],
  }
}

const judge = (body: object, rules: (typeof REQUEST_RULES)[number] = 'specification') =>
  transactionRequestTables[rules].validate(body, requestFacts(body, policy))

const failuresOf = (body: object) => {
  const judged = judge(body)
  return judged.ok ? [] : judged.failures
}

const ABROAD = [
  { country: 'US', state: 'CA', 'zip-code': '94105-1420' },
  { country: 'CA', state: 'ON', 'zip-code': 'K1A 0B1' },
  { country: 'GB', state: 'Greater London', 'zip-code': 'SW1A 1AA' },
  { country: 'AU', state: 'NSW', 'zip-code': '2000' },
  { country: 'AR', state: 'Ciudad Autónoma de Buenos Aires', 'zip-code': 'C1425DKF' },
  { country: 'jp', state: '東京都', 'zip-code': '100-0001' },
  { country: 'PT', state: 'Lisboa', 'zip-code': '1100-148' },
]

describe('an address abroad', () => {
  it.each(ABROAD)('has the ZIP code and state of $country, by card and by wallet', (address) => {
    for (const method of ['card', 'wallet'] as const)
      for (const rules of REQUEST_RULES) {
        const judged = judge(bodyOf(method, address, address), rules)
        expect(judged).toMatchObject({
          ok: true,
          value: { payer: { address }, shipping: { address } },
        })
      }
  })

  it('has its ZIP code on both sides of blanks and unseen marks by lenient rules', () => {
    const address = { ...ABROAD[2], 'zip-code': '\u200e SW1A\u00a01AA ' }
    const judged = judge(bodyOf('card', address), 'lenient')
    expect(judged).toMatchObject({ ok: true, value: { payer: { address: ABROAD[2] } } })
  })

  it.each(['boleto', 'pix'] as const)(
    'needs CEP and UF for a %s, and the error has the reason',
    (method) => {
      for (const address of ABROAD.slice(1)) {
        const failures = failuresOf(bodyOf(method, address))
        const properties = failures.map(({ property }) => property)
        expect(properties).toContain('payer.address.zip-code')
        for (const failure of failures) {
          expect(messageOf(failure, 'en')).toContain('by card or wallet')
          expect(messageOf(failure, 'pt-BR')).toContain('cartão ou carteira')
        }
      }
    },
  )

  it('is each address’s own', () => {
    const [address = {}] = ABROAD
    const wrong = { ...address, country: 'BR' }
    const properties = (body: object) => failuresOf(body).map(({ property }) => property)
    expect(properties(bodyOf('card', address, {}))).toEqual([])
    expect(properties(bodyOf('card', address, wrong))).toEqual(['shipping.address.zip-code'])
    expect(properties(bodyOf('card', wrong, address))).toEqual(['payer.address.zip-code'])
  })

  it.each([
    ['zip-code', ''],
    ['zip-code', '-'],
    ['zip-code', '94105\n'],
    ['zip-code', '1234567890123'],
    ['zip-code', 94105],
    ['state', ''],
    ['state', 'x'.repeat(61)],
    ['state', 'a\u0000b'],
    ['state', 5],
  ])('has no %s %j', (part, value) => {
    const body = bodyOf('card', { ...ABROAD[0], [part]: value === '' ? undefined : value })
    expect(failuresOf(body).map(({ property }) => property)).toEqual([`payer.address.${part}`])
  })

  it('in Brazil has eight digits and a UF of two letters by any method, and the error has no reason', () => {
    for (const method of Object.keys(METHODS) as Method[]) {
      const failures = failuresOf(bodyOf(method, { state: 'SAO', 'zip-code': '01304-001' }))
      expect(failures.map(({ property }) => property)).toEqual([
        'payer.address.state',
        'payer.address.zip-code',
      ])
      for (const failure of failures) expect(failure.cause).toBeUndefined()
    }
  })
})
