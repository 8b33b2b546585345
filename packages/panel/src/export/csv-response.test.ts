import { HOUR_MS } from '@cofre/contracts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Developer,
  type OpenPanel,
  PANEL_URL,
  cookieHeader,
  signedIn,
} from '../developer.fixture.js'
import { pixTransaction, refusedNotification } from '../sandbox.fixture.js'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})

const file = (path: string): Promise<Response> =>
  Promise.resolve(
    panel.app.request(`${PANEL_URL}${path}`, {
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
    const [heads, first, ...others] = await linesOf('/transactions.csv?status=COMPLETE&after=25')
    expect(heads).toMatch(/^\uFEFFCode;Reference;Status;/)
    expect(first).toBe(
      '1;order-1;COMPLETE;PIX;;;;Maria de Souza;529.982.247-25;maria@example.com;2026-11-21 09:00:00;;1234,56;1234,56;0,00;',
    )
    expect(others).toHaveLength(30)
    const { headers } = await file('/transactions.csv')
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('Content-Disposition')).toBe(
      'attachment; filename="transactions-2026-11-21.csv"',
    )
  })

  it('has amounts as a spreadsheet reads them that takes commas', async () => {
    panel.held.transactions.push(pixTransaction())
    const [, first] = await linesOf('/transactions.csv?separator=comma')
    expect(first).toContain(',1234.56,1234.56,0.00,')
  })

  it('has every notification', async () => {
    const { notification } = refusedNotification()
    for (let position = 1; position <= 501; position += 1)
      panel.held.notifications.push(
        refusedNotification({ notification: { ...notification, position } }),
      )
    const lines = await linesOf('/notifications.csv')
    expect(lines).toHaveLength(503)
    expect(lines.at(-2)).toContain('1001;501;COMPLETE;;http://127.0.0.1:8083/inbox/unguessable;')
    expect(lines.at(-2)).toContain(';waiting for the shop;2;connection-refused;2026-11-21 09:10:00')
  })

  it.each([
    ['=1+1', `'=1+1`],
    ['+55 11', `'+55 11`],
    ['-2', `'-2`],
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
    expect((await linesOf('/transactions.csv')).join('\r\n')).toContain(`\r\n1001;${cell};PENDING;`)
  })

  it('is for who is signed in, until it is whole', async () => {
    for (let code = 1; code <= 10_001; code += 1)
      panel.held.transactions.push(pixTransaction({ code }))
    expect((await panel.newDeveloper().get('/transactions.csv')).status).toBe(303)
    const answer = await file('/transactions.csv')
    panel.clock.nowMs += 13 * HOUR_MS
    await expect(answer.text()).rejects.toThrow()
  })

  it('comes two at a time', async () => {
    panel.held.transactions.push(pixTransaction())
    await panel.app.request(`${PANEL_URL}/transactions.csv`, {
      method: 'HEAD',
      headers: { Cookie: cookieHeader(panel.developer) },
    })
    const answers = [await file('/transactions.csv'), await file('/notifications.csv')]
    expect((await file('/transactions.csv')).status).toBe(429)
    for (const answer of answers) await answer.text()
    await vi.waitFor(async () => {
      expect((await file('/notifications.csv')).status).toBe(200)
    })
  })
})
