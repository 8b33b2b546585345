import { describe, expect, it } from 'vitest'
import { readPayForm } from './pay-form.js'

const METHODS = { methods: ['credit-card', 'pix', 'boleto', 'paypal'] }
const FORM = 'a1b2c3d4-0000-4000-8000-000000000000'
const PAYER = { name: ' Maria da Silva ', email: 'maria@example.com', document: '529.982.247-25' }

function read(fields: Record<string, string>) {
  return readPayForm(new Map(Object.entries({ form: FORM, ...PAYER, ...fields })), METHODS)
}

const payer = { ...PAYER, name: 'Maria da Silva' }
const boletoAddress = {
  'zip-code': '01310-100',
  street: 'Avenida Paulista',
  number: '1000',
  complement: '',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
}

describe('a form', () => {
  it.each([
    ['a PIX', { method: 'pix' }, { formId: FORM, method: 'pix', payer }],
    [
      'a PIX, without what a card was typed with',
      { method: 'pix', phone: '1', 'birth-date': '2', token: 'eyJ', city: 'x' },
      { formId: FORM, method: 'pix', payer },
    ],
    ['a wallet', { method: 'paypal' }, { formId: FORM, method: 'paypal', payer }],
    [
      'a PIX, without marks that are not seen',
      {
        method: 'pix',
        name: '\u200eMaria da Sil\u00adva\ufeff ',
        email: 'maria@\u200bexample.com',
        document: '\u202a529.982.247-25\u202c',
      },
      { formId: FORM, method: 'pix', payer },
    ],
    [
      'a boleto, without an empty complement',
      { method: 'boleto', ...boletoAddress },
      {
        formId: FORM,
        method: 'boleto',
        payer: {
          ...payer,
          address: {
            zipCode: '01310-100',
            street: 'Avenida Paulista',
            number: '1000',
            district: 'Bela Vista',
            city: 'São Paulo',
            state: 'SP',
          },
        },
      },
    ],
    [
      'a card',
      {
        method: 'credit-card',
        token: 'eyJ.a.b',
        installments: '3',
        prices: '10000,10000,10605',
        phone: '(11) 98765-4321',
        'birth-date': '1990-01-31',
      },
      {
        formId: FORM,
        method: 'credit-card',
        payer: { ...payer, phone: '(11) 98765-4321', birthDate: '1990-01-31' },
        card: { token: 'eyJ.a.b', installments: 3, shownMinor: 10_605 },
      },
    ],
    [
      'a card, with a date as Brazilians type it and without a day for a company',
      { method: 'credit-card', token: 'x', 'birth-date': '31/01/1990' },
      {
        formId: FORM,
        method: 'credit-card',
        payer: { ...payer, phone: '', birthDate: '1990-01-31' },
        card: { token: 'x', installments: 1 },
      },
    ],
    ['no method', {}, 'choose_method'],
    ['a method that the link does not take', { method: 'pagseguro' }, 'choose_method'],
    ['a method of the prototype', { method: 'constructor' }, 'choose_method'],
    ['a card without a token', { method: 'credit-card' }, 'card_missing'],
    ['a token that is none', { method: 'credit-card', token: 'x'.repeat(1025) }, 'card_missing'],
    ['no form id', { method: 'pix', form: '' }, 'foreign'],
    ['a card number as its id', { method: 'pix', form: '4111-1111-1111-1111' }, 'foreign'],
    ['a form id that was not drawn', { method: 'pix', form: '<script>' }, 'foreign'],
  ])('with %s is read', (_, fields, order) => {
    expect(read(fields).order).toEqual(order)
  })

  it.each(['', '10000,10000', '1,2,-3', '1,2,1e3', '1,2,NaN'])(
    'with the prices %j has shown none of its three installments',
    (prices) => {
      const card = { method: 'credit-card', token: 'x', installments: '3' }
      expect(read({ ...card, prices }).order).toBe('price_changed')
    },
  )

  it.each([
    ['', 1],
    ['0', 1],
    ['1.5', 1],
    ['-3', 1],
    ['99', 18],
    ['12', 12],
  ])('with %j installments asks for %i', (installments, expected) => {
    expect(read({ installments }).typed.installments).toBe(expected)
  })

  it.each([
    ['name', '4111 1111 1111 1111', ''],
    ['email', '4111111111111111@example.com', ''],
    ['document', '4111111111111111', ''],
    ['document', '529.982.247-25', '529.982.247-25'],
    ['document', '12.ABC.345/01DE-35', '12.ABC.345/01DE-35'],
    ['phone', '(11) 98765-4321', '(11) 98765-4321'],
  ] as const)('shows %s %j again as %j', (name, typed, shown) => {
    expect(read({ [name]: typed }).typed.values.get(name)).toBe(shown)
  })
})
