import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ACTIONS,
  type Developer,
  type OpenPanel,
  PANEL_URL,
  addressOf,
  cookieHeader,
  hiddenValue,
  signedIn,
} from '../testing/whole-console.fixture.js'

// As long as a browser's: Node's parser finds a short one inside texts.
const BOUNDARY = '----FormBoundary7MA4YWxkTrZu0gW'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const END = `--${BOUNDARY}--\r\n`
const part = (disposition: string, text: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`

let panel: OpenPanel & { readonly developer: Developer }
let csrf: string
beforeEach(async () => {
  panel = await signedIn()
  csrf = hiddenValue((await panel.developer.get('/clock')).html, 'csrf')
})
afterEach(() => {
  expect(panel.held.writes).toEqual([])
})

async function send(
  path: string,
  { type, body }: { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> },
  cookie = cookieHeader(panel.developer),
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie }
  const init = { method: 'POST', headers: { ...headers, 'Accept-Language': 'en' }, body }
  const response = await panel.app.request(`${PANEL_URL}${addressOf(path)}`, init)
  return { status: response.status, text: await response.text() }
}

describe('a body that is no form', () => {
  const bodies = (): readonly (readonly [
    type: string,
    body: string | Uint8Array<ArrayBuffer>,
  ])[] => [
    ['multipart/form-data', part('name="csrf"', csrf)],
    [MULTIPART, 'csrf=x'],
    [MULTIPART, ''],
    [MULTIPART, part('name="csrf"', csrf)],
    ['multipart/form-data; boundary=c', `${part('name="csrf"', csrf)}${END}`],
    ['multipart/form-data; boundary=', `${part('name="csrf"', csrf)}${END}`],
    [`${MULTIPART}; boundary=c`, `--${BOUNDARY}`],
    [MULTIPART, new Uint8Array([0x2d, 0x2d, 0x62, 0xff, 0xfe, 0x00])],
    ['application/json', JSON.stringify({ csrf })],
    ['text/plain', `csrf=${csrf}`],
    ['application/octet-stream', new Uint8Array([0, 1, 2])],
  ]

  it.each([...ACTIONS, '/sign-in', '/sign-out'])(
    'is answered 400 by %s, signed in or not, and not logged as a failure',
    async (path) => {
      for (const [type, body] of bodies()) {
        for (const cookie of [cookieHeader(panel.developer), '']) {
          const { status, text } = await send(path, { type, body }, cookie)
          expect([type, body, status]).toEqual([type, body, 400])
          expect(text).toContain('We couldn’t read the form')
        }
      }
      expect(panel.logged).toEqual([])
    },
  )

  it('ends no session', async () => {
    await send('/sign-out', { type: MULTIPART, body: '' })
    expect((await panel.developer.get('/clock')).status).toBe(200)
  })
})

describe('a form that no browser sends', () => {
  const form = 'application/x-www-form-urlencoded'

  it.each([
    ['%', '=&=&&%zz=%'],
    ['invalid UTF-8', 'amount=%ff%fe&unit=%c0%80'],
    ['prototype names', '__proto__=1&constructor=2&amount=1&unit=constructor'],
    ['NUL', 'amount=%00&unit=hour%00'],
  ])('does nothing: %s', async (_name, fields) => {
    const { status } = await send('/clock', { type: form, body: `csrf=${csrf}&${fields}` })
    expect(status).toBe(303)
  })

  it('does nothing when files stand where texts belong', async () => {
    const file = 'filename="x"'
    const fields = [part(`name="amount"; ${file}`, '1'), part(`name="unit"; ${file}`, 'hour')]
    const body = `${part('name="csrf"', csrf)}${fields.join('')}${END}`
    expect((await send('/clock', { type: MULTIPART, body })).status).toBe(303)
    const token = `${part(`name="csrf"; ${file}`, csrf)}${END}`
    expect((await send('/clock', { type: MULTIPART, body: token })).status).toBe(403)
  })

  it('is too large beyond 64 KiB', async () => {
    const body = `csrf=${csrf}&x=${'x'.repeat(70_000)}`
    expect((await send('/clock', { type: form, body })).status).toBe(413)
  })
})
