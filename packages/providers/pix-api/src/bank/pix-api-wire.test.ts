import { minorUnits } from '@cofre/contracts'
import { drawBoletoName } from '@cofre/provider-kit/bank'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { violationsOfAnswer, violationsOfRequest } from '../../../../../test/judges/pix-api.js'
import { datedChargeRequest } from './pix-api-dated-wire.js'
import {
  chargeRequest,
  periodQuery,
  refundAnswerSchema,
  refundRequest,
  removalRequest,
} from './pix-api-wire.js'

const objections = (
  method: string,
  path: string,
  body: unknown,
  query: Record<string, string> = {},
): readonly string[] =>
  violationsOfRequest({ method, path: `${path}?${new URLSearchParams(query)}`, body })
const TXID = 'a'.repeat(32)
const REFUND = `/pix/E12345678202611221200${'0'.repeat(11)}/devolucao/r1`

describe('a refund that a bank answers', () => {
  const refund = { id: 'bank1', valor: '1.00', status: 'DEVOLVIDO' }
  it.each([undefined, null, 'MED_OF_TOMORROW', 7, 'med_fraude'])(
    'has no reason with the nature %j',
    (natureza) => {
      const read = refundAnswerSchema.parse({ ...refund, natureza })
      expect(read).toEqual({ id: 'bank1', amountMinor: 100, state: 'returned' })
    },
  )
})

describe('every request', () => {
  const amount = fc.integer({ min: 1, max: 999_999_999_999 }).map(minorUnits)
  const digits = (size: number) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: size, maxLength: size })
      .map((all) => all.join(''))
  const terms = fc.record(
    {
      amountMinor: amount,
      lifetimeSeconds: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      payerName: fc.string({ minLength: 1, maxLength: 400, unit: 'grapheme' }),
      payerDocument: fc.oneof(digits(11), digits(14)),
      description: fc.string({ maxLength: 300, unit: 'grapheme' }),
    },
    { requiredKeys: ['amountMinor', 'lifetimeSeconds', 'description'] },
  )

  it('for a charge is one that the official document knows', () => {
    fc.assert(
      fc.property(terms, (one) => {
        expect(
          objections('put', `/cob/${TXID}`, chargeRequest(one, 'pix@loja.example.com')),
        ).toEqual([])
      }),
    )
  })

  it('for a charge with a due date is one, too', () => {
    const word = fc.string({ maxLength: 300, unit: 'grapheme' })
    const percent = fc.constantFrom('0.01', '2.00', '99.99')
    const dated = fc.record({
      amountMinor: amount,
      dueDate: fc.constantFrom('2026-11-22', '2028-02-29'),
      payableDays: fc.nat({ max: 60 }),
      description: word,
      payer: fc.record({
        name: word,
        document: fc.oneof(digits(11), digits(14)),
        email: word,
        address: fc.record({
          street: word,
          number: word,
          complement: fc.option(word, { nil: undefined }),
          district: word,
          city: word,
          state: fc.constant('SP'),
          postalCode: digits(8),
        }),
      }),
    })
    const settings = fc.record(
      { fine: percent, interest: percent, discount: percent, discountDays: fc.nat({ max: 99 }) },
      { requiredKeys: [] },
    )
    const name = drawBoletoName(() => 1)
    const nowMs = Date.parse('2026-11-20T12:00:00Z')
    fc.assert(
      fc.property(dated, settings, (order, terms) => {
        const account = { ...terms, pixKey: 'pix@loja.example.com' }
        const body = datedChargeRequest({ ...order, name }, account, nowMs)
        expect(objections('put', `/cobv/${TXID}`, body)).toEqual([])
      }),
    )
  })

  it('for a removal, a refund and a list, too', () => {
    expect(objections('patch', `/cob/${TXID}`, removalRequest)).toEqual([])
    fc.assert(
      fc.property(amount, (amountMinor) => {
        expect(objections('put', REFUND, refundRequest(amountMinor))).toEqual([])
      }),
    )
    const query = Object.fromEntries(new URLSearchParams(periodQuery(1, 1_795_348_800_999, 7)))
    expect(objections('get', '/pix', undefined, query)).toEqual([])
    expect(query).toMatchObject({ inicio: '1970-01-01T00:00:00Z', fim: '2026-11-22T12:00:01Z' })
  })
})

describe('the judge', () => {
  const body = { calendario: { expiracao: 1 }, valor: { original: '1.00' }, chave: 'a@b.c' }
  it.each([
    ['a txid of 36', 'put', `/cob/${'a'.repeat(36)}`, body],
    ['an amount of one decimal', 'put', `/cob/${TXID}`, { ...body, valor: { original: '1.0' } }],
    ['a CPF of ten digits', 'put', `/cob/${TXID}`, { ...body, devedor: { cpf: '1', nome: 'A' } }],
    ['a charge without a key', 'put', `/cob/${TXID}`, { ...body, chave: undefined }],
    ['another end of a charge', 'patch', `/cob/${TXID}`, { status: 'REMOVIDA_PELO_PSP' }],
    ['a refund without amount', 'put', REFUND, {}],
    ['a list without a period', 'get', '/pix', undefined],
    ['a path that is none', 'get', '/charges/1/2', undefined],
  ])('objects to %s', (_, method, path, sent) => {
    expect(objections(method, path, sent)).not.toEqual([])
  })

  it('objects to an answer of another shape', () => {
    const request = { method: 'get', path: `/cob/${TXID}` }
    const contentType = 'application/json'
    for (const answer of [
      { status: 200, contentType, body: { ...body, status: 'PAGA' } },
      { status: 299, contentType, body },
    ])
      expect(violationsOfAnswer(request, answer)).not.toEqual([])
  })
})
