import { describe, expect, it } from 'vitest'
import { type ErrorName, errorCatalogue } from '../errors/catalogue.js'
import { transactionRequestTable } from '../transaction/request.js'
import {
  type ExplanationLanguage,
  NEVER_RETURNED,
  causesOf,
  explain,
  explainCause,
  explainFailure,
  explainReturned,
  explainValue,
} from './explanation.js'
import texts from './explanations.json' with { type: 'json' }

const LANGUAGES: readonly ExplanationLanguage[] = ['en', 'pt-BR']
const names = Object.keys(errorCatalogue) as ErrorName[]

describe('the explanations of errors', () => {
  it.each(names)('have sentences with the meaning and the fix of %s', (name) => {
    for (const language of LANGUAGES) {
      const { meaning, advice } = explain(name, language)
      for (const text of [meaning, advice]) expect(text).toMatch(/^\S(?!.*Infinity)[^{}]{3,}[.?]$/)
    }
    expect(explain(name, 'en').meaning).not.toBe(explain(name, 'pt-BR').meaning)
  })

  it('have no text that no error uses', () => {
    const used = new Set([...names, ...names.map((name) => name.replaceAll(/order/g, '*'))])
    expect(Object.keys(texts.errors).filter((name) => !used.has(name))).toEqual([])
    const patterns = transactionRequestTable.fields.map(({ pattern }) => pattern)
    const known = new Set(patterns.flatMap((one) => [one, one.replace(/^\w+\./, '')]))
    for (const pattern of [...Object.keys(texts.fields), ...Object.keys(texts.requiredWhen)])
      expect(known).toContain(pattern)
    const parameters = names.map((name) => name.replace(/_(missing|invalid)$/, ''))
    for (const parameter of Object.keys(texts.parameters))
      expect(parameters).toContain(parameter.replaceAll('-', '_'))
  })

  it('take a bound from the schema of the field', () => {
    expect(explainValue('shipping.address.street', 'en')).toBe('3 to 160 characters.')
    expect(explainValue('payer.address.street', 'en')).toBe('1 to 160 characters.')
    expect(explainValue('charge[].payment-info.installments', 'pt-BR')).toContain('de 1 a 12')
    expect(explainValue('payer.document.type', 'pt-BR')).toBe('Um destes: `CPF` ou `CNPJ`.')
    expect(explain('transaction_country_invalid', 'en').advice).toBe('Only `BR`.')
  })

  it('mention that a time needs a fraction of the second', () => {
    expect(explain('initial_order_date_invalid', 'en').advice).toContain('a fraction of a second')
    expect(explain('final_payment_date_invalid', 'pt-BR').advice).toContain('a fração do segundo')
  })

  it('take a bound that no schema holds from the limits', () => {
    expect(explain('charge_#_amount_invalid', 'en').advice).toContain(
      'R$ 0.20 by card, R$ 1.00 by PIX',
    )
    expect(explain('final_payment_date_range_exceeded', 'en')).toEqual({
      meaning: '`initial-payment-date` and `final-payment-date` are more than 30 days apart.',
      advice: 'Ask for at most 30 days at a time.',
    })
  })

  it('show amounts as the reader’s language has them, and send them as the wire does', () => {
    const named = { charged: '123456.00', expected: '1234.56' }
    const failure = {
      name: 'charge_payments_amount_sum_invalid',
      cause: 'compared',
      named,
    } as const
    const en = explainFailure(failure, 'en')
    expect(en.meaning).toContain(
      'is R$ 123,456.00, but the cart and `shipping.cost` come to R$ 1,2',
    )
    expect(en.advice).toMatch(/^Amounts are reais, not centavos: send `1234\.56`, or/)
    const pt = explainFailure(failure, 'pt-BR')
    expect(pt.meaning).toContain(
      'é R$ 123.456,00, mas o carrinho e `shipping.cost` somam R$ 1.234,56',
    )
    expect(pt.advice).toMatch(/^Valores são em reais, não em centavos: envie `1234\.56`, ou/)
  })

  it('have no amount in Portuguese with a point, but in code', () => {
    const all = [
      ...names.map((name) => explain(name, 'pt-BR')),
      ...names.flatMap((name) => causesOf(name).map((cause) => explainCause(name, cause, 'pt-BR'))),
      ...Object.keys(texts.otherFields).flatMap((name) =>
        Object.keys(Reflect.get(texts.otherFields, name) as object).map((field) => ({
          meaning: '',
          advice: explainValue(field, 'pt-BR', name as ErrorName) ?? '',
        })),
      ),
    ].map(({ meaning, advice }) => `${meaning} ${advice}`.replaceAll(/`[^`]*`/g, ''))
    expect(all.filter((text) => /\d\.\d\d\b/.test(text))).toEqual([])
    expect(all.filter((text) => /\d,\d\d\b/.test(text)).length).toBeGreaterThan(5)
  })

  it.each([
    ['charge_#_amount_invalid', undefined],
    ['shipping_cost_invalid', undefined],
    ['cart_#_unit_price_invalid', undefined],
    ['amount_invalid', undefined],
    ['payment_exceed_limits', undefined],
    ['refund_amount_is_greater_than_limit', 'left'],
    ['refund_amount_is_greater_than_transaction', 'left'],
    ['charge_#_payment_info_installments_invalid', 'amount'],
  ] as const)('mention that amounts are reais: %s', (name, cause) => {
    const named = { left: '70.00', installmentMin: '5.00' }
    const { advice } = explainFailure({ name, cause, named, maximum: 9 }, 'en')
    expect(advice).toContain('Amounts are reais, not centavos')
  })

  it.each([
    'payer_name_invalid',
    'payer_document_number_invalid',
    'payer_phone_number_invalid',
    'payer_birth_date_missing',
    'payer_address_zip_code_invalid',
    'shipping_address_complement_invalid',
    'shipping_address_district_invalid',
    'charge_payments_amount_sum_invalid',
  ] as const)('name the lenient rules and where they are explained: %s', (name) => {
    expect(explain(name, 'en').advice).toContain('[lenient rules](payments.md#lenient-rules)')
    expect(explain(name, 'pt-BR').advice).toContain('[regras flexíveis](payments.md#regras-')
  })

  it('name the condition of a required field, and the codes that no request can cause', () => {
    expect(explain('payer_birth_date_missing', 'en').advice).toBe(
      'Send it when a CPF pays by card; with [lenient rules](payments.md#lenient-rules) it’s optional. A day like `1990-01-31`, from 1900 to today.',
    )
    expect(explain('cart_missing', 'en').advice).toBe('Send it. An array of at least one item.')
    for (const name of NEVER_RETURNED)
      expect(explain(name, 'en').advice).toMatch(/^Never returned\b/)
    const others = names.filter((name) => !NEVER_RETURNED.includes(name))
    for (const name of others) expect(explain(name, 'en').advice).not.toMatch(/^Never/)
  })

  it('are found by code, the status telling causes apart, as plain text', () => {
    expect(explainReturned({ code: 210104, status: 409 }, 'en')).toMatch(
      /already used this reference/,
    )
    expect(explainReturned({ code: 210104, status: 400 }, 'en')).toMatch(/is not valid/)
    expect(explainReturned({ code: 10001, status: 401 }, 'en')).toMatch(
      /^The request has neither Authorization nor an RFC 9421 signature\. Send Authorization: <store id>:<hmac>.* See signing \(docs\/signing\.md\)\.$/,
    )
    expect(explainReturned({ code: 210605, status: 422 }, 'en')).toMatch(
      /In the sandbox, use the code of the test data \(docs\/test-data\.md\)/,
    )
    for (const { code } of Object.values(errorCatalogue))
      expect(explainReturned({ code, status: 400 }, 'en'), String(code)).toMatch(/\S.{12,}/)
    expect(explainReturned({ code: 1, status: 400 }, 'en')).toBeUndefined()
  })
})
