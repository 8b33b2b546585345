import { Secret } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lostAnswers } from '../../../../provider-kit/test/faulty-server.js'
import {
  ADYEN_ANSWERS,
  ADYEN_SECRETS,
  type JudgingAdyen,
  REDIRECT_RESULT,
  startJudgingAdyen,
} from '../../test/judging-adyen.js'
import {
  CHARGED,
  KEY,
  PAN,
  type TestClock,
  type TestConnection,
  connectionTo,
  order,
  testClock,
} from '../../../../provider-kit/test/payments.js'
import { ADYEN } from './adyen-provider.js'

const RETURN_URL = 'https://pay.example/a/AbCdEfGhIjKlMnOp/return'
const BANK = 'https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?MD=m0'
const REDIRECT = { type: 'redirect', method: 'GET', url: BANK }
/** A redirect's answer, without an id of the payment. */
const ASKED = { resultCode: 'RedirectShopper', additionalData: undefined, pspReference: undefined }

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
  for (const secret of [...ADYEN_SECRETS, PAN, REDIRECT_RESULT])
    expect(connection.printed.join()).not.toContain(secret)
})

const authorize = (action: object, changes = { authenticationReturnUrl: RETURN_URL }) => {
  server.result = { ...ASKED, action }
  return connection.acquirer.authorize(order(changes))
}
const complete = (result = REDIRECT_RESULT, isAgain = false) =>
  connection.acquirer.completeAuthentication?.({
    key: KEY,
    earlier: isAgain ? { firstAtMs: clock.now(), absentSinceMs: undefined } : undefined,
    brand: 'visa',
    amountMinor: CHARGED,
    result: new Secret(result),
  })
const keys = () => server.calls.map(({ headers }) => headers['idempotency-key'])

describe('a redirect of Adyen', () => {
  it.each([
    ['GET', {}, REDIRECT],
    [
      'POST',
      { MD: 'm0', PaReq: 'p0' },
      { ...REDIRECT, method: 'POST', data: { MD: 'm0', PaReq: 'p0' } },
    ],
  ])('is where the payer goes by %s', async (method, fields, action) => {
    expect(await authorize(action)).toEqual({
      kind: 'done',
      value: { outcome: 'authenticate', action: { method, url: BANK, fields } },
    })
    expect(server.calls[0]?.body).toMatchObject({ returnUrl: RETURN_URL })
  })

  it.each([
    ['no address', { type: 'redirect', method: 'GET' }],
    ['an address that is none', { ...REDIRECT, url: 'checkoutshopper' }],
    ['an address of a script', { ...REDIRECT, url: 'javascript:alert(1)' }],
    ['a method that no page has', { ...REDIRECT, method: 'PUT' }],
    ['a component of Adyen’s', { type: 'threeDS2', subtype: 'challenge', token: 't' }],
  ])('is a decline where there is %s', async (_, action) => {
    expect(await authorize(action)).toMatchObject({
      kind: 'done',
      value: { outcome: 'declined', decline: { reason: 'authentication_required' } },
    })
  })

  it('is a decline if the payer cannot return', async () => {
    const changes = { authenticationReturnUrl: undefined as unknown as string }
    expect(await authorize(REDIRECT, changes)).toMatchObject({ value: { outcome: 'declined' } })
    expect(server.calls[0]?.body).toMatchObject({ returnUrl: ADYEN_ANSWERS.returnUrl })
  })
})

describe('a payer’s result', () => {
  it('ends the payment, under one key for one result', async () => {
    expect(await complete()).toMatchObject({
      kind: 'done',
      value: {
        outcome: 'approved',
        payment: { authorizationCode: '034788', eci: '05' },
        surplus: [],
      },
    })
    await complete(REDIRECT_RESULT, true)
    await complete('another')
    const [first, again, another] = keys()
    expect(again).toBe(first)
    expect(another).not.toBe(first)
    expect(server.calls[0]).toMatchObject({
      path: '/v72/payments/details',
      body: { details: { redirectResult: REDIRECT_RESULT } },
    })
  })

  const refused = { refusalReason: '3D Not Authenticated', refusalReasonCode: '11' }
  it.each([
    [{ resultCode: 'Refused', ...refused }, 'declined'],
    [{ resultCode: 'Cancelled' }, 'declined'],
    [{ resultCode: 'Error' }, 'declined'],
    [{ resultCode: 'ChallengeShopper' }, 'declined'],
    [{ resultCode: 'Received' }, 'pending'],
    [{ resultCode: 'Considered', pspReference: undefined }, 'unknown'],
    [{ pspReference: undefined }, 'unknown'],
    [{ amount: { currency: 'BRL', value: 1 } }, 'unknown'],
    [{ amount: { currency: 'USD', value: 12_990 } }, 'unknown'],
    [{ merchantReference: undefined }, 'unknown'],
    [{ merchantReference: undefined, resultCode: 'Refused' }, 'unknown'],
  ])('is judged only by Adyen: %j is %s', async (details, expected) => {
    server.details = details
    const wasJudged = server.objections.length
    const answer = await complete()
    expect(answer?.kind === 'done' ? answer.value.outcome : answer?.kind).toBe(expected)
    // The document has every value except one, of a later version.
    if ('resultCode' in details && details.resultCode === 'Considered')
      server.objections.splice(wasJudged)
  })

  it('decides nothing if it is forged', async () => {
    const nothing = { kind: 'refused' }
    expect(await complete('forged')).toMatchObject(nothing)
    expect(await complete('forged', true)).toMatchObject({ kind: 'unknown' })
  })

  it.each(['Authorised', 'Refused'])(
    'decides nothing if it is another payment’s: %s',
    async (resultCode) => {
      server.details = { resultCode, merchantReference: 'cofrep1' }
      const nothing = { kind: 'refused' }
      expect(await complete()).toMatchObject(nothing)
    },
  )

  it('reverses a part that was authorised', async () => {
    server.details = { resultCode: 'PartiallyAuthorised', pspReference: 'PSP0000000000077' }
    server.payments.push({
      pspReference: 'PSP0000000000077',
      reference: 'cofrep1042',
      value: 1,
      resultCode: 'PartiallyAuthorised',
      captures: [],
      refunds: [],
      reversals: 0,
      cancels: 0,
    })
    expect(await complete()).toMatchObject({
      value: { decline: { reason: 'insufficient_funds' } },
    })
    expect(server.payments).toMatchObject([{ reversals: 1 }])
  })

  it.each(lostAnswers('4111 1111 1111 1111'))('is asked again where Adyen %s', async (_, act) => {
    server.faults.push({ when: 'after', act })
    expect(await complete()).toMatchObject({ kind: 'unknown' })
    expect(await complete(REDIRECT_RESULT, true)).toMatchObject({ value: { outcome: 'approved' } })
    expect(new Set(keys()).size).toBe(1)
  })
})
