import { DAY_MS, Secret } from '@cofre/contracts'
import { interestMark } from '../../model/shop-settings.js'
import { ROLES } from '@cofre/people'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  CODE,
  type OpenConsole,
  openConsole,
  type Developer,
  hiddenValue,
  visibleText,
  NOW_MS,
  SECRET,
  STORE_ID,
  shownAccount,
} from '../../../../panel/src/testing/whole-console.fixture.js'

const STORE = `/production/${STORE_ID}/store`
const FRESH = /<pre id="secret"[^>]*><code>([\w-]{43})</

let console: OpenConsole
let owner: Developer
beforeEach(() => {
  console = openConsole()
  owner = console.newPerson('owner')
})

/** Requests a new secret through the page's form. */
async function rotate(person: Developer, fields: Readonly<Record<string, string>> = {}) {
  const { html } = await person.get(STORE)
  const mark = hiddenValue(html, 'mark')
  const csrf = hiddenValue(html, 'csrf')
  const sent = { csrf, mark, confirm: 'yes', here: STORE, 'step-up-code': CODE, ...fields }
  return { sent, answer: await person.post(`${STORE}/secret`, sent) }
}

describe('the page of a store', () => {
  it.each(ROLES)('is of owners and developers: %s', async (role) => {
    const { status } = await console.newPerson(role).get(STORE)
    expect(status).toBe(role === 'owner' || role === 'developer' ? 200 : 403)
  })

  it('shows the store’s rights and signature, and no secret', async () => {
    console.production.held.store = {
      ...console.production.held.store,
      signature: 'rfc9421',
      refunds: 'full',
      fieldOrigins: ['https://loja.example', 'http://localhost:3000'],
      showsBin: true,
      previousSecret: { secret: new Secret('the one before'), untilMs: NOW_MS + DAY_MS },
    }
    const { html } = await owner.get(STORE)
    const page = visibleText(html)
    expect(page).toContain('with RFC 9421 only')
    expect(page).toMatch(/Refunds in full/)
    expect(page).toContain(
      'that can show the card fields https://loja.example, http://localhost:3000',
    )
    expect(page).toMatch(/show the shop the first six digits yes/)
    expect(page).toContain('A new key stops it at once')
    expect(html).not.toContain(SECRET)
    expect(html).not.toContain('the one before')
  })

  it('shows the keys that sign, with scopes, last use and end, and no secret', async () => {
    const { html } = await owner.get(STORE)
    const page = visibleText(html)
    expect(page).toMatch(/Keys that sign requests/)
    expect(page).toMatch(/ERP k-0a1b2c3d read never ended on/)
    expect(page).toContain('Notifications are signed by the key “first”.')
  })

  it('shows accounts with banks and acquirers alike: what they take, and which need care', async () => {
    expect(visibleText((await owner.get(STORE)).html)).toContain('No accounts yet.')
    const bank = { company: 'Efí', keeper: 'gateway', methods: ['pix'] } as const
    console.production.held.accounts.push(
      shownAccount('acc-1', 'Main bank', {
        ...bank,
        certificateUntilMs: NOW_MS + 29 * DAY_MS,
        lastTest: { atMs: NOW_MS, failure: 'no token' },
      }),
      shownAccount('acc-2', 'Old bank', {
        ...bank,
        certificateUntilMs: NOW_MS + 31 * DAY_MS,
        disabledAtMs: NOW_MS,
      }),
      shownAccount('acc-3', 'Adyen, site'),
      shownAccount('acc-4', 'Adyen, unordered', { methods: [] }),
    )
    const page = visibleText((await owner.get(STORE)).html)
    expect(page).toMatch(/Main bank acc-1 Efí \(live\) PIX accepted .* soon .* failed/)
    expect(page).toMatch(/Old bank acc-2 Efí \(live\) PIX not accepted (?!.*soon)/)
    expect(page).toContain('Adyen, site acc-3 Adyen (live) cards Mastercard, Visa accepted')
    expect(page).toMatch(/Adyen, unordered acc-4 Adyen \(live\) [^a-z]* not accepted/)
  })
})

