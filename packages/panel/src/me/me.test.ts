import { MINUTE_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  CODE,
  LAST_WRONG_CODE,
  type OpenConsole,
  openConsole,
  type Developer,
  hiddenValue,
  signedIn,
  visibleText,
  STORE_ID,
} from '../testing/whole-console.fixture.js'

const PASSWORD = 'an0ther long password'

let console: OpenConsole
let person: Developer
beforeEach(() => {
  console = openConsole()
  person = console.newPerson('finance')
})

/** Posts a form of `/me`, and proves the identity if asked. */
async function change(action: string, fields: Readonly<Record<string, string>> = {}) {
  const asked = await ask(action, fields)
  if (!asked.html.includes('step-up-code')) return asked
  const csrf = hiddenValue(asked.html, 'csrf')
  return await person.post(action, { ...fields, csrf, 'step-up-code': CODE })
}

async function ask(action: string, fields: Readonly<Record<string, string>> = {}) {
  const { html } = await person.get('/me')
  expect(html).toContain(`action="${action}"`)
  return await person.post(action, { ...fields, csrf: hiddenValue(html, 'csrf'), here: '/me' })
}

function secretOn({ html }: { readonly html: string }): string | undefined {
  return /id="totp"[^>]*><code>([A-Z2-7]{32})</.exec(html)?.[1]
}

