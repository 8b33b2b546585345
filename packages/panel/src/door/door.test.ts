import { MINUTE_MS, Secret } from '@cofre/contracts'
import type { LinkClaim } from '@cofre/people'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  CODE,
  type OpenConsole,
  PASSWORD,
  openConsole,
  type Developer,
  PANEL_URL,
  hiddenValue,
  openPanelForTest,
  visibleText,
} from '../testing/whole-console.fixture.js'

const HOST = new URL(PANEL_URL).host
const RIGHT = { email: 'finance@example.com', password: PASSWORD, code: CODE }
const PAYMENTS = '/production/store-1/payments'
const PERSON = '__Host-cofre_person'
const TOKEN = 'l'.repeat(43)

let panel: OpenConsole
let person: Developer
beforeEach(() => {
  panel = openConsole()
  person = panel.newDeveloper({ 'Accept-Language': 'en' })
})

async function signIn(fields: Readonly<Record<string, string>>, on = '/sign-in') {
  const { html } = await person.get(on)
  const hidden = { csrf: hiddenValue(html, 'csrf'), to: hiddenValue(html, 'to') }
  return person.post('/sign-in', { ...hidden, ...fields })
}

describe('the sign-in of people', () => {
  it('leads to the requested page, and out again', async () => {
    const asked = await person.get(`${PAYMENTS}?status=PENDING`)
    const answer = await signIn(RIGHT, asked.location ?? '')
    expect(answer).toMatchObject({ status: 303, location: `${PAYMENTS}?status=PENDING` })
    expect((await person.get(PAYMENTS)).status).toBe(200)
    const { html } = await person.get(PAYMENTS)
    const out = await person.post('/sign-out', { csrf: hiddenValue(html, 'csrf') })
    expect(out.location).toBe('/sign-in')
    expect((await person.get(PAYMENTS)).status).toBe(303)
  })

  it('also ends on a page whose session has ended', async () => {
    await signIn(RIGHT)
    const csrf = hiddenValue((await person.get(PAYMENTS)).html, 'csrf')
    panel.people.find = () => Promise.resolve(undefined)
    const out = await person.post('/sign-out', { csrf })
    expect(out).toMatchObject({ status: 303, location: '/sign-in' })
    expect(person.cookies.has(PERSON)).toBe(false)
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
    expect((await person.post('/sign-out', { csrf }, foreign)).status).toBe(403)
  })

  it('gives the same message for every error, and shows no password on the page', async () => {
    const wrongs = [
      { ...RIGHT, email: 'nobody@example.com' },
      { ...RIGHT, password: 'another passw0rd' },
      { ...RIGHT, code: '000000' },
    ]
    const answers = []
    for (const wrong of wrongs) {
      const { html, status } = await signIn(wrong)
      expect(status).toBe(401)
      expect(html).not.toContain(wrong.password)
      answers.push(visibleText(html))
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('Your e-mail, password or code is incorrect.')
    expect(person.cookies.has(PERSON)).toBe(false)
  })

  it.each([
    [{ waitMs: 14 * MINUTE_MS + 1 }, 429, '841', 'try again in 15 minutes'],
    ['busy' as const, 503, null, 'Try again in a few seconds'],
  ])('is answered %j as %i', async (result, status, retryAfter, text) => {
    panel.people.signIn = () => Promise.resolve(result)
    const answer = await signIn(RIGHT)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('Retry-After')).toBe(retryAfter)
    expect(visibleText(answer.html)).toContain(text)
  })

  it('advises a person without a store to ask an owner, and reports no ended session', async () => {
    panel.people.find = () => Promise.resolve(undefined)
    const { html, status } = await signIn(RIGHT)
    expect(status).toBe(403)
    expect(visibleText(html)).toContain(
      'Your sign-in details are correct, but you don’t belong to an active store',
    )
    expect(visibleText(html)).toContain('Ask a store owner for an invitation')
    expect(person.cookies.has(PERSON)).toBe(false)
  })

  it('accepts no session id that an attacker has chosen', async () => {
    const planted = 'p'.repeat(43)
    person.cookies.set(PERSON, planted)
    await signIn(RIGHT)
    const id = person.cookies.get(PERSON)
    expect(id).not.toBe(planted)
    const victim = panel.newDeveloper()
    victim.cookies.set(PERSON, planted)
    expect((await victim.get(PAYMENTS)).status).toBe(303)
  })

  it('ends the session that the browser had before', async () => {
    await signIn(RIGHT)
    const before = person.cookies.get(PERSON) ?? ''
    person.cookies.delete(PERSON)
    await person.get('/sign-in')
    person.cookies.set(PERSON, before)
    const { html } = await person.get(PAYMENTS)
    await person.post('/sign-in', { ...RIGHT, csrf: hiddenValue(html, 'csrf'), to: '/' })
    const other = panel.newDeveloper()
    other.cookies.set(PERSON, before)
    expect((await other.get(PAYMENTS)).status).toBe(303)
  })

  it.each([
    ['cross-site', undefined],
    [undefined, 'https://evil.example'],
  ])('is refused from another site (%s, %s)', async (site, origin) => {
    const { html } = await person.get('/sign-in')
    const headers = {
      ...(site !== undefined && { 'Sec-Fetch-Site': site }),
      ...(origin !== undefined && { Origin: origin }),
    }
    const fields = { ...RIGHT, csrf: hiddenValue(html, 'csrf'), to: '/' }
    expect((await person.post('/sign-in', fields, headers)).status).toBe(403)
    expect(person.cookies.has(PERSON)).toBe(false)
  })

  it('requires the token of its own browser', async () => {
    const { html } = await panel.newDeveloper().get('/sign-in')
    const fields = { ...RIGHT, csrf: hiddenValue(html, 'csrf'), to: '/' }
    expect((await person.post('/sign-in', fields)).status).toBe(403)
  })
})

