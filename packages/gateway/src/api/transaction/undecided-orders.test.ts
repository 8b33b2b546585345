import type { CardAnswer } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beginDeadline } from '@cofre/work'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { APPROVED, MERCHANT, NOW_MS, cardRequest, railRequest } from '../../gateway.fixture.js'
import { openBankGateway } from '../../../../banks/src/banks.fixture.js'
import { dyingProcess, work } from '../../../../banks/src/payment/dying-process.fixture.js'
import { accountOf, createFakeBank } from '../../../../banks/src/payment/pix-bank.fixture.js'
import { createTransaction, readTransactionRequest } from '../../payment/transaction-service.js'
import { searchOf } from '../../../../search/src/search.fixture.js'
import { notificationsOf } from '../../ledger/transaction/notifications.fixture.js'
import { withOperator } from '../../../../operator/src/operator.fixture.js'

const [sqlite] = TEST_ENGINES

describe('an order whose request was not answered', () => {
  const time = { nowMs: NOW_MS }
  const bank = createFakeBank(() => time.nowMs)
  let test: Awaited<ReturnType<typeof openBankGateway>>
  beforeEach(async () => {
    time.nowMs = NOW_MS
    const clock = { now: () => time.nowMs }
    test = await openBankGateway(sqlite!, {
      clock,
      machineClock: clock,
      bankOf: () => ({ pix: bank.bank }),
    })
    onTestFinished(() => test.close())
  })

  const pay = (reference: string, paymentInfo = {}) =>
    test.send('POST', '/transactions', { body: cardRequest(reference, paymentInfo) })
  const search = (reference: string) => test.send('GET', `/transactions?reference=${reference}`)
  const statuses = async (reference: string): Promise<unknown[]> => {
    const { json } = await search(reference)
    const result = json['transaction-result'] as { transactions: { status: string }[] }
    return result.transactions.map(({ status }) => status)
  }
  const notified = async (reference: string): Promise<string[]> => {
    const found = await test.parts.transactions.findByReference(MERCHANT.id, reference)
    const all = found && (await notificationsOf(test.parts.database, found.code))
    return (all ?? []).map((notification) => notification.status)
  }
  /** The process ends after the commit of the intent. */
  const killAtOnce = async (received: object): Promise<void> => {
    const { deps } = dyingProcess(test, 0)
    const policy = { ...deps.requestPolicy, today: '2026-11-21' }
    const request = readTransactionRequest(received, MERCHANT, policy)
    const deadline = beginDeadline()
    const creation = { request, received, isRetry: false, deadline }
    await createTransaction(deps, MERCHANT, creation).catch(() => undefined)
  }
  const messageOf = (answer: { readonly json: Record<string, unknown> }): string =>
    (answer.json.errors as { message: string }[])[0]!.message
  const inEnglish = { headers: { 'accept-language': 'en-US' } }

  it('is neither found nor missing while the vault does not report whether it has seen it', async () => {
    await killAtOnce(cardRequest('order-1'))
    test.recallCards(() => Promise.reject(new Error('the vault is away')))
    const unknown = await test.send('GET', '/transactions?reference=order-1', inEnglish)
    expect([unknown.status, unknown.codes]).toEqual([503, [90006]])
    expect(unknown.headers.get('Retry-After')).toMatch(/^\d+$/)
    expect(messageOf(unknown)).toContain('still being decided')
    // Other orders of the store change nothing.
    expect((await pay('order-2')).status).toBe(201)
    time.nowMs += 1000
    const listed = await test.send('GET', '/transactions?initial-order-date=2026-11-21T00:00:00.0Z')
    expect(listed.json.metadata).toMatchObject({ found: '1' })
    const code = (await test.parts.transactions.findByReference(MERCHANT.id, 'order-1'))!.code
    expect((await test.send('GET', `/transactions/${code}`)).status).toBe(503)
    test.recallCards(() => undefined)
    expect(await statuses('order-1')).toEqual([])
    expect((await test.send('GET', `/transactions/${code}`)).codes).toEqual([20614])
    expect((await pay('order-1')).status).toBe(201)
  })

  it('makes a request with its reference wait, and an equal one continues it', async () => {
    const { payer } = cardRequest('order-1')
    await killAtOnce(cardRequest('order-1'))
    test.recallCards(() => Promise.reject(new Error('the vault is away')))
    const other = await test.send('POST', '/transactions', {
      body: { ...cardRequest('order-1'), payer: { ...payer, email: 'other@example.com' } },
      ...inEnglish,
    })
    expect([other.status, other.codes]).toEqual([409, [210104]])
    expect(messageOf(other)).toContain(
      'an earlier request is still being decided. Try again in 120 seconds.',
    )
    // The first one may still be answered.
    const same = await test.send('POST', '/transactions', {
      body: cardRequest('order-1'),
      ...inEnglish,
    })
    expect([same.status, same.codes]).toEqual([409, [210104]])
    expect(messageOf(same)).toContain('Try again in 60 seconds.')
    time.nowMs += 60_000
    expect((await pay('order-1')).codes).toEqual([90006])
    test.recallCards(() => APPROVED)
    const { status, json } = await pay('order-1', { token: 'f.g.h.i.j' })
    expect([status, json]).toMatchObject([201, { transaction: { status: 'PAID' } }])
    expect(test.orders).toEqual([])
    expect((await pay('order-1')).codes).toEqual([210104])
  })

  it('is permanent once a search has shown it, whatever the vault answers later', async () => {
    let answer: (answer: CardAnswer) => void = () => undefined
    test.answerCards(() => new Promise((resolve) => (answer = resolve)))
    const paying = pay('order-1')
    await expect.poll(() => test.orders.length).toBe(1)
    test.recallCards(() => APPROVED)
    expect(await statuses('order-1')).toEqual(['PENDING'])
    answer({ kind: 'refused', reason: 'acquirer_unavailable' })
    const { status, json } = await paying
    expect([status, json]).toMatchObject([201, { transaction: { status: 'REJECTED' } }])
    expect(await statuses('order-1')).toEqual(['CANCELLED'])
    expect(await notified('order-1')).toEqual(['CANCELLED'])
  })

  it('is decided by a search in the console too', async () => {
    await killAtOnce(cardRequest('order-1'))
    const { code } = (await test.parts.transactions.findByReference(MERCHANT.id, 'order-1'))!
    const { payments } = searchOf(test)
    const find = (text: string) => payments.find(MERCHANT.id, { text })
    test.recallCards(() => Promise.reject(new Error('the vault is away')))
    expect(await find('order-1')).toMatchObject({ items: [], isUndecided: true })
    expect(await payments.find(MERCHANT.id, {})).toMatchObject({ items: [] })
    test.recallCards(() => APPROVED)
    const { items } = await find(String(code))
    expect(items.map(({ transaction }) => transaction.status)).toEqual(['PENDING'])
    expect((await find('order-1')).items).toHaveLength(1)
    expect(await find('order-2')).toMatchObject({ items: [] })
  })

  it('changes what the console shows once it is permanent, though a later one was shown', async () => {
    await killAtOnce(cardRequest('order-1'))
    time.nowMs += 1000
    await pay('order-2')
    const before = await withOperator(test).gateway.backOffice.revision(MERCHANT.id)
    test.recallCards(() => APPROVED)
    expect(await statuses('order-1')).toEqual(['PENDING'])
    expect(await withOperator(test).gateway.backOffice.revision(MERCHANT.id)).not.toBe(before)
  })

  it('that a search has withdrawn is requested again when it arrives at last', async () => {
    let answer: (answer: CardAnswer) => void = () => undefined
    test.answerCards(() => new Promise((resolve) => (answer = resolve)))
    const paying = pay('order-1')
    await expect.poll(() => test.orders.length).toBe(1)
    expect(await statuses('order-1')).toEqual([])
    answer({ kind: 'refused', reason: 'token_invalid' })
    const { codes, headers } = await paying
    // Its token is still valid.
    expect([codes, headers.get('Retry-After')]).toEqual([[90006], expect.stringMatching(/^\d+$/)])
    expect(await statuses('order-1')).toEqual([])
    test.answerCards(() => Promise.resolve(APPROVED))
    expect((await pay('order-1')).status).toBe(201)
  })

  it('ends CANCELLED where a search has shown it and the vault has withdrawn it', async () => {
    await killAtOnce(cardRequest('order-1'))
    test.recallCards(() => APPROVED)
    expect(await statuses('order-1')).toEqual(['PENDING'])
    test.recallCards(() => undefined)
    time.nowMs += 121_000
    await work(test.parts)
    expect(await statuses('order-1')).toEqual(['CANCELLED'])
    expect(await notified('order-1')).toEqual(['CANCELLED'])
    expect((await pay('order-1')).status).toBe(201)
  })

  it('at a bank is undecided while the bank does not have it, and permanent once it has', async () => {
    await test.parts.accounts.create(accountOf('bank-1'), ['pix'], 'operator:ana')
    bank.disturb('openCharge', 'cut-after')
    bank.disturb('findCharge', 'cut-before', 'cut-before')
    const order = { body: railRequest('order-1', 'pix') }
    expect((await test.send('POST', '/transactions', order)).status).toBe(503)
    expect((await search('order-1')).codes).toEqual([90006])
    expect(await statuses('order-1')).toEqual(['PENDING'])
    // The same request gives its payer the code.
    const { status, json } = await test.send('POST', '/transactions', order)
    expect([status, json]).toMatchObject([201, { transaction: { status: 'PENDING' } }])
    expect(json.transaction).toHaveProperty('payment-code')
    time.nowMs += 300_000
    await work(test.parts)
    expect(await statuses('order-1')).toEqual(['PENDING'])
    expect(bank.charges.size).toBe(1)
  })
})
