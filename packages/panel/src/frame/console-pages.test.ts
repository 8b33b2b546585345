import { ENVIRONMENTS } from '@cofre/contracts'
import { ROLES, type Role, may } from '@cofre/people'
import { createLimited } from '@cofre/work'
import { Hono } from 'hono'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  CODE,
  LAST_WRONG_CODE,
  type OpenConsole,
  openConsole,
  ACTIONS,
  type Developer,
  PANEL_URL,
  appOf,
  hiddenValue,
  pagesOfRooms,
  newDeveloper,
  visibleText,
  NOW_MS,
  OTHER_STORE_ID,
  STORE_ID,
  pixTransaction,
} from '../testing/whole-console.fixture.js'
import { createPanel } from '../create-panel.js'
import { checkForm, createConsolePages, done, refused, requireSession } from './console-pages.js'
import { PEOPLE_PAGES, SANDBOX_PAGES } from '../pages.js'
import { PEOPLE_PAGE } from '../staff/pages.js'
import type { ShownPage } from '../visit/shown-page.js'
import { type PanelEnv, readSession, readVisit } from '../visit/visit.js'

const ALL_PAGES = [...pagesOfRooms({}), ...PEOPLE_PAGES, ...SANDBOX_PAGES].flatMap(
  (page): readonly ShownPage[] => ('below' in page ? [] : [page]),
)

let panel: OpenConsole
beforeEach(() => {
  panel = openConsole()
})

const PRODUCTION = `/production/${STORE_ID}`
const SANDBOX = `/sandbox/${STORE_ID}`

describe.each(ROLES)('a person with the role %s', (role) => {
  const accessOf = (of: Role) =>
    ({
      kind: 'person',
      personId: 'p',
      name: 'n',
      role: of,
      scope: 'both',
      steppedUpUntilMs: 0,
    }) as const

  it.each(ENVIRONMENTS)('sees %s according to the table of roles', async (environment) => {
    const person = panel.newPerson(role)
    for (const { path: address, permission: needs } of ALL_PAGES) {
      const path = `/${environment}/${STORE_ID}${address}`
      const isNowhere = environment === 'production' && needs.startsWith('sandbox:')
      const refused = isNowhere ? 404 : 403
      const expected = may(accessOf(role), environment, needs) ? 200 : refused
      expect([path, (await person.get(path)).status]).toEqual([path, expected])
    }
  })

  it('has a navigation without pages that it may not see', async () => {
    const { html } = await panel.newPerson(role).get(`${SANDBOX}/payments`)
    for (const { path: address, permission: needs } of ALL_PAGES)
      expect([address, html.includes(`href="${SANDBOX}${address}"`)]).toEqual([
        address,
        may(accessOf(role), 'sandbox', needs),
      ])
  })

  it('finds nothing of a store in which it does not work', async () => {
    const person = panel.newPerson(role)
    for (const environment of ENVIRONMENTS)
      for (const { path: address } of ALL_PAGES) {
        const path = `/${environment}/${OTHER_STORE_ID}${address}`
        expect([path, (await person.get(path)).status]).toEqual([path, 404])
      }
  })
})

it('a store’s secret opens only that store’s sandbox', async () => {
  const developer = panel.newDeveloper()
  await developer.signIn()
  for (const { path: address, permission: needs } of ALL_PAGES) {
    const expected = may({ kind: 'store-secret' }, 'sandbox', needs) ? 200 : 403
    const { status } = await developer.get(`${SANDBOX}${address}`)
    expect([address, status]).toEqual([address, expected])
    expect((await developer.get(`${PRODUCTION}${address}`)).status).toBe(404)
    expect((await developer.get(`/sandbox/${OTHER_STORE_ID}${address}`)).status).toBe(404)
  }
})

describe('every address of a store, whatever it is', () => {
  /** Read from the application, so that every new page is covered. */
  const addresses = async () =>
    (await panel.app.routes())
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/:environment'))
      .map(({ method, path }) => {
        const [, , , ...within] = path.split('/')
        const named = within.map((part) => (part.startsWith(':') ? '1001' : part))
        return { method, path: `/${named.join('/')}` }
      })
  const ask = async (who: Developer, method: string, path: string): Promise<number> => {
    const csrf = hiddenValue((await who.get('/payments')).html, 'csrf')
    const answer = method === 'GET' ? await who.get(path) : await who.post(path, { csrf })
    return answer.status
  }

  it('is nothing to an owner of another store', async () => {
    const owner = panel.newPerson('owner', [OTHER_STORE_ID])
    expect((await addresses()).length).toBeGreaterThan(40)
    for (const { method, path } of await addresses())
      for (const place of [PRODUCTION, SANDBOX])
        expect([path, await ask(owner, method, `${place}${path}`)]).toEqual([path, 404])
    expect(panel.held.writes).toEqual([])
  })

  it('redirects a browser without a session', async () => {
    const stranger = panel.newDeveloper()
    for (const { path } of await addresses())
      expect([path, (await stranger.get(`${PRODUCTION}${path}`)).status]).toEqual([path, 303])
  })
})

