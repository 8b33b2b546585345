import { describe, expect, it } from 'vitest'
import { ApiError, type Failure } from '../errors/api-error.js'
import { type ErrorName, errorCatalogue } from '../errors/catalogue.js'
import { shownValue } from '../errors/shown-value.js'
import { causesOf, explainedBody, messageOf } from './explained-error.js'

const printed = (failure: Failure, acceptLanguage: string | undefined = 'en'): string =>
  explainedBody(new ApiError([failure]), { acceptLanguage }).errors[0]?.message ?? ''

/** All values that the gateway and the sandbox name. */
const NAMED = {
  mediaType: 'application/vnd.cofre.v2+json; charset=UTF-8',
  digest: 'hexDigest',
  signed: '/refunds8f14',
  store: 'store-1',
  charged: '99.99',
  expected: '100.00',
  installmentMin: '5.00',
  bankMinimum: '2.50',
  left: '40.00',
  status: 'PENDING',
  method: 'GET',
  components: '("@method")',
  parameter: 'estado',
}

describe('the message of an error', () => {
  const names = Object.keys(errorCatalogue) as ErrorName[]

  it.each(names)('has sentences with the meaning and the fix of %s, for every cause', (name) => {
    for (const cause of [undefined, ...causesOf(name)])
      for (const language of ['en', 'pt-BR'] as const) {
        const failure = { name, cause, maximum: 8, named: NAMED }
        const needsList = ['next', 'allowed', 'unknown'].includes(cause ?? '')
        const listed = needsList ? { allowed: ['a', 'b'] } : {}
        const message = messageOf({ ...failure, ...listed }, language)
        expect(message).toMatch(/^\S(?!.*(?:Infinity|undefined))[^{}]{12,}[.?)]$/)
      }
  })

  it.each<[string, Failure, string]>([
    [
      'a bound of the request, not of the field',
      {
        name: 'charge_#_payment_info_installments_invalid',
        property: 'charge[0].payment-info.installments',
        constraint: 'maximum',
        maximum: 8,
        cause: 'amount',
        named: { installmentMin: '5.00' },
      },
      'This amount can be paid in at most 8 installments. Send fewer: each must be at least R$ 5.00. Amounts are reais, not centavos. ' +
        '`GET /card/installments` lists the options for an amount.',
    ],
    [
      'a bound of the field',
      {
        name: 'charge_#_payment_info_installments_invalid',
        property: 'charge[0].payment-info.installments',
        constraint: 'maximum',
        maximum: 12,
        named: { type: 'number', sent: '13' },
      },
      '`charge[0].payment-info.installments` cannot be `13`. A number from 1 to 12.',
    ],
    [
      'the very element',
      {
        name: 'cart_#_description_invalid',
        property: 'cart[7].description',
        constraint: 'maximum',
        maximum: 200,
        named: { type: 'string' },
      },
      '`cart[7].description` is too long. 1 to 200 characters.',
    ],
    [
      'what an element is, not what its list is',
      {
        name: 'cart_invalid',
        property: 'cart[0]',
        constraint: 'type',
        named: { type: 'object' },
      },
      '`cart[0]` is not valid. An object with `description`, `quantity`, `unit-price` and `type`.',
    ],
    [
      'the bound of a number that is too large',
      {
        name: 'cart_#_quantity_invalid',
        property: 'cart[0].quantity',
        constraint: 'maximum',
        maximum: 999_999_999,
        named: { type: 'number' },
      },
      '`cart[0].quantity` is not valid. An integer from 1 to 999999999.',
    ],
    [
      'a property of a refund',
      { name: 'refund_invalid', property: 'test-mode', constraint: 'invalid', allowed: [0, 1] },
      '`test-mode` is not valid. One of `0` or `1`.',
    ],
    [
      'a body that is none',
      { name: 'refund_invalid' },
      'The body is not a JSON object in UTF-8. Send one JSON object with `transaction-id`, ' +
        '`notify-url` and, for a part, `amount`.',
    ],
    [
      'a parameter that is missing',
      { name: 'bin_missing', property: 'bin', constraint: 'required' },
      '`bin` is missing. Send it. The first six to twelve digits of a card of an accepted brand.',
    ],
    [
      'the media type of the interface',
      { name: 'header_accept_missing', named: { mediaType: NAMED.mediaType } },
      '`Accept` is missing. Send `Accept: application/vnd.cofre.v2+json; charset=UTF-8`.',
    ],
    [
      'the wrong type',
      {
        name: 'payer_name_invalid',
        property: 'payer.name',
        constraint: 'type',
        named: { type: 'string' },
      },
      '`payer.name` must be a text. Two words or more with one space between, of Latin letters ' +
        "with any accents, `, . & / ' -` and the apostrophe ’, the first of at least two; at most 255 characters by card, 50 otherwise. " +
        'A store with lenient rules (docs/payments.md) may send it in more forms.',
    ],
  ])('names %s', (_, failure, message) => {
    expect(printed(failure)).toBe(message)
  })

  it('is the general one of the code where nothing more is known', () => {
    const name = 'charge_payments_amount_sum_invalid'
    expect(printed({ name, cause: 'compared' })).toBe(printed({ name }))
  })

  it.each([
    [undefined, 'Falta'],
    ['', 'Falta'],
    ['*', 'Falta'],
    ['pt-BR', 'Falta'],
    ['pt-PT,en;q=0.9', 'Falta'],
    ['tr-TR', 'Falta'],
    ['es-ES, en;q=0.1', '`cart` is'],
    ['en-US', '`cart` is'],
    ['pt;q=0.5, EN-gb', '`cart` is'],
    ['pt;q=0, en;q=0.1', '`cart` is'],
    ['en;q=x', 'Falta'],
  ])('has the language of Accept-Language: %s', (header, beginning) => {
    const error = new ApiError([{ name: 'cart_missing', property: 'cart', constraint: 'required' }])
    const [body] = explainedBody(error, { acceptLanguage: header }).errors
    expect(body?.message?.startsWith(beginning)).toBe(true)
  })
})

describe('the address of an error’s section', () => {
  const error = new ApiError('transaction_reference_used')

  it('is an anchor of the code, on the origin of the documentation', () => {
    const body = explainedBody(error, { docsOrigin: 'https://sandbox.example' })
    expect(body.errors[0]?.doc_url).toBe('https://sandbox.example/docs/errors#210104')
  })

  it('is left out where no origin is known', () => {
    expect(explainedBody(error, {}).errors[0]).not.toHaveProperty('doc_url')
  })
})

describe('a value that errors show', () => {
  it.each([['US'], [13], [true], [10000.01], ['2026-11-22']])('is %s', (value) => {
    expect(shownValue(value)).toBe(String(value))
  })

  it.each([
    ['a card number', '4111 1111 1111 1111'],
    ['a card number as a number', 4111111111111111],
    ['a CPF', '529.982.247-25'],
    ['digits of another script', '٤١١١١١١١١١١١١١١١'],
    ['a long text', 'x'.repeat(41)],
    ['a text with its quotes', 'a`b'],
    ['a text with a line break', 'a\nb'],
    ['an object', {}],
    ['nothing', ''],
  ])('is never %s', (_, value) => {
    expect(shownValue(value)).toBeUndefined()
  })
})
