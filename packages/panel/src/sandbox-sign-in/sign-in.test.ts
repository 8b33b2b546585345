import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type OpenPanel,
  PANEL_URL,
  hiddenValue,
  openPanelForTest,
  visibleText,
  NOW_MS,
  SECRET,
  STORE_ID,
  pixTransaction,
} from '../testing/whole-console.fixture.js'
import { hashSessionId } from '@cofre/people'

let panel: OpenPanel
beforeEach(() => {
  panel = openPanelForTest()
})

const english = { 'Accept-Language': 'en' }
const wrong = { 'store-id': STORE_ID, secret: 'a wrong one' }

describe('the sign-in', () => {
  it('leads to the requested page, with its query', async () => {
    panel.held.transactions.push(pixTransaction())
    const developer = panel.newDeveloper(english)
    const refused = await developer.get('/payments?status=PENDING')
    expect(refused).toMatchObject({
      status: 303,
      location: '/sign-in/sandbox?to=%2Fsandbox%2Fstore-1%2Fpayments%3Fstatus%3DPENDING',
    })
    const { html } = await developer.get(refused.location ?? '')
    const fields = {
      csrf: hiddenValue(html, 'csrf'),
      to: hiddenValue(html, 'to'),
      'store-id': ` ${STORE_ID} `,
      secret: SECRET,
    }
    const answer = await developer.post('/sign-in/sandbox', fields)
    expect(answer).toMatchObject({
      status: 303,
      location: '/sandbox/store-1/payments?status=PENDING',
    })
    expect((await developer.get('/payments')).html).toContain('order-1')
  })

  it('logs no card number that was typed as the store', async () => {
    const developer = panel.newDeveloper(english)
    const { html } = await developer.get('/sign-in/sandbox')
    const fields = { ...wrong, 'store-id': '4111 1111 1111 1111', csrf: hiddenValue(html, 'csrf') }
    expect((await developer.post('/sign-in/sandbox', fields)).status).toBe(401)
    expect(panel.logged.join('')).toContain('"storeId":"************"')
  })

  it.each(['https://evil.example/x', '//evil.example/x', '/\\evil.example/x'])(
    'never leads to %s',
    async (to) => {
      const developer = panel.newDeveloper()
      const { html } = await developer.get('/sign-in/sandbox')
      const fields = { 'store-id': STORE_ID, secret: SECRET, csrf: hiddenValue(html, 'csrf'), to }
      expect((await developer.post('/sign-in/sandbox', fields)).location).toBe('/x')
    },
  )

  it.each([
    'foo:/\\evil.example',
    'foo:\\\\evil.example',
    'foo:/\\/evil.example',
    'foo:\t/\n\\evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/.//evil.example',
    '\\\\evil.example',
    '\t//evil.example',
    'http:evil.example',
    '/x\r\nSet-Cookie: a=b',
  ])('never leads out of the panel by %j', async (to) => {
    const developer = panel.newDeveloper()
    const { html } = await developer.get('/sign-in/sandbox')
    const fields = { 'store-id': STORE_ID, secret: SECRET, csrf: hiddenValue(html, 'csrf'), to }
    const language = await developer.get(`/language/en?to=${encodeURIComponent(to)}`)
    const { location } = await developer.post('/sign-in/sandbox', fields)
    const { html: clock } = await developer.get('/clock')
    const form = { csrf: hiddenValue(clock, 'csrf'), here: to }
    const posted = await developer.post('/clock', form)
    for (const target of [location, language.location, posted.location])
      expect(new URL(target ?? 'missing:', PANEL_URL).origin).toBe(PANEL_URL)
  })

  it('stores a digest of the session only, and sends the cookie to no script or other site', async () => {
    const developer = panel.newDeveloper()
    const { html } = await developer.get('/sign-in/sandbox')
    const fields = { 'store-id': STORE_ID, secret: SECRET, csrf: hiddenValue(html, 'csrf') }
    const { headers } = await developer.post('/sign-in/sandbox', fields)
    const cookie = headers.getSetCookie().find((text) => text.startsWith('__Host-cofre_panel='))
    expect(cookie).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    const id = developer.cookies.get('__Host-cofre_panel') ?? ''
    expect(id).toMatch(/^[\w-]{43}$/)
    expect([...panel.sessions.values()]).toEqual([
      {
        idHash: hashSessionId(id),
        storeId: STORE_ID,
        secretMark: expect.stringMatching(/^[\w-]{43}$/) as string,
        expiresAtMs: NOW_MS + 12 * HOUR_MS,
        usedAtMs: NOW_MS,
      },
    ])
  })

  it.each([
    [
      'https://panel.example',
      /^__Host-cofre_panel\w*=[^;]*;( Max-Age=\d+;)? Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ],
    [
      'http://127.0.0.1:8083',
      /^cofre_panel\w*=[^;]*;( Max-Age=\d+;)? Path=\/; HttpOnly; SameSite=Strict$/,
    ],
  ])('sets every cookie only for this host and path at %s', async (publicUrl, expected) => {
    panel = openPanelForTest({ publicUrl })
    const developer = panel.newDeveloper(english)
    const answers = [
      await developer.get('/sign-in/sandbox'),
      await developer.get('/language/en'),
      await developer.signIn(),
      await developer.post('/sign-out', {
        csrf: hiddenValue((await developer.get('/clock')).html, 'csrf'),
      }),
      await developer.get('/sign-in/sandbox'),
    ]
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie())
    const names = cookies.map((cookie) => cookie.split('=')[0]?.replace('__Host-', ''))
    expect([...new Set(names)].toSorted()).toEqual([
      'cofre_panel',
      'cofre_panel_flash',
      'cofre_panel_language',
      'cofre_panel_visit',
    ])
    for (const cookie of cookies) expect(cookie).toMatch(expected)
  })

  it('reports wrong credentials without revealing which one is wrong', async () => {
    const developer = panel.newDeveloper(english)
    const secretWrong = await developer.submit('/sign-in/sandbox', '/sign-in/sandbox', wrong)
    expect(secretWrong.status).toBe(401)
    expect(visibleText(secretWrong.html)).toContain('The store id or the secret key is incorrect.')
    expect(secretWrong.html).toMatch(/class="flash bad"[^>]* id="problem"/)
    expect(secretWrong.html).toMatch(/<input name="secret"[^>]* aria-describedby="problem"/)
    const storeWrong = await developer.submit('/sign-in/sandbox', '/sign-in/sandbox', {
      'store-id': 'nobody',
      secret: SECRET,
    })
    expect(visibleText(storeWrong.html)).toContain('The store id or the secret key is incorrect.')
    expect(panel.sessions.size).toBe(0)
    expect(panel.logged.join()).not.toContain('a wrong one')
  })

  it('ends at the sign-out', async () => {
    const developer = panel.newDeveloper(english)
    await developer.signIn()
    const cookies = new Map(developer.cookies)
    const page = await developer.submit('/checklist', '/sign-out')
    expect(visibleText(page.html)).toContain('You’re signed out.')
    for (const [name, value] of cookies) developer.cookies.set(name, value)
    expect((await developer.get('/checklist')).status).toBe(303)
  })

  it('ends the session that the browser had before', async () => {
    const developer = panel.newDeveloper(english)
    const csrfOf = async (path: string) => hiddenValue((await developer.get(path)).html, 'csrf')
    await developer.signIn()
    const before = new Map(developer.cookies)
    const csrf = await csrfOf('/checklist')
    await developer.post('/sign-in/sandbox', {
      'store-id': STORE_ID,
      secret: SECRET,
      csrf,
      to: '/',
    })
    expect(developer.cookies.get('__Host-cofre_panel')).not.toBe(before.get('__Host-cofre_panel'))
    expect(panel.sessions.size).toBe(1)
  })

  it('accepts no session or visit that an attacker has planted', async () => {
    const developer = panel.newDeveloper(english)
    const planted = 'A'.repeat(43)
    developer.cookies.set('__Host-cofre_panel', planted)
    developer.cookies.set('cofre_panel', planted)
    await developer.signIn()
    expect(developer.cookies.get('__Host-cofre_panel')).not.toBe(planted)
    for (const visit of ['', 'short', '"><script>']) {
      developer.cookies.set('__Host-cofre_panel_visit', visit)
      await developer.get('/sign-in/sandbox')
      expect(developer.cookies.get('__Host-cofre_panel_visit')).toMatch(/^[\w-]{43}$/)
    }
  })

  it('expires after an hour without use, not after hours of use', async () => {
    const developer = panel.newDeveloper(english)
    await developer.signIn()
    for (let count = 0; count < 5; count += 1) {
      panel.clock.nowMs += 59 * MINUTE_MS
      expect((await developer.get('/clock')).status).toBe(200)
    }
    panel.clock.nowMs += HOUR_MS
    expect((await developer.get('/clock')).location).toBe(
      '/sign-in/sandbox?to=%2Fsandbox%2Fstore-1%2Fclock&expired=1',
    )
    const { html } = await developer.get('/sign-in/sandbox?to=%2Fclock&expired=1')
    expect(html).toMatch(/class="flash good"[^>]* id="problem"/)
    expect(html).not.toContain('aria-describedby="problem"')
  })

  it('expires after an hour in which only an open page refreshed itself', async () => {
    const developer = panel.newDeveloper({ ...english, 'X-Panel-Update': '1' })
    await developer.signIn()
    for (let count = 0; count < 6; count += 1) {
      expect((await developer.get('/clock')).status).toBe(200)
      panel.clock.nowMs += 10 * MINUTE_MS
    }
    expect((await developer.get('/clock')).status).toBe(303)
  })

  it('expires after twelve hours, and a form leads back to its page', async () => {
    const developer = panel.newDeveloper(english)
    await developer.signIn()
    const { html } = await developer.get('/clock')
    for (let used = 0; used < 13; used += 1) {
      panel.clock.nowMs += 55 * MINUTE_MS
      expect((await developer.get('/clock')).status).toBe(200)
    }
    panel.clock.nowMs += 5 * MINUTE_MS
    const fields = { csrf: hiddenValue(html, 'csrf'), here: '/clock', amount: '1', unit: 'hour' }
    const answer = await developer.post('/clock', fields)
    expect(answer.location).toBe('/sign-in/sandbox?to=%2Fclock&expired=1')
    expect(panel.held.writes).toEqual([])
    const page = await developer.get(answer.location ?? '')
    expect(visibleText(page.html)).toContain('Your session has ended.')
  })
})

describe('the lockout', () => {
  async function fail(times: number, headers: Record<string, string> = english): Promise<number> {
    const developer = panel.newDeveloper(headers)
    let status = 0
    for (let attempt = 0; attempt < times; attempt += 1)
      status = (await developer.submit('/sign-in/sandbox', '/sign-in/sandbox', wrong)).status
    return status
  }

  it('locks after five failures, even for the right secret, for fifteen minutes', async () => {
    expect(await fail(5)).toBe(401)
    const developer = panel.newDeveloper(english)
    const locked = await developer.signIn()
    expect(locked.status).toBe(429)
    expect(locked.headers.get('Retry-After')).toBe('900')
    expect(visibleText(locked.html)).toContain('Five failed attempts.')
    expect(locked.html).toMatch(/class="flash bad"[^>]* id="problem"/)
    expect(visibleText(locked.html)).toContain('try again in 15 minutes.')
    panel.clock.nowMs += 15 * MINUTE_MS
    expect((await developer.signIn()).status).toBe(303)
  })

  it('resets the count after a success', async () => {
    await fail(4)
    await panel.newDeveloper().signIn()
    expect(await fail(4)).toBe(401)
  })
})
