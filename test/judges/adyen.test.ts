import { describe, expect, it } from 'vitest'
import {
  noticeExamples,
  violationsOfAnswer,
  violationsOfNotice,
  violationsOfRequest,
} from './adyen.js'

const AMOUNT = { currency: 'BRL', value: 12_990 }
const PAYMENT = {
  merchantAccount: 'LojaECOM',
  reference: 'k7f2',
  amount: AMOUNT,
  returnUrl: 'https://shop.example/',
  paymentMethod: { type: 'scheme', number: '4111111111111111', expiryMonth: '03', cvc: '737' },
}
const REFUND_PATH = '/payments/NC6HT9CRT65ZGN82/refunds'
const NOTICE = {
  pspReference: 'NC6HT9CRT65ZGN82',
  merchantReference: 'k7f2',
  merchantAccountCode: 'LojaECOM',
  eventCode: 'REFUND',
  eventDate: '2026-11-22T12:00:00Z',
  success: 'true',
  amount: AMOUNT,
}

const CARD_NOTICES =
  /-(AUTHORISATION|CAPTURE|CAPTURE_FAILED|REFUND|REFUND_FAILED|REFUNDED_REVERSED|CANCELLATION|TECHNICAL_CANCEL|CANCEL_OR_REFUND|CHARGEBACK|CHARGEBACK_REVERSED)-/

const post = (path: string, body: unknown) => ({ method: 'POST', path, body })
const json = (status: number, body: unknown) => {
  return { status, contentType: 'application/json; charset=utf-8', body }
}
const noticeWith = (changes: object) => ({
  live: 'false',
  notificationItems: [{ NotificationRequestItem: { ...NOTICE, ...changes } }],
})

describe("Adyen's documents as a judge", () => {
  it('accept what is right', () => {
    expect(violationsOfRequest(post('/payments', PAYMENT))).toEqual([])
    const refund = { merchantAccount: 'LojaECOM', amount: AMOUNT }
    expect(violationsOfRequest(post(REFUND_PATH, refund))).toEqual([])
    const refused = { resultCode: 'Refused', refusalReason: 'Expired Card', refusalReasonCode: '6' }
    expect(violationsOfAnswer(post('/payments', PAYMENT), json(200, refused))).toEqual([])
    const error = { status: 422, errorCode: '101', message: 'x', errorType: 'validation' }
    expect(violationsOfAnswer(post('/payments', PAYMENT), json(422, error))).toEqual([])
    expect(violationsOfNotice(noticeWith({}))).toEqual([])
  })

  it('accept their own examples of notices about card payments', () => {
    const ofCards = noticeExamples().filter(([name]) => CARD_NOTICES.test(name))
    expect(ofCards.length).toBeGreaterThan(9)
    for (const [name, body] of ofCards) expect([name, violationsOfNotice(body)]).toEqual([name, []])
  })

  it.each([
    ['an unknown field', post('/payments', { ...PAYMENT, cpf: '1' })],
    ['no return URL', post('/payments', { ...PAYMENT, returnUrl: undefined })],
    ['an amount in text', post('/payments', { ...PAYMENT, amount: { ...AMOUNT, value: '1' } })],
    [
      'an unknown field of the card',
      post('/payments', { ...PAYMENT, paymentMethod: { pan: '4' } }),
    ],
    ['a refund without an amount', post(REFUND_PATH, { merchantAccount: 'LojaECOM' })],
    ['a path that is none', post('/charges', {})],
    ['a method that is none', { method: 'GET', path: '/payments' }],
  ])('refuse a request with %s', (_, request) => {
    expect(violationsOfRequest(request)).not.toEqual([])
  })

  it.each([
    ['a made-up result', json(200, { resultCode: 'Paid' })],
    ['an unknown field', json(200, { resultCode: 'Authorised', nsu: '1' })],
    ['a status that is not foreseen', json(201, { resultCode: 'Authorised' })],
    ['another media type', { ...json(200, {}), contentType: 'text/html' }],
  ])('refuse an answer with %s', (_, answer) => {
    expect(violationsOfAnswer(post('/payments', PAYMENT), answer)).not.toEqual([])
  })

  it.each([
    ['without a pspReference', { pspReference: undefined }],
    ['whose success is no text', { success: true }],
    ['of a made-up event', { eventCode: 'PAID' }],
  ])('refuse a notice %s', (_, changes) => {
    expect(violationsOfNotice(noticeWith(changes))).not.toEqual([])
  })
})
