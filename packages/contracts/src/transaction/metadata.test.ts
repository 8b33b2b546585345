import { describe, expect, it } from 'vitest'
import { dropAbsent } from '../validation/field-table.js'
import { type LinkPolicy, linkFacts, linkRequestTable } from './payment-link.js'
import { paymentSearchFacts, paymentSearchTable } from './payment-search.js'
import { refundRequestTable } from './refund.js'
import { transactionRequestTables } from './request.js'
import { metadataSchema } from './metadata.js'
import { minorUnits } from '../value/money.js'

const PAN = '4111111111111111'
const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, 'x']))
/** As from a request: `__proto__` is a key of its own. */
const withPrototype: unknown = JSON.parse('{"__proto__": "x", "channel": "app"}')

const read = (sent: unknown) => metadataSchema().safeParse(sent)

describe('metadata', () => {
  it.each([
    { channel: 'app' },
    { 'A.b_c-9': 'two\nlines, and more: "é" 日本' },
    { ['k'.repeat(40)]: 'v'.repeat(500) },
    { constructor: 'x', toString: 'x', length: '1' },
    keys(20),
  ])('is kept as it was sent: %j', (sent) => {
    expect(read(sent).data).toEqual(sent)
  })

  it('counts as absent without keys, and without values', () => {
    expect(read({})).toMatchObject({ success: true, data: undefined })
    expect(read(dropAbsent({ channel: '', seller: null })).data).toBeUndefined()
    expect(read(dropAbsent({ channel: '', seller: '7' })).data).toEqual({ seller: '7' })
  })

  it.each<[string, unknown]>([
    ['a text', 'channel=app'],
    ['a list', ['channel', 'app']],
    ['a number', 1],
    ['21 keys', keys(21)],
    ['a long key', { ['k'.repeat(41)]: 'x' }],
    ['an empty key', { '': 'x' }],
    ['a key with a space', { 'sales channel': 'x' }],
    ['a key with letters of other alphabets', { preço: 'x' }],
    ['a key with a line break', { 'channel\n': 'x' }],
    ['a long value', { channel: 'v'.repeat(501) }],
    ['a number as value', { channel: 7 }],
    ['a list as value', { channel: ['app'] }],
    ['an object as value', { channel: { length: 1 } }],
    ['a value with NUL', { channel: 'a\0b' }],
    ['a card number as key', { [PAN]: 'x' }],
    ['a card number in a key', { 'a.4111-1111-1111-1111': 'y' }],
    ['a security code in a key', { 'cvv-123': 'x' }],
    ['a prototype', withPrototype],
  ])('is refused if it is %s or has it', (_, sent) => {
    expect(read(sent).success).toBe(false)
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it('comes out with card numbers and named security codes masked in values', () => {
    const note = `card ${PAN} of Maria`
    const text = 'cvv: 123, security-code-token=4567, cid=8901'
    const sent = { note, text, level: '100' }
    const { data } = read(sent)
    expect(data).toEqual({
      note: 'card ************ of Maria',
      text: 'cvv: ***, security-code-token=***, cid=8901',
      level: '100',
    })
    // A link's metadata becomes that of its payments.
    expect(read(data).data).toEqual(data)
  })

  it.each([
    'cvv',
    'CVV2',
    'cardCvv',
    'card_cvc',
    'card.cvc2',
    'csc',
    'security-code',
    'securityCode',
    'codigo_de_seguranca',
    'cvv_code',
    'cvvNumber',
    'card-cvv-value',
    'cod-seguranca',
    'cid',
  ])('comes out without the security code of %s', (key) => {
    expect(read({ [key]: '737' }).data).toEqual({ [key]: '***' })
    for (const code of [' 1234 ', '１２３', 'CVV 123', 'is 123'])
      expect(read({ [key]: code }).data).toEqual({ [key]: '***' })
    expect(read({ [key]: 'asked for' }).data).toEqual({ [key]: 'asked for' })
  })

  it('keeps other short numbers', () => {
    const sent = { table: '737', 'zip-code': '123', code: '1234' }
    expect(read(sent).data).toEqual(sent)
  })
})

const POLICY: LinkPolicy = {
  acceptsNotificationUrl: () => true,
  wallets: [],
  nowMs: 0,
  expiryMaxMs: 1,
  amountMaxMinor: minorUnits(100_000),
}
const failuresOf = (judged: { ok: true } | { ok: false; failures: readonly object[] }) =>
  judged.ok ? [] : judged.failures

describe('a failure of metadata', () => {
  const wrong = { metadata: { note: 'secret value\0', 'secret key': 'x' } }
  it.each<[string, string, () => readonly object[]]>([
    [
      'transaction_invalid',
      'transaction.metadata',
      () =>
        transactionRequestTables.lenient.validate({ transaction: wrong }, {
          acceptsNotificationUrl: () => true,
          wallets: [],
          today: '2026-11-21',
        } as never) as never,
    ],
    ['refund_invalid', 'metadata', () => failuresOf(refundRequestTable.validate(wrong, POLICY))],
    [
      'payment_link_invalid',
      'metadata',
      () => failuresOf(linkRequestTable.validate(wrong, linkFacts(wrong, POLICY))),
    ],
    [
      'payment_search_invalid',
      'metadata',
      () =>
        failuresOf(
          paymentSearchTable.validate(
            wrong,
            paymentSearchFacts(wrong, () => true),
          ),
        ),
    ],
  ])('is %s, and names %s but neither keys nor values', (name, property, judge) => {
    const judged: unknown = judge()
    const text = JSON.stringify(judged)
    expect(text).toContain(`"name":"${name}","property":"${property}"`)
    expect(text).not.toContain('secret')
  })

  it('gives the limit of keys', () => {
    const body = { metadata: keys(21) }
    expect(failuresOf(refundRequestTable.validate(body, POLICY))).toContainEqual(
      expect.objectContaining({ property: 'metadata', constraint: 'maximum', maximum: 20 }),
    )
  })

  it('is none of unknown fields: its keys are the store’s own', () => {
    const sent = { metadata: { channel: 'app' } }
    expect(refundRequestTable.unknownFields(sent)).toEqual([])
    expect(transactionRequestTables.specification.unknownFields({ transaction: sent })).toEqual([])
  })
})

describe('a search by metadata', () => {
  const judge = (body: object) =>
    failuresOf(
      paymentSearchTable.validate(
        body,
        paymentSearchFacts(body, () => true),
      ),
    )

  it('needs no payer', () => {
    expect(judge({ metadata: keys(5) })).toEqual([])
  })

  it.each([{}, { metadata: {} }])('needs a payer if it names no key: %j', (body) => {
    expect(judge(body)).toMatchObject([{ property: 'payer-email', constraint: 'required' }])
  })

  it('names at most five keys', () => {
    expect(judge({ metadata: keys(6) })).toMatchObject([
      { property: 'metadata', constraint: 'maximum', maximum: 5 },
    ])
  })
})
