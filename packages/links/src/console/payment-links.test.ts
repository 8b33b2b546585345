import { ALL_LINKS } from '../model/card-pause.js'
import type { FoundTry } from '../model/link-try.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { LINK_ID, openLinksConsole, paymentLink } from './links-console.fixture.js'
import {
  API_URL,
  CODE,
  type Developer,
  NOW_MS,
  OTHER_STORE_ID,
  STORE_ID,
  hiddenValue,
  pixPayment,
  visibleText,
} from '@cofre/panel/testing'

const PLACE = `/production/${STORE_ID}`
const LINKS = `${PLACE}/payment-links`
const NEW = `${LINKS}/new`
const LINK = `${LINKS}/${LINK_ID}`
const LOGGED = `production ${STORE_ID} person:per_finance`

let panel: ReturnType<typeof openLinksConsole>
let finance: Developer
beforeEach(() => {
  panel = openLinksConsole()
  finance = panel.newPerson('finance')
})

const held = () => panel.heldLinks
const store = () => panel.production.held
const linkTry = (over: Partial<FoundTry['linkTry']> = {}): FoundTry['linkTry'] => ({
  id: 'zyxwvutsrqponmlkjihgfe',
  linkId: LINK_ID,
  number: 1,
  formId: 'form-1',
  method: 'pix',
  reference: 'order-7-1',
  transactionCode: pixPayment().code,
  open: true,
  createdAtMs: NOW_MS,
  pollAtMs: NOW_MS,
  ...over,
})
const waiting = (): FoundTry => ({
  linkTry: linkTry(),
  transaction: pixPayment(),
})
const paid = (): FoundTry => ({
  linkTry: linkTry({ number: 2, reference: 'order-7-2', open: false }),
  transaction: pixPayment({ code: 1002, status: 'COMPLETE' }),
})
const textAt = async (path: string, person = finance) => visibleText((await person.get(path)).html)

const FIELDS = {
  amount: '1.234,56',
  description: 'Two cups',
  reference: 'order-7',
  'method-credit-card': 'yes',
  'method-pix': 'yes',
  installments: '3',
  usage: 'many',
  'expires-at': '2026-12-24T18:00',
  language: 'en-US',
  'success-url': '',
  'notification-url': 'https://shop.example/notifications',
}
const BODY = {
  amount: '1234.56',
  description: 'Two cups',
  reference: 'order-7',
  methods: ['credit-card', 'pix'],
  installments: 3,
  usage: 'many',
  'expires-at': '2026-12-24T18:00:00.0-03:00',
  language: 'en-US',
  'notification-url': 'https://shop.example/notifications',
}

async function send(person: Developer, fields: Record<string, string>, path = NEW, page = path) {
  const csrf = hiddenValue((await person.get(page)).html, 'csrf')
  return await person.post(path, { csrf, here: page, ...fields })
}

const bodies = () =>
  held().writes.map((write) => JSON.parse(/^link (.*) by /.exec(write)?.[1] ?? '') as object)