describe('a new secret', () => {
  it('is shown once, after a proof and a confirmation, and logged', async () => {
    const { html } = await owner.get(STORE)
    const csrf = hiddenValue(html, 'csrf')
    const mark = hiddenValue(html, 'mark')
    const asked = await owner.post(`${STORE}/secret`, { csrf, mark, confirm: 'yes', here: STORE })
    expect(asked.html).toContain('step-up-code')
    expect(console.production.held.writes).toEqual([])
    const { answer } = await rotate(owner)
    const [, secret] = FRESH.exec(answer.html) ?? []
    expect(console.production.held.store.secret.reveal()).toBe(secret)
    expect(console.held.store.secret.reveal()).toBe(SECRET)
    expect((await owner.get(STORE)).html).not.toContain(secret)
    expect(console.acts.join('\n')).toMatch(/store:secret - asked .*\n\d+ done/)
    expect(console.acts.join('\n')).not.toContain(secret)
  })

  it('replaces one secret, also when its form is sent again', async () => {
    const { sent } = await rotate(owner)
    const { secret } = console.production.held.store
    const csrf = hiddenValue((await owner.get(STORE)).html, 'csrf')
    const again = await owner.post(`${STORE}/secret`, { ...sent, csrf })
    expect(again.status).toBe(303)
    expect(visibleText((await owner.get(STORE)).html)).toContain('it was already replaced')
    expect(console.production.held.store.secret).toBe(secret)
  })

  it.each([[{ confirm: '' }], [{ mark: 'forged' }]])('is not drawn with %j', async (fields) => {
    const { answer } = await rotate(owner, fields)
    expect(answer.status).toBe(303)
    expect(console.production.held.writes).toEqual([])
  })

  it.each(['finance', 'support'] as const)('is refused to %s, and logged', async (role) => {
    const person = console.newPerson(role)
    const csrf = hiddenValue((await person.get('/me')).html, 'csrf')
    const fields = { csrf, confirm: 'yes', 'step-up-code': CODE }
    expect((await person.post(`${STORE}/secret`, fields)).status).toBe(403)
    expect(console.acts.at(-1)).toMatch(/refused/)
    expect(console.production.held.writes).toEqual([])
  })

  it('of the sandbox is changed on its own page, with the current one', async () => {
    const at = `/sandbox/${STORE_ID}/store`
    const { html } = await owner.get(at)
    expect(visibleText(html)).toContain('To change the sandbox’s key, go to Credentials')
    const csrf = hiddenValue(html, 'csrf')
    await owner.post(`${at}/secret`, { csrf, confirm: 'yes', here: at, 'step-up-code': CODE })
    expect(console.held.writes).toEqual([])
  })

  it('of a store with one for both environments is changed in the sandbox', async () => {
    const secretKeeper = {
      fixedBy: () => undefined,
      has: () => true,
      save: () => Promise.resolve(),
    }
    console = openConsole({ secretKeeper })
    owner = console.newPerson('owner')
    expect(visibleText((await owner.get(STORE)).html)).toContain('one key for both environments')
    await rotate(owner)
    expect(console.production.held.writes).toEqual([])
  })
})

