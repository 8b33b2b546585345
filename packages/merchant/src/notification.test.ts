import { describe, expect, it } from 'vitest'
import { parseNotification } from './notification.js'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json; charset=utf-8'

describe('parseNotification', () => {
  it('reads the form of a transaction', () => {
    const body = 'transaction-code=123&notification-type=transaction&test-mode=true'
    expect(parseNotification(FORM, body)).toEqual({ kind: 'transaction', transactionCode: '123' })
  })

  it('reads why a bank gave a PIX back, and nothing that is no such word', () => {
    const body = 'transaction-code=123&notification-type=transaction&refund-nature='
    const read = (nature: string) => parseNotification(FORM, body + nature)
    const back = { kind: 'transaction', transactionCode: '123' }
    expect(read('MED_FRAUDE')).toEqual({ ...back, refundNature: 'MED_FRAUDE' })
    for (const other of ['', 'a%20b', '<b>']) expect(read(other)).toEqual(back)
  })

  it('reads the JSON of a refund', () => {
    const body = '{"notification-type":"refund","refund-id":7,"transaction-id":123}'
    expect(parseNotification(JSON_TYPE, body)).toEqual({
      kind: 'refund',
      transactionCode: '123',
      refundId: '7',
    })
  })

  it('reads the JSON of a refund with a field that has no text', () => {
    const body =
      '{"notification-type":"refund","refund-id":7,"transaction-id":1,"x":{"toString":1}}'
    expect(parseNotification(JSON_TYPE, body)).toMatchObject({ refundId: '7' })
  })

  it.each([
    [FORM, ''],
    [FORM, 'transaction-code=123'],
    [FORM, 'transaction-code=../refunds&notification-type=transaction'],
    [FORM, 'transaction-code=&notification-type=transaction'],
    [JSON_TYPE, '{'],
    [JSON_TYPE, 'null'],
    [JSON_TYPE, '{"notification-type":"refund","transaction-id":123}'],
    [JSON_TYPE, '{"notification-type":"refund","transaction-id":{},"refund-id":1}'],
  ])('refuses %s %s', (contentType, body) => {
    expect(parseNotification(contentType, body)).toBeUndefined()
  })

  it('calls a body that was parsed already an error', () => {
    const fields = { 'transaction-code': '123', 'notification-type': 'transaction' }
    expect(() => parseNotification(FORM, fields as unknown as string)).toThrow(TypeError)
  })
})
