import { minorUnits } from '@cofre/contracts'
import type { Act } from '@cofre/panel/page'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  CODE,
  type OpenConsole,
  openConsole,
  type Developer,
  hiddenValue,
  visibleText,
  NOW_MS,
  OTHER_STORE_ID,
  STORE_ID,
  WAITING_REFUND,
  pixTransaction,
  refusedNotification,
} from '../../../../../panel/src/testing/whole-console.fixture.js'
import { paymentHistory } from '../payment-history.js'
import { readRefundChoice } from './refund-choice.js'

const PAYMENT = `/production/${STORE_ID}/payments/1001`
const CONFIRM = `${PAYMENT}/refund/confirm?amount=34%2C56&reason=not-delivered`
const ACTS = ['refund', 'cancel', 'block', 'unblock'] as const
const LOGGED = `production ${STORE_ID} person:per_finance`

let panel: OpenConsole
let finance: Developer
beforeEach(() => {
  panel = openConsole()
  finance = panel.newPerson('finance')
  panel.production.held.transactions.push(
    pixTransaction({ status: 'COMPLETE' }, { payerName: 'Maria de Souza' }),
  )
})

/** Posts a form of a page, with its code. */
async function submit(person: Developer, on: string, action: string, more = {}) {
  const { html } = await person.get(on)
  const fields = Object.fromEntries(
    ['csrf', 'here', 'form', 'amount', 'remaining', 'reason'].map((name) => [
      name,
      hiddenValue(html, name),
    ]),
  )
  const asked = await person.post(action, { ...fields, ...more })
  const proof = { csrf: hiddenValue(asked.html, 'csrf'), 'step-up-code': CODE }
  return await person.post(action, { ...fields, ...more, ...proof })
}

describe('a refund', () => {
  it('is confirmed with its amount, payer and method, and begins with a fresh proof', async () => {
    expect((await finance.get(PAYMENT)).html).toContain(`href="${PAYMENT}/refund"`)
    const choice = visibleText((await finance.get(`${PAYMENT}/refund`)).html)
    expect(choice).toContain('Left to refund BRL 1,234.56')
    expect(hiddenValue((await finance.get(`${PAYMENT}/refund`)).html, 'amount')).toBe('1234.56')
    const confirmation = visibleText((await finance.get(CONFIRM)).html)
    for (const part of [
      'refund of BRL 34.56',
      'Maria de Souza',
      '529.982.247-25',
      'PIX',
      '1,200.00',
    ])
      expect(confirmation).toContain(part)
    const note = 'cup 4111 1111 1111 1111 broke'
    const { location } = await submit(finance, CONFIRM, `${PAYMENT}/refund`, { note })
    expect(location).toBe(PAYMENT)
    expect(visibleText((await finance.get(PAYMENT)).html)).toContain('The refund has started')
    const [write, ...others] = panel.production.held.writes
    expect(write).toMatch(
      /^refund 1001 3456 of 123456 not-delivered "cup .* broke" by person:per_f/,
    )
    expect(write).not.toContain('4111 1111')
    expect([others, panel.held.writes]).toEqual([[], []])
    expect(panel.acts).toEqual([
      `${LOGGED} refund:create 1001 asked from 192.0.2.1 amountMinor: 3456, reason: not-delivered`,
      '1 done',
    ])
  })

  it('has one number however often its confirmation is sent, and another on the next one', async () => {
    const form = async () => hiddenValue((await finance.get(CONFIRM)).html, 'form')
    expect(await form()).toMatch(/^[0-9a-f-]{36}$/)
    expect(await form()).not.toBe(await form())
  })

  it.each([
    ['changed', 'the remaining amount has changed'],
    [{ refusedFor: 'refund_already_requested' }, 'See below what is still possible'],
  ] as const)('that was not made (%j) leads back to what remains', async (result, text) => {
    panel.production.held.refundResult = result
    const { location } = await submit(finance, CONFIRM, `${PAYMENT}/refund`)
    expect(location).toBe(`${PAYMENT}/refund`)
    expect(visibleText((await finance.get(location!)).html)).toContain(text)
    expect(panel.acts.at(-1)).toBe('1 refused')
  })

  it('that ends with the process is in the log as requested', async () => {
    const { paymentActs } = panel.production
    Object.assign(paymentActs, { refund: () => Promise.reject(new Error('killed')) })
    expect((await submit(finance, CONFIRM, `${PAYMENT}/refund`)).status).toBe(500)
    expect(panel.acts).toEqual([expect.stringContaining('refund:create 1001 asked')])
    const history = visibleText((await finance.get(PAYMENT)).html)
    expect(history).toContain('Refund requested by')
    expect(history).toContain('no result logged')
  })

  it.each([
    ['amount=&reason=other', 'Enter an amount like'],
    ['amount=0&reason=other', 'Enter an amount like'],
    ['amount=1234,57&reason=other', 'more than what is left to refund'],
    ['amount=5&reason=', 'Choose a reason.'],
    ['amount=5&reason=whim', 'Choose a reason.'],
  ])('is chosen again with %s', async (query, problem) => {
    const { html } = await finance.get(`${PAYMENT}/refund/confirm?${query}`)
    expect(visibleText(html)).toContain(problem)
    expect(html).not.toContain('method="post" action="/production')
  })

  it('of all is the only choice where the store may not refund in part', () => {
    const refund = { remainingMinor: minorUnits(500), obstacle: undefined, mayBePartial: false }
    const typed = { amount: '1', reason: 'other' }
    expect(readRefundChoice(typed, refund)).toEqual({ amountMinor: 500, reason: 'other' })
  })

  it('shows why no refund is possible, instead of a form', async () => {
    const refund = {
      remainingMinor: minorUnits(0),
      obstacle: 'refund_amount_is_greater_than_limit',
      mayBePartial: true,
    } as const
    panel.production.held.possible = { refund, mayCancel: false }
    for (const path of [`${PAYMENT}/refund`, CONFIRM]) {
      const { html } = await finance.get(path)
      expect(visibleText(html)).toContain('Everything has already been refunded')
      expect(html).not.toContain('name="reason"')
    }
    const { html } = await finance.get(PAYMENT)
    expect(html).not.toContain(`${PAYMENT}/refund"`)
    expect(html).not.toContain(`${PAYMENT}/cancel"`)
  })

  it.each([
    [{ amount: '-5' }],
    [{ amount: '1e3' }],
    [{ remaining: '' }],
    [{ reason: 'whim' }],
    [{ form: '' }],
    [{ form: '4111-1111-1111-1111-4111-1111-1111-1' }],
  ])('is not made of a form with %j', async (forged) => {
    await submit(finance, CONFIRM, `${PAYMENT}/refund`, forged)
    expect(panel.production.held.writes).toEqual([])
    expect(panel.acts.at(-1)).toBe('1 refused')
  })
})

