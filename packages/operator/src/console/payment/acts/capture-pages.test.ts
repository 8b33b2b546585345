import { minorUnits } from '@cofre/contracts'
import type { Transaction } from '@cofre/gateway/room'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  AUTHORIZED_CARD,
  CODE,
  type Developer,
  NOW_MS,
  type OpenConsole,
  STORE_ID,
  hiddenValue,
  openConsole,
  pixTransaction,
  visibleText,
} from '../../../../../panel/src/testing/whole-console.fixture.js'

const PAYMENT = `/production/${STORE_ID}/payments/1001`
const CONFIRM = `${PAYMENT}/capture/confirm?amount=40%2C00`
const LOGGED = `production ${STORE_ID} person:per_finance`

let panel: OpenConsole
let finance: Developer
beforeEach(() => {
  panel = openConsole()
  finance = panel.newPerson('finance')
  panel.production.held.transactions.push(pixTransaction(AUTHORIZED_CARD))
})

const textAt = async (path: string, person = finance) => visibleText((await person.get(path)).html)

/** Posts a form of a page, then confirms the person's identity. */
async function submit(on: string, action: string, more = {}) {
  const { html } = await finance.get(on)
  const amount = hiddenValue(html, 'amount')
  const fields = { csrf: hiddenValue(html, 'csrf'), here: on, amount, ...more }
  const asked = await finance.post(action, fields)
  const proof = { csrf: hiddenValue(asked.html, 'csrf'), 'step-up-code': CODE }
  return await finance.post(action, { ...fields, ...proof })
}

const captured = (amount: number, charged = amount) => {
  const [amountMinor, chargedMinor] = [minorUnits(amount), minorUnits(charged)]
  const capture = {
    ...AUTHORIZED_CARD.capture,
    state: 'captured',
    amountMinor,
    chargedMinor,
  } as const
  const paid = { status: 'COMPLETE', paidAtMs: NOW_MS + 60_000 } as const
  return pixTransaction({ ...AUTHORIZED_CARD, ...paid, capture })
}
const show = (payment: ReturnType<typeof pixTransaction>) =>
  panel.production.held.transactions.splice(0, 1, payment)

