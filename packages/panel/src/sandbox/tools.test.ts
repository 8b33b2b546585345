import { MINUTE_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Developer,
  type OpenPanel,
  PANEL_URL,
  hiddenValue,
  signedIn,
  visibleText,
  INBOX_PATH,
  NOW_MS,
  SECRET,
  STORE_ID,
  REQUEST_ID,
  pixTransaction,
  refusedRequest,
} from '../testing/whole-console.fixture.js'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})

const textAt = async (path: string): Promise<string> =>
  visibleText((await panel.developer.get(path)).html)

describe('the receiver', () => {
  const receive = (path: string, body: string): Response | Promise<Response> =>
    panel.app.request(`${PANEL_URL}${path}`, {
      method: 'POST',
      body,
      headers: { 'Webhook-Id': 'n-1', Cookie: 'cofre_panel=x', Authorization: 'secret' },
    })

  it('receives notifications without a sign-in and shows them, but no cookie', async () => {
    const answer = await receive(INBOX_PATH, 'transaction-code=1001')
    expect(answer.status).toBe(200)
    const text = await textAt('/receiver')
    expect(text).toContain('transaction-code=1001')
    expect(text).toContain('webhook-id n-1')
    expect(Object.keys(panel.held.received[0]?.headers ?? {})).not.toContain('cookie')
    expect(Object.keys(panel.held.received[0]?.headers ?? {})).not.toContain('authorization')
  })

  it('answers with the chosen status', async () => {
    await panel.developer.submit('/receiver', '/receiver/answer', { status: '503' })
    expect((await receive(INBOX_PATH, 'x')).status).toBe(503)
    expect(await textAt('/receiver')).toContain('answered 503')
  })

  it.each(['999', '', 'toString'])('refuses to answer %j', async (status) => {
    const page = await panel.developer.submit('/receiver', '/receiver/answer', { status })
    expect(panel.held.writes).toEqual([])
    expect(visibleText(page.html)).toContain('The form is incomplete.')
  })

  it('receives at no other path, and at most 64 KiB', async () => {
    expect((await receive('/inbox/guessed', 'x')).status).toBe(404)
    expect((await receive(INBOX_PATH, 'x'.repeat(64 * 1024 + 1))).status).toBe(413)
    expect((await receive(INBOX_PATH, 'x'.repeat(64 * 1024))).status).toBe(200)
    expect(panel.held.received).toHaveLength(1)
  })

  it('is emptied by a button', async () => {
    await receive(INBOX_PATH, 'x')
    const page = await panel.developer.submit('/receiver', '/receiver/empty')
    expect(visibleText(page.html)).toContain('Nothing has arrived yet')
  })
})