it.each([
  ['cancelled', 'The charge was cancelled', 'done'],
  ['paid-meanwhile', 'the charge has already been paid', 'refused'],
  ['not-answered', 'The bank didn’t confirm', 'refused'],
  ['not-possible', 'this charge isn’t open', 'refused'],
] as const)('a cancellation that is %s says so', async (result, text, outcome) => {
  panel.production.held.cancelResult = result
  const { location } = await submit(finance, `${PAYMENT}/cancel`, `${PAYMENT}/cancel`)
  expect(visibleText((await finance.get(location!)).html)).toContain(text)
  expect(panel.production.held.writes).toEqual(['cancel 1001'])
  expect(panel.acts).toEqual([`${LOGGED} charge:cancel 1001 asked from 192.0.2.1`, `1 ${outcome}`])
})

it('a payer is blocked in the store, and unblocked again', async () => {
  expect(visibleText((await finance.get(`${PAYMENT}/block`)).html)).toContain('maria@example.com')
  await submit(finance, `${PAYMENT}/block`, `${PAYMENT}/block`)
  panel.production.held.possible = { isPayerBlocked: true }
  expect(visibleText((await finance.get(PAYMENT)).html)).toContain(
    'The payer is blocked in this store',
  )
  await submit(finance, `${PAYMENT}/block`, `${PAYMENT}/unblock`)
  expect(panel.production.held.writes).toEqual(['block 1001 person:per_finance', 'unblock 1001'])
  expect(panel.acts.filter((act) => act.startsWith('production'))).toEqual([
    `${LOGGED} payer:block 1001 asked from 192.0.2.1`,
    `${LOGGED} payer:unblock 1001 asked from 192.0.2.1`,
  ])
})

it.each(['support', 'developer'] as const)(
  'a person of %s sees neither forms nor names, and cannot act',
  async (role) => {
    const person = panel.newPerson(role)
    const { html } = await person.get(PAYMENT)
    const csrf = hiddenValue(html, 'csrf')
    expect(visibleText(html)).toContain('Payer M**** d* S****')
    expect(html).not.toMatch(/Maria|529\D?982\D?247/)
    expect(visibleText(html)).toContain('Only the store’s owners and finance can refund.')
    for (const act of ACTS) {
      expect([act, html.includes(`${PAYMENT}/${act}"`)]).toEqual([act, false])
      if (act !== 'unblock') expect((await person.get(`${PAYMENT}/${act}`)).status).toBe(403)
      expect((await person.post(`${PAYMENT}/${act}`, { csrf })).status).toBe(403)
    }
    expect(panel.production.held.writes).toEqual([])
    // The log contains every attempt as refused.
    expect(panel.acts).toHaveLength(2 * ACTS.length)
    expect(panel.acts.filter((line) => line.endsWith(' refused why: role'))).toHaveLength(
      ACTS.length,
    )
  },
)

