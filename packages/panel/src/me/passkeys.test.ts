import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CODE, type OpenConsole, openConsole } from '../testing/console.js'
import { type Developer, PANEL_URL, hiddenValue, visibleText } from '../testing/developer.js'
import { type Faults, softwareAuthenticator } from '../frame/software-authenticator.fixture.js'

const PERSON = '__Host-cofre_person'
const WRONG: readonly (readonly [string, Faults])[] = [
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another relying party', { rpId: 'evil.example' }],
  ['that did not know its holder', { unverified: true }],
]

let console: OpenConsole
let person: Developer
let authenticator: ReturnType<typeof softwareAuthenticator>
beforeEach(() => {
  console = openConsole()
  person = console.newPerson('owner')
  authenticator = softwareAuthenticator(PANEL_URL)
})

async function csrfOf(browser: Developer, page: string): Promise<string> {
  return hiddenValue((await browser.get(page)).html, 'csrf')
}

async function optionsOf(browser: Developer, at: string, page = '/me') {
  const { html, status } = await browser.post(at, { csrf: await csrfOf(browser, page) })
  expect(status).toBe(200)
  return JSON.parse(html) as { readonly challenge: string; readonly rp?: unknown }
}

/** Adds the authenticator's passkey, after a proof by code. */
async function register(passkey?: string, label = 'My laptop') {
  const asked = await optionsOf(person, '/me/passkeys/options')
  const csrf = await csrfOf(person, '/me')
  const fields = { csrf, label, passkey: passkey ?? authenticator.create(asked) }
  const answer = await person.post('/me/passkeys', fields)
  if (!answer.html.includes('step-up-code')) return answer
  const again = { ...fields, csrf: hiddenValue(answer.html, 'csrf'), 'step-up-code': CODE }
  return await person.post('/me/passkeys', again)
}

async function signInWith(browser: Developer, passkey: string) {
  const csrf = await csrfOf(browser, '/sign-in')
  return await browser.post('/sign-in/passkey', { csrf, passkey, to: '/me' })
}

