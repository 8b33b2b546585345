import { beforeEach, describe, expect, it } from 'vitest'
import {
  CODE,
  type OpenConsole,
  openConsole,
  type Developer,
  hiddenValue,
  visibleText,
  STORE_ID,
} from '../../../../panel/src/testing/whole-console.fixture.js'

const STORE = `/production/${STORE_ID}/store`
const SETTINGS = `${STORE}/settings`
const ORIGINS = `${STORE}/origins`
const SHOP = 'https://loja.example'
const SHOWN = {
  name: 'Test store',
  surplus: 'refund',
  uncaptured: 'void',
  signature: 'any',
  language: 'pt-BR',
  notificationUrl: '',
  payerDeclines: '',
  addressDeclines: '',
  binDeclines: '',
} as const

let console: OpenConsole
let owner: Developer
const held = () => console.production.held
beforeEach(() => {
  console = openConsole()
  owner = console.newPerson('owner')
  held().store = { ...held().store, fieldOrigins: [SHOP] }
})

async function save(fields: Readonly<Record<string, string>>, person = owner) {
  const { html } = await person.get(SETTINGS)
  const sent = { csrf: hiddenValue(html, 'csrf'), mark: hiddenValue(html, 'mark'), here: SETTINGS }
  return await person.post(SETTINGS, { ...sent, ...SHOWN, 'step-up-code': CODE, ...fields })
}

async function post(address: string, fields: Readonly<Record<string, string>>) {
  const csrf = hiddenValue((await owner.get(ORIGINS)).html, 'csrf')
  return await owner.post(address, { csrf, here: ORIGINS, 'step-up-code': CODE, ...fields })
}

