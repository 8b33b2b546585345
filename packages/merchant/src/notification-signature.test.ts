import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type SignedNotification, verifyNotification } from './notification-signature.js'

// printf '%s' "$ID.1790000000.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64
const headers = {
  'content-type': 'application/x-www-form-urlencoded',
  'webhook-id': '123456789012345-1',
  'webhook-timestamp': '1790000000',
  'webhook-signature': 'v1,R3xdH5mK1flF3XL5QacXrlfuEwqXV4KYLPvUQzPkGOI=',
}
const NEXT_SIGNATURE = 'v1,3/iOKlX7DZDoVzRR2TBEKPlbTgPCboPMvpbcGy3mhPM='
const SENT_AT_MS = 1_790_000_000_000

const BODY = 'transaction-code=123456789012345&notification-type=transaction&test-mode=true'
const signed: SignedNotification = {
  headers,
  body: BODY,
  secret: 'segredo-çã-0123',
  now: new Date(SENT_AT_MS + 1500),
}
const notification = { kind: 'transaction', transactionCode: '123456789012345' }

const withHeader = (name: string, value: string | string[] | undefined): SignedNotification => ({
  ...signed,
  headers: { ...headers, [name]: value },
})

describe('verifyNotification', () => {
  it('reads what the service signed', () => {
    expect(verifyNotification(signed)).toEqual(notification)
  })

  it('takes the headers of the Fetch API and the bytes of a body', () => {
    const body = new TextEncoder().encode(BODY)
    const asFetched = { ...signed, headers: new Headers(headers), body }
    expect(verifyNotification(asFetched)).toEqual(notification)
  })

  it.each([
    ['texts', (value: string) => value],
    ['lists', (value: string) => [value]],
    ['numbers and texts', (value: string) => (/^\d+$/.test(value) ? Number(value) : value)],
  ])('takes headers that are asked for by name, as %s', (_, asGiven) => {
    const byName = new Map(Object.entries(headers).map(([name, value]) => [name, asGiven(value)]))
    const asked = { get: (name: string) => byName.get(name) as string | undefined }
    expect(verifyNotification({ ...signed, headers: asked })).toEqual(notification)
    const listed = Object.fromEntries(byName) as Record<string, string>
    expect(verifyNotification({ ...signed, headers: listed })).toEqual(notification)
  })

  it('takes bytes of another realm, as tests and isolates have them', () => {
    const body: unknown = runInNewContext('Uint8Array.from(bytes).buffer', {
      bytes: Buffer.from(BODY),
    })
    expect(verifyNotification({ ...signed, body: body as ArrayBuffer })).toEqual(notification)
  })

  it('is satisfied by one of several signatures', () => {
    const both = withHeader(
      'webhook-signature',
      `v1a,AAAA ${NEXT_SIGNATURE} ${headers['webhook-signature']}`,
    )
    expect(verifyNotification(both)).toEqual(notification)
    expect(verifyNotification({ ...both, secret: 'next-secret' })).toEqual(notification)
    expect(verifyNotification({ ...both, secret: 'other' })).toBeUndefined()
  })

  it.each([
    ['another body', { ...signed, body: `${BODY}&x=1` }],
    ['no body', { ...signed, body: '' }],
    ['another secret', { ...signed, secret: 'segredo-ca-0123' }],
    ['another id', withHeader('webhook-id', '123456789012345-2')],
    ['another time', withHeader('webhook-timestamp', '1790000001')],
    ['a time that is none', withHeader('webhook-timestamp', '1790000000.0')],
    ['no id', withHeader('webhook-id', undefined)],
    ['no time', withHeader('webhook-timestamp', undefined)],
    ['no signature', withHeader('webhook-signature', undefined)],
    ['an empty signature', withHeader('webhook-signature', 'v1,')],
    ['several headers', withHeader('webhook-id', [headers['webhook-id'], headers['webhook-id']])],
    [
      'another version',
      withHeader('webhook-signature', headers['webhook-signature'].replace('v1', 'v2')),
    ],
    [
      'another signature',
      withHeader('webhook-signature', headers['webhook-signature'].replace('R3', 'R4')),
    ],
    ['no headers', { ...signed, headers: {} }],
  ])('refuses %s', (_, forged) => {
    expect(verifyNotification(forged)).toBeUndefined()
  })

  it.each([
    [-300_001, false],
    [-300_000, true],
    [300_000, true],
    [300_001, false],
  ])('judges a clock that is %d ms away: %s', (offsetMs, isTaken) => {
    const received = { ...signed, now: new Date(SENT_AT_MS + offsetMs) }
    expect(verifyNotification(received) !== undefined).toBe(isTaken)
  })

  it('tolerates as much delay as the shop wants', () => {
    expect(verifyNotification({ ...signed, toleranceMs: 1000 })).toBeUndefined()
    expect(verifyNotification({ ...signed, toleranceMs: 2000 })).toEqual(notification)
  })

  it('takes the current time by default', () => {
    const { headers: sent, body, secret } = signed
    const old = { headers: sent, body, secret }
    expect(verifyNotification(old)).toBeUndefined()
    expect(verifyNotification({ ...old, toleranceMs: Infinity })).toEqual(notification)
  })

  it('reads nothing that is no notification, though signed', () => {
    expect(verifyNotification(withHeader('content-type', 'application/json'))).toBeUndefined()
  })

  it.each([
    ['the fields of a form', { 'transaction-code': '1', 'notification-type': 'transaction' }],
    ['the members of JSON', { 'notification-type': 'refund', 'refund-id': 7, 'transaction-id': 1 }],
    ['a form', new URLSearchParams(BODY)],
    ['a buffer that was written as JSON', { type: 'Buffer', data: [1] }],
    ['nothing', undefined],
    ['null', null],
  ])('calls a body that was parsed an error, not forged: %s', (_, body) => {
    const parsed = { ...signed, headers: {}, body: body as unknown as string }
    expect(() => verifyNotification(parsed)).toThrow(TypeError)
    expect(() => verifyNotification(parsed)).toThrow('as received')
  })

  it.each([
    ['a buffer', (bytes: Buffer) => bytes],
    ['an array buffer', (bytes: Buffer) => new Uint8Array(bytes).buffer],
    [
      'a view of one',
      (bytes: Buffer) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    ],
  ])('takes a body as %s', (_, asSent) => {
    const body = asSent(Buffer.from(BODY))
    expect(verifyNotification({ ...signed, body })).toEqual(notification)
  })

  it('refuses to work with an empty secret', () => {
    expect(() => verifyNotification({ ...signed, secret: '' })).toThrow(TypeError)
  })
})
