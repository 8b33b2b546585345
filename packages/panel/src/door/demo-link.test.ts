import { Secret } from '@cofre/contracts'
import type { LinkClaim } from '@cofre/people'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  CODE,
  type OpenConsole,
  PASSWORD,
  openConsole,
  type Developer,
  hiddenValue,
  visibleText,
} from '../testing/whole-console.fixture.js'

const COMMAND = 'node packages/server/dist/cofre.js open'
const LINK = `/link/${'d'.repeat(43)}`
const VIEW = { purpose: 'demo', storeId: 'store-1', role: 'owner', expiresAtMs: 1 } as const
const PAYMENTS = '/sandbox/store-1/payments'
const PERSON = '__Host-cofre_person'

let panel: OpenConsole
let claims: LinkClaim[]
beforeEach(() => {
  claims = []
  panel = openConsole({ openCommand: COMMAND })
  const { people } = panel
  people.own.hasPassword = () => Promise.resolve(false)
  people.links.view = () =>
    Promise.resolve({ ...VIEW, isForKnownPerson: false, mayTakeEmail: false })
  people.links.use = async (_token, claim, from) => {
    claims.push(claim)
    const code = new Secret(CODE)
    const session = claim.kind === 'demo' ? claim.session : undefined
    const right = { email: 'owner@example.com', password: new Secret(PASSWORD), code, from }
    const opened = await (session ? people.stepUp(session, { code }, from) : people.signIn(right))
    if (typeof opened === 'string' || 'waitMs' in opened) return 'gone'
    const used = { ...opened, storeId: 'store-1', recoveryCodes: [] }
    return session === undefined ? used : { ...used, isProof: true }
  }
})

async function press(person: Developer) {
  const { html } = await person.get(LINK)
  return person.post(LINK, { csrf: hiddenValue(html, 'csrf') })
}

describe('a link for the demo store’s owner', () => {
  it('has a button and no fields: opening it signs no person in', async () => {
    const person = panel.newDeveloper({ 'Accept-Language': 'en' })
    for (let i = 0; i < 2; i++) {
      const { html, status } = await person.get(LINK)
      expect(status).toBe(200)
      expect(html).toContain('Continue as the owner')
      expect(html).not.toMatch(/name="(?:name|email|password|code)"/)
    }
    expect([claims, person.cookies.has(PERSON)]).toEqual([[], false])
    expect((await person.post(LINK, {})).status).toBe(403)
    expect(claims).toEqual([])
  })

  it('leads to the payments of the demo store’s sandbox', async () => {
    const person = panel.newDeveloper({ 'Accept-Language': 'en' })
    expect(await press(person)).toMatchObject({ status: 303, location: PAYMENTS })
    expect(claims).toMatchObject([{ kind: 'demo', session: undefined }])
    expect((await person.get(PAYMENTS)).status).toBe(200)
  })

  it('confirms in one tab the action of another tab, which continues with its own form', async () => {
    const person = panel.newPerson('owner')
    const csrf = hiddenValue((await person.get('/me')).html, 'csrf')
    const asked = await person.post('/me/recovery-codes', { csrf })
    expect(visibleText(asked.html)).toContain(COMMAND)
    expect(asked.html).not.toContain('name="step-up-code"')

    const stepUpForm = { csrf: hiddenValue(asked.html, 'csrf'), 'step-up-link': 'opened' }
    const early = await person.post('/me/recovery-codes', stepUpForm)
    expect(early.status).toBe(403)
    expect(visibleText(early.html)).toContain('confirmed with a new link yet')

    expect((await press(person)).location).toBe(PAYMENTS)
    expect(visibleText((await person.get(PAYMENTS)).html)).toContain('confirmed it')
    const done = await person.post('/me/recovery-codes', stepUpForm)
    expect(visibleText(done.html)).toContain('aaaa-bbbb')
  })

  it('appears on the sign-in page of a demo’s console, and nowhere else', async () => {
    const there = await panel.newDeveloper().get('/sign-in')
    expect(visibleText(there.html)).toContain(COMMAND)
    const other = openConsole()
    expect((await other.newDeveloper().get('/sign-in')).html).not.toContain('open-command')
    other.people.own.hasPassword = () => Promise.resolve(false)
    const person = other.newPerson('owner')
    const csrf = hiddenValue((await person.get('/me')).html, 'csrf')
    const asked = await person.post('/me/recovery-codes', { csrf })
    expect(asked.html).toContain('name="step-up-code"')
  })

  it('does not replace an authenticator: its owner must enter its code', async () => {
    panel.people.own.hasPassword = () => Promise.resolve(true)
    const person = panel.newPerson('owner')
    const csrf = hiddenValue((await person.get('/me')).html, 'csrf')
    const asked = await person.post('/me/recovery-codes', { csrf })
    expect(asked.html).toContain('name="step-up-code"')
    expect(asked.html).not.toContain(COMMAND)
  })
})
