import { HOUR_MS, minorUnits } from '@cofre/contracts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  AUTHORIZED_CARD,
  type Developer,
  type OpenPanel,
  PANEL_URL,
  addressOf,
  cookieHeader,
  hiddenValue,
  signedIn,
  visibleText,
  CODE,
  openConsole,
  PIX_PAID_TWICE,
  pixTransaction,
  shownAccount,
} from '../testing/whole-console.fixture.js'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})

const file = (path: string): Promise<Response> =>
  Promise.resolve(
    panel.app.request(`${PANEL_URL}${addressOf(path)}`, {
      headers: { Cookie: cookieHeader(panel.developer), 'Accept-Language': 'en' },
    }),
  )

const linesOf = async (path: string): Promise<string[]> =>
  new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(await (await file(path)).arrayBuffer())
    .split('\r\n')

describe('a list as a file', () => {
  it('has its mark, its heads and every payment of the filter', async () => {
    for (let code = 1; code <= 30; code += 1)
      panel.held.transactions.push(pixTransaction({ code, status: 'COMPLETE' }))
    panel.held.transactions.push(pixTransaction())
    const [heads, first, ...others] = await linesOf('/payments.csv?status=COMPLETE&after=25')
    expect(heads).toMatch(/^\uFEFFCode;Reference;Status;/)
    expect(first).toBe(
      '1;order-1;COMPLETE;PIX;;;;Maria de Souza;529.982.247-25;maria@example.com;2026-11-21 09:00:00;;1234,56;1234,56;0,00;;;;;',
    )
    expect(others).toHaveLength(30)
    const { headers } = await file('/payments.csv')
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('Content-Disposition')).toBe(
      'attachment; filename="transactions-2026-11-21.csv"',
    )
  })

  it('has amounts as a spreadsheet reads them that takes commas', async () => {
    panel.held.transactions.push(pixTransaction())
    const [, first] = await linesOf('/payments.csv?separator=comma')
    expect(first).toContain(',1234.56,1234.56,0.00,')
  })

  it('has the id of an account, followed by its label', async () => {
    panel.held.accounts.push(shownAccount('efi-test', 'Main bank', { keeper: 'gateway' }))
    panel.held.transactions.push(pixTransaction({}, { bankCharge: PIX_PAID_TWICE }))
    const [heads, first] = await linesOf('/payments.csv')
    expect(heads).toMatch(/;Account;Bank’s refund reason;Account name;Metadata;Captured$/)
    expect(first).toMatch(/;efi-test;;Main bank;;$/)
  })

  it('has the status and the captured amount of cards that are captured later', async () => {
    const [amountMinor, chargedMinor] = [minorUnits(4_000), minorUnits(4_200)]
    const { capture } = AUTHORIZED_CARD
    panel.held.transactions.push(
      pixTransaction(AUTHORIZED_CARD),
      pixTransaction({
        ...AUTHORIZED_CARD,
        status: 'COMPLETE',
        capture: { ...capture, state: 'captured', amountMinor, chargedMinor },
      }),
    )
    const [, authorized, captured] = await linesOf('/payments.csv')
    expect(authorized).toMatch(/;AUTHORIZED;.*;1234,56;1234,56;0,00;;;;;$/)
    expect(captured).toMatch(/;COMPLETE;.*;1234,56;42,00;0,00;;;;;40,00$/)
  })

  it('has the metadata of each payment', async () => {
    const metadata = { channel: 'app', seller: 'Ana' }
    const requestJson = JSON.stringify({ transaction: { metadata } })
    panel.held.transactions.push(pixTransaction({ requestJson }))
    const [, first] = await linesOf('/payments.csv')
    expect(first).toMatch(/;"channel=app; seller=Ana";$/)
  })

  it.each([
    ['=1+1', `'=1+1`],
    ['+55 11', `'+55 11`],
    ['-2', `'-2`],
    ['-1.00', '-1.00'],
    ['-1.00+1', `'-1.00+1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    [' \n=1+1', `'=1+1`],
    ['\t=1+1', `'=1+1`],
    ['＝1+1', `'＝1+1`],
    ['x,=1+1', `x,'=1+1`],
    ['x;=1+1', `"x;'=1+1"`],
    ['x\n"=1+1', `"x\n""'=1+1"`],
    ['order-1', 'order-1'],
  ])('runs nothing: %j becomes %j', async (reference, cell) => {
    panel.held.transactions.push(pixTransaction({ reference }))
    expect((await linesOf('/payments.csv')).join('\r\n')).toContain(`\r\n1001;${cell};PENDING;`)
  })

  it('is only for a signed-in person, until its end', async () => {
    for (let code = 1; code <= 10_001; code += 1)
      panel.held.transactions.push(pixTransaction({ code }))
    expect((await panel.newDeveloper().get('/payments.csv')).status).toBe(303)
    const answer = await file('/payments.csv')
    panel.clock.nowMs += 13 * HOUR_MS
    await expect(answer.text()).rejects.toThrow()
  })

  it('comes two at a time', async () => {
    panel.held.transactions.push(pixTransaction())
    await panel.app.request(`${PANEL_URL}/payments.csv`, {
      method: 'HEAD',
      headers: { Cookie: cookieHeader(panel.developer) },
    })
    const answers = [await file('/payments.csv'), await file('/payments.csv')]
    expect((await file('/payments.csv')).status).toBe(429)
    for (const answer of answers) await answer.text()
    await vi.waitFor(async () => {
      expect((await file('/payments.csv')).status).toBe(200)
    })
  })
})

