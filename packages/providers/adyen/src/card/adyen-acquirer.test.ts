import { readFileSync } from 'node:fs'
import { DAY_MS, Secret, minorUnits } from '@cofre/contracts'
import type { RefundRequest } from '@cofre/provider-kit/card'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { REFUSALS_AT_THE_DOOR, lostAnswers } from '../../../../provider-kit/test/faulty-server.js'
import {
  ADYEN_ANSWERS,
  ADYEN_SECRETS,
  type JudgingAdyen,
  error,
  startJudgingAdyen,
} from '../../test/judging-adyen.js'
import {
  CAVV,
  CHARGED,
  KEY,
  LINKED,
  PAN,
  type TestClock,
  type TestConnection,
  connectionTo,
  order,
  testClock,
  untilKnown,
  approvedId,
} from '../../../../provider-kit/test/payments.js'
import { violationsOfRequest } from '../../../../../test/judges/adyen.js'
import { ADYEN } from './adyen-provider.js'

let server: JudgingAdyen
let clock: TestClock
let connection: TestConnection
beforeEach(async () => {
  server = await startJudgingAdyen()
  clock = testClock()
  connection = connectionTo(ADYEN, { origin: server.origin, answers: ADYEN_ANSWERS, clock })
})
afterEach(async () => {
  await connection.acquirer.close()
  await server.close()
  expect(server.objections).toEqual([])
  const printed = connection.printed.join()
  for (const secret of [...ADYEN_SECRETS, PAN, '4111 1111', 'CVV 737', CAVV])
    expect(printed).not.toContain(secret)
})

const authorize = (changes = {}) => connection.acquirer.authorize(order(changes))
const sentBody = () => server.calls[0]?.body as Record<string, unknown>
const charges = () => server.payments.filter(({ resultCode }) => resultCode === 'Authorised')
const again = () => ({ firstAtMs: clock.now(), absentSinceMs: undefined })
/** The issuer would decline the same card, unchanged, again. */
const UNAUTHENTICATED = { reason: 'authentication_required', retry: { kind: 'never' } }
const LOST = [
  ...lostAnswers('4111 1111 1111 1111'),
  [
    'says that the key is in use',
    { status: 422, body: JSON.stringify(error(422, '704', 'validation')) },
  ],
] as const
const REPEATED = ['repeats the security code', { status: 500, body: 'CVV 737' }] as const
const CERTAIN = REFUSALS_AT_THE_DOOR