describe('the settings of a store', () => {
  it('are changed by an owner after a proof, and logged with what was before', async () => {
    const { html } = await owner.get(SETTINGS)
    const sent = { csrf: hiddenValue(html, 'csrf'), mark: hiddenValue(html, 'mark'), ...SHOWN }
    const asked = await owner.post(SETTINGS, { ...sent, name: 'Loja Nova' })
    expect(asked.html).toContain('step-up-code')
    expect(held().writes).toEqual([])
    const chosen = { name: 'Loja Nova', uncaptured: 'capture', signature: 'rfc9421' }
    const fields = { ...chosen, binDeclines: '40' }
    const answer = await save(fields)
    expect(answer.status).toBe(303)
    expect(visibleText((await owner.get(STORE)).html)).toMatch(
      /The settings are saved.*Loja Nova.*Authorized, not captured captured before/,
    )
    expect(held().store).toMatchObject({ ...fields, binDeclines: 40 })
    const log = console.acts.join('\n')
    expect(log).toMatch(/store:change - asked/)
    expect(log).toContain('name: Loja Nova, name:before: Test store')
    expect(log).toContain('uncaptured: capture, uncaptured:before: void')
    expect(log).toContain('binDeclines: 40, binDeclines:before: usual (100)')
    expect(held().writes.join('\n')).toContain('by person:per_owner')
  })

  it('have a language and an address for what names none, which are cleared as they are set', async () => {
    const fields = { language: 'en-US', notificationUrl: 'https://loja.example/n' }
    await save(fields)
    expect(held().store).toMatchObject(fields)
    const page = visibleText((await owner.get(STORE)).html)
    expect(page).toContain('Language of payment pages English (United States)')
    expect(page).toContain('Notifications go to https://loja.example/n')
    expect(console.acts.join('\n')).toContain(
      'language: en-US, language:before: pt-BR, notificationUrl: https://loja.example/n, notificationUrl:before: none',
    )
    await save({})
    expect(held().store).toMatchObject({ language: undefined, notificationUrl: undefined })
    expect(visibleText((await owner.get(STORE)).html)).toContain('Portuguese (Brazil)')
  })

  it('begin with the limits that hold, and store none that stays', async () => {
    const { html } = await owner.get(SETTINGS)
    expect(html).toMatch(/name="payerDeclines"[^>]*value="10"/)
    const sent = { csrf: hiddenValue(html, 'csrf'), mark: hiddenValue(html, 'mark'), ...SHOWN }
    const limits = { payerDeclines: '10', binDeclines: '100' }
    await owner.post(SETTINGS, { ...sent, ...limits, name: 'Loja', 'step-up-code': CODE })
    expect(held().store.name).toBe('Loja')
    expect(held().store).not.toHaveProperty('payerDeclines')
    expect(console.acts.join(' ')).not.toContain('Declines')
  })

  it('show every problem at its field, and keep the typed values', async () => {
    held().store = { ...held().store, signature: 'rfc9421' }
    const notificationUrl = 'http://localhost:3000/'
    const fields = { name: ' ', notificationUrl, payerDeclines: '11', addressDeclines: 'dez' }
    const { status, html } = await save(fields)
    expect(status).toBe(422)
    const page = visibleText(html)
    expect(page).toContain('Enter a name of 1 to 100 visible characters')
    expect(page).toContain('Enter a full internet address of up to 200 characters')
    expect(html).toMatch(/id="notificationUrl"[^>]*aria-invalid="true"[^>]*:3000/)
    expect(page).toContain('This is more than the current limit, 10.')
    expect(page).toContain('Enter a whole number from 1 to 100,000.')
    expect(page).toContain('The store already signs with RFC 9421 only.')
    expect(html).toMatch(/id="addressDeclines"[^>]*aria-invalid="true"[^>]*value="dez"/)
    expect(html).toMatch(/href="#payerDeclines"/)
    expect(held().writes).toEqual([])
    expect(console.acts.at(-1)).toMatch(/refused/)
  })

  it('are not overwritten by a form that another change has overtaken', async () => {
    const mark = hiddenValue((await owner.get(SETTINGS)).html, 'mark')
    held().store = { ...held().store, name: 'Another' }
    await save({ name: 'Mine', mark })
    expect(held().store.name).toBe('Another')
    expect(visibleText((await owner.get(SETTINGS)).html)).toContain(
      'another person has just changed the store',
    )
  })

  it.each(['developer', 'finance', 'support'] as const)(
    'are closed to %s, whose attempts are logged',
    async (role) => {
      const person = console.newPerson(role)
      const csrf = hiddenValue((await person.get('/me')).html, 'csrf')
      const forms = [
        [SETTINGS, { ...SHOWN, name: 'Mine' }],
        [ORIGINS, { origin: 'https://evil.example' }],
        [`${ORIGINS}/remove`, { origin: SHOP, confirm: 'yes' }],
      ] as const
      for (const [address, fields] of forms) {
        expect((await person.get(address)).status).toBe(403)
        const sent = { csrf, 'step-up-code': CODE, ...fields }
        expect((await person.post(address, sent)).status).toBe(403)
        expect(console.acts.at(-1)).toMatch(/refused/)
      }
      expect(held().writes).toEqual([])
    },
  )

  it('are read by developers, without a way to change them', async () => {
    held().store = { ...held().store, notificationUrl: 'https://loja.example/n' }
    const { html } = await console.newPerson('developer').get(STORE)
    expect(visibleText(html)).toContain('https://loja.example/n')
    expect(visibleText(html)).toContain('10 per payer, 30 per IP address, 100 per BIN')
    expect(html).not.toMatch(/store\/settings|store\/origins/)
    expect((await owner.get(STORE)).html).toMatch(/store\/settings.*store\/origins/s)
  })
})

describe('the pages with card fields', () => {
  it('are added and removed one by one, and logged', async () => {
    const added = await post(ORIGINS, { origin: ' https://WWW.loja.example/ ' })
    expect(added.status).toBe(303)
    expect(held().store.fieldOrigins).toEqual([SHOP, 'https://www.loja.example'])
    await post(`${ORIGINS}/remove`, { origin: SHOP, confirm: 'yes' })
    expect(held().store.fieldOrigins).toEqual(['https://www.loja.example'])
    const log = console.acts.join('\n')
    expect(log).toContain('https://www.loja.example')
    expect(log).toMatch(/originRemoved.*https:\/\/loja\.example/)
  })

  it('stay where their removal was not confirmed, or they were removed already', async () => {
    await post(`${ORIGINS}/remove`, { origin: SHOP })
    await post(`${ORIGINS}/remove`, { origin: 'https://gone.example', confirm: 'yes' })
    expect(held().store.fieldOrigins).toEqual([SHOP])
    expect(visibleText((await owner.get(ORIGINS)).html)).toContain('that page was already removed')
  })

  it.each([
    ['loja.example', 'like https://shop.example, without a path. Add'],
    [SHOP, 'This address is already in the list'],
  ])('keep %s at its field with what is wrong', async (origin, problem) => {
    const { status, html } = await post(ORIGINS, { origin })
    expect(status).toBe(422)
    expect(visibleText(html)).toContain(problem)
    expect(html).toMatch(new RegExp(`aria-invalid="true"[^>]*value="${origin}"`))
    expect(held().writes).toEqual([])
  })
})