describe('a link', () => {
  it('that has ended shows a notice, and changes nothing', async () => {
    const { html, status } = await person.get(`/link/${TOKEN}`)
    expect(status).toBe(404)
    expect(visibleText(html)).toContain('This link no longer works')
  })

  it('keeps typed values except secrets after a refusal, and is used once', async () => {
    const used: string[] = []
    panel.people.links.view = () =>
      Promise.resolve({
        purpose: 'owner',
        mayTakeEmail: false,
        storeId: 'store-1',
        role: 'owner',
        expiresAtMs: 1,
        isForKnownPerson: false,
      })
    panel.people.links.use = (_token, claim) => {
      const credentials = claim.kind === 'new-person' ? claim.credentials : undefined
      const isRight = credentials && 'code' in credentials && credentials.code.reveal() === CODE
      if (isRight !== true) return Promise.resolve('wrong-code')
      used.push(claim.kind)
      return Promise.resolve({
        personId: 'per_new',
        storeId: 'store-1',
        recoveryCodes: [new Secret('AAAA-BBBB')],
      })
    }
    const fill = async (code: string) => {
      const { html } = await person.get(`/link/${TOKEN}`)
      const typed = { name: 'Ana', email: 'ana@example.com', password: PASSWORD, code }
      return person.post(`/link/${TOKEN}`, { ...typed, csrf: hiddenValue(html, 'csrf') })
    }
    const again = await fill('000000')
    expect(again.status).toBe(400)
    expect(again.html).toContain('value="ana@example.com"')
    expect(again.html).not.toContain(PASSWORD)
    const { html, status } = await fill(CODE)
    expect([status, used]).toEqual([200, ['new-person']])
    expect(html).toContain('AAAA-BBBB')
  })
})

describe('a link for an owner', () => {
  const LINK = { purpose: 'owner', storeId: 'store-1', role: 'owner', expiresAtMs: 1 } as const
  let claims: LinkClaim[]
  beforeEach(() => {
    claims = []
    panel.people.links.view = () =>
      Promise.resolve({ ...LINK, isForKnownPerson: false, mayTakeEmail: false })
    panel.people.links.use = (_token, claim) => {
      claims.push(claim)
      return Promise.resolve({ personId: 'per_finance', storeId: 'store-1', recoveryCodes: [] })
    }
  })

  it('is accepted by a person with access, after signing in', async () => {
    const { html } = await person.get(`/link/${TOKEN}`)
    expect(visibleText(html)).toContain('If you already have access to Cofre, sign in to accept.')
    expect(visibleText(html)).toContain('cofre person reset')
    const back = `/sign-in?to=%2Flink%2F${TOKEN}`
    expect(html).toContain(`href="${back}"`)
    expect((await signIn(RIGHT, back)).location).toBe(`/link/${TOKEN}`)
    const page = await person.get(`/link/${TOKEN}`)
    expect(visibleText(page.html)).toContain('Accept as finance@example.com')
    const fields = { csrf: hiddenValue(page.html, 'csrf'), 'signed-in': 'yes' }
    expect((await person.post(`/link/${TOKEN}`, fields)).location).toBe('/')
    expect(claims).toMatchObject([{ kind: 'signed-in', session: { personId: 'per_finance' } }])
  })

  it('also makes a new person while another person is signed in', async () => {
    await signIn(RIGHT)
    const { html } = await person.get(`/link/${TOKEN}`)
    const typed = { name: 'Ana', email: 'ana@example.com', password: PASSWORD, code: CODE }
    await person.post(`/link/${TOKEN}`, { ...typed, csrf: hiddenValue(html, 'csrf') })
    expect(claims).toMatchObject([{ kind: 'new-person', email: 'ana@example.com' }])
  })
})