describe('a person’s own page', () => {
  it('is linked from the name in the header, and shows how the person signs in', async () => {
    const { html } = await person.get(`/production/${STORE_ID}/payments`)
    expect(html).toContain('href="/me"')
    const page = visibleText((await person.get('/me')).html)
    expect(page).toContain('finance@example.com')
    expect(page).toContain('Unused: 9.')
    expect(page).toContain('192.0.2.1')
  })

  it('is not found with a store’s secret, and requires a sign-in without a session', async () => {
    const { developer } = await signedIn({ people: console.people })
    expect((await developer.get('/me')).status).toBe(404)
    const csrf = hiddenValue((await developer.get('/checklist')).html, 'csrf')
    expect((await developer.post('/me/name', { csrf, name: 'Ana' })).status).toBe(404)
    const stranger = console.newDeveloper()
    expect(await stranger.get('/me')).toMatchObject({ location: '/sign-in?to=%2Fme' })
  })

  it('takes no form from elsewhere', async () => {
    const answer = await person.post('/me/name', { csrf: 'forged', name: 'Mallory' })
    expect(answer.status).toBe(403)
    expect((await person.get('/me')).html).not.toContain('Mallory')
  })

  it('changes the name, and no other session’s', async () => {
    const answer = await change('/me/name', { name: ' Caio Contas ' })
    expect(answer.location).toBe('/me')
    const { html } = await person.get('/me')
    expect(visibleText(html)).toContain('Your name was changed.')
    expect(html).toContain('value="Caio Contas"')
  })

  it.each([
    ['Ana\0\tMaria\r\n', 'Ana Maria'],
    ['Nguyễn Văn An', 'Nguyễn Văn An'],
    ['Sean O’Connor', 'Sean O’Connor'],
    ['山田 太郎', '山田 太郎'],
  ])('takes the name %j as %s', async (name, kept) => {
    await change('/me/name', { name })
    expect((await person.get('/me')).html).toContain(`value="${kept}"`)
  })

  it.each(['', ' ', '\u200b', '\u202e\u2066', '\0', 'x'.repeat(101), 'Ana 411111 1111111111'])(
    'takes no name %j',
    async (name) => {
      await change('/me/name', { name })
      expect(visibleText((await person.get('/me')).html)).toContain('The form is incomplete')
    },
  )

  it('changes the password after a proof, and continues as the only session', async () => {
    console.newPerson('finance')
    const unproved = await ask('/me/password/new')
    expect(unproved.html).toContain('step-up-code')
    expect(unproved.html).not.toContain('name="password"')
    const csrf = hiddenValue(unproved.html, 'csrf')
    const shown = await person.post('/me/password/new', { csrf, 'step-up-code': CODE })
    expect(shown.html).toContain('name="password"')
    expect(console.acts).toEqual([])
    const fields = { csrf: hiddenValue(shown.html, 'csrf'), password: PASSWORD }
    expect((await person.post('/me/password', fields)).location).toBe('/me')
    expect(console.acts).toEqual([`per_finance password ${PASSWORD}`])
    const { html, status } = await person.get('/me')
    expect(status).toBe(200)
    expect(visibleText(html)).toContain('Your password was changed.')
    expect(html).not.toContain('/me/sessions/end')
  })

  it('carries no typed password through a proof: it is typed again', async () => {
    const shown = await change('/me/password/new')
    console.clock.nowMs += 10 * MINUTE_MS
    const fields = { csrf: hiddenValue(shown.html, 'csrf'), password: PASSWORD }
    const asked = await person.post('/me/password', fields)
    expect(asked.html).toContain('step-up-code')
    expect(asked.html).not.toContain(PASSWORD)
    const proof = { csrf: hiddenValue(asked.html, 'csrf'), 'step-up-code': CODE }
    const again = await person.post('/me/password', proof)
    expect(again.html).toContain('name="password"')
    expect(console.acts).toEqual([])
  })

  it('explains why it refuses a password', async () => {
    const { html } = await change('/me/password/new')
    const fields = { csrf: hiddenValue(html, 'csrf'), password: 'short' }
    const answer = await person.post('/me/password', fields)
    expect(answer.status).toBe(400)
    expect(visibleText(answer.html)).toContain('Choose a password of 12 to 128 characters')
    expect(console.acts).toEqual([])
  })

  it('ends after too many wrong proofs', async () => {
    const { html } = await ask('/me/password/new')
    const fields = { csrf: hiddenValue(html, 'csrf'), 'step-up-code': LAST_WRONG_CODE }
    const answer = await person.post('/me/password/new', fields)
    expect(answer.location).toBe('/sign-in?expired=1')
    expect((await person.get('/me')).status).toBe(303)
  })

  it('shows a new authenticator after a proof, and takes it by a code of it', async () => {
    const shown = await change('/me/authenticator/new')
    const fields = { csrf: hiddenValue(shown.html, 'csrf'), code: '000000' }
    const wrong = await person.post('/me/authenticator', fields)
    expect(wrong.status).toBe(400)
    expect(visibleText(wrong.html)).toContain('This code is incorrect.')
    expect(secretOn(wrong)).toBe(secretOn(shown))
    const answer = await person.post('/me/authenticator', { ...fields, code: CODE })
    expect(answer.location).toBe('/me')
    expect(console.acts).toEqual([`per_finance totp ${secretOn(shown) ?? ''}`])
  })

  it('shows the new picture, when a proof has changed it', async () => {
    const shown = await change('/me/authenticator/new')
    console.clock.nowMs += 10 * MINUTE_MS
    const csrf = hiddenValue(shown.html, 'csrf')
    const fields = { csrf, code: CODE, 'step-up-code': CODE }
    const again = await person.post('/me/authenticator', fields)
    expect(again.status).toBe(200)
    expect(secretOn(again)).toMatch(/^[A-Z2-7]{32}$/)
    expect(secretOn(again)).not.toBe(secretOn(shown))
    expect(console.acts).toEqual([])
  })

  it.each(['/me/authenticator/new', '/me/recovery-codes', '/me/password', '/me/password/new'])(
    'is where the address of a form leads: %s',
    async (path) => {
      expect(await person.get(path)).toMatchObject({ status: 303, location: '/me' })
    },
  )

  it('asks a person without a password for one, with the authenticator', async () => {
    console.people.own.hasPassword = () => Promise.resolve(false)
    expect((await person.get('/me')).html).not.toContain('action="/me/password/new"')
    const shown = await change('/me/authenticator/new')
    expect(shown.html).toContain('name="password"')
  })

  it('shows new recovery codes once, after a proof', async () => {
    const { html } = await change('/me/recovery-codes')
    expect(visibleText(html)).toContain('aaaa-bbbb cccc-dddd')
    expect(console.acts).toEqual(['per_finance recovery-codes-made'])
    expect((await person.get('/me')).html).not.toContain('aaaa-bbbb')
  })

  it('accepts a form that was open in another tab during a proof', async () => {
    const csrf = hiddenValue((await person.get('/me')).html, 'csrf')
    const before = person.cookies.get('__Host-cofre_person')
    await change('/me/recovery-codes')
    expect(person.cookies.get('__Host-cofre_person')).not.toBe(before)
    expect((await person.post('/me/name', { csrf, name: 'Caio' })).status).toBe(303)
    expect((await person.get('/me')).html).toContain('value="Caio"')
  })

  it('takes no form of a session that is over, nor of another browser', async () => {
    const csrf = hiddenValue((await person.get('/me')).html, 'csrf')
    const other = console.newPerson('finance')
    await other.get('/me')
    expect((await other.post('/me/name', { csrf, name: 'Caio' })).status).toBe(403)
    person.cookies.set('__Host-cofre_person', other.cookies.get('__Host-cofre_person') ?? '')
    expect((await person.post('/me/name', { csrf, name: 'Caio' })).status).toBe(403)
  })

  it('ends the other sessions', async () => {
    const other = console.newPerson('finance')
    expect((await other.get('/me')).status).toBe(200)
    await change('/me/sessions/end')
    expect((await other.get('/me')).status).toBe(303)
    expect(visibleText((await person.get('/me')).html)).toContain('Your other sessions have ended.')
  })
})