describe('a charge', () => {
  it('is approved with all that Adyen returns', async () => {
    expect(await authorize()).toEqual({
      kind: 'done',
      value: {
        outcome: 'approved',
        payment: {
          paymentId: server.payments[0]?.pspReference,
          nsu: undefined,
          authorizationCode: '034788',
          eci: '07',
          networkTransactionId: '858435661128555',
        },
        surplus: [],
      },
    })
    expect(sentBody()).toEqual({
      merchantAccount: 'LojaECOM',
      reference: 'cofrep1042',
      amount: { currency: 'BRL', value: 12_990 },
      returnUrl: 'https://loja.example/volta',
      paymentMethod: {
        type: 'scheme',
        number: PAN,
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
        holderName: 'Ana Conceição de Souza',
      },
      captureDelayHours: 0,
      shopperInteraction: 'Ecommerce',
      installments: { value: 3 },
      shopperStatement: 'Loja Exemplo / Sao Joa',
      socialSecurityNumber: '52998224725',
      shopperEmail: 'ana@example.com',
      shopperIP: '203.0.113.7',
    })
  })

  it('marks a saved card, and names the first use in a later charge', async () => {
    const first = { use: 'first', isSubscription: true, networkTransactionId: undefined } as const
    await authorize({ storedCredential: first })
    expect(sentBody()).toMatchObject({
      shopperInteraction: 'Ecommerce',
      recurringProcessingModel: 'Subscription',
    })
    expect(JSON.stringify(sentBody().shopperReference)).not.toContain('ana')
    const later = { use: 'later', isSubscription: false, networkTransactionId: '85843' } as const
    const card = new Secret({ number: PAN, month: '03', year: '2030' })
    const key = { ...KEY, transactionCode: '1043' }
    expect(await authorize({ key, card, storedCredential: later })).toMatchObject({
      kind: 'done',
      value: { outcome: 'approved' },
    })
    const body = server.calls[1]?.body as { paymentMethod: object }
    expect(body).toMatchObject({
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'CardOnFile',
    })
    expect(body.paymentMethod).toMatchObject({ networkPaymentReference: '85843' })
    expect(body.paymentMethod).not.toHaveProperty('cvc')
    const withCode = new Secret({ ...card.reveal(), cvv: '736' })
    await authorize({
      key: { ...KEY, transactionCode: '1044' },
      card: withCode,
      storedCredential: later,
    })
    expect(server.calls[2]?.body).toMatchObject({
      shopperInteraction: 'ContAuth',
      paymentMethod: { cvc: '736', networkPaymentReference: '85843' },
    })
  })

  it.each([
    ['mastercard', { transactionLinkId: 'first_TLID-1' }],
    ['visa', undefined],
  ])('sends both ids of the first use of a %s', async (brand, additionalData) => {
    await authorize({ brand, storedCredential: LINKED })
    expect(sentBody().additionalData).toEqual(additionalData)
    expect(sentBody().paymentMethod).toMatchObject({ networkPaymentReference: 'first' })
  })

  it('sends no id where none is known', async () => {
    const unlinked = {
      use: 'later',
      isSubscription: true,
      networkTransactionId: undefined,
    } as const
    expect(await authorize({ brand: 'mastercard', storedCredential: unlinked })).toMatchObject({
      kind: 'done',
      value: { outcome: 'approved' },
    })
    expect(sentBody()).not.toHaveProperty('additionalData')
    expect(sentBody().paymentMethod).not.toHaveProperty('networkPaymentReference')
  })

  it('keeps the TLID that Adyen returns', async () => {
    const transactionLinkId = 'aB3dE5fG7hI9jK1lM3nO5p'
    server.result = { additionalData: { networkTxReference: '85843', transactionLinkId } }
    expect(await authorize({ brand: 'mastercard' })).toMatchObject({
      value: { payment: { networkTransactionId: '85843', transactionLinkId } },
    })
  })

  it.each([
    ['05', 'Y', 'Y'],
    ['06', 'A', 'Y'],
    ['07', 'U', 'U'],
  ])('carries a 3-DS result of ECI %s', async (eci, authenticationResponse, directoryResponse) => {
    const threeDSecure = {
      version: '2.2.0',
      eci,
      cavv: new Secret(CAVV),
      directoryServerTransactionId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    }
    expect(await authorize({ threeDSecure })).toMatchObject({ value: { outcome: 'approved' } })
    expect(sentBody().mpiData).toEqual({
      authenticationResponse,
      directoryResponse,
      cavv: CAVV,
      eci,
      threeDSVersion: '2.2.0',
      dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    })
  })

  it.each([...LOST, REPEATED])('is made once when its answer %s', async (_, act) => {
    server.faults.push({ when: 'after', act })
    const result = await untilKnown(clock, (earlier) => authorize({ earlier }))
    expect(result).toMatchObject({ value: { outcome: 'approved' } })
    expect(charges()).toHaveLength(1)
    expect(server.calls).toHaveLength(2)
    const [one, other] = server.calls.map(({ headers }) => headers['idempotency-key'])
    expect(one).toBe(other)
  })

  it.each(CERTAIN)('is certainly not made after %s', async (_, act, cause) => {
    server.faults.push({ when: 'before', act })
    expect(await authorize()).toMatchObject({ kind: 'not-sent', cause })
    expect(charges()).toHaveLength(0)
  })

  it.each(CERTAIN)('stays unknown when %s answers the second attempt', async (_, act) => {
    server.faults.push({ when: 'after', act: 'cut' }, { when: 'before', act })
    expect(await authorize()).toMatchObject({ kind: 'unknown' })
    expect(await authorize({ earlier: again() })).toMatchObject({ kind: 'unknown' })
    clock.advance(10_000)
    expect(await authorize({ earlier: again() })).toMatchObject({ value: { outcome: 'approved' } })
    expect(charges()).toHaveLength(1)
  })

  it('is not sent during a requested pause, nor without a server', async () => {
    server.faults.push({
      when: 'before',
      act: { status: 429, body: '', headers: { 'retry-after': '7' } },
    })
    expect(await authorize()).toMatchObject({ kind: 'not-sent', retryAfterMs: 7000 })
    expect(await authorize()).toMatchObject({ kind: 'not-sent', cause: 'limited' })
    expect(server.calls).toHaveLength(1)
    await server.close()
    clock.advance(7000)
    expect(await authorize()).toMatchObject({ kind: 'not-sent', cause: 'no-connection' })
    expect(await authorize({ earlier: again() })).toMatchObject({ kind: 'unknown' })
  })

  it('is never sent again under a key that Adyen may have forgotten', async () => {
    const earlier = { firstAtMs: clock.now() - 6 * DAY_MS - 1, absentSinceMs: undefined }
    expect(await authorize({ earlier })).toMatchObject({ kind: 'unknown' })
    const refund = { key: KEY, earlier, ...PART, paymentId: 'PSP0000000000001' }
    expect(await connection.acquirer.refund(refund)).toMatchObject({ kind: 'unknown' })
    expect(server.calls).toEqual([])
  })

  it('has keys of its own in each environment, installation and merchant account', async () => {
    const keys = [
      KEY,
      { ...KEY, environment: 'sandbox' as const },
      { ...KEY, installation: 'copy' },
      { ...KEY, transactionCode: '104' },
    ]
    for (const key of keys) await authorize({ key })
    const answers = { ...ADYEN_ANSWERS, merchantAccount: 'OtherECOM' }
    const other = connectionTo(ADYEN, { origin: server.origin, answers, clock })
    await other.acquirer.authorize(order())
    await other.acquirer.close()
    expect(new Set(server.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(5)
    expect(new Set(server.payments.map(({ reference }) => reference)).size).toBe(4)
  })

  it('of which only a part was authorised is reversed and declined', async () => {
    server.result = { resultCode: 'PartiallyAuthorised', amount: { currency: 'BRL', value: 5000 } }
    expect(await authorize()).toMatchObject({
      kind: 'done',
      value: { outcome: 'declined', decline: { reason: 'insufficient_funds' } },
    })
    expect(server.payments).toMatchObject([{ reversals: 1 }])
  })

  it('whose part cannot be reversed stays unknown until it is', async () => {
    server.result = { resultCode: 'PartiallyAuthorised', amount: { currency: 'BRL', value: 5000 } }
    server.faults.push({ on: /reversals/, when: 'after', act: 'cut' })
    const result = await untilKnown(clock, (earlier) => authorize({ earlier }))
    expect(result).toMatchObject({ value: { outcome: 'declined' } })
    expect(server.payments).toMatchObject([{ reversals: 1 }])
  })

  it.each([
    ['another amount', { amount: { currency: 'BRL', value: 1 } }],
    ['another currency', { amount: { currency: 'USD', value: 12_990 } }],
    ['another reference', { merchantReference: 'cofrep1' }],
    ['no pspReference', { pspReference: undefined }],
  ])('is not taken for approved by an answer with %s', async (_, result) => {
    server.result = result
    expect(await authorize()).toMatchObject({ kind: 'unknown' })
    server.result = {}
  })
})

describe('a result code', () => {
  it.each([
    ['Authorised', { value: { outcome: 'approved' } }],
    ['Received', { value: { outcome: 'pending' } }],
    ['Pending', { value: { outcome: 'pending' } }],
    ['PresentToShopper', { value: { outcome: 'pending' } }],
    ['Refused', { value: { outcome: 'declined', decline: { reason: 'generic' } } }],
    ['Cancelled', { value: { outcome: 'declined' } }],
    ['Error', { value: { outcome: 'declined' } }],
    ['RedirectShopper', { value: { outcome: 'declined', decline: UNAUTHENTICATED } }],
    ['IdentifyShopper', { value: { outcome: 'declined', decline: UNAUTHENTICATED } }],
    ['ChallengeShopper', { value: { outcome: 'declined', decline: UNAUTHENTICATED } }],
  ])('%s is read', async (resultCode, expected) => {
    server.result = { resultCode }
    expect(await authorize()).toMatchObject(expected)
  })

  it('that is not known stays pending, and new fields pass', async () => {
    const body = { resultCode: 'Considered', pspReference: 'PSP0000000000009', aNewField: {} }
    server.faults.push({ when: 'before', act: { status: 200, body: JSON.stringify(body) } })
    expect(await authorize()).toMatchObject({
      kind: 'done',
      value: { outcome: 'pending', payment: { paymentId: 'PSP0000000000009' } },
    })
  })
})

describe('a decline', () => {
  const never = { kind: 'never' }
  const unknown = { kind: 'unknown' }
  const allowed = (afterMs: number) => ({ kind: 'allowed', afterMs })
  it.each([
    [{ refusalReasonCode: '6', refusalReason: 'Expired Card' }, 'expired_card', never, '6'],
    [{ refusalReasonCode: '12' }, 'insufficient_funds', allowed(DAY_MS), '12'],
    [{ refusalReason: 'Blocked Card' }, 'card_blocked', never, undefined],
    [{ refusalReasonCode: '24' }, 'security_code_invalid', allowed(0), '24'],
    [{ refusalReasonCode: '20' }, 'refused_by_risk_rules', allowed(0), '20'],
    [{ refusalReasonCode: '99' }, 'generic', unknown, '99'],
    [{ refusalReasonCode: '2' }, 'generic', allowed(0), '2'],
    [{ refusalReasonCode: '2', raw: 'ZZ : Something new' }, 'generic', unknown, 'ZZ'],
    [
      { refusalReasonCode: '2', raw: '51 : Insufficient funds' },
      'insufficient_funds',
      allowed(DAY_MS),
      '51',
    ],
    [{ refusalReasonCode: '2', raw: 'N7 : FRAUD' }, 'security_code_invalid', never, 'N7'],
    [{ refusalReasonCode: '2', raw: '05 : Do not honor' }, 'generic', allowed(0), '05'],
    [{ refusalReasonCode: '6', raw: 'a text that is no code' }, 'expired_card', never, undefined],
    [
      { raw: '51', merchantAdviceCode: '24 : Retry after 1 hour' },
      'insufficient_funds',
      { ...allowed(3_600_000), by: 'brand' },
      '51',
    ],
    [{ raw: '51', merchantAdviceCode: '03 : Do not try again' }, 'insufficient_funds', never, '51'],
  ])(
    'of %j is %s',
    async ({ raw, merchantAdviceCode, ...words }: Record<string, string>, reason, retry, code) => {
      const additionalData = { refusalReasonRaw: raw, merchantAdviceCode }
      server.result = { resultCode: 'Refused', additionalData, ...words }
      expect(await authorize()).toMatchObject({
        kind: 'done',
        value: { outcome: 'declined', decline: { reason, retry, code } },
      })
    },
  )

  it.each([
    ['101', 'invalid_card_number'],
    ['103', 'security_code_invalid'],
    ['129', 'expired_card'],
  ])('of error %s is the card’s, also when it answers the second attempt', async (code, reason) => {
    const body = JSON.stringify(error(422, code, 'validation'))
    const fault = { when: 'before', act: { status: 422, body } } as const
    server.faults.push(fault, fault)
    const expected = {
      value: { outcome: 'declined', decline: { reason, retry: never }, payment: undefined },
    }
    expect(await authorize()).toMatchObject(expected)
    expect(await authorize({ earlier: again() })).toMatchObject(expected)
  })

  it.each([
    ['validation', { kind: 'refused' }],
    ['configuration', { kind: 'refused' }],
    ['security', { kind: 'not-sent', cause: 'login' }],
  ])('is none when a request is refused for %s', async (errorType, expected) => {
    const body = JSON.stringify(error(422, '10', errorType))
    const fault = { when: 'before', act: { status: 422, body } } as const
    server.faults.push(fault, fault)
    expect(await authorize()).toMatchObject(expected)
    expect(await authorize({ earlier: again() })).toMatchObject({ kind: 'unknown' })
  })
})

const PART = {
  refundId: '7',
  chargedMinor: CHARGED,
  chargedAtMs: 0,
  returnedBeforeMinor: minorUnits(0),
  amountMinor: minorUnits(4000),
}

describe('a refund', () => {
  let refundOrder: RefundRequest
  beforeEach(async () => {
    const paymentId = approvedId(await authorize())
    refundOrder = { key: KEY, earlier: undefined, paymentId, ...PART }
    server.calls.length = 0
  })
  const refund = (changes = {}) => connection.acquirer.refund({ ...refundOrder, ...changes })

  it('is in process until a notice, under an id of its own', async () => {
    expect(await refund()).toEqual({
      kind: 'done',
      value: { state: 'in_process', returnId: server.payments[0]?.refunds[0]?.pspReference },
    })
    expect(sentBody()).toEqual({
      merchantAccount: 'LojaECOM',
      amount: { currency: 'BRL', value: 4000 },
      reference: 'cofrer7',
    })
  })

  it.each(LOST)('is made once when its answer %s', async (_, act) => {
    server.faults.push({ when: 'after', act })
    const result = await untilKnown(clock, (earlier) => refund({ earlier }))
    expect(result).toMatchObject({ value: { state: 'in_process' } })
    expect(server.payments[0]?.refunds).toHaveLength(1)
  })

  it('has company: several parts are several refunds', async () => {
    await refund()
    await refund({ refundId: '8' })
    expect(server.payments[0]?.refunds.map(({ reference }) => reference)).toEqual([
      'cofrer7',
      'cofrer8',
    ])
  })

  it.each(CERTAIN)('is certainly not made after %s', async (_, act, cause) => {
    server.faults.push({ when: 'before', act })
    expect(await refund()).toMatchObject({ kind: 'not-sent', cause })
  })

  it('is refused with Adyen’s code; on a second attempt that decides nothing', async () => {
    server.refusal = error(422, '133', 'validation')
    expect(await refund()).toMatchObject({
      value: { state: 'refused', reason: 'other', code: '133' },
    })
    expect(await refund({ earlier: again() })).toMatchObject({ kind: 'unknown' })
  })

  it('of a payment that Adyen does not know is refused', async () => {
    expect(await refund({ paymentId: 'PSP9999999999999' })).toMatchObject({
      value: { state: 'refused', reason: 'payment_not_found' },
    })
  })
})

describe('a cancel', () => {
  const cancelled = (paymentId: string | undefined, earlier?: ReturnType<typeof again>) =>
    connection.acquirer.cancel({
      key: KEY,
      earlier,
      paymentId,
      chargedMinor: CHARGED,
      chargedAtMs: 0,
    })

  it('reverses a payment, captured or not', async () => {
    await authorize()
    expect(await cancelled(server.payments[0]?.pspReference)).toMatchObject({
      value: { state: 'in_process' },
    })
    expect(server.payments).toMatchObject([{ reversals: 1 }])
  })

  it('names our reference when the payment’s answer never arrived', async () => {
    expect(await cancelled(undefined)).toMatchObject({ value: { state: 'in_process' } })
    expect(server.cancelledReferences).toEqual(['cofrep1042'])
  })

  it.each(LOST)('is made once when its answer %s', async (_, act) => {
    await authorize()
    server.faults.push({ when: 'after', act })
    const paymentId = server.payments[0]?.pspReference
    const result = await untilKnown(clock, (earlier) => cancelled(paymentId, earlier as never))
    expect(result).toMatchObject({ value: { state: 'in_process' } })
    expect(server.payments).toMatchObject([{ reversals: 1 }])
  })
})

describe('answers that others recorded', () => {
  const file = new URL(
    '../../../../../test/judges/activemerchant-adyen-responses.json',
    import.meta.url,
  )
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { status?: number }>
  const approved = { value: { outcome: 'approved' } }
  const declined = (reason: string) => ({ value: { outcome: 'declined', decline: { reason } } })
  const notDone = { kind: 'refused' }
  const unknown = { kind: 'unknown' }
  const EXPECTED: Readonly<Record<string, object>> = {
    failed_purchase_response: declined('invalid_card_number'),
    simple_successful_authorize_response: {
      value: { outcome: 'approved', payment: { authorizationCode: '98696' } },
    },
    successful_authorize_response: approved,
    successful_authorize_response_with_network_tx_ref: {
      value: {
        outcome: 'approved',
        payment: { authorizationCode: '034788', networkTransactionId: '858435661128555' },
      },
    },
    failed_authorize_response: declined('expired_card'),
    failed_authorize_visa_response: declined('generic'),
    failed_fraud_visa_response: declined('security_code_invalid'),
    failed_without_raw_refusal_reason: declined('generic'),
    failed_without_refusal_reason: declined('generic'),
    failed_authorize_mastercard_response: declined('generic'),
    successful_credit_response: { value: { outcome: 'pending' } },
    successful_payout_response: {
      value: { outcome: 'approved', payment: { authorizationCode: '081439' } },
    },
    successful_verify_response: approved,
    failed_verify_response: declined('generic'),
    successful_store_response: approved,
    failed_store_response: declined('generic'),
    failed_invalid_card_response: declined('invalid_card_number'),
    failed_cvc_validation_response: declined('security_code_invalid'),
    failed_capture_response: notDone,
    failed_refund_response: notDone,
    failed_credit_response: notDone,
    failed_void_response: notDone,
    failed_adjust_response: notDone,
    failed_unknown_response: notDone,
    failed_not_allowed_response: notDone,
    failed_invalid_amount_response: notDone,
    failed_billing_address_response: notDone,
    failed_billing_field_response: notDone,
    failed_unstore_response: notDone,
    // 5xx: the result is unknown, whatever the body.
    failed_invalid_delivery_field_response: unknown,
    // The classic API's answers to other calls.
    successful_capture_response: unknown,
    successful_refund_response: unknown,
    successful_void_response: unknown,
    successful_cancel_or_refund_response: unknown,
    successful_adjust_response: unknown,
    successful_tokenize_only_store_response: unknown,
    successful_unstore_response: unknown,
  }

  it('are all expected', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(recorded).sort())
  })

  it.each(Object.entries(recorded))('%s', async (name, answer) => {
    const act = { status: answer.status ?? 200, body: JSON.stringify(answer) }
    server.faults.push({ when: 'before', act })
    const result = await authorize()
    expect(result).toMatchObject(EXPECTED[name] ?? {})
  })
})

describe('the credentials', () => {
  it('are shown to Adyen without charging anything', async () => {
    const [step] = connection.steps
    expect(await step?.run()).toEqual({ isDone: true, detail: 'Adyen accepts the credentials.' })
    server.faults.push({ when: 'before', act: { status: 401, body: '' } })
    expect(await step?.run()).toMatchObject({ isDone: false })
    expect(server.payments).toEqual([])
  })

  it('are judged, too: a field that Adyen does not know is an objection', () => {
    const path = '/paymentMethods'
    expect(violationsOfRequest({ method: 'POST', path, body: { cnpj: '1' } })).not.toEqual([])
  })
})