describe('the host of the console', () => {
  const at = (host: string, path: string, init: RequestInit = {}, app = panel.app) =>
    Promise.resolve(app.request(`${PANEL_URL}${path}`, { ...init, headers: { Host: host } }))

  it.each(['evil.example', 'panel.example.evil.example', '127.0.0.1', ''])(
    'is no other: %j',
    async (host) => {
      for (const path of ['/sign-in', PAYMENTS, `/link/${TOKEN}`])
        expect([path, (await at(host, path)).status]).toEqual([path, 421])
      expect((await at(host, '/sign-in', { method: 'POST' })).status).toBe(421)
    },
  )

  it('is accepted in capitals, too', async () => {
    expect((await at(HOST.toUpperCase(), '/sign-in')).status).toBe(200)
  })

  it('on this machine is localhost, to which its address leads', async () => {
    const publicUrl = 'http://localhost:8083'
    const { app } = openConsole({ publicUrl })
    const answer = await at('127.0.0.1:8083', `${PAYMENTS}?status=PENDING`, {}, app)
    expect(answer.status).toBe(308)
    expect(answer.headers.get('Location')).toBe(`${publicUrl}${PAYMENTS}?status=PENDING`)
    expect((await at('127.0.0.1:8083', '/sign-in', { method: 'POST' }, app)).status).toBe(421)
  })

  it('does not matter if only the sandbox is shown', async () => {
    const { app } = openPanelForTest()
    expect((await at('10.0.0.7:8083', '/sign-in/sandbox', {}, app)).status).toBe(200)
  })
})

it('a request by a link of another site is repeated with cookies', async () => {
  const headers = { Host: HOST, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }
  const answer = await panel.app.request(`${PANEL_URL}${PAYMENTS}`, { headers })
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('http-equiv="refresh" content="0"')
})

describe('a forgotten password', () => {
  const letters: { to: string; text: string }[] = []
  const send = (letter: { to: string; text: string }) => {
    letters.push(letter)
    return Promise.resolve()
  }
  beforeEach(() => {
    letters.length = 0
    panel = openConsole({ mailer: { send } })
    panel.people.links.forgotten = (email) =>
      Promise.resolve(
        email === RIGHT.email
          ? { token: new Secret(TOKEN), expiresAtMs: 0, email: 'as-kept@example.com' }
          : undefined,
      )
    person = panel.newDeveloper({ 'Accept-Language': 'en' })
  })
  const forget = async (email: string) => {
    const { html } = await person.get('/forgot')
    return person.post('/forgot', { csrf: hiddenValue(html, 'csrf'), email })
  }

  it('mails the known person a link of the configured host, and no other person', async () => {
    const known = await forget(RIGHT.email)
    expect(known.html).not.toContain(TOKEN)
    const unknown = await forget('nobody@example.com')
    expect(unknown.html.replace('nobody@example.com', RIGHT.email)).toBe(known.html)
    expect(letters).toHaveLength(1)
    expect(letters[0]).toMatchObject({ to: 'as-kept@example.com' })
    expect(letters[0]?.text).toContain(`${PANEL_URL}/link/${TOKEN}`)
  })

  it('is answered before the e-mail is looked up', async () => {
    panel.people.links.forgotten = () => new Promise(() => undefined)
    expect((await forget(RIGHT.email)).status).toBe(200)
  })

  it('is answered alike when the mail server refuses the letter, and the refusal is logged', async () => {
    panel = openConsole({ mailer: { send: () => Promise.reject(new Error('550 no box')) } })
    panel.people.links.forgotten = () =>
      Promise.resolve({ token: new Secret(TOKEN), expiresAtMs: 0, email: RIGHT.email })
    person = panel.newDeveloper({ 'Accept-Language': 'en' })
    expect((await forget(RIGHT.email)).status).toBe(200)
    await expect.poll(() => panel.logged.join('')).toContain('was not sent')
    expect(panel.logged.join('')).not.toContain(TOKEN)
  })

  it('shows the operator’s command if no letters are sent', async () => {
    person = openConsole().newDeveloper({ 'Accept-Language': 'en' })
    const { html } = await person.get('/forgot')
    expect(visibleText(html)).toContain('cofre person reset')
    expect(html).not.toContain('name="email"')
  })

  it('takes no form from elsewhere', async () => {
    const answer = await person.post('/forgot', { csrf: 'forged', email: RIGHT.email })
    expect(answer.status).toBe(403)
    expect(letters).toEqual([])
  })
})