describe('the page of an authorized payment', () => {
  it('shows its status, its deadline, and what to do', async () => {
    const { html } = await finance.get(PAYMENT)
    const text = visibleText(html)
    expect(text).toContain('Authorized AUTHORIZED')
    expect(text).toContain('Capture before Nov 27, 2026, 09:00:00')
    expect(text).toContain('BRL 1,234.56 authorized, to be captured by Nov 27, 2026, 09:00:00')
    expect(html).toContain(`href="${PAYMENT}/capture"`)
    expect(html).toContain(`href="${PAYMENT}/void"`)
  })

  it('is in Portuguese for readers of it', async () => {
    await finance.get('/language/pt-BR?to=%2F')
    const text = await textAt(PAYMENT)
    expect(text).toContain('Autorizada AUTHORIZED')
    expect(text).toContain('Capturar até 27/11/2026, 09:00:00')
    expect(text).toContain('Cancelar autorização')
    expect(await textAt(CONFIRM)).toContain('Os R$ 1.194,56 restantes são liberados')
  })

  it('shows the interest that a card with installments is charged', async () => {
    show(pixTransaction({ ...AUTHORIZED_CARD, chargedMinor: minorUnits(246_912) }))
    expect(await textAt(PAYMENT)).toContain('Authorized with interest BRL 2,469.12')
    expect(await textAt(PAYMENT)).not.toContain('Charged with interest')
    expect(await textAt(CONFIRM)).toContain(
      'The payer is charged BRL 80.00: BRL 40.00 and the interest.',
    )
    show(captured(4_000, 8_000))
    expect(await textAt(PAYMENT)).toContain('Charged with interest BRL 80.00')
  })

  it('shows what was captured, and that it was a part', async () => {
    show(captured(4_000))
    const text = await textAt(PAYMENT)
    expect(text).toContain('captured in part: BRL 40.00 of BRL 1,234.56')
    expect(text).toContain('Captured BRL 40.00')
    expect(text).toContain('BRL 40.00 captured Nov 21, 2026, 09:01:00')
    expect(text).not.toContain('Capture before')
    const refund = { remainingMinor: minorUnits(1_000), obstacle: undefined, mayBePartial: true }
    panel.production.held.possible = { refund }
    const form = await textAt(`${PAYMENT}/refund`)
    expect(form).toContain('Paid BRL 40.00 Refunded or on its way BRL 30.00')
    show(captured(123_456))
    expect(await textAt(PAYMENT)).not.toContain('in part')
  })

  it('repeats no acquirer’s report of the end that it shows, but shows any other', async () => {
    const change = (id: string, amount: number) => ({
      id,
      transactionCode: 1001 as Transaction['code'],
      kind: 'captured' as const,
      atMs: NOW_MS + 61_000,
      amountMinor: minorUnits(amount),
      detail: undefined,
    })
    show({ ...captured(4_000), cardChanges: [change('1', 4_000), change('2', 5_000)] })
    const text = await textAt(PAYMENT)
    const history = text.slice(text.indexOf('History'))
    expect(history.split('BRL 40.00')).toHaveLength(2)
    expect(history).toContain('captured BRL 50.00')
  })

  it.each([
    ['void', 'Authorization voided'],
    ['expired', 'Authorization expired'],
    ['provider', 'Authorization released at the acquirer'],
  ] as const)('shows how it was released (%s)', async (releasedBy, line) => {
    const capture = { ...AUTHORIZED_CARD.capture, state: 'released', releasedBy } as const
    show(pixTransaction({ ...AUTHORIZED_CARD, status: 'CANCELLED', capture }))
    const { html } = await finance.get(PAYMENT)
    expect(visibleText(html)).toContain(line)
    expect(html).not.toContain(`${PAYMENT}/capture"`)
    for (const act of ['capture', 'void'])
      expect(await textAt(`${PAYMENT}/${act}`)).toContain('This payment isn’t authorized')
    expect((await finance.get(CONFIRM)).html).not.toContain('name="amount"')
  })
})

it.each([
  ['capture', 'A capture was requested'],
  ['void', 'A void was requested'],
] as const)('an order in process (%s) replaces both buttons', async (ordered, text) => {
  panel.production.held.ordered = ordered
  const { html } = await finance.get(PAYMENT)
  expect(visibleText(html)).toContain(text)
  for (const act of ['capture', 'void']) expect(html).not.toContain(`${PAYMENT}/${act}"`)
})

