import { holdsCardNumber } from '@cofre/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AMOUNT, type TestAdyen, openTestAdyen, paymentOf } from '../../test/simulated-adyen.js'
import { ELO, MASTERCARD, VISA } from '../../../../provider-kit/test/card-acquirer.js'

describe('a payment at the simulated Adyen', () => {
  let adyen: TestAdyen
  beforeAll(async () => {
    adyen = await openTestAdyen()
  })
  afterAll(() => adyen.close())

  it.each([
    ['visa', VISA, '737'],
    ['mc', MASTERCARD, '737'],
    ['elo', ELO, '737'],
    ['amex', '370000000000002', '7373'],
  ])('is authorised and captured at once with a card of %s', async (brand, number, cvc) => {
    const installments = { installments: { value: 3 }, shopperStatement: 'LOJA' }
    const answer = await adyen.pay(`brand-${brand}`, installments, { number, cvc })
    expect(answer).toMatchObject({
      resultCode: 'Authorised',
      merchantReference: `brand-${brand}`,
      amount: AMOUNT,
      paymentMethod: { brand },
      additionalData: { cardSummary: number.slice(-4), cardBin: number.slice(0, 6) },
    })
    expect(answer.additionalData.authCode).toMatch(/^\d{6}$/)
    expect(answer.additionalData.networkTxReference).toMatch(/^\d{15}$/)
    const payment = adyen.adyen.controls.paymentOf(answer.pspReference)
    expect(payment).toMatchObject({ installments: 3, modifications: [{ kind: 'capture' }] })
    expect(adyen.adyen.tallyOf(`brand-${brand}`)).toMatchObject({
      charges: 1,
      chargedMinor: 12_990,
    })
  })

  it('takes a later use without a CVC, and remembers of which first use', async () => {
    const first = await adyen.pay('first', { recurringProcessingModel: 'CardOnFile' })
    const { networkTxReference: networkPaymentReference } = first.additionalData
    const later = { shopperInteraction: 'ContAuth', recurringProcessingModel: 'CardOnFile' }
    const card = { cvc: undefined, networkPaymentReference }
    const answer = await adyen.pay('later', later, card)
    expect(answer).toMatchObject({
      resultCode: 'Authorised',
      additionalData: { recurringProcessingModel: 'CardOnFile' },
    })
    const { storedCredential } = adyen.adyen.controls.paymentOf(answer.pspReference)
    expect(storedCredential).toMatchObject({ networkPaymentReference, ...later })
  })

  it('refuses a later use without the ids of an earlier one, if it is strict', async () => {
    const number = '5555555555554444'
    const first = await adyen.pay(
      'mc-first',
      { recurringProcessingModel: 'CardOnFile' },
      { number },
    )
    const { networkTxReference, transactionLinkId = '' } = first.additionalData
    expect(transactionLinkId).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const payLater = async (
      reference: string,
      networkPaymentReference?: string,
      linkId?: string,
    ) => {
      const changes = {
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: 'CardOnFile',
        ...(linkId !== undefined && { additionalData: { transactionLinkId: linkId } }),
      }
      const card = { number, cvc: undefined, networkPaymentReference }
      return (await adyen.pay(reference, changes, card)).resultCode
    }
    expect(await payLater('free')).toBe('Authorised')
    adyen.adyen.conditions.links = 'strict'
    const ends = [
      await payLater('none'),
      await payLater('no-link', networkTxReference),
      await payLater('unknown', networkTxReference, 'x'.repeat(22)),
      await payLater('both', networkTxReference, transactionLinkId),
    ]
    adyen.adyen.conditions.links = 'free'
    expect(ends).toEqual(['Refused', 'Refused', 'Refused', 'Authorised'])
  })

  it('reports the issuer’s liability after a 3-DS result, and stores no CAVV', async () => {
    const cavv = Buffer.from('cavv-of-the-shopper!').toString('base64')
    const mpiData = {
      authenticationResponse: 'Y',
      directoryResponse: 'Y',
      eci: '05',
      cavv,
      dsTransID: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
      threeDSVersion: '2.2.0',
    }
    const answer = await adyen.pay('3ds', { mpiData })
    expect(answer.additionalData).toMatchObject({ liabilityShift: 'true', eci: '05' })
    expect(JSON.stringify([...adyen.adyen.book.payments.values()])).not.toContain(cavv)
  })

  it.each([
    ['CARD_EXPIRED', 'Refused', 'Expired Card', '6', '54 : Expired card'],
    ['not enough balance', 'Refused', 'Not enough balance', '12', '51 : Insufficient funds'],
    ['DECLINED : 41 : Lost card', 'Refused', 'Refused', '2', '41 : Lost card'],
    ['ERROR', 'Error', 'Acquirer Error', '4', '96 : System malfunction'],
    ['CVC_DECLINED', 'Refused', 'CVC Declined', '24', 'N7 : Decline for CVV2 failure'],
    ['Referral Silva', 'Refused', 'Referral', '3', '01 : Refer to card issuer'],
  ])('named %s is refused as documented', async (holderName, resultCode, reason, code, raw) => {
    const answer = await adyen.pay(`named-${code}`, {}, { holderName })
    expect(answer).toMatchObject({
      resultCode,
      refusalReason: reason,
      refusalReasonCode: code,
      additionalData: { refusalReasonRaw: raw },
    })
    expect(answer.additionalData.networkTxReference).toBeUndefined()
    expect(adyen.adyen.tallyOf(`named-${code}`)).toMatchObject({ attempts: 1, charges: 0 })
  })

  it('keeps and answers no whole card number', async () => {
    const { text } = await adyen.post('/payments', paymentOf('hidden'))
    const { payments } = adyen.adyen.book
    const kept = JSON.stringify([...payments.values()])
    for (const seen of [text, kept]) {
      expect(seen).not.toContain(VISA)
      expect(holdsCardNumber(seen.replaceAll(/"networkTxReference":"\d+"/g, ''))).toBe(false)
    }
  })

  const payment = paymentOf('wrong')
  it.each([
    ['a number that is none', { paymentMethod: { ...payment.paymentMethod, number: '41' } }, '101'],
    ['a short CVC', { paymentMethod: { ...payment.paymentMethod, cvc: '73' } }, '103'],
    ['a past expiry', { paymentMethod: { ...payment.paymentMethod, expiryYear: '2020' } }, '129'],
    ['no reference', { reference: undefined }, '130'],
    ['no return URL', { returnUrl: undefined }, '130'],
    ['a reference that is a number', { reference: 7 }, '702'],
    ['an amount below zero', { amount: { currency: 'BRL', value: -1 } }, '100'],
    ['an unknown field', { cpf: '12345678909' }, '702'],
    [
      'an unknown field of the card',
      { paymentMethod: { ...payment.paymentMethod, pan: 1 } },
      '702',
    ],
    ['too many hours until the capture', { captureDelayHours: 673 }, '702'],
  ])('with %s is not carried out', async (_, changes, errorCode) => {
    const body = { ...payment, ...changes }
    const answer = await adyen.post('/payments', body, { isWrong: true })
    expect(answer).toMatchObject({ status: 422, body: { errorCode, errorType: 'validation' } })
    expect(answer.text).not.toContain(VISA)
    expect(adyen.adyen.tallyOf('wrong')).toMatchObject({ attempts: 0 })
  })

  it.each([
    ['without a key', { 'X-API-Key': '' }, 401],
    ['with a wrong key', { 'X-API-Key': 'x' }, 401],
  ])('%s is refused', async (_, headers, status) => {
    const answer = await adyen.post('/payments', payment, { headers })
    expect(answer).toMatchObject({ status, body: { errorType: 'security' } })
  })

  it('belongs to its own account', async () => {
    const foreign = { ...payment, merchantAccount: 'Another' }
    const answer = await adyen.post('/payments', foreign)
    expect(answer).toMatchObject({ status: 403, body: { errorCode: '901' } })
    const { apiKey } = await adyen.openAccount({ merchantAccount: 'Another' })
    const headers = { 'X-API-Key': apiKey.reveal() }
    const { pspReference } = await adyen.pay('ours')
    const theirs = { merchantAccount: 'Another', amount: AMOUNT }
    const refund = await adyen.post(`/payments/${pspReference}/refunds`, theirs, { headers })
    expect(refund).toMatchObject({ status: 422, body: { errorCode: '167' } })
    await expect(adyen.openAccount({ merchantAccount: 'Another' })).rejects.toThrow(RangeError)
  })

  it('refuses an unknown path, and a body that is not JSON', async () => {
    const wrong = { isWrong: true } as const
    expect((await adyen.post('/nothing', {}, wrong)).status).toBe(404)
    const headers = { 'Content-Type': 'text/plain' }
    const answer = await adyen.post('/payments', 'no object', { ...wrong, headers })
    expect(answer.status).toBe(422)
  })
})

describe('an Adyen without raw refusals', () => {
  it("omits the issuer's own reasons", async () => {
    const adyen = await openTestAdyen()
    const merchantAccount = 'Quiet'
    const { apiKey } = await adyen.openAccount({ merchantAccount, showsRawRefusals: false })
    const headers = { 'X-API-Key': apiKey.reveal() }
    const body = paymentOf('quiet', { merchantAccount }, { holderName: 'CARD_EXPIRED' })
    const { body: answer } = await adyen.post('/payments', body, { headers })
    expect(answer.refusalReasonCode).toBe('6')
    expect(answer.additionalData.refusalReasonRaw).toBeUndefined()
    await adyen.close()
  })
})
