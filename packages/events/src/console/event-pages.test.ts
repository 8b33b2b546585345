import { SECOND_MS } from '@cofre/contracts'
import { ROLES } from '@cofre/people'
import {
  type Developer,
  OTHER_STORE_ID,
  STORE_ID,
  hiddenValue,
  openConsole,
  visibleText,
} from '@cofre/panel/testing'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { FAILED, type TestEvents, firstEventOf, openTestEvents } from '../events.fixture.js'
import { eventsPage } from './page.js'

const PRODUCTION = `/production/${STORE_ID}`
const URL = 'https://shop.example/events'

let events: TestEvents
let panel: ReturnType<typeof openConsole>
beforeEach(async () => {
  const acceptsNotificationUrl = (url: string) => !url.includes('inside')
  events = await openTestEvents(TEST_SQLITE, {
    requestPolicy: { wallets: [], acceptsNotificationUrl },
  })
  onTestFinished(() => events.test.close())
  panel = openConsole({}, [eventsPage({ production: events.room().events })])
})

const csrfOf = async (person: Developer, path = `${PRODUCTION}/events`): Promise<string> =>
  hiddenValue((await person.get(path)).html, 'csrf')
const textAt = async (person: Developer, path: string): Promise<string> =>
  visibleText((await person.get(`${PRODUCTION}${path}`)).html)
/** Posts a form; a person who shows a secret or changes an endpoint confirms it. */
const post = async (person: Developer, path: string, fields: Record<string, string> = {}) => {
  const csrf = await csrfOf(person)
  const form = { ...fields, csrf, here: `${PRODUCTION}/events`, 'step-up-code': '123456' }
  const answer = await person.post(`${PRODUCTION}${path}`, form)
  return answer.location === null ? answer : await person.get(answer.location)
}
const add = (person: Developer, fields: Record<string, string> = {}) =>
  post(person, '/events/endpoints/new', { url: URL, enabled: 'yes', ...fields })
const endpoints = async () => {
  const { json } = await events.test.send('GET', '/event-endpoints')
  return json['event-endpoints'] as { code: string; url: string; types: string[] | null }[]
}
const secretIn = (html: string): string => /whsec_[A-Za-z0-9+/]{43}=/.exec(html)?.[0] ?? ''

