import { Secret } from '@cofre/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ACTIONS,
  DatabaseGoneError,
  type Developer,
  type OpenPanel,
  PANEL_URL,
  addressOf,
  cookieHeader,
  hiddenValue,
  signedIn,
  SECRET,
  STORE_ID,
} from '../testing/whole-console.fixture.js'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})
afterEach(() => {
  panel.stopping.abort()
})

const PAGES = ['/payments', '/receiver', '/requests', '/clock', '/credentials', '/changes']
const FIELDS = {
  status: 'COMPLETE',
  amount: '1',
  unit: 'hour',
  confirm: 'yes',
  secret: SECRET,
  method: 'pix',
  kind: 'at-once',
}

const ENDS = [
  [
    'its secret was replaced at once',
    () => {
      panel.held.store = { ...panel.held.store, secret: new Secret('another secret') }
    },
  ],
  [
    'its store was disabled',
    () => {
      panel.held.store = { ...panel.held.store, enabled: false }
    },
  ],
] as const

describe.each(ENDS)('a session ends when %s', (_why, end) => {
  it.each(PAGES)('for %s', async (path) => {
    end()
    const { status, location } = await panel.developer.get(path)
    expect([status, location]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in\/sandbox\?.*expired=1$/),
    ])
    expect(panel.sessions.size).toBe(0)
  })

  it.each(ACTIONS)('for the form of %s', async (path) => {
    const csrf = hiddenValue((await panel.developer.get('/clock')).html, 'csrf')
    end()
    const { status } = await panel.developer.post(path, { ...FIELDS, csrf })
    expect(status).toBe(303)
    expect(panel.held.writes).toEqual([])
  })

  it('for a page that is open', async () => {
    const headers = { Cookie: cookieHeader(panel.developer) }
    const response = await panel.app.request(`${PANEL_URL}${addressOf('/changes')}`, { headers })
    const reader = response.body!.getReader()
    await reader.read()
    end()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toBe('event: signed-out\ndata: \n\n')
    expect((await reader.read()).done).toBe(true)
  })

  it('for good', async () => {
    const { store } = panel.held
    end()
    await panel.developer.get('/clock')
    panel.held.store = store
    expect((await panel.developer.get('/clock')).status).toBe(303)
  })
})

describe('a session', () => {
  it('lasts while the secret that a rotation replaced still signs', async () => {
    await panel.backOffice.rotateSecret(STORE_ID, new Secret('the next secret'))
    expect((await panel.developer.get('/clock')).status).toBe(200)
  })

  it('survives a database outage, and the page asks to try again', async () => {
    panel.held.failure = new DatabaseGoneError('gone')
    for (const path of ['/clock', '/sign-in', '/credentials'])
      expect((await panel.developer.get(path)).status).toBe(503)
    panel.held.failure = undefined
    expect((await panel.developer.get('/clock')).status).toBe(200)
  })
})
