import { beforeEach, describe, expect, it } from 'vitest'
import {
  ACTIONS,
  DatabaseGoneError,
  type Developer,
  type OpenPanel,
  PANEL_URL,
  hiddenValue,
  signedIn,
  INBOX_PATH,
  NOW_MS,
  REQUEST_ID,
  WAITING_REFUND,
  pixTransaction,
  refusedNotification,
  refusedRequest,
} from '../testing/whole-console.fixture.js'
import { useView } from '../visit/visit.js'

const LINK_ID = 'abcdefghijklmnopqrstuv'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})

const PAGES = [
  '/payments',
  '/figures',
  '/waiting-for-capture',
  '/payments/1001',
  '/receiver',
  '/requests',
  `/requests/${REQUEST_ID}`,
  '/checklist',
  '/test-data',
  '/clock',
  '/settlement',
  '/credentials',
  '/reset',
]

/** Fields with which every action changes something. */
const FIELDS = {
  status: 'COMPLETE',
  amount: '1',
  unit: 'hour',
  method: 'pix',
  kind: 'at-once',
  confirm: 'yes',
}

describe('every page', () => {
  it.each([...PAGES, '/nothing-here'])(
    '%s loads nothing inline or from elsewhere, and is kept nowhere',
    async (path) => {
      panel.held.transactions.push(pixTransaction())
      panel.held.requests.push(refusedRequest())
      const { headers, html } = await panel.developer.get(path)
      expect(headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(html).not.toMatch(/<style|\sstyle=|<script>|\son\w+=/)
    },
  )

  it.each(PAGES)('%s requires a sign-in', async (path) => {
    const stranger = panel.newDeveloper()
    expect((await stranger.get(path)).status).toBe(303)
    expect((await stranger.get('/changes')).status).toBe(303)
  })
})

describe('a component', () => {
  it('fails outside a page, where it would have no token for its forms', () => {
    expect(() => useView()).toThrow('on no page')
  })
})

describe('every action', () => {
  it.each(ACTIONS)('%s requires the form’s token', async (path) => {
    for (const csrf of [
      '',
      'guessed',
      hiddenValue((await panel.newDeveloper().get('/sign-in/sandbox')).html, 'csrf'),
    ]) {
      const answer = await panel.developer.post(path, { ...FIELDS, csrf })
      expect(answer.status).toBe(403)
    }
    expect(panel.held.writes).toEqual([])
  })

  it.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site', Origin: PANEL_URL }],
    [{ Origin: 'https://evil.example' }],
  ])('is refused with %j', async (headers) => {
    const csrf = hiddenValue((await panel.developer.get('/clock')).html, 'csrf')
    const answer = await panel.developer.post('/clock', { ...FIELDS, csrf }, headers)
    expect(answer.status).toBe(403)
    expect(panel.held.writes).toEqual([])
  })

  it.each([[{}], [{ Origin: 'null' }], [{ Origin: PANEL_URL }]])(
    'is accepted with its token and %j, as older browsers send',
    async (headers) => {
      const csrf = hiddenValue((await panel.developer.get('/clock')).html, 'csrf')
      await panel.developer.post('/clock', { ...FIELDS, csrf }, headers)
      expect(panel.held.writes).toEqual(['advance 3600000'])
    },
  )

  it.each(ACTIONS)('%s requires a session', async (path) => {
    const stranger = panel.newDeveloper()
    const csrf = hiddenValue((await stranger.get('/sign-in/sandbox')).html, 'csrf')
    const answer = await stranger.post(path, { ...FIELDS, csrf })
    expect(answer.location).toMatch(/^\/sign-in\/sandbox\?/)
    expect(panel.held.writes).toEqual([])
  })

  it('A form can have up to 64 KiB', async () => {
    const answer = await panel.developer.post('/clock', { csrf: 'x'.repeat(70_000) })
    expect(answer.status).toBe(413)
  })
})

describe('what shops and attackers write', () => {
  const MARKUP = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`

  it('is shown as text', async () => {
    const { held, developer } = panel
    const attempt = {
      atMs: NOW_MS,
      statusCode: 500,
      error: MARKUP,
      durationMs: 1,
      responseExcerpt: MARKUP,
    }
    const { notification: sent } = refusedNotification()
    const notification = refusedNotification({
      notification: { ...sent, url: MARKUP },
      attempts: [attempt],
    })
    const request = refusedRequest({
      method: MARKUP,
      target: MARKUP,
      requestBody: MARKUP,
      responseBody: JSON.stringify({
        errors: [{ code: 210_318, description: MARKUP, property: MARKUP, constraint: MARKUP }],
      }),
    })
    held.transactions.push(
      pixTransaction(
        {
          reference: MARKUP,
          description: MARKUP,
          payerEmail: MARKUP,
          payerDocument: MARKUP,
          notificationUrl: MARKUP,
          subType: MARKUP,
          cardLastFour: MARKUP,
          paymentDetails: { kind: 'pix', code: MARKUP },
        },
        { refunds: [{ ...WAITING_REFUND, reference: MARKUP }], notifications: [notification] },
      ),
    )
    held.links.set('1001', { id: LINK_ID, reference: MARKUP })
    held.requests.push(request)
    const { app } = panel
    await app.request(`${PANEL_URL}${INBOX_PATH}`, {
      method: 'POST',
      body: MARKUP,
      headers: { 'X-Evil': MARKUP },
    })
    for (const path of [...PAGES, `/payments?text=${encodeURIComponent(MARKUP)}`]) {
      const { html } = await developer.get(path)
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('<img src=x')
    }
    const { html } = await developer.get('/payments/1001')
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)')
  })

  it.each(['/payments/%3Cscript%3E', '/requests/9999999999999999999', '/requests/x'])(
    'answers %s with the page for nothing found',
    async (path) => {
      const { status, html } = await panel.developer.get(path)
      expect(status).toBe(404)
      expect(html).toContain('Page not found')
    },
  )

  it.each(['constructor', '__proto__', 'toString', '<script>alert(1)</script>', 'x'])(
    'is ignored as the result of an action: %s',
    async (flash) => {
      panel.developer.cookies.set('__Host-cofre_panel_flash', flash)
      const { status, html } = await panel.developer.get('/clock')
      expect(status).toBe(200)
      expect(html).not.toContain('data-flash')
    },
  )

  it('hides the message of a failure', async () => {
    panel.held.failure = new Error('a secret of the database')
    const { status, html } = await panel.developer.get('/payments')
    expect(status).toBe(500)
    expect(html).toContain('Something went wrong on our side')
    expect(html).not.toContain('a secret of the database')
  })

  it('reports a database outage as temporary', async () => {
    panel.held.failure = new DatabaseGoneError('a secret of the database')
    const { status, html, headers } = await panel.developer.get('/payments')
    expect(status).toBe(503)
    expect(headers.get('Retry-After')).toBe('2')
    expect(html).toContain('The database isn’t responding')
    expect(html).not.toContain('a secret of the database')
  })
})