describe('a person’s forms', () => {
  const csrfOf = async (person: Developer): Promise<string> =>
    /name="csrf" value="([^"]*)"/.exec((await person.get('/payments')).html)?.[1] ?? ''

  it.each(ACTIONS)('%s is nothing in another store, nor in production', async (action) => {
    const person = panel.newPerson('owner')
    const csrf = await csrfOf(person)
    for (const path of [`/sandbox/${OTHER_STORE_ID}${action}`, `/production/elsewhere${action}`])
      expect((await person.post(path, { csrf })).status).toBe(404)
    expect((await person.post(`${PRODUCTION}${action}`, { csrf })).status).toBe(404)
    expect(panel.held.writes).toEqual([])
    expect(panel.production.held.writes).toEqual([])
    expect(panel.acts).toEqual([])
  })

  it.each(['support', 'finance'] as const)(
    'refuse actions that %s may not do, and log them',
    async (role) => {
      const person = panel.newPerson(role)
      const fields = { csrf: await csrfOf(person), confirm: 'yes' }
      expect((await person.post('/reset', fields)).status).toBe(403)
      expect((await person.post('/credentials/secret', fields)).status).toBe(403)
      expect(panel.held.writes).toEqual([])
      const who = `sandbox store-1 person:per_${role}`
      expect(panel.acts).toEqual([
        `${who} sandbox:reset - asked from 192.0.2.1`,
        '1 refused why: role',
        `${who} sandbox:secret - asked from 192.0.2.1`,
        '3 refused why: role',
      ])
    },
  )

  it('are logged before and after the action, with person, origin and target', async () => {
    panel.held.transactions.push(pixTransaction())
    const person = panel.newPerson('support')
    for (const status of ['COMPLETE', 'PENDING'])
      await person.post('/payments/1001/status', { csrf: await csrfOf(person), status })
    expect(panel.acts).toEqual([
      'sandbox store-1 person:per_support sandbox:tools 1001 asked from 192.0.2.1',
      '1 done',
      'sandbox store-1 person:per_support sandbox:tools 1001 asked from 192.0.2.1',
      '3 refused',
    ])
  })

  it('are the sandbox’s own log where a store’s secret has signed in', async () => {
    const developer = panel.newDeveloper()
    await developer.signIn()
    await developer.post('/receiver/empty', { csrf: await csrfOf(developer) })
    expect(panel.held.writes).toEqual(['empty inbox'])
    expect(panel.acts).toEqual([])
  })
})

describe('what wants a fresh proof', () => {
  const amounts: string[] = []
  let person: Developer
  beforeEach(() => {
    amounts.length = 0
    const site = { url: PANEL_URL, name: 'cofre_panel', sameSite: 'Strict' } as const
    const parts = {
      ...panel.deps,
      site,
      pages: ALL_PAGES,
      uploads: new Set<string>(),
      limited: createLimited(),
    }
    const app = new Hono<PanelEnv>()
    app.use(readVisit(parts), readSession(parts), requireSession(parts), checkForm(parts))
    const pages = createConsolePages(parts)
    const rule = { needs: 'refund:create', act: 'refund:create', stepUp: true } as const
    const page = { ...PEOPLE_PAGE, permission: 'payments:read' } as const
    pages.of(page).page('/step-up-asked', () => ({ body: '' }))
    pages.of(page).action('/step-up-asked', rule, (_visit, form) => {
      const amount = form.get('amount') ?? ''
      amounts.push(amount)
      return Promise.resolve(amount === 'bad' ? refused('resent') : done('gone'))
    })
    app.route('/:environment/:store', pages.app)
    person = newDeveloper(appOf(Promise.resolve(app)), { 'Accept-Language': 'en' })
    const [cookie = ['', '']] = panel.newPerson('finance').cookies
    person.cookies.set(...cookie)
  })
  const path = `${PRODUCTION}/step-up-asked`
  const post = async (fields: Record<string, string>) => {
    const csrf = /name="csrf" value="([^"]*)"/.exec((await person.get(path)).html)?.[1] ?? ''
    return person.post(path, { csrf, here: path, amount: '<5>', ...fields })
  }

  it('requires a code first, and carries its fields along', async () => {
    const page = await post({})
    expect(visibleText(page.html)).toContain('Confirm it’s you')
    expect(page.html).toContain(`action="${path}"`)
    expect(page.html).toContain('name="amount" value="&lt;5&gt;"')
    expect(page.html.match(/name="csrf"/g)).toHaveLength(2)
    expect([amounts, panel.acts]).toEqual([[], []])
  })

  it('does nothing by a wrong code, and the session ends after too many', async () => {
    const wrong = await post({ 'step-up-code': '000000' })
    expect(wrong.status).toBe(403)
    expect(visibleText(wrong.html)).toContain('This code is incorrect')
    expect(wrong.html).not.toContain('000000')
    const ended = await post({ 'step-up-code': LAST_WRONG_CODE })
    expect(ended.location).toBe('/sign-in?expired=1')
    expect([...person.cookies.keys()]).not.toContain('__Host-cofre_person')
    expect([amounts, panel.acts]).toEqual([[], []])
  })

  it('continues after the code, in a new session, and a second time without a code', async () => {
    const before = person.cookies.get('__Host-cofre_person')
    expect((await post({ 'step-up-code': CODE })).location).toBe(path)
    expect(person.cookies.get('__Host-cofre_person')).not.toBe(before)
    expect((await post({ amount: '6' })).location).toBe(path)
    expect(amounts).toEqual(['<5>', '6'])
    panel.clock.nowMs = NOW_MS + 5 * 60_000
    expect(visibleText((await post({})).html)).toContain('Confirm it’s you')
    expect(amounts).toHaveLength(2)
  })

  it('ends in the log of acts with the action’s result, whatever its text', async () => {
    await post({ 'step-up-code': CODE, amount: 'good' })
    await post({ amount: 'bad' })
    expect(panel.acts.filter((act) => /^\d/.test(act))).toEqual(['1 done', '3 refused'])
  })
})