describe('a list that a person exports', () => {
  it.each([
    ['finance', 'Maria de Souza;529.982.247-25', 'masked: false'],
    ['support', 'M**** d* S****;***.***.***-25', 'masked: true'],
    ['developer', 'M**** d* S****;***.***.***-25', 'masked: true'],
  ] as const)('is as masked for %s as its page, and is logged', async (role, payer, mask) => {
    const opened = openConsole()
    opened.production.held.transactions.push(pixTransaction())
    const person = opened.newPerson(role)
    const path = '/production/store-1/payments'
    const page = visibleText((await person.get(path)).html)
    const { html } = await person.get(`${path}.csv?status=PENDING&text=`)
    expect(html).toContain(`;${payer};`)
    expect(page).toContain(payer.split(';')[0])
    const asked = `production store-1 person:per_${role} export - asked from 192.0.2.1`
    await vi.waitFor(() => {
      expect(opened.acts).toEqual([
        `${asked} list: payments, filters: status, ${mask}`,
        '1 done rows: 1',
      ])
    })
  })

  it('comes two at a time to requests that arrive together, too', async () => {
    const opened = openConsole()
    opened.production.held.transactions.push(pixTransaction())
    const person = opened.newPerson('finance')
    const headers = { Cookie: cookieHeader(person), Host: new URL(PANEL_URL).host }
    const ask = () =>
      opened.app.request(`${PANEL_URL}/production/store-1/payments.csv`, { headers })
    const answers = await Promise.all([ask(), ask(), ask(), ask()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429])
  })

  describe('while it is sent', () => {
    const send = async () => {
      const opened = openConsole()
      for (let code = 1; code <= 10_001; code += 1)
        opened.production.held.transactions.push(pixTransaction({ code }))
      const person = opened.newPerson('finance')
      const answer = await opened.app.request(`${PANEL_URL}/production/store-1/payments.csv`, {
        headers: { Cookie: cookieHeader(person), Host: new URL(PANEL_URL).host },
      })
      return { opened, person, answer }
    }

    it.each([
      ['is taken out', undefined],
      ['gets another role', 'support' as const],
    ])('ends when the person %s', async (_, role) => {
      const { opened, answer } = await send()
      const person = { kind: 'person', personId: 'per_finance', name: '' } as const
      opened.people.accessOf = () =>
        Promise.resolve(role && { ...person, role, scope: 'both', steppedUpUntilMs: 0 })
      await expect(answer.text()).rejects.toThrow()
      await vi.waitFor(() => {
        expect(opened.acts.at(-1)).toMatch(/^1 refused rows: \d+$/)
      })
    })

    it('continues under the id that a proof gives the session', async () => {
      const { person, answer } = await send()
      const csrf = hiddenValue((await person.get('/me')).html, 'csrf')
      const before = cookieHeader(person)
      await person.post('/me/recovery-codes', { csrf, 'step-up-code': CODE })
      expect(cookieHeader(person)).not.toBe(before)
      expect((await answer.text()).split('\r\n')).toHaveLength(10_003)
    })
  })
})