describe('requests', () => {
  it('explain their errors: the code, its meaning and the field', async () => {
    panel.held.requests.push(refusedRequest())
    for (const path of ['/requests', `/requests/${REQUEST_ID}`]) {
      const text = await textAt(path)
      expect(text).toContain('210318 payer_document_number_invalid')
      expect(text).toContain('payer.document.number is not valid. A CPF of 11 digits or a CNPJ')
      expect(text).toContain('Field: payer.document.number')
      expect(text).toContain('Rule: invalid')
    }
  })

  it('show the reported message, and link to the page of the code', async () => {
    const announced = {
      code: 210_318,
      message: '`payer.document.number` cannot be `1`.',
      doc_url: 'https://sandbox.example/docs/errors#210318',
    }
    const script = { code: 210_318, doc_url: 'javascript:alert(1)' }
    panel.held.requests.push(
      refusedRequest({
        responseBody: JSON.stringify({ errors: [announced, script] }),
        errorCodes: [210_318, 210_318],
      }),
    )
    const { html } = await panel.developer.get(`/requests/${REQUEST_ID}`)
    expect(visibleText(html)).toContain('payer.document.number cannot be 1.')
    expect(html.match(/<a href="[^"]*">All about 210318<\/a>/g)).toEqual([
      `<a href="${announced.doc_url}">All about 210318</a>`,
    ])
  })

  it('distinguish the two causes of a refused reference', async () => {
    const responseBody = JSON.stringify({
      errors: [{ code: 210_104, description: 'transaction_reference_invalid' }],
    })
    panel.held.requests.push(
      refusedRequest({ id: 1, statusCode: 409, responseBody, errorCodes: [210_104] }),
    )
    expect(await textAt('/requests/1')).toContain(
      'The store already used this reference for another transaction.',
    )
  })

  it('explain only the codes if the answer cannot be read', async () => {
    panel.held.requests.push(
      refusedRequest({ responseBody: '{"errors":[{"cod', errorCodes: [10_001] }),
    )
    expect(await textAt(`/requests/${REQUEST_ID}`)).toContain(
      'The request has neither Authorization',
    )
  })

  it('show the headers that matter', async () => {
    panel.held.requests.push(refusedRequest())
    const text = await textAt(`/requests/${REQUEST_ID}`)
    expect(text).toContain('Request headers accept: application/vnd.cofre.v2+json')
    expect(text).toContain('Response headers retry-after: 5')
  })

  it('are filtered by path, status and error, as the form keeps them', async () => {
    panel.held.requests.push(
      refusedRequest({ target: '/cards/bin', statusCode: 404, errorCodes: [90_001] }),
      refusedRequest({ id: 8 }),
    )
    for (const [query, isFound] of [
      ['path=BIN', true],
      ['status=404&error=90001', true],
      ['status=4xx', true],
      ['status=2xx', false],
      ['error=10003', false],
    ] as const) {
      const text = await textAt(`/requests?${query}`)
      expect([query, text.includes('/cards/bin')]).toEqual([query, isFound])
      expect([query, text.includes('No requests found')]).toEqual([query, !isFound])
    }
    const { html } = await panel.developer.get('/requests?path=bin&status=4xx')
    expect(html).toContain('name="path" value="bin"')
    expect(html).toContain('name="status" value="4xx"')
  })

  it('are listed all, or only the failed ones', async () => {
    panel.held.requests.push(
      refusedRequest({ target: '/cards/bin', statusCode: 200, errorCodes: [] }),
      refusedRequest({ id: 8 }),
    )
    expect(await textAt('/requests')).toContain('/cards/bin')
    expect(await textAt('/requests?status=failed')).not.toContain('/cards/bin')
  })

  it('have pages, which keep the filter', async () => {
    const failed = Array.from({ length: 21 }, (_, i) => refusedRequest({ id: 21 - i }))
    panel.held.requests.push(...failed)
    const { html } = await panel.developer.get('/requests?status=failed')
    const next = '/sandbox/store-1/requests?status=failed&amp;after=20'
    expect(html).toContain(`rel="next" href="${next}"`)
    const last = await panel.developer.get('/requests?status=failed&after=20')
    expect(last.html.match(/<article/g)).toHaveLength(1)
    expect(last.html).not.toContain('rel="next"')
  })
})

