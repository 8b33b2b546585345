import { beforeEach, describe, expect, it } from 'vitest'
import {
  type OpenConsole,
  openConsole,
  type Developer,
  hiddenValue,
  visibleText,
  STORE_ID,
  pixTransaction,
} from '../../../../panel/src/testing/whole-console.fixture.js'

const PAYMENTS = `/production/${STORE_ID}/payments`
const NOTHING = 'aren’t of the same payer'

let opened: OpenConsole
beforeEach(() => {
  opened = openConsole()
  opened.production.held.transactions.push(pixTransaction())
})

async function search(person: Developer, document: string, proof: string) {
  const { html } = await person.get(PAYMENTS)
  const fields = { csrf: hiddenValue(html, 'csrf'), here: PAYMENTS, document, proof }
  const answer = await person.post(`${PAYMENTS}/of-payer`, fields)
  return answer.location === null ? answer : await person.get(answer.location)
}

describe('a payer, for a role that sees documents masked', () => {
  it('is found by document and another proof, and the log has a digest', async () => {
    const support = opened.newPerson('support')
    const text = visibleText((await search(support, '529.982.247-25', 'order-1')).html)
    expect(text).toContain('Payments of this payer: 1')
    expect(text).not.toContain('529')
    expect(text).not.toContain('maria@example.com')
    expect(opened.acts).toEqual([
      `production ${STORE_ID} person:per_support payer:search - asked from 192.0.2.1`,
      '1 done document: digest of 11',
    ])
  })

  it('gets one answer whatever was wrong, and none after five misses', async () => {
    const support = opened.newPerson('support')
    const tries = [
      ['529.982.247-25', 'order-2'],
      ['111.444.777-35', 'order-1'],
      ['nothing', 'order-1'],
      ['529.982.247-25', 'Maria'],
      ['529.982.247-25', 'x'],
      ['529.982.247-25', 'order-1'],
    ] as const
    for (const [document, proof] of tries)
      expect(visibleText((await search(support, document, proof)).html)).toContain(NOTHING)
    expect(opened.acts.at(-1)).toBe('11 refused document: digest of 11')
  })

  it('is found by the one box by who sees documents', async () => {
    const queries: unknown[] = []
    const { payments } = opened.production
    const find = payments.find.bind(payments)
    payments.find = async (storeId, query) => {
      queries.push(query.documents)
      return await find(storeId, query)
    }
    for (const role of ['owner', 'finance', 'support', 'developer'] as const) {
      const { html } = await opened.newPerson(role).get(`${PAYMENTS}?text=52998224725`)
      expect([role, html.includes('of-payer')]).toEqual([
        role,
        role === 'support' || role === 'developer',
      ])
    }
    expect(queries).toEqual([undefined, undefined, 'not-searched', 'not-searched'])
  })

  it('has a page and a slip that lead on only for who may see payers', async () => {
    const { held } = opened.production
    const boleto = {
      kind: 'boleto',
      dueDate: '2026-11-30',
      payerName: 'Maria',
      barcode: '0'.repeat(44),
      digitableLine: '0'.repeat(47),
    } as const
    const shown = pixTransaction()
    held.transactions[0] = {
      ...shown,
      transaction: { ...shown.transaction, paymentType: 'postpay', paymentDetails: boleto },
    }
    const linksOf = async (role: 'finance' | 'support') =>
      (await opened.newPerson(role).get(`${PAYMENTS}/1001`)).html.includes('/b/')
    expect([await linksOf('finance'), await linksOf('support')]).toEqual([true, false])
  })
})
