import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hmacValidator } from '@adyen/api-library'
import { Secret } from '@cofre/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Payment } from './book.js'
import { answerChallenge, returnAddressOf } from './challenges.js'
import { CHALLENGED_CARD } from './outcomes.js'
import {
  AMOUNT,
  MERCHANT,
  type TestAdyen,
  openTestAdyen,
  paymentOf,
} from '../../test/simulated-adyen.js'
import { startLibrary } from '../../../../provider-kit/test/library-process.js'

const OURS = { merchantAccount: MERCHANT }

type HmacItem = Parameters<InstanceType<typeof hmacValidator>['validateHMAC']>[0]

describe("Adyen's own library, against the simulator", () => {
  let adyen: TestAdyen
  let library: ReturnType<typeof startLibrary<{ readonly pspReference: string }>>
  beforeAll(async () => {
    adyen = await openTestAdyen()
    const trusted = path.join(adyen.folder, 'trusted.pem')
    await writeFile(trusted, adyen.authority)
    library = startLibrary(new URL('../../test/adyen-calls.mjs', import.meta.url), {
      NODE_EXTRA_CA_CERTS: trusted,
    })
  })
  afterAll(async () => {
    await library.close()
    await adyen.close()
  })

  const call = (...calls: readonly (readonly unknown[])[]) => {
    const base = `https://127.0.0.1:${adyen.apiPort}/v72`
    return library.call({ apiKey: adyen.credentials.apiKey.reveal(), base }, calls)
  }

  it('pays, pays the same again, captures, refunds, reverses and cancels', async () => {
    const once = { idempotencyKey: 'k1' }
    const manual = { additionalData: { manualCapture: 'true' } }
    const [first, again, open, held] = await call(
      ['PaymentsApi', 'payments', paymentOf('order'), once],
      ['PaymentsApi', 'payments', paymentOf('order'), once],
      ['PaymentsApi', 'payments', paymentOf('later', manual)],
      ['PaymentsApi', 'payments', paymentOf('held', manual)],
    )
    expect(first).toMatchObject({ answer: { resultCode: 'Authorised', amount: AMOUNT } })
    expect(again).toEqual(first)
    const [psp, openPsp, heldPsp] = [first, open, held].map((one) => one?.answer?.pspReference)
    const modify = (method: string, ...values: readonly unknown[]) =>
      ['ModificationsApi', method, ...values] as const
    const answers = await call(
      modify('captureAuthorisedPayment', openPsp, {
        ...OURS,
        amount: { ...AMOUNT, value: 1 },
        reference: 'c1',
      }),
      modify('refundCapturedPayment', psp, { ...OURS, amount: AMOUNT, reference: 'r1' }),
      modify('refundOrCancelPayment', openPsp, OURS),
      modify('cancelAuthorisedPaymentByPspReference', heldPsp, OURS),
      modify('cancelAuthorisedPayment', { ...OURS, paymentReference: 'later' }),
    )
    expect(answers).toMatchObject([
      { answer: { status: 'received', paymentPspReference: openPsp, reference: 'c1' } },
      { answer: { status: 'received', paymentPspReference: psp, reference: 'r1' } },
      { answer: { status: 'received', paymentPspReference: openPsp } },
      { answer: { status: 'received', paymentPspReference: heldPsp } },
      { answer: { status: 'received', paymentReference: 'later' } },
    ])
    expect(adyen.adyen.tallyOf('order')).toMatchObject({ charges: 1, refunds: 1 })
    expect(adyen.adyen.tallyOf('later')).toMatchObject({ capturedMinor: 1, refundedMinor: 1 })
    expect(adyen.adyen.tallyOf('held')).toMatchObject({ charges: 1, captures: 0, cancels: 1 })
  })

  it('follows a redirect to its end', async () => {
    const challenged = paymentOf('redirect', {}, { number: CHALLENGED_CARD })
    const [asked] = await call(['PaymentsApi', 'payments', challenged])
    expect(asked).toMatchObject({
      answer: { resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET' } },
    })
    const { book, ledger } = adyen.adyen
    const [{ challenge }] = [...book.payments.values()].slice(-1) as [Payment]
    answerChallenge(ledger, challenge?.id ?? '', 'passed')
    const back = new URL(challenge === undefined ? '' : returnAddressOf(challenge))
    const details = { redirectResult: back.searchParams.get('redirectResult') }
    const [ended, wrong] = await call(
      ['PaymentsApi', 'paymentsDetails', { details }],
      ['PaymentsApi', 'paymentsDetails', { details: { redirectResult: 'made-up' } }],
    )
    expect(ended).toMatchObject({
      answer: { resultCode: 'Authorised', merchantReference: 'redirect', amount: AMOUNT },
    })
    expect(wrong).toMatchObject({ error: { statusCode: 422 } })
  })

  it('gets refusals with their reasons', async () => {
    const answers = await call(
      ['PaymentsApi', 'payments', paymentOf('no', {}, { holderName: 'CARD_EXPIRED' })],
      ['PaymentsApi', 'payments', paymentOf('no', {}, { number: '4111' })],
      ['ModificationsApi', 'refundCapturedPayment', 'none', { ...OURS, amount: AMOUNT }],
    )
    expect(answers).toMatchObject([
      { answer: { resultCode: 'Refused', refusalReasonCode: '6' } },
      { error: { statusCode: 422, errorCode: '101' } },
      { error: { statusCode: 422, errorCode: '167' } },
    ])
  })

  it('accepts the signature of every notice, and of none that was changed', async () => {
    const { controls } = adyen.adyen
    const { pspReference } = await adyen.pay('signed')
    controls.chargeBack(pspReference)
    controls.reverseChargeback(pspReference)
    controls.failCapture(pspReference)
    const items = await adyen.notices()
    expect(items.length).toBeGreaterThan(5)
    const validator = new hmacValidator()
    const key = adyen.credentials.hmacKey.reveal()
    for (const item of items) {
      expect(validator.validateHMAC(item as unknown as HmacItem, key)).toBe(true)
      const forged = { ...item, amount: { ...item.amount, value: 1_000_000 } }
      expect(validator.validateHMAC(forged as unknown as HmacItem, key)).toBe(false)
    }
    controls.signWith(MERCHANT, new Secret('00'.repeat(32)))
    controls.send(controls.eventsOf(pspReference).slice(-1))
    const last = (await adyen.notices()).at(-1)
    expect(validator.validateHMAC(last as unknown as HmacItem, '00'.repeat(32))).toBe(true)
  })
})