describe('a new link', () => {
  it('is requested as the API takes it, in the name of who asks, and is in the log', async () => {
    const { location } = await send(finance, FIELDS)
    expect(bodies()).toEqual([BODY])
    expect(held().writes[0]).toMatch(/ by person:per_finance$/)
    expect(location).toBe(LINK)
    expect(await textAt(LINK)).toContain('The link is ready.')
    expect(panel.acts).toEqual([
      `${LOGGED} payment-link:create - asked from 192.0.2.1 amountMinor: 123456`,
      `1 done link: ${LINK_ID}`,
    ])
    expect(panel.heldInSandbox.writes).toEqual([])
  })

  it('begins with what most links are, under a reference of its own', async () => {
    const { html } = await finance.get(NEW)
    expect(hiddenValue(html, 'reference')).toMatch(/^link-2026-11-21-[0-9a-f]{6}$/)
    expect(hiddenValue((await finance.get(NEW)).html, 'reference')).not.toBe(
      hiddenValue(html, 'reference'),
    )
    expect(hiddenValue(html, 'expires-at')).toBe('2026-12-21T23:59')
    for (const method of ['credit-card', 'pix', 'boleto', 'paypal'])
      expect(html).toMatch(new RegExp(`name="method-${method}" value="yes" checked`))
    expect(html).toMatch(/name="usage" value="once" checked/)
    expect(html).toMatch(/<option value="12" selected/)
  })

  it('offers all installments of its store, the most of them first', async () => {
    store().store = { ...store().store, installmentsMax: 18 }
    const { html } = await finance.get(NEW)
    expect(html).toMatch(/<option value="18" selected/)
    expect(html).not.toContain('<option value="19"')
    await send(finance, { ...FIELDS, installments: '18' })
    expect(bodies()[0]).toEqual({ ...BODY, installments: 18 })
  })

  it.each([
    ['nothing', [], ''],
    ['its last payment', ['payment'], 'http://127.0.0.1:8083/inbox/unguessable'],
    ['its last link', ['payment', 'link'], 'https://shop.example/notifications'],
    ['the store', ['payment', 'link', 'store'], 'https://shop.example/of-store'],
  ])('notifies the address of %s unless another is typed', async (_, has, url) => {
    if (has.includes('payment'))
      held().lastNotificationUrl = 'http://127.0.0.1:8083/inbox/unguessable'
    if (has.includes('link'))
      held().paymentLinks.links.push({ link: paymentLink(), state: 'payable', tries: [] })
    if (has.includes('store'))
      store().store = { ...store().store, notificationUrl: 'https://shop.example/of-store' }
    expect(hiddenValue((await finance.get(NEW)).html, 'notification-url')).toBe(url)
  })

  it.each([
    ['none', undefined, 'pt-BR', ['pt-BR', 'en-US']],
    ['one of the page', 'en-US', 'en-US', ['pt-BR', 'en-US']],
    ['another', 'tr-TR', 'tr-TR', ['pt-BR', 'en-US', 'tr-TR']],
  ] as const)('is in the language of its store: %s', async (_, language, chosen, offered) => {
    store().store = { ...store().store, language }
    const { html } = await finance.get(NEW)
    const select = /<select[^>]*name="language".*?<\/select>/s.exec(html)?.[0] ?? ''
    expect([...select.matchAll(/value="([^"]+)"/g)].map(([, one]) => one)).toEqual(offered)
    expect(select).toContain(`value="${chosen}" selected`)
  })

  it.each([
    ['amount', '1234.56', { amount: '1234.56' }],
    ['amount', 'R$ 5', { amount: '5.00' }],
    ['amount', '1e3', { amount: '?' }],
    ['amount', ' ', { amount: undefined }],
    ['installments', 'x', { installments: null }],
    ['expires-at', '', { 'expires-at': undefined }],
    ['expires-at', 'tomorrow', { 'expires-at': 'tomorrow' }],
    ['method-sofort', 'yes', { methods: ['credit-card', 'pix'] }],
    ['capture', 'later', { capture: false, methods: ['credit-card'] }],
    [
      'success-url',
      ' https://shop.example/thanks ',
      { 'success-url': 'https://shop.example/thanks' },
    ],
  ])('takes %s %j as %j', async (name, typed, asked) => {
    await send(finance, { ...FIELDS, [name]: typed })
    expect(bodies()[0]).toEqual({ ...BODY, ...asked })
  })

  it('that only reserves without a card is refused at its methods', async () => {
    held().paymentLinks.failures = [
      { name: 'payment_link_capture_needs_cards', property: 'methods[0]', constraint: 'invalid' },
    ]
    const withoutCard = Object.entries(FIELDS).filter(([name]) => name !== 'method-credit-card')
    const typed = { ...Object.fromEntries(withoutCard), capture: 'later' }
    const { html } = await send(finance, typed)
    expect(bodies()[0]).toEqual({ ...BODY, capture: false, methods: ['pix'] })
    expect(html).toContain('id="methods-problem">Choose credit card: only cards can reserve')
    expect(html).toMatch(/name="capture" value="later" checked/)
    expect((await finance.get(NEW)).html).toMatch(/name="capture" value="later"\/>/)
  })

  it('that is refused shows each failure at its field, with all that was typed', async () => {
    held().paymentLinks.failures = [
      { name: 'transaction_invalid', property: 'amount', constraint: 'invalid', minimum: 1 },
      { name: 'transaction_invalid', property: 'description', constraint: 'required' },
      { name: 'transaction_invalid', property: 'reference', constraint: 'unique' },
      { name: 'unavailable_payment_method', property: 'methods[1]', cause: 'no-account', index: 1 },
      { name: 'transaction_invalid', property: 'expires-at', constraint: 'invalid' },
      { name: 'internal_server_error' },
    ]
    const answer = await send(finance, { ...FIELDS, description: '<b>', 'method-pix': 'yes' })
    expect(answer.status).toBe(422)
    for (const [field, problem] of [
      ['amount', 'At least BRL 1.00.'],
      ['description', 'Fill in this field.'],
      ['reference', 'Your store has already used this reference.'],
      ['expires-at', 'Choose a date and time in the future'],
    ] as const) {
      expect(answer.html).toContain(`<p class="problem" id="${field}-problem">${problem}`)
      expect(answer.html).toContain(`<a href="#${field}">`)
      expect(answer.html).toMatch(
        new RegExp(`id="${field}"[^>]*aria-describedby="${field}-hint ${field}-problem"`),
      )
    }
    expect(answer.html).toContain('id="methods-problem"')
    expect(hiddenValue(answer.html, 'amount')).toBe('1.234,56')
    expect(hiddenValue(answer.html, 'description')).toBe('&lt;b&gt;')
    expect(answer.html).toMatch(/name="method-pix" value="yes" checked/)
    expect(answer.html).not.toMatch(/name="method-boleto" value="yes" checked/)
    expect(panel.acts.at(-1)).toBe('1 refused')
  })

  it('has its failures in the reader’s language', async () => {
    held().paymentLinks.failures = [
      { name: 'transaction_invalid', property: 'amount', maximum: 10_000 },
    ]
    const reader = panel.newPerson('owner')
    await reader.get('/language/pt-BR?to=/')
    expect(visibleText((await send(reader, FIELDS)).html)).toContain('No máximo R$ 10.000,00.')
  })
})

describe('the list', () => {
  it('explains links if there is none, and leads permitted people to the form', async () => {
    expect(await textAt(LINKS)).toContain('A payment link is a page of Cofre')
    expect((await finance.get(LINKS)).html).toContain(`href="${NEW}"`)
    const support = panel.newPerson('support')
    expect((await support.get(LINKS)).html).not.toContain(`href="${NEW}"`)
  })

  it('has each link with what became of it, and leaves as a file', async () => {
    const { links } = held().paymentLinks
    const link = paymentLink({ createdBy: 'person:per_finance', methods: ['pix', 'paypal'] })
    links.push({ link, state: 'payable', tries: [waiting(), paid()] })
    const text = await textAt(LINKS)
    expect(text).toContain(
      'order-7 Two cups active once BRL 42.50 PIX, PayPal 1 of 2 paid Nov 21, 2026, 09:00:00 The finance',
    )
    const { html } = await finance.get(`${LINKS}.csv?state=payable`)
    expect(html).toContain(
      `order-7;Two cups;active;once;42,50;PIX, PayPal;2;1;2026-11-21 09:00:00;The finance;;${API_URL}/pay/${LINK_ID};right away`,
    )
    expect(panel.acts[0]).toContain('list: payment-links, filters: state')
  })

  it('shows which links only reserve, in the list, in its file and on their pages', async () => {
    const link = paymentLink({ methods: ['credit-card'], isCapturedLater: true })
    held().paymentLinks.links.push({ link, state: 'reserved', tries: [] })
    expect(await textAt(`${LINKS}?state=reserved`)).toContain(
      'order-7 Two cups reserved once BRL 42.50 Credit card reserve now, capture later',
    )
    expect((await finance.get(`${LINKS}.csv`)).html).toContain(
      `/pay/${LINK_ID};reserve now, capture later`,
    )
    const text = await textAt(LINK)
    expect(text).toContain('Charge reserve now, capture later')
    expect(text).toContain('The amount is reserved on the customer’s card.')
    expect((await finance.get(LINK)).html).not.toContain(`${LINK}/revoke`)
  })

  it.each([
    ['revoked', 'order-8', 'order-7'],
    ['nonsense', 'order-7', undefined],
    ['paid', 'No links in this state', 'order-7'],
  ])('filtered by %s has %s', async (state, shown, hidden) => {
    const { links } = held().paymentLinks
    links.push({ link: paymentLink(), state: 'payable', tries: [] })
    const other = paymentLink({ id: 'b'.repeat(22), reference: 'order-8' })
    links.push({ link: other, state: 'revoked', tries: [] })
    const text = await textAt(`${LINKS}?state=${state}`)
    expect(text).toContain(shown)
    if (hidden !== undefined) expect(text).not.toContain(hidden)
  })

  it('has pages, and a file with all of them', async () => {
    for (let number = 1; number <= 501; number += 1) {
      const link = paymentLink({
        id: String(number).padStart(22, 'a'),
        reference: `order-${number}`,
      })
      held().paymentLinks.links.push({ link, state: 'payable', tries: [] })
    }
    expect((await finance.get(LINKS)).html).toContain(`rel="next" href="${LINKS}?after=20"`)
    const text = await textAt(`${LINKS}?after=20`)
    expect(text).toContain('order-21 ')
    expect(text).not.toContain('order-41 ')
    expect((await finance.get(`${LINKS}.csv`)).html.trim().split('\r\n')).toHaveLength(502)
  })
})

describe('a link', () => {
  it('is an address to copy and a picture, while it can be paid', async () => {
    held().paymentLinks.links.push({ link: paymentLink(), state: 'payable', tries: [] })
    const { html } = await finance.get(LINK)
    expect(html).toContain(`<code>${API_URL}/pay/${LINK_ID}</code>`)
    expect(html).toContain('data-copy="link-address"')
    expect(html).toMatch(/<img src="data:image\/svg\+xml;base64,/)
    expect(visibleText(html)).toContain('Created by the API')
    expect(visibleText(html)).toContain('Expires never')
  })

  it('leads to the payments of its tries, and they lead to it', async () => {
    const link = paymentLink()
    const notAsked = { linkTry: linkTry({ number: 3, open: false }), transaction: undefined }
    held().paymentLinks.links.push({
      link,
      state: 'paid',
      tries: [{ ...notAsked, linkTry: { ...notAsked.linkTry, reference: 'order-7-3' } }, paid()],
    })
    const { html } = await finance.get(LINK)
    expect(html).toContain(`href="${PLACE}/payments/1002"`)
    expect(visibleText(html)).toContain('order-7-3 not requested PIX')
    expect(visibleText(html)).toContain('This link has been paid.')
    expect(html).not.toContain('data-copy="link-address"')
    expect(html).not.toContain(`${LINK}/revoke`)
  })

  it('is revoked with a fresh proof, after a notice of its open charge', async () => {
    held().paymentLinks.links.push({ link: paymentLink(), state: 'payable', tries: [waiting()] })
    const page = await textAt(`${LINK}/revoke`)
    expect(page).toContain('PIX of payment order-7-1 is waiting for the payer')
    expect(page).toContain('The link for BRL 42.50 will no longer accept payments')
    const asked = await send(finance, {}, `${LINK}/revoke`)
    expect(visibleText(asked.html)).toContain('Confirm it’s you')
    expect(held().writes).toEqual([])
    const { location } = await send(finance, { 'step-up-code': CODE }, `${LINK}/revoke`)
    expect(location).toBe(LINK)
    expect(held().writes).toEqual([`revoke link ${LINK_ID} by person:per_finance`])
    expect(await textAt(LINK)).toContain('The link was revoked.')
    expect(await textAt(LINK)).toContain('A charge is still open')
    expect(await textAt(`${LINK}/revoke`)).toContain('there is nothing to revoke')
    expect(panel.acts).toEqual([
      `${LOGGED} payment-link:revoke ${LINK_ID} asked from 192.0.2.1`,
      '1 done',
    ])
  })

  it('lets cards pay again where they are paused, and at all links', async () => {
    const { links, pauses } = held().paymentLinks
    links.push({ link: paymentLink(), state: 'payable', tries: [] })
    const pause = { storeId: STORE_ID, declines: 20, beganAtMs: NOW_MS, endsAtMs: NOW_MS + 900_000 }
    pauses.push({ ...pause, linkId: LINK_ID, reference: 'order-7' })
    pauses.push({ ...pause, linkId: ALL_LINKS, declines: 200, reference: undefined })
    expect(await textAt(LINKS)).toContain(
      'Card payments are paused Payment link order-7 20 cards were',
    )
    expect(await textAt(LINKS)).toContain('All payment links of the store 200 cards were')
    const { html } = await panel.newPerson('support').get(LINK)
    expect(visibleText(html)).toContain('Card payments are paused')
    expect(html).not.toContain('/lift"')
    for (const path of [`${LINK}/lift`, `${LINKS}/lift`])
      expect((await send(finance, {}, path, LINKS)).location).toBe(path.replace('/lift', ''))
    expect(held().writes).toEqual([`lift pause of ${LINK_ID}`, 'lift pause of all links'])
    expect(await textAt(LINKS)).not.toContain('Card payments are paused')
    expect(panel.acts).toEqual([
      `${LOGGED} payment-link:lift ${LINK_ID} asked from 192.0.2.1`,
      '1 done',
      `${LOGGED} payment-link:lift - asked from 192.0.2.1`,
      '3 done',
    ])
  })

  it('shows who revoked it, and when', async () => {
    const link = paymentLink({ revokedAtMs: NOW_MS, revokedBy: 'person:per_finance' })
    held().paymentLinks.links.push({ link, state: 'revoked', tries: [] })
    expect(await textAt(LINK)).toContain('Revoked Nov 21, 2026, 09:00:00 Revoked by The finance')
  })

  it('that is not the store’s is nothing', async () => {
    held().paymentLinks.links.push({ link: paymentLink(), state: 'payable', tries: [] })
    const stranger = panel.newPerson('owner', [OTHER_STORE_ID])
    const elsewhere = `/production/${OTHER_STORE_ID}/payment-links`
    expect((await stranger.get(elsewhere)).status).toBe(200)
    expect(await textAt(elsewhere, stranger)).not.toContain('order-7')
    for (const path of ['', '/revoke'])
      for (const place of [LINKS, elsewhere])
        expect((await stranger.get(`${place}/${LINK_ID}${path}`)).status).toBe(404)
    const csrf = hiddenValue((await stranger.get(elsewhere)).html, 'csrf')
    const path = `${elsewhere}/${LINK_ID}/revoke`
    const answer = await stranger.post(path, { csrf, 'step-up-code': CODE })
    expect(answer.location).toBe(elsewhere)
    expect((await stranger.post(`${LINK}/revoke`, { csrf })).status).toBe(404)
    expect(held().writes).toEqual([])
    expect(panel.acts.at(-1)).toBe('1 refused')
  })
})

it.each(['support', 'developer'] as const)('%s sees links, and changes none', async (role) => {
  held().paymentLinks.links.push({ link: paymentLink(), state: 'payable', tries: [] })
  const person = panel.newPerson(role)
  const { html } = await person.get(LINK)
  expect(html).toContain(`/pay/${LINK_ID}`)
  expect(html).not.toContain(`${LINK}/revoke`)
  const csrf = hiddenValue(html, 'csrf')
  for (const path of [NEW, `${LINK}/revoke`]) {
    expect((await person.get(path)).status).toBe(403)
    expect((await person.post(path, { csrf, ...FIELDS })).status).toBe(403)
  }
  expect(held().writes).toEqual([])
  expect(panel.acts).toEqual([
    expect.stringContaining(`person:per_${role} payment-link:create`),
    '1 refused why: role',
    expect.stringContaining(`person:per_${role} payment-link:revoke`),
    '3 refused why: role',
  ])
})

it('who has the store’s secret makes and revokes links in the sandbox, in its name', async () => {
  const developer = panel.newDeveloper({ 'Accept-Language': 'en' })
  await developer.signIn()
  await send(developer, FIELDS, '/payment-links/new')
  await send(developer, {}, `/payment-links/${LINK_ID}/revoke`)
  expect(panel.heldInSandbox.writes.map((write) => write.replace(/\{.*\}/, ''))).toEqual([
    'link  by store',
    `revoke link ${LINK_ID} by store`,
  ])
  expect(visibleText((await developer.get(`/payment-links/${LINK_ID}`)).html)).toContain('revoked')
  expect(held().writes).toEqual([])
})

describe('every page of links', () => {
  const MARKUP = '"><script>alert(1)</script><img src=x onerror=alert(2)>'

  it.each([LINKS, NEW, LINK, `${LINK}/revoke`])(
    '%s has nothing inline, and no markup',
    async (path) => {
      const typed = { reference: MARKUP, description: MARKUP, successUrl: MARKUP }
      const link = paymentLink({ ...typed, notificationUrl: MARKUP, createdBy: MARKUP })
      held().paymentLinks.links.push({ link, state: 'payable', tries: [] })
      const { html, status } = await finance.get(path)
      expect(status).toBe(200)
      expect(html).not.toMatch(/<style|\sstyle=|<script>|<img src=x/)
      const stranger = panel.newDeveloper()
      expect((await stranger.get(path)).location).toContain('/sign-in')
    },
  )
})