describe('endpoints in the console', () => {
  it('are added with a secret that is shown once', async () => {
    const owner = panel.newPerson('owner')
    const page = await add(owner, { 'type-link.paid': 'yes' })
    expect(secretIn(page.html)).not.toBe('')
    expect(await endpoints()).toMatchObject([{ url: URL, types: ['link.paid'] }])
    const list = await owner.get(`${PRODUCTION}/events`)
    expect(visibleText(list.html)).toContain('link.paid')
    expect(secretIn(list.html)).toBe('')
    const [{ code } = { code: '' }] = await endpoints()
    expect(panel.acts.slice(-2)).toEqual([
      expect.stringContaining('person:per_owner event-endpoint:create'),
      `1 done endpoint: ${code}`,
    ])
    expect(panel.acts.join()).not.toContain('whsec_')
  })

  it('are added once by a form that is sent twice', async () => {
    const owner = panel.newPerson('owner')
    const form = await owner.get(`${PRODUCTION}/events/endpoints/new`)
    const endpoint = hiddenValue(form.html, 'endpoint')
    const first = secretIn((await add(owner, { endpoint })).html)
    expect(secretIn((await add(owner, { endpoint })).html)).toBe(first)
    expect(await endpoints()).toMatchObject([{ code: endpoint, url: URL }])
    await add(owner)
    expect(await endpoints()).toHaveLength(2)
  })

  it('show the wrong address with what was typed', async () => {
    const page = await add(panel.newPerson('owner'), { url: 'https://inside.example/' })
    expect(page.status).toBe(422)
    expect(page.html).toContain('value="https://inside.example/"')
    expect(visibleText(page.html)).toContain('Enter a complete address')
    expect(await endpoints()).toEqual([])
  })

  it('are ten at most', async () => {
    const owner = panel.newPerson('owner')
    for (let i = 0; i < 10; i++) await events.endpoint()
    expect((await add(owner)).status).toBe(422)
  })

  it('are changed, back to all types too, and deleted', async () => {
    const { code } = await events.endpoint(URL, { types: ['link.paid'] })
    const developer = panel.newPerson('developer')
    const at = `/events/endpoints/${code}`
    expect(await textAt(developer, at)).toContain('Create a new secret')
    const changed = await post(developer, at, { url: 'https://shop.example/new' })
    expect(visibleText(changed.html)).toContain('The endpoint was changed.')
    expect(await endpoints()).toMatchObject([
      { url: 'https://shop.example/new', types: null, enabled: false },
    ])
    await post(developer, `${at}/delete`)
    expect(await endpoints()).toHaveLength(1)
    await post(developer, `${at}/delete`, { confirm: 'yes' })
    expect(await endpoints()).toEqual([])
    expect(panel.acts.filter((act) => act.includes(`done endpoint: ${code}`))).toHaveLength(2)
    expect((await developer.get(`${PRODUCTION}${at}`)).status).toBe(404)
  })

  it('get one new secret from a form that is sent twice', async () => {
    const { code, secret } = await events.endpoint()
    const owner = panel.newPerson('owner')
    const rotate = (seen: string) =>
      post(owner, `/events/endpoints/${code}/secret`, { confirm: 'yes', seen })
    const first = await rotate('')
    expect(secretIn(first.html)).not.toBe('')
    expect(secretIn(first.html)).not.toBe(secret)
    expect(secretIn((await rotate('')).html)).toBe('')
    const seen = hiddenValue(
      (await owner.get(`${PRODUCTION}/events/endpoints/${code}`)).html,
      'seen',
    )
    expect(secretIn((await rotate(seen)).html)).not.toBe('')
  })

  it('show what waits, and the last failure', async () => {
    await events.endpoint()
    events.answer = () => FAILED
    await events.pay('paid')
    await events.send()
    const text = await textAt(panel.newPerson('support'), '/events')
    expect(text).toContain('failing since')
    expect(text).toMatch(/Waiting 1 Last delivery none in 30 days Last failure .* 500/)
  })

  it.each(ROLES)('are read by the role %s, and written by owners and developers', async (role) => {
    const { code } = await events.endpoint()
    const person = panel.newPerson(role)
    expect(await textAt(person, '/events')).toContain(URL)
    const isAllowed = role === 'owner' || role === 'developer'
    for (const path of ['new', code])
      expect((await person.get(`${PRODUCTION}/events/endpoints/${path}`)).status).toBe(
        isAllowed ? 200 : 403,
      )
    if (isAllowed) return
    for (const path of ['new', code, `${code}/secret`, `${code}/delete`]) {
      const form = { csrf: await csrfOf(person) }
      const answer = await person.post(`${PRODUCTION}/events/endpoints/${path}`, form)
      expect(answer.status).toBe(403)
    }
    expect(await endpoints()).toHaveLength(1)
  })

  it('of another store are not reached', async () => {
    const { code } = await events.endpoint()
    const owner = panel.newPerson('owner', [STORE_ID, OTHER_STORE_ID])
    const other = `/production/${OTHER_STORE_ID}`
    expect((await owner.get(`${other}/events/endpoints/${code}`)).status).toBe(404)
    const csrf = await csrfOf(owner)
    const form = { csrf, confirm: 'yes', 'step-up-code': '123456' }
    await owner.post(`${other}/events/endpoints/${code}/delete`, form)
    expect(await endpoints()).toHaveLength(1)
  })
})

describe('events in the console', () => {
  it('are listed with their payment and deliveries, and for one payment', async () => {
    await events.endpoint()
    const code = await events.pay('paid')
    events.nowMs += SECOND_MS
    await events.decline('declined')
    await events.send()
    const person = panel.newPerson('finance')
    const { html } = await person.get(`${PRODUCTION}/events`)
    expect(html).toContain(`href="${PRODUCTION}/payments/${code}"`)
    expect(visibleText(html)).toMatch(/payment\.cancelled .*delivered.*payment\.completed/)
    const one = await textAt(person, `/events?payment=${code}`)
    expect(one).toContain('payment.completed')
    expect(one).not.toContain('payment.cancelled')
  })

  it.each(ROLES)(
    'are sent again by the role %s to one endpoint, and it is logged',
    async (role) => {
      const { code } = await events.endpoint()
      const event = firstEventOf(await events.pay('paid'))
      await events.send()
      const page = await post(panel.newPerson(role), `/events/${event}/send`, { endpoint: code })
      expect(visibleText(page.html)).toContain('The event is being sent again.')
      expect(await events.send()).toHaveLength(1)
      expect(panel.acts).toEqual([
        expect.stringContaining(`person:per_${role} event:send-again ${event} asked`),
        '1 done',
      ])
    },
  )

  it('are sent to an endpoint that was added later', async () => {
    const event = firstEventOf(await events.pay('paid'))
    const { code } = await events.endpoint()
    const person = panel.newPerson('support')
    expect(await textAt(person, '/events')).toContain('Sent to no endpoint.')
    await post(person, `/events/${event}/send`, { endpoint: code })
    expect(await events.send()).toHaveLength(1)
    const gone = await post(person, '/events/evt_1_1/send', { endpoint: code })
    expect(visibleText(gone.html)).toContain('This no longer exists.')
  })
})
