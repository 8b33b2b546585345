import {
  DECLINE_REASONS,
  Secret,
  brandOf,
  isAccepted,
  declineSchema,
  minorUnits,
  wrongCardFields,
} from '@cofre/contracts'
import type { AuthorizeRequest } from '@cofre/provider-kit/card'
import { describe, expect, it } from 'vitest'
import { createSandboxAcquirer } from './sandbox-acquirer.js'
import { TEST_CARDS } from '../test-data/test-data.js'

const NOW_MS = Date.UTC(2026, 10, 21)

const request = (number: string, transactionCode = '1'): AuthorizeRequest => ({
  key: { installation: 'test', environment: 'sandbox', transactionCode },
  earlier: undefined,
  card: new Secret({ number, month: '12', year: '2030' }),
  brand: brandOf(number)?.name ?? '',
  amountMinor: minorUnits(10_000),
  installments: 1,
  payer: { name: 'Maria da Silva', document: undefined, email: undefined, ip: undefined },
  storedCredential: undefined,
  threeDSecure: undefined,
})

const ask = (number: string, transactionCode = '1', authenticationReturnUrl?: string) =>
  createSandboxAcquirer().authorize({
    ...request(number, transactionCode),
    authenticationReturnUrl,
  })

const authorize = async (number: string, transactionCode?: string) => {
  const answer = await ask(number, transactionCode)
  return answer.kind === 'done' ? answer.value.outcome : answer.kind
}

describe('the sandbox’s acquirer', () => {
  it.each([
    ['4111111111111111', 'approved'],
    ['5555444433331111', 'approved'],
    ['5066991111111118', 'approved'],
    ['6062828888666688', 'approved'],
    ['378282246310005', 'approved'],
    ['36006666333344', 'approved'],
    ['4000000000000002', 'declined'],
    ['4000000000000010', 'review'],
    ['4000000000000028', 'pending'],
    ['4000000000000036', 'unknown'],
  ])('answers %s with %s, however often it is asked', async (number, outcome) => {
    expect(await authorize(number)).toBe(outcome)
    expect(await authorize(number)).toBe(outcome)
    expect(await authorize(number, '2')).toBe(outcome)
  })

  it.each(TEST_CARDS.filter(({ outcome }) => outcome === 'declined'))(
    'declines $number with $decline.reason',
    async ({ number, decline }) => {
      expect(await ask(number)).toMatchObject({ value: { outcome: 'declined', decline } })
      expect(decline).toEqual(declineSchema.parse(decline))
    },
  )

  it.each([
    ['approved', { value: { outcome: 'approved' } }],
    ['failed', { value: { outcome: 'declined', decline: { reason: 'authentication_required' } } }],
    ['anything', { kind: 'refused' }],
  ])('asks the holder of one card, who brings back: %s', async (result, end) => {
    const returnUrl = 'https://sandbox.example/a/AbCdEfGhIjKlMnOp/return'
    const url = 'https://sandbox.example/a/AbCdEfGhIjKlMnOp/bank'
    expect(await ask('4000000000000085', '1', returnUrl)).toEqual({
      kind: 'done',
      value: { outcome: 'authenticate', action: { method: 'GET', url, fields: {} } },
    })
    const completion = await createSandboxAcquirer().completeAuthentication?.({
      key: { installation: 'test', environment: 'sandbox', transactionCode: '1' },
      earlier: undefined,
      brand: 'visa',
      amountMinor: minorUnits(10_000),
      result: new Secret(result),
    })
    expect(completion).toMatchObject(end)
  })

  it('declines it where the holder cannot come back', async () => {
    expect(await authorize('4000000000000085')).toBe('declined')
  })

  it.each([
    ['999', 'later', 'declined'],
    ['998', 'later', 'approved'],
    [undefined, 'later', 'approved'],
    ['999', 'first', 'approved'],
  ] as const)('answers the code %s of a %s use: %s', async (cvv, use, outcome) => {
    const answer = await createSandboxAcquirer().authorize({
      ...request('4111111111111111'),
      card: new Secret({
        number: '4111111111111111',
        month: '12',
        year: '2030',
        ...(cvv && { cvv }),
      }),
      storedCredential: { use, isSubscription: false, networkTransactionId: undefined },
    })
    const decline = { reason: 'security_code_invalid', code: 'N7' }
    expect(answer).toMatchObject({
      value: { outcome, ...(outcome === 'declined' && { decline }) },
    })
  })

  it('approves any other card', async () => {
    expect(await authorize('4235647728025682')).toBe('approved')
  })
})

describe('the test cards', () => {
  it.each(TEST_CARDS)('$number is a $brand that the gateway takes', ({ number, brand }) => {
    const known = brandOf(number)
    expect([known?.name, known && isAccepted(known)]).toEqual([brand, true])
    const cvv = brand === 'amex' ? '1234' : '123'
    expect(wrongCardFields({ number, cvv, month: '12', year: '2030' }, NOW_MS)).toEqual([])
  })

  it('cover every brand and every outcome, each number once', () => {
    const brands = new Set(TEST_CARDS.map(({ brand }) => brand))
    expect(brands).toEqual(new Set(['visa', 'mastercard', 'elo', 'hipercard', 'amex', 'diners']))
    const outcomes = new Set(TEST_CARDS.map(({ outcome }) => outcome))
    expect(outcomes).toEqual(
      new Set([...['approved', 'declined', 'review', 'pending', 'unknown', 'authenticate']]),
    )
    expect(new Set(TEST_CARDS.map(({ number }) => number)).size).toBe(TEST_CARDS.length)
  })

  it('have one for each reason of a decline, distinct by BIN and last four', () => {
    const reasons = TEST_CARDS.flatMap(({ decline }) => decline?.reason ?? [])
    expect(reasons.toSorted()).toEqual([...DECLINE_REASONS].toSorted())
    const ends = TEST_CARDS.map(({ number }) => `${number.slice(0, 6)} ${number.slice(-4)}`)
    expect(new Set(ends).size).toBe(TEST_CARDS.length)
  })
})
