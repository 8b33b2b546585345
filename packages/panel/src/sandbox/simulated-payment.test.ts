import { TRANSACTION_STATUSES, mayBecome } from '@cofre/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Developer,
  type OpenPanel,
  SANDBOX_URL,
  pixTransaction,
  signedIn,
  visibleText,
} from '../testing/whole-console.fixture.js'
import { statusChoices } from './bank-section.js'
import { firstTransactionCommands } from './first-transaction.js'

let panel: OpenPanel & { readonly developer: Developer }
beforeEach(async () => {
  panel = await signedIn()
})

const textAt = async (path: string): Promise<string> =>
  visibleText((await panel.developer.get(path)).html)

describe('the bank’s report', () => {
  it.each(TRANSACTION_STATUSES)(
    'offers the allowed statuses after %s, and explains the rest',
    (from) => {
      const { offered, others } = statusChoices(from)
      expect(offered[0]).toBe(from)
      expect(offered.slice(1).every((to) => mayBecome(from, to))).toBe(true)
      const refused = others.flatMap(({ statuses }) => statuses)
      expect(refused.some((to) => mayBecome(from, to))).toBe(false)
      expect([...offered, ...refused].toSorted()).toEqual(TRANSACTION_STATUSES.toSorted())
    },
  )

  it('notifies the chosen status and confirms it once', async () => {
    panel.held.transactions.push(pixTransaction())
    const page = await panel.developer.submit('/payments/1001', '/payments/1001/status', {
      status: 'COMPLETE',
    })
    expect(panel.held.writes).toEqual(['changeStatus 1001 COMPLETE'])
    expect(visibleText(page.html)).toContain('The bank has reported the status')
    expect(await textAt('/payments/1001')).not.toContain('The bank has reported the status')
  })

  it('explains a refusal when the transaction has changed meanwhile', async () => {
    panel.held.transactions.push(pixTransaction({ status: 'EXPIRED' }))
    const page = await panel.developer.submit('/payments/1001', '/payments/1001/status', {
      status: 'COMPLETE',
    })
    expect(page.html).toContain('class="flash bad"')
    expect(visibleText(page.html)).toContain('EXPIRED is final: it can’t change.')
  })

  it('does nothing without a known status', async () => {
    panel.held.transactions.push(pixTransaction())
    await panel.developer.submit('/payments/1001', '/payments/1001/status', { status: 'X' })
    expect(panel.held.writes).toEqual([])
  })

  it('reports that a transaction is gone', async () => {
    panel.held.transactions.push(pixTransaction())
    const { html } = await panel.developer.get('/payments/1001')
    panel.held.transactions.length = 0
    const csrf = /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const fields = { csrf, here: '/payments/1001', status: 'COMPLETE' }
    await panel.developer.post('/payments/1001/status', fields)
    const page = await panel.developer.get('/payments/1001')
    expect(page.status).toBe(404)
    expect(visibleText(page.html)).toContain('This no longer exists.')
  })
})

describe('the first payment', () => {
  it('quotes shell commands so that nothing escapes', () => {
    const commands = firstTransactionCommands({
      sandboxUrl: SANDBOX_URL,
      mediaVendor: 'cofre',
      storeId: "o'brien",
      secretHint: 'your secret key',
      notificationUrl: 'https://panel.example/inbox/x',
    })
    expect(commands).toContain(`STORE='o'\\''brien'`)
    expect(commands).toContain(`"reference":"first-'$(date +%s)'"`)
  })
})
