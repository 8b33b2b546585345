import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import { type OpenPanel, hiddenValue, openPanelForTest, textOf } from '../developer.fixture.js'
import { NOW_MS, SECRET, STORE_ID, pixTransaction } from '../test-desk.fixture.js'
import { hashSessionId } from './session.js'

let panel: OpenPanel
beforeEach(() => {
  panel = openPanelForTest()
})

const english = { 'Accept-Language': 'en' }
const wrong = { 'store-id': STORE_ID, secret: 'a wrong one' }

describe('the sign-in', () => {
  it('opens the page one wanted, with its query', async () => {
    panel.desk.transactions.push(pixTransaction())
    const developer = panel.newDeveloper(english)
    const refused = await developer.get('/transactions?status=PENDING')
    expect(refused).toMatchObject({
      status: 303,
      location: '/sign-in?to=%2Ftransactions%3Fstatus%3DPENDING',
    })
    const { html } = await developer.get(refused.location ?? '')
    const fields = {
      csrf: hiddenValue(html, 'csrf'),
      to: hiddenValue(html, 'to'),
      'store-id': ` ${STORE_ID} `,
      secret: SECRET,
    }
    const answer = await developer.post('/sign-in', fields)
    expect(answer).toMatchObject({ status: 303, location: '/transactions?status=PENDING' })
    expect((await developer.get('/transactions')).html).toContain('order-1')
  })

  it.each(['https://evil.example/x', '//evil.example/x', '/\\evil.example/x'])(
    'never leads to %s',
    async (to) => {
      const developer = panel.newDeveloper()
      const { html } = await developer.get('/sign-in')
      const fields = { 'store-id': STORE_ID, secret: SECRET, csrf: hiddenValue(html, 'csrf'), to }
      expect((await developer.post('/sign-in', fields)).location).toBe('/x')
    },
  )

  it('keeps only a digest of the session, in a cookie that scripts and other sites never get', async () => {
    const developer = panel.newDeveloper()
    const { html } = await developer.get('/sign-in')
    const fields = { 'store-id': STORE_ID, secret: SECRET, csrf: hiddenValue(html, 'csrf') }
    const { headers } = await developer.post('/sign-in', fields)
    const cookie = headers.getSetCookie().find((text) => text.startsWith('cofre_panel='))
    expect(cookie).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    const id = developer.cookies.get('cofre_panel') ?? ''
    expect(id).toMatch(/^[\w-]{43}$/)
    expect([...panel.sessions.values()]).toEqual([
      { idHash: hashSessionId(id), storeId: STORE_ID, expiresAtMs: NOW_MS + 12 * HOUR_MS },
    ])
  })

  it('says so when the credentials are wrong, without telling which', async () => {
    const developer = panel.newDeveloper(english)
    const secretWrong = await developer.submit('/sign-in', '/sign-in', wrong)
    expect(secretWrong.status).toBe(401)
    expect(textOf(secretWrong.html)).toContain('The store id or the secret key is not right.')
    const storeWrong = await developer.submit('/sign-in', '/sign-in', {
      'store-id': 'nobody',
      secret: SECRET,
    })
    expect(textOf(storeWrong.html)).toContain('The store id or the secret key is not right.')
    expect(panel.sessions.size).toBe(0)
    expect(panel.logged.join()).not.toContain('a wrong one')
  })

  it('ends at the sign-out', async () => {
    const developer = panel.newDeveloper(english)
    await developer.signIn()
    const cookies = new Map(developer.cookies)
    const page = await developer.submit('/checklist', '/sign-out')
    expect(textOf(page.html)).toContain('You have signed out.')
    for (const [name, value] of cookies) developer.cookies.set(name, value)
    expect((await developer.get('/checklist')).status).toBe(303)
  })

  it('is asked for again after twelve hours, and a form leads back to its page', async () => {
    const developer = panel.newDeveloper(english)
    await developer.signIn()
    const { html } = await developer.get('/clock')
    panel.clock.nowMs += 12 * HOUR_MS
    const fields = { csrf: hiddenValue(html, 'csrf'), here: '/clock', amount: '1', unit: 'hour' }
    const answer = await developer.post('/clock', fields)
    expect(answer.location).toBe('/sign-in?to=%2Fclock&expired=1')
    expect(panel.desk.writes).toEqual([])
    const page = await developer.get(answer.location ?? '')
    expect(textOf(page.html)).toContain('Your session has ended.')
  })
})

describe('the lockout', () => {
  async function fail(times: number, headers: Record<string, string> = english): Promise<number> {
    const developer = panel.newDeveloper(headers)
    let status = 0
    for (let attempt = 0; attempt < times; attempt += 1)
      status = (await developer.submit('/sign-in', '/sign-in', wrong)).status
    return status
  }

  it('follows five failures, for the right secret too, and ends after fifteen minutes', async () => {
    expect(await fail(5)).toBe(401)
    const developer = panel.newDeveloper(english)
    const locked = await developer.signIn()
    expect(locked.status).toBe(429)
    expect(locked.headers.get('Retry-After')).toBe('900')
    expect(textOf(locked.html)).toContain('Five attempts have failed.')
    expect(textOf(locked.html)).toContain('try again in 15 minutes.')
    panel.clock.nowMs += 15 * MINUTE_MS
    expect((await developer.signIn()).status).toBe(303)
  })

  it('is that of a store and an address', async () => {
    await fail(6)
    const elsewhere = panel.newDeveloper({ 'X-Test-Address': '192.0.2.2' })
    expect((await elsewhere.signIn()).location).toBe('/transactions')
  })

  it('counts attempts that are made at once', async () => {
    const developer = panel.newDeveloper()
    const csrf = hiddenValue((await developer.get('/sign-in')).html, 'csrf')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => developer.post('/sign-in', { ...wrong, csrf })),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
  })

  it('forgets failures at a success', async () => {
    await fail(4)
    await panel.newDeveloper().signIn()
    expect(await fail(4)).toBe(401)
  })
})