describe('what installments cost', () => {
  const form = async (person: Developer, fields: Readonly<Record<string, string>>) => {
    const { html } = await person.get(STORE)
    const csrf = hiddenValue(html, 'csrf')
    const mark = interestMark(console.production.held.store)
    const typed = { brand: '', rate: '', free: '1', from: '', 'interest-mark': mark, ...fields }
    return await person.post(`${STORE}/interest`, { csrf, here: STORE, ...typed })
  }
  const proved = { 'step-up-code': CODE }

  it('is changed by an owner after a proof, shown, and logged', async () => {
    expect((await form(owner, { rate: '2,5' })).html).toContain('step-up-code')
    expect(console.production.held.writes).toEqual([])
    const typed = { ...proved, brand: 'elo', rate: '1,99', free: '3' }
    expect((await form(owner, typed)).status).toBe(303)
    expect(console.production.held.store.interest).toEqual([
      { brand: 'elo', fromMs: NOW_MS, terms: { monthlyRate: 0.0199, interestFree: 3 } },
    ])
    const page = visibleText((await owner.get(STORE)).html)
    expect(page).toContain('Default in this installation: 2.99% a month, up to 1x interest-free.')
    expect(page).toMatch(/Elo 1.99% a month, up to 3x interest-free/)
    expect(console.acts.join('\n')).toMatch(/store:interest - asked .*elo.*\n\d+ done/)
  })

  it('is logged with the terms that are gone and the new ones', async () => {
    await form(owner, { ...proved, rate: '2' })
    await form(owner, { ...proved, rate: '3' })
    expect(console.acts.at(-1)).toMatch(/done interest: .*0\.03.*interest:before: .*0\.02/)
  })

  it('is offered free of interest in all installments of the store', async () => {
    const { store } = console.production.held
    console.production.held.store = { ...store, installmentsMax: 18 }
    expect((await owner.get(`${STORE}/interest`)).html).toContain('<option value="18"')
    await form(owner, { ...proved, rate: '2', free: '18' })
    const terms = { monthlyRate: 0.02, interestFree: 18 }
    expect(console.production.held.store.interest).toMatchObject([{ terms }])
  })

  it('is set for later, in Brasília, and ended', async () => {
    await form(owner, { ...proved, rate: '3', from: '2099-01-31T00:00' })
    const fromMs = Date.parse('2099-01-31T03:00:00Z')
    expect(console.production.held.store.interest).toMatchObject([{ fromMs }])
    await form(owner, { ...proved, usual: 'yes' })
    expect(console.production.held.store.interest).toEqual([{ fromMs: NOW_MS, terms: null }])
  })

  it.each([
    [{ rate: '' }, 'rate', 'a percentage from 0 to 100'],
    [{ rate: '101' }, 'rate', 'a percentage from 0 to 100'],
    [{ rate: '-1' }, 'rate', 'a percentage from 0 to 100'],
    [{ rate: '2', usual: 'yes' }, 'rate', 'go back to the common terms, not both'],
    [{ rate: '2', free: '19' }, 'free', 'a number from the list'],
    [{ rate: '2', brand: 'jcb' }, 'brand', 'a brand from the list'],
    [{ rate: '2', from: '2099-02-30T99:00' }, 'from', 'a date and a time'],
    [{ rate: '2', from: '2020-01-01T00:00' }, 'from', 'This time has passed'],
  ])('is not changed by %j, which is said at %s', async (fields, name, reason) => {
    const answer = await form(owner, { ...proved, ...fields })
    expect(answer.status).toBe(422)
    expect(console.production.held.writes).toEqual([])
    expect(answer.html).toMatch(new RegExp(`id="${name}-problem">[^<]*${reason}`))
    expect(answer.html).toMatch(new RegExp(`id="${name}"[^>]*aria-invalid="true"`))
    expect(answer.html).toContain(`href="#${name}"`)
  })

  it('is not changed over another person’s change after a wrong input either', async () => {
    const old = interestMark(console.production.held.store)
    await form(console.newPerson('owner'), { ...proved, rate: '2,5' })
    const wrong = await form(owner, { ...proved, rate: 'abc', 'interest-mark': old })
    const mark = hiddenValue(wrong.html, 'interest-mark')
    const { status, html } = await form(owner, { ...proved, rate: '9', 'interest-mark': mark })
    expect(status).toBe(422)
    expect(visibleText(html)).toContain('Another person has just changed the interest')
    expect(visibleText(html)).toContain('All brands 2.5% a month')
    expect(console.production.held.store.interest).toMatchObject([
      { terms: { monthlyRate: 0.025 } },
    ])
  })

  it('keeps what was typed when it is refused, and then takes it', async () => {
    const typed = { rate: '2,5', brand: 'elo', free: '3', from: '2020-01-01T00:00' }
    const { html } = await form(owner, { ...proved, ...typed, 'interest-mark': 'older' })
    expect(html).toContain('value="2,5"')
    expect(html).toMatch(/<option value="elo" selected/)
    expect(html).toMatch(/<option value="3" selected/)
    expect(html).toContain('value="2020-01-01T00:00"')
    const mark = hiddenValue(html, 'interest-mark')
    const sent = { ...proved, ...typed, from: '', 'interest-mark': mark }
    expect((await form(owner, sent)).status).toBe(303)
    expect(console.production.held.store.interest).toMatchObject([{ brand: 'elo' }])
  })

  it('is seen by developers and changed by owners alone', async () => {
    const developer = console.newPerson('developer')
    const { html } = await developer.get(STORE)
    expect(visibleText(html)).toContain('Default in this installation')
    expect(html).not.toContain('/store/interest')
    expect((await developer.get(`${STORE}/interest`)).status).toBe(403)
    expect((await form(developer, { ...proved, rate: '0' })).status).toBe(403)
    expect(console.production.held.writes).toEqual([])
  })
})

it('a page has the store’s name in its header, and the id beside it', async () => {
  const { html } = await owner.get(STORE)
  expect(html).toMatch(/title="store-1"><span[^>]*>Store <\/span>Test store</)
})