it('a refund in progress replaces its button', async () => {
  const remainingMinor = minorUnits(100)
  panel.production.held.possible = {
    refund: { remainingMinor, mayBePartial: true, obstacle: 'refund_already_requested' },
  }
  const { html } = await finance.get(PAYMENT)
  expect(visibleText(html)).toContain('A refund is in progress.')
  expect(html).not.toContain(`${PAYMENT}/refund"`)
  expect(html).not.toMatch(/POST \/refunds|To make one/)
})

it('nothing is found of another store, nor of a payment that is not there', async () => {
  const csrf = hiddenValue((await finance.get(PAYMENT)).html, 'csrf')
  for (const act of ACTS) {
    const elsewhere = `/production/${OTHER_STORE_ID}/payments/1001/${act}`
    expect((await finance.post(elsewhere, { csrf })).status).toBe(404)
    if (act !== 'unblock')
      for (const path of [elsewhere, `/production/${STORE_ID}/payments/1002/${act}`])
        expect((await finance.get(path)).status).toBe(404)
  }
  expect(panel.acts).toEqual([])
})

it('who has the store’s secret acts in the sandbox in the store’s name', async () => {
  panel.held.transactions.push(pixTransaction({ status: 'COMPLETE' }))
  const developer = panel.newDeveloper({ 'Accept-Language': 'en' })
  await developer.signIn()
  const { html } = await developer.get(
    '/payments/1001/refund/confirm?amount=1234,56&reason=duplicate',
  )
  const fields = ['csrf', 'form', 'amount', 'remaining', 'reason'].map((name) => [
    name,
    hiddenValue(html, name),
  ])
  await developer.post(
    '/payments/1001/refund',
    Object.fromEntries(fields) as Record<string, string>,
  )
  expect(panel.held.writes).toEqual(['refund 1001 123456 of 123456 duplicate "" by store'])
})

describe('the history of a payment', () => {
  const act = (over: Partial<Act>): Act => ({
    id: 1,
    environment: 'production',
    storeId: STORE_ID,
    actor: 'person:per_ana',
    actorName: 'Ana',
    action: 'charge:cancel',
    target: '1001',
    outcome: 'refused',
    detail: {},
    atMs: NOW_MS + 3_000,
    address: '',
    browser: '',
    ...over,
  })
  const note = { actor: 'person:per_ana', reason: 'fraud', note: 'two cups' } as const
  const details = pixTransaction(
    {},
    {
      history: [
        { status: 'PENDING', atMs: NOW_MS },
        { status: 'COMPLETE', atMs: NOW_MS + 2_000 },
      ],
      refunds: [
        {
          ...WAITING_REFUND,
          status: 'PROCESSED',
          requestedAtMs: NOW_MS + 4_000,
          processedAtMs: NOW_MS + 5_000,
        },
      ],
      refundNotes: new Map([[WAITING_REFUND.id, note]]),
      notifications: [refusedNotification({ state: 'done', attempts: [] })],
    },
  )

  it('is one list by time, in which a refund names who requested it', () => {
    const acts = [
      act({}),
      act({ action: 'refund:create', outcome: 'done', atMs: NOW_MS + 4_000 }),
      act({ environment: 'sandbox' }),
    ]
    const kinds = paymentHistory(details, acts, 'production').map(({ kind, atMs }) => [
      kind,
      (atMs - NOW_MS) / 1000,
    ])
    expect(kinds).toEqual([
      ['created', 0],
      ['notification', 0],
      ['status', 2],
      ['act', 3],
      ['refund-asked', 4],
      ['refund-ended', 5],
    ])
  })

  it('shows on the page who did what and why', async () => {
    panel.production.held.transactions.splice(0, 1, details)
    panel.people.acts.of = () => Promise.resolve([act({})])
    const text = visibleText((await panel.newPerson('support').get(PAYMENT)).html)
    expect(text).toContain('Charge cancelled by Ana not done')
    expect(text).toContain('Refund of BRL 50.00 requested by Ana Suspected fraud: two cups')
    expect(text).toContain('Refund of BRL 50.00 completed')
    expect(text).toContain('The store was notified: Paid')
  })
})