describe('a capture', () => {
  it('offers the whole amount, and is confirmed with what is released', async () => {
    const choice = await finance.get(`${PAYMENT}/capture`)
    expect(hiddenValue(choice.html, 'amount')).toBe('1234.56')
    const text = await textAt(CONFIRM)
    expect(text).toContain('The payer is charged BRL 40.00.')
    expect(text).toContain('The remaining BRL 1,194.56 is released')
    expect(await textAt(`${PAYMENT}/capture/confirm?amount=1234.56`)).not.toContain('remaining')
  })

  it('is made with a fresh proof, and is in the log with its amount', async () => {
    const { location } = await submit(CONFIRM, `${PAYMENT}/capture`)
    expect(location).toBe(PAYMENT)
    expect(await textAt(PAYMENT)).toContain('The payment was captured.')
    expect(panel.production.held.writes).toEqual(['capture 1001 4000 by person:per_finance'])
    expect(panel.acts).toEqual([
      `${LOGGED} payment:capture 1001 asked from 192.0.2.1 amountMinor: 4000`,
      '1 done',
    ])
  })

  it.each([
    ['', 'Enter an amount like'],
    ['0', 'Enter an amount like'],
    ['1234,57', 'more than what is authorized'],
  ])('is chosen again with the amount %j', async (amount, problem) => {
    const { html } = await finance.get(`${PAYMENT}/capture/confirm?amount=${amount}`)
    expect(visibleText(html)).toContain(problem)
    expect(html).toContain('aria-invalid="true"')
    expect(html).not.toContain('method="post" action="/production')
  })

  it.each(['', '-5', '1e3', '40,00'])(
    'is not made of a form with the amount %j',
    async (amount) => {
      await submit(CONFIRM, `${PAYMENT}/capture`, { amount })
      expect(panel.production.held.writes).toEqual([])
      expect(panel.acts.at(-1)).toBe('1 refused')
    },
  )

  it.each([
    [{ kind: 'in-process' }, 'the acquirer hasn’t confirmed it yet', 'done'],
    [{ kind: 'refused' }, 'Nothing was captured: the acquirer refused it', 'refused'],
    [{ kind: 'released' }, 'the authorization was already released', 'refused'],
    [{ kind: 'not-authorized' }, 'this payment isn’t authorized anymore', 'refused'],
    [{ kind: 'overtaken', by: 'void', amountMinor: minorUnits(1) }, 'a void came first', 'refused'],
    [
      { kind: 'overtaken', by: 'capture', amountMinor: minorUnits(1) },
      'a capture of another amount came first',
      'refused',
    ],
  ] as const)('that ends as %j says so', async (result, text, outcome) => {
    panel.production.held.endedResult = result
    const { location } = await submit(CONFIRM, `${PAYMENT}/capture`)
    expect(await textAt(location!)).toContain(text)
    expect(panel.acts.at(-1)).toBe(`1 ${outcome}`)
  })
})

describe('a void', () => {
  it('is made with a fresh proof, and is in the log', async () => {
    expect(await textAt(`${PAYMENT}/void`)).toContain('The authorization of BRL 1,234.56')
    const { location } = await submit(`${PAYMENT}/void`, `${PAYMENT}/void`)
    expect(await textAt(location!)).toContain('The authorization was voided.')
    expect(panel.production.held.writes).toEqual(['void 1001 by person:per_finance'])
    expect(panel.acts).toEqual([`${LOGGED} payment:void 1001 asked from 192.0.2.1`, '1 done'])
  })

  it.each([
    [{ kind: 'in-process' }, 'the acquirer hasn’t confirmed it yet', 'done'],
    [{ kind: 'refused' }, 'Nothing was voided: the acquirer refused it', 'refused'],
    [{ kind: 'not-authorized' }, 'this payment isn’t authorized anymore', 'refused'],
    [
      { kind: 'overtaken', by: 'capture', amountMinor: minorUnits(1) },
      'Nothing was voided: a capture came first',
      'refused',
    ],
  ] as const)('that ends as %j says so', async (result, text, outcome) => {
    panel.production.held.endedResult = result
    const { location } = await submit(`${PAYMENT}/void`, `${PAYMENT}/void`)
    expect(await textAt(location!)).toContain(text)
    expect(panel.acts.at(-1)).toBe(`1 ${outcome}`)
  })
})

it.each(['support', 'developer'] as const)('a person of %s can’t capture or void', async (role) => {
  const person = panel.newPerson(role)
  const { html } = await person.get(PAYMENT)
  const csrf = hiddenValue(html, 'csrf')
  expect(visibleText(html)).toContain('Only the store’s owners and finance can capture or void.')
  for (const act of ['capture', 'void']) {
    expect(html).not.toContain(`${PAYMENT}/${act}"`)
    expect((await person.get(`${PAYMENT}/${act}`)).status).toBe(403)
    expect((await person.post(`${PAYMENT}/${act}`, { csrf })).status).toBe(403)
  }
  expect(panel.production.held.writes).toEqual([])
  expect(panel.acts.filter((line) => line.endsWith(' refused why: role'))).toHaveLength(2)
})
