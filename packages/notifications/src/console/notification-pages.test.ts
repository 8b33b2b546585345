import { ROLES } from '@cofre/people'
import {
  type Developer,
  NOW_MS,
  OTHER_STORE_ID,
  STORE_ID,
  hiddenValue,
  refusedNotification,
  visibleText,
} from '@cofre/panel/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { openNotificationsConsole } from './notifications-console.fixture.js'

const RESEND = '/payments/1001/notifications/1/resend'
const PRODUCTION = `/production/${STORE_ID}`

let panel: ReturnType<typeof openNotificationsConsole>
let developer: Developer
beforeEach(async () => {
  panel = openNotificationsConsole()
  developer = panel.newDeveloper({ 'Accept-Language': 'en' })
  await developer.signIn()
})

const textAt = async (path: string): Promise<string> =>
  visibleText((await developer.get(path)).html)
const csrfOf = async (person: Developer, path: string): Promise<string> =>
  hiddenValue((await person.get(path)).html, 'csrf')

describe('notifications', () => {
  it('are explained before there are any', async () => {
    expect(await textAt('/notifications')).toContain('No notifications yet')
  })

  it('are sent again by a button on their page', async () => {
    panel.inSandbox.notifications.push(refusedNotification())
    const page = await developer.submit('/notifications', RESEND)
    expect(panel.inSandbox.writes).toEqual(['resend 1001 1'])
    expect(panel.inProduction.writes).toEqual([])
    expect(visibleText(page.html)).toContain('The notification is being sent again.')
    expect(page.html).toContain('aria-current="page"')
  })

  it.each([
    ['waiting', 'waiting for the shop'],
    ['waiting-for-search', 'waiting for the shop to search the transaction'],
    [
      'held',
      'on hold: the shop has refused all notifications for more than an hour. Cofre tries one every 10 minutes. The others follow once one is accepted',
    ],
    ['done', 'acknowledged'],
  ] as const)('show that they are %s', async (state, said) => {
    panel.inSandbox.notifications.push(refusedNotification({ state }))
    expect(await textAt('/notifications')).toContain(`COMPLETE ${said} Nov 21`)
  })

  it('are all in their file', async () => {
    const { notification } = refusedNotification()
    for (let position = 1; position <= 501; position += 1)
      panel.inSandbox.notifications.push(
        refusedNotification({ notification: { ...notification, position } }),
      )
    const lines = (await developer.get('/notifications.csv')).html.split('\r\n')
    expect(lines).toHaveLength(503)
    expect(lines[0]).toBe(
      'Transaction;Position;Status change;Refund id;To;Created;State;Attempts;Last response;Next attempt',
    )
    expect(lines.at(-2)).toContain('1001;501;COMPLETE;;http://127.0.0.1:8083/inbox/unguessable;')
    expect(lines.at(-2)).toContain(';waiting for the shop;2;connection-refused;2026-11-21 09:10:00')
  })
})

describe('a person of a store', () => {
  beforeEach(() => {
    panel.inProduction.notifications.push(refusedNotification())
  })

  it.each(ROLES)('with the role %s has them sent again, and it is logged', async (role) => {
    const person = panel.newPerson(role)
    const csrf = await csrfOf(person, `${PRODUCTION}/notifications`)
    await person.post(`${PRODUCTION}${RESEND}`, { csrf })
    expect(panel.inProduction.writes).toEqual(['resend 1001 1'])
    expect(panel.acts).toEqual([
      `production store-1 person:per_${role} notification:resend 1001 asked from 192.0.2.1`,
      '1 done',
    ])
  })

  it('finds and sends none of another store', async () => {
    const person = panel.newPerson('owner')
    const csrf = await csrfOf(person, `${PRODUCTION}/notifications`)
    for (const store of [`/production/${OTHER_STORE_ID}`, `/sandbox/${OTHER_STORE_ID}`]) {
      expect((await person.get(`${store}/notifications`)).status).toBe(404)
      expect((await person.post(`${store}${RESEND}`, { csrf })).status).toBe(404)
    }
    expect(panel.inProduction.writes).toEqual([])
    expect(panel.acts).toEqual([])
  })

  it('sends none again by a form from elsewhere, or without a session', async () => {
    const person = panel.newPerson('owner')
    const answer = await person.post(`${PRODUCTION}${RESEND}`, { csrf: 'guessed' })
    expect(answer.status).toBe(403)
    const stranger = panel.newDeveloper()
    const csrf = await csrfOf(stranger, '/sign-in')
    expect((await stranger.post(`${PRODUCTION}${RESEND}`, { csrf })).location).toMatch(/^\/sign-in/)
    expect(panel.inProduction.writes).toEqual([])
  })

  it('learns that one is gone', async () => {
    panel.inProduction.notifications.length = 0
    const person = panel.newPerson('support')
    const csrf = await csrfOf(person, `${PRODUCTION}/notifications`)
    await person.post(`${PRODUCTION}${RESEND}`, { csrf })
    expect(panel.acts.at(-1)).toBe('1 refused')
  })
})

it('what shops and attackers write is shown as text', async () => {
  const MARKUP = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`
  const { notification } = refusedNotification()
  const attempt = {
    atMs: NOW_MS,
    statusCode: 500,
    error: MARKUP,
    durationMs: 1,
    responseExcerpt: MARKUP,
  }
  panel.inSandbox.notifications.push(
    refusedNotification({ notification: { ...notification, url: MARKUP }, attempts: [attempt] }),
  )
  const { html } = await developer.get('/notifications')
  expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)')
  expect(html).not.toMatch(/<style|\sstyle=|<script>|<img src=x/)
})