describe('a passkey', () => {
  it('is added by the person after a proof, with a name', async () => {
    await register()
    const page = visibleText((await person.get('/me')).html)
    expect(page).toContain('The passkey was added.')
    expect(page).toContain('My laptop')
    expect(console.acts).toEqual(['per_owner passkey-added My laptop'])
  })

  it('belongs to the console’s host, is found without an e-mail, and knows its holder', async () => {
    expect(await optionsOf(person, '/me/passkeys/options')).toMatchObject({
      rp: { id: new URL(PANEL_URL).hostname },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  })

  it.each(WRONG)('%s is not added', async (_, faults) => {
    const asked = await optionsOf(person, '/me/passkeys/options')
    await register(authenticator.create(asked, faults))
    expect(visibleText((await person.get('/me')).html)).toContain('The passkey wasn’t added')
    expect(console.acts).toEqual([])
  })

  it.each(['', '{}', 'null', '{"id":1,"response":{"clientDataJSON":"e30"}}', 'x'.repeat(2000)])(
    'is not %j',
    async (json) => {
      await register(json)
      expect(visibleText((await person.get('/me')).html)).toContain('The passkey wasn’t added')
    },
  )

  it('signs its person in, without a code', async () => {
    await register()
    const browser = console.newDeveloper({ 'Accept-Language': 'en' })
    const asked = await optionsOf(browser, '/sign-in/passkey/options', '/sign-in')
    const answer = await signInWith(browser, authenticator.get(asked))
    expect(answer).toMatchObject({ status: 303, location: '/me' })
    expect(visibleText((await browser.get('/me')).html)).toContain('owner@example.com')
  })

  it.each([...WRONG, ['whose counter went back: it was copied', { counter: 0 }] as const])(
    '%s does not sign in',
    async (_, faults) => {
      await register()
      const browser = console.newDeveloper({ 'Accept-Language': 'en' })
      const asked = await optionsOf(browser, '/sign-in/passkey/options', '/sign-in')
      const answer = await signInWith(browser, authenticator.get(asked, faults))
      expect(answer.status).toBe(401)
      expect(visibleText(answer.html)).toContain('This passkey isn’t registered here.')
      expect(browser.cookies.has(PERSON)).toBe(false)
    },
  )

  it('that no person has is refused like a wrong one', async () => {
    const browser = console.newDeveloper({ 'Accept-Language': 'en' })
    const asked = await optionsOf(browser, '/sign-in/passkey/options', '/sign-in')
    const unknown = await signInWith(browser, authenticator.get(asked))
    const nonsense = await signInWith(browser, 'nonsense')
    expect([unknown.status, nonsense.status]).toEqual([401, 401])
    expect(visibleText(nonsense.html)).toBe(visibleText(unknown.html))
  })

  it('answers a challenge once, in the same browser, for the same purpose', async () => {
    await register()
    const browser = console.newDeveloper({ 'Accept-Language': 'en' })
    const other = console.newDeveloper({ 'Accept-Language': 'en' })
    const asked = await optionsOf(browser, '/sign-in/passkey/options', '/sign-in')
    expect((await signInWith(other, authenticator.get(asked))).status).toBe(401)
    expect((await signInWith(browser, authenticator.get(asked))).status).toBe(303)
    browser.cookies.delete(PERSON)
    expect((await signInWith(browser, authenticator.get(asked))).status).toBe(401)
    const forNew = await optionsOf(person, '/me/passkeys/options')
    person.cookies.delete(PERSON)
    expect((await signInWith(person, authenticator.get(forNew))).status).toBe(401)
    expect((await signInWith(browser, authenticator.get({ challenge: 'made-up' }))).status).toBe(
      401,
    )
  })

  it('is verified before its challenge is kept as taken: strangers fill no table', async () => {
    await register()
    const consume = vi.spyOn(console.people.challenges, 'consume')
    const browser = console.newDeveloper()
    const asked = await optionsOf(browser, '/sign-in/passkey/options', '/sign-in')
    const stranger = softwareAuthenticator(PANEL_URL)
    for (const answer of [
      stranger.get(asked),
      authenticator.get(asked, { origin: 'https://evil.example' }),
    ])
      expect((await signInWith(browser, answer)).status).toBe(401)
    expect(consume).not.toHaveBeenCalled()
    expect((await signInWith(browser, authenticator.get(asked))).status).toBe(303)
    expect(consume).toHaveBeenCalledOnce()
  })

  it('confirms the person, and another person’s does not', async () => {
    await register()
    console.clock.nowMs += 10 * 60_000
    const stranger = console.newPerson('finance')
    for (const [browser, isRight] of [[stranger, false] as const, [person, true] as const]) {
      const csrf = await csrfOf(browser, '/me')
      const page = await browser.post('/me/recovery-codes', { csrf, here: '/me' })
      expect(page.html.includes('data-passkey="get"')).toBe(isRight)
      const asked = await optionsOf(browser, '/step-up/passkey/options')
      const answer = await browser.post('/me/recovery-codes', {
        csrf,
        here: '/me',
        'step-up-passkey': authenticator.get(asked),
      })
      expect(answer.status).toBe(isRight ? 200 : 403)
      expect(answer.html.includes('aaaa-bbbb')).toBe(isRight)
    }
  })

  it('is removed by its person, and by no other', async () => {
    await register()
    const fields = { passkey: authenticator.id, 'step-up-code': CODE }
    const stranger = console.newPerson('finance')
    const csrf = await csrfOf(stranger, '/me')
    await stranger.post('/me/passkeys/remove', { ...fields, csrf })
    expect(await console.people.own.findPasskey(authenticator.id)).toBeDefined()
    await person.post('/me/passkeys/remove', { ...fields, csrf: await csrfOf(person, '/me') })
    expect(visibleText((await person.get('/me')).html)).toContain('The passkey was removed.')
    expect(await console.people.own.findPasskey(authenticator.id)).toBeUndefined()
  })

  it.each([
    ['last-one' as const, 'without this passkey you couldn’t sign in'],
    ['not-found' as const, 'This no longer exists'],
  ])('is not removed where it is %s', async (result, text) => {
    console.people.own.removePasskey = () => Promise.resolve(result)
    const csrf = await csrfOf(person, '/me')
    await person.post('/me/passkeys/remove', { csrf, passkey: 'x', 'step-up-code': CODE })
    expect(visibleText((await person.get('/me')).html)).toContain(text)
  })

  it('is added once, and ten at most', async () => {
    await register()
    await register()
    expect(visibleText((await person.get('/me')).html)).toContain('This passkey is already in use.')
    console.people.own.addPasskey = () => Promise.resolve('too-many')
    await register()
    expect(visibleText((await person.get('/me')).html)).toContain('You already have ten passkeys')
  })
})

describe.each(['http://192.0.2.7:8083', 'https://[2001:db8::1]', 'http://panel.example'])(
  'a console at %s',
  (publicUrl) => {
    it('offers no passkeys: browsers allow none there', async () => {
      const open = openConsole({ publicUrl })
      const { host } = new URL(publicUrl)
      const headers = { Host: host, 'Accept-Language': 'en' }
      const page = await open.app.request(`${publicUrl}/sign-in`, { headers })
      expect(page.status).toBe(200)
      expect(await page.text()).not.toContain('data-passkey')
    })
  },
)