describe('the clock', () => {
  it('shows its effects before it moves, and moves when they are confirmed', async () => {
    const page = await panel.developer.get('/clock?amount=1&unit=day')
    const text = visibleText(page.html)
    expect(text).toContain('Advance the clock by 1 day?')
    expect(text).toContain('Then Nov 22, 2026, 09:00:00')
    expect(text).toContain('Unpaid payments that will expire 3')
    expect(text).toContain('Notifications that will be sent 2')
    expect(text).toContain('Bank updates on your payments 1')
    expect(panel.held.writes).toEqual([])
    const fields = { amount: '1', unit: 'day' }
    await panel.developer.submit('/clock', '/clock', fields)
    expect(panel.held.writes).toEqual([])
    const path = '/clock?amount=1&unit=day'
    const moved = await panel.developer.submit(path, '/clock', { ...fields, confirm: 'yes' })
    expect(panel.held.writes).toEqual(['advance 86400000'])
    expect(visibleText(moved.html)).toContain('The clock of the whole sandbox was advanced.')
    expect(visibleText(moved.html)).not.toContain('Advance the clock by 1 day?')
  })

  it.each([
    [{ amount: '600', unit: 'second' }, 'advance 600000'],
    [{ amount: '1', unit: 'hour' }, 'advance 3600000'],
    [{ amount: '366', unit: 'day' }, 'advance 31622400000'],
    [{ amount: '367', unit: 'day' }, undefined],
    [{ amount: '0', unit: 'day' }, undefined],
    [{ amount: '-1', unit: 'day' }, undefined],
    [{ amount: '1.5', unit: 'day' }, undefined],
    [{ amount: '1', unit: 'century' }, undefined],
    [{}, undefined],
  ] as readonly (readonly [Record<string, string>, string | undefined])[])(
    'with %j, confirmed, does: %s',
    async (fields, write) => {
      await panel.developer.submit('/clock', '/clock', { ...fields, confirm: 'yes' })
      expect(panel.held.writes).toEqual(write === undefined ? [] : [write])
    },
  )

  it('shows how far ahead the sandbox is, on every page', async () => {
    expect(await textAt('/checklist')).not.toContain('ahead')
    await panel.developer.submit('/clock', '/clock', {
      amount: '25',
      unit: 'hour',
      confirm: 'yes',
    })
    expect(await textAt('/checklist')).toContain('The sandbox is 1 day, 1 hour ahead')
    expect(await textAt('/clock')).toContain('Nov 22, 2026, 10:00:00')
  })
})

describe('settlement', () => {
  it.each([
    [{ kind: 'at-once' }, '{"kind":"at-once"}'],
    [{ kind: 'by-hand' }, '{"kind":"by-hand"}'],
    [{ kind: 'after', seconds: '30' }, '{"kind":"after","seconds":30}'],
    [{ kind: 'after', seconds: '0' }, undefined],
    [{ kind: 'after', seconds: '2592001' }, undefined],
    [{ kind: 'after', seconds: '' }, undefined],
    [{ kind: 'never' }, undefined],
  ] as readonly (readonly [Record<string, string>, string | undefined])[])(
    'given %j is %s',
    async (fields, mode) => {
      await panel.developer.submit('/settlement', '/settlement', { method: 'pix', ...fields })
      expect(panel.held.writes).toEqual(mode === undefined ? [] : [`setMode pix ${mode}`])
    },
  )
})

describe('the secret key', () => {
  const newSecret = (): string => panel.held.store.secret.reveal()

  it('is changed after a confirmation, shown once, and signs others out', async () => {
    const other = panel.newDeveloper()
    await other.signIn()
    const fields = { confirm: 'yes', secret: SECRET }
    const page = await panel.developer.submit('/credentials', '/credentials/secret', fields)
    expect(page.html).toContain(newSecret())
    expect(visibleText(page.html)).toContain('works until Nov 22, 2026, 09:00:00')
    // It would vanish, so this page does not refresh itself.
    expect(page.html).not.toContain('data-version')
    expect((await panel.developer.get('/credentials')).html).not.toContain(newSecret())
    expect((await other.get('/credentials')).status).toBe(303)
    expect(panel.logged.join()).not.toContain(newSecret())
  })

  it('stays without the confirmation', async () => {
    await panel.developer.submit('/credentials', '/credentials/secret', { secret: SECRET })
    expect(panel.held.writes).toEqual([])
  })

  it('stays for a session without the current key, and locks after five attempts', async () => {
    const change = (secret: string) => {
      const fields = { confirm: 'yes', secret }
      return panel.developer.submit('/credentials', '/credentials/secret', fields)
    }
    for (const wrong of ['', 'x', `${SECRET} `, 'a', 'b'])
      expect(visibleText((await change(wrong)).html)).toContain('that isn’t the current secret key')
    expect(visibleText((await change(SECRET)).html)).toContain('Five failed attempts.')
    expect(panel.held.writes).toEqual([])
    panel.clock.nowMs += 15 * MINUTE_MS
    expect((await change(SECRET)).html).toContain(newSecret())
  })

  it('when changed ends a copy of the session that changed it', async () => {
    const thief = panel.newDeveloper()
    for (const [name, value] of panel.developer.cookies) thief.cookies.set(name, value)
    expect((await thief.get('/credentials')).status).toBe(200)
    const fields = { confirm: 'yes', secret: SECRET }
    await panel.developer.submit('/credentials', '/credentials/secret', fields)
    expect((await thief.get('/credentials')).status).toBe(303)
    expect((await panel.developer.get('/credentials')).status).toBe(200)
  })

  it('is not shown to a page that refreshes itself', async () => {
    const { html } = await panel.developer.get('/credentials')
    const fields = { csrf: hiddenValue(html, 'csrf'), here: '/credentials' }
    await panel.developer.post('/credentials/secret', { ...fields, confirm: 'yes', secret: SECRET })
    const follower = panel.newDeveloper({ 'X-Panel-Update': '1' })
    for (const [name, value] of panel.developer.cookies) follower.cookies.set(name, value)
    expect((await follower.get('/credentials')).html).not.toContain(newSecret())
    expect((await panel.developer.get('/credentials')).html).toContain(newSecret())
  })
})

