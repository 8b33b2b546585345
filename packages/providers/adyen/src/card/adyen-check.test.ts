import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  CAVV,
  PAN,
  type TestConnection,
  connectionTo,
  order,
  testClock,
} from '../../../../provider-kit/test/payments.js'
import {
  ADYEN_ANSWERS,
  ADYEN_SECRETS,
  type JudgingAdyen,
  startJudgingAdyen,
} from '../../test/judging-adyen.js'
import { ADYEN } from './adyen-provider.js'

let server: JudgingAdyen
let connection: TestConnection
beforeEach(async () => {
  server = await startJudgingAdyen()
  const place = { origin: server.origin, answers: ADYEN_ANSWERS, clock: testClock() }
  connection = connectionTo(ADYEN, place)
})
afterEach(async () => {
  await connection.acquirer.close()
  await server.close()
  expect(server.objections).toEqual([])
  const printed = connection.printed.join()
  for (const secret of [...ADYEN_SECRETS, PAN, CAVV]) expect(printed).not.toContain(secret)
})

const sentBody = () => server.calls[0]?.body

describe('a check of a card', () => {
  const check = (changes = {}) => {
    const { key, card, brand, payer } = order(changes)
    return connection.acquirer.check?.({ key, card, brand, payer })
  }

  it('is a payment of zero that marks a saved card, with its own name', async () => {
    expect(await check()).toMatchObject({
      kind: 'done',
      value: { outcome: 'approved', ids: { networkTransactionId: '858435661128555' } },
    })
    expect(sentBody()).toEqual({
      merchantAccount: 'LojaECOM',
      reference: 'cofrec1042',
      amount: { currency: 'BRL', value: 0 },
      returnUrl: 'https://loja.example/volta',
      paymentMethod: {
        type: 'scheme',
        number: PAN,
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
        holderName: 'Ana Conceição de Souza',
      },
      shopperInteraction: 'Ecommerce',
      recurringProcessingModel: 'CardOnFile',
      shopperReference: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      socialSecurityNumber: '52998224725',
      shopperEmail: 'ana@example.com',
      shopperIP: '203.0.113.7',
    })
  })

  it.each([
    ['Refused', { refusalReasonCode: '12' }, 'insufficient_funds'],
    ['ChallengeShopper', {}, 'authentication_required'],
  ])('that ends as %s is declined with the reason', async (resultCode, more, reason) => {
    server.result = { resultCode, ...more }
    expect(await check()).toMatchObject({
      kind: 'done',
      value: { outcome: 'declined', decline: { reason } },
    })
  })

  it.each(['Received', 'Pending'])('that ends as %s is unknown', async (resultCode) => {
    server.result = { resultCode }
    expect(await check()).toMatchObject({ kind: 'unknown' })
  })

  it('that is answered for another name is unknown', async () => {
    server.result = { merchantReference: 'cofrep1042' }
    expect(await check()).toMatchObject({ kind: 'unknown' })
  })
})