describe('production', () => {
  beforeEach(() => {
    panel.production.held.transactions.push(pixTransaction({ reference: 'a real order' }))
    panel.held.transactions.push(pixTransaction({ reference: 'a test order' }))
  })

  it('shows its own payments, without tools to simulate the bank and without updates', async () => {
    const person = panel.newPerson('owner')
    const list = await person.get(`${PRODUCTION}/payments`)
    expect(list.html).toContain('a real order')
    expect(list.html).not.toContain('a test order')
    expect(list.html).not.toContain('data-version')
    expect(list.html).toContain(`href="${SANDBOX}/payments"`)
    const { html } = await person.get(`${PRODUCTION}/payments/1001`)
    expect(html).toContain('a real order')
    expect(html).not.toContain('<form method="post" action="/production')
  })

  it.each([
    ['support', '***.***.***-25'],
    ['developer', '***.***.***-25'],
    ['finance', '529.982.247-25'],
    ['owner', '529.982.247-25'],
  ] as const)('shows %s the payer’s document as %s', async (role, shown) => {
    const { html } = await panel.newPerson(role).get(`${PRODUCTION}/payments/1001`)
    expect(html).toContain(shown)
    expect(html.includes('529.982.247-25')).toBe(shown === '529.982.247-25')
  })

  it('is closed to every person once the store is disabled', async () => {
    const person = panel.newPerson('owner')
    panel.production.held.store = { ...panel.production.held.store, enabled: false }
    expect((await person.get(`${PRODUCTION}/payments`)).status).toBe(404)
    expect((await person.get(`${SANDBOX}/payments`)).status).toBe(200)
  })

  it('works alone, without sandbox and without its sign-in', async () => {
    const { production } = panel.deps.environments
    const app = appOf(
      createPanel(
        { ...panel.deps, environments: production ? { production } : {} },
        pagesOfRooms({ production: panel.production }),
      ),
    )
    const person = newDeveloper(app)
    for (const cookie of panel.newPerson('owner').cookies) person.cookies.set(...cookie)
    expect((await person.get(`${PRODUCTION}/payments`)).status).toBe(200)
    expect((await person.get(`${SANDBOX}/payments`)).status).toBe(404)
    expect((await person.post('/inbox/unguessable', {})).status).toBe(403)
  })
})

describe('outside the stores', () => {
  it.each([
    ['/', `${PRODUCTION}/payments`],
    ['/transactions/1001?x=1', `${SANDBOX}/payments/1001?x=1`],
    ['/transactions', `${SANDBOX}/payments`],
  ])('%s leads a person with one store to %s', async (path, location) => {
    expect((await panel.newPerson('owner').get(path)).location).toBe(location)
  })

  it('lets a person with two stores choose', async () => {
    const person = panel.newPerson('finance', [STORE_ID, OTHER_STORE_ID])
    const { html } = await person.get('/')
    for (const store of [STORE_ID, OTHER_STORE_ID])
      expect(html).toContain(`href="/production/${store}/payments"`)
    expect(visibleText(html)).toContain('Finance')
    expect((await person.get('/transactions/1001')).location).toBe('/')
  })

  it('shows a person without any store what to do', async () => {
    const { html } = await panel.newPerson('finance', []).get('/')
    expect(visibleText(html)).toContain('Open the link in your invitation')
  })

  it('redirects a session of a store’s secret from an old address into the sandbox', async () => {
    const developer = panel.newDeveloper()
    await developer.signIn()
    const { location } = await developer.get('/transactions/1001?page=2')
    expect(location).toBe(`${SANDBOX}/payments/1001?page=2`)
    expect((await developer.get('/')).location).toBe(`${SANDBOX}/payments`)
  })

  it('ends a person’s session at the sign-out', async () => {
    const person = panel.newPerson('support')
    await person.submit('/payments', '/sign-out')
    expect((await person.get('/payments')).status).toBe(303)
  })
})