describe('a secret key that the configuration fixes', () => {
  it('is not changed here, and the page shows where it is set', async () => {
    const save = () => Promise.resolve()
    const secretKeeper = { fixedBy: () => 'COFRE_DEV_STORE_SECRET', has: () => true, save }
    panel = await signedIn({ secretKeeper })
    const { html } = await panel.developer.get('/clock')
    const text = await textAt('/credentials')
    expect(text).toContain('The variable COFRE_DEV_STORE_SECRET sets this store’s key.')
    const fields = { csrf: hiddenValue(html, 'csrf'), here: '/credentials', confirm: 'yes' }
    await panel.developer.post('/credentials/secret', fields)
    expect(panel.held.writes).toEqual([])
    expect(await textAt('/credentials')).toContain('The configuration sets this store’s key')
  })
})

describe('the checklist', () => {
  it('ticks what the sandbox has seen, and explains the rest', async () => {
    Object.assign(panel.held.milestones, { 'card-paid': NOW_MS })
    const text = await textAt('/checklist')
    expect(text).toContain('1 of 14 steps')
    expect(text).toContain('Card approved : done Nov 21, 2026, 09:00:00')
    expect(text).toContain('Card declined : to do Pay with the card 4000 0000 0000 0002')
  })

  it('names fields that Cofre doesn’t use, as the request does', async () => {
    expect(await textAt('/checklist')).not.toContain('Cofre doesn’t use')
    const responseHeaders = { 'cofre-unknown-fields': 'transaction.foo' }
    panel.held.requests.push(refusedRequest({ responseHeaders }))
    expect(await textAt('/checklist')).toContain(
      'Your latest POST /transactions has fields that Cofre doesn’t use: transaction.foo',
    )
    expect(await textAt('/requests')).toContain('production ignores them: transaction.foo')
  })
})

describe('the reset', () => {
  it('deletes after a confirmation', async () => {
    panel.held.transactions.push(pixTransaction())
    const page = await panel.developer.submit('/reset', '/reset', { confirm: 'yes' })
    expect(panel.held.writes).toEqual([`deleteTestData ${STORE_ID}`, 'empty inbox'])
    expect(visibleText(page.html)).toContain('The test data was deleted.')
    expect(visibleText(page.html)).toContain('Create your first transaction')
  })

  it('deletes nothing without', async () => {
    await panel.developer.submit('/reset', '/reset')
    expect(panel.held.writes).toEqual([])
  })
})

it('shows the test cards with their outcomes', async () => {
  const text = await textAt('/test-data')
  expect(text).toContain('4000000000000002 Copy : 4000000000000002 visa declined')
  expect(text).toContain('In payer.document .')
})

it('accepts a sign-in only by the browser’s own form', async () => {
  const stranger = panel.newDeveloper()
  const csrf = hiddenValue((await panel.newDeveloper().get('/sign-in/sandbox')).html, 'csrf')
  const answer = await stranger.post('/sign-in/sandbox', {
    csrf,
    'store-id': STORE_ID,
    secret: 'x',
  })
  expect(answer.status).toBe(403)
})
