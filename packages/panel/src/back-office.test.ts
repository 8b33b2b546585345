import { MINUTE_MS } from '@cofre/contracts'
import { messageOf } from '@cofre/gateway/room'
import { openInbox, receive, setInboxAnswer } from '@cofre/sandbox'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MERCHANT, cardRequest, railRequest } from '../../gateway/src/gateway.fixture.js'
import {
  STORE,
  TEST_MERCHANT,
  type TestSandbox,
  openTestSandbox,
  rawCard,
} from '../../sandbox/src/sandbox.fixture.js'
import { withLinks } from '../../links/src/links.fixture.js'
import { storeVersion } from './visit/store-version.js'
import { emptyLink, linkBody } from '../../links/src/console/link-order.js'
import { readProgress } from './sandbox/checklist.js'
import { deleteTestData } from './sandbox/reset.js'
import { rotateSecret } from './session/store-secret.js'
import { searchOf } from '../../search/src/search.fixture.js'

const FIRST_PAGE = { limit: 20 }
const OTHER = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }

for (const engine of TEST_ENGINES) {
  describe(`the back office and the sandbox on ${engine.name}`, () => {
    let test: TestSandbox
    beforeEach(async () => {
      test = await openTestSandbox(engine)
      await test.gateway.saveMerchant(OTHER)
    })
    afterEach(() => test.close())

    const office = () => test.gateway.backOffice
    const parts = () => ({ backOffice: office(), desk: office(), sandbox: test.sandbox })
    const create = async (body: unknown, merchant = TEST_MERCHANT): Promise<string> => {
      const { status, json } = await test.send('POST', '/transactions', { body, merchant })
      expect(status).toBe(201)
      return (json.transaction as { code: string }).code
    }
    const pix = (reference: string) => create(railRequest(reference, 'pix'))
    const card = (reference: string, number: string) => {
      const body = cardRequest(reference, rawCard(number))
      const charge = [{ ...body.charge[0], currency: 'BRL' }]
      return create({ ...body, charge, payer: { ...body.payer, ip: '203.0.113.7' } })
    }
    /** Runs the jobs until none is due. */
    const work = async (until: () => Promise<boolean>): Promise<void> => {
      const worker = test.gateway.startWorker()
      await vi.waitFor(async () => {
        expect(await until()).toBe(true)
      }, 15_000)
      await worker.stop()
    }
    const find = async (code: string) => (await office().findTransaction(STORE, code))!

    it('shows a transaction with everything that happened to it', async () => {
      const code = await pix('order-1')
      test.machine.nowMs += MINUTE_MS
      const paidAtMs = test.sandbox.clock.now()
      expect(await office().changeStatus(STORE, code, 'COMPLETE')).toBe('changed')
      test.answer = { statusCode: 500, durationMs: 7, responseExcerpt: 'broken' }
      await work(async () => (await find(code)).notifications[0]?.attempts.length === 1)
      await test.send('GET', `/transactions/${code}`)
      const report = await find(code)
      expect(report).toMatchObject({
        transaction: {
          code: Number(code),
          reference: 'order-1',
          status: 'COMPLETE',
          paymentType: 'eft',
          subType: 'pix',
          amountMinor: 10_000,
          paidAtMs,
          description: 'Café',
          payerDocument: '52998224725',
          paymentDetails: { kind: 'pix' },
        },
        history: [
          { status: 'PENDING', atMs: report.transaction.createdAtMs },
          { status: 'COMPLETE', atMs: paidAtMs },
        ],
        notifications: [
          {
            notification: {
              transactionCode: Number(code),
              position: 1,
              refundId: undefined,
              status: 'COMPLETE',
            },
            state: 'waiting',
            attempts: [{ statusCode: 500, durationMs: 7, responseExcerpt: 'broken' }],
          },
        ],
      })
      expect(messageOf(report.notifications[0]!.notification, true)).toEqual({
        contentType: 'application/x-www-form-urlencoded',
        body: `transaction-code=${code}&notification-type=transaction&test-mode=true`,
      })
      expect(await test.sandbox.requests.findOf(STORE, code)).toMatchObject([
        { method: 'POST', target: '/transactions', statusCode: 201 },
        { method: 'GET', target: `/transactions/${code}`, statusCode: 200 },
      ])
      expect(report.notifications[0]?.nextAttemptAtMs).toBeGreaterThan(paidAtMs)
      expect(await office().findTransaction('store-2', code)).toBeUndefined()
      for (const wrong of ['', '0', 'abc', '1'.repeat(30), `${code}x`])
        expect(await office().findTransaction(STORE, wrong)).toBeUndefined()
    })

    it('starts a card’s history with its first status', async () => {
      const approved = await find(await card('order-1', '4111111111111111'))
      expect(approved.history.map(({ status }) => status)).toEqual(['COMPLETE'])
      const declined = await find(await card('order-2', '4000000000000002'))
      expect(declined.history.map(({ status }) => status)).toEqual(['CANCELLED'])
    })

    it('changes a status only where it may go, and notifies of the same status again', async () => {
      const code = await pix('order-1')
      expect(await office().changeStatus(STORE, code, 'REFUNDED')).toBe('not-allowed')
      expect(await office().changeStatus('store-2', code, 'COMPLETE')).toBe('not-found')
      expect(await office().changeStatus(STORE, code, 'PENDING')).toBe('changed')
      expect(await office().changeStatus(STORE, code, 'UNDER-REVIEW')).toBe('changed')
      expect(await office().changeStatus(STORE, code, 'COMPLETE')).toBe('changed')
      expect(await office().changeStatus(STORE, code, 'PENDING')).toBe('not-allowed')
      expect(await office().changeStatus(STORE, code, 'COMPLETE')).toBe('changed')
      const { history, notifications } = await find(code)
      expect(history.map(({ status }) => status)).toEqual(['PENDING', 'UNDER-REVIEW', 'COMPLETE'])
      expect(notifications.map(({ notification }) => notification.status)).toEqual([
        'PENDING',
        'UNDER-REVIEW',
        'COMPLETE',
        'COMPLETE',
      ])
    })

    const refund = async (code: string, reference?: string): Promise<string> => {
      const body = {
        'transaction-id': code,
        'notify-url': 'https://shop.example/refunds',
        ...(reference !== undefined && { reference }),
      }
      const { json } = await test.send('POST', '/refunds', { body, digest: 'hex' })
      return json['refund-id'] as string
    }

    it('ends a refund by hand, once', async () => {
      await test.sandbox.modes.setMode(STORE, 'refund', { kind: 'by-hand' })
      const code = await card('order-1', '4111111111111111')
      const id = await refund(code)
      const bystander = test.gateway.startWorker()
      await test.send('GET', `/transactions/${code}`)
      await bystander.stop()
      expect((await find(code)).refunds).toMatchObject([{ id: Number(id), status: 'PROCESSING' }])
      expect(await office().finishRefund('store-2', id, 'PROCESSED')).toBe('not-found')
      expect(await office().finishRefund(STORE, 'x', 'PROCESSED')).toBe('not-found')
      expect(await office().finishRefund(STORE, id, 'REJECTED')).toBe('changed')
      expect(await office().finishRefund(STORE, id, 'PROCESSED')).toBe('not-allowed')
      test.machine.nowMs += 1000
      const second = await refund(code)
      expect(await office().finishRefund(STORE, second, 'PROCESSED')).toBe('changed')
      const report = await find(code)
      expect(report.transaction.status).toBe('REFUNDED')
      expect(report.refunds).toMatchObject([
        { id: Number(id), status: 'REJECTED' },
        { id: Number(second), status: 'PROCESSED' },
      ])
      const refundIds = report.notifications.map(({ notification }) => notification.refundId)
      expect(refundIds).toContain(Number(second))
      expect(report.history.map(({ status }) => status)).toEqual(['COMPLETE', 'REFUNDED'])
    })

    it('lists notifications newest first, and sends one again', async () => {
      const code = await card('order-1', '4111111111111111')
      test.machine.nowMs += 1000
      const second = await card('order-2', '4000000000000002')
      await work(async () => {
        const { items } = await test.gateway.notifications.list(STORE, FIRST_PAGE)
        return items.every(({ attempts }) => attempts.length === 1)
      })
      const { items, next } = await test.gateway.notifications.list(STORE, FIRST_PAGE)
      expect(next).toBeUndefined()
      const first = await test.gateway.notifications.list(STORE, { limit: 1 })
      const rest = await test.gateway.notifications.list(STORE, { limit: 1, after: first.next })
      expect([...first.items, ...rest.items]).toEqual(items)
      expect(rest.next).toBeUndefined()
      expect(items).toMatchObject([
        {
          notification: { transactionCode: Number(second) },
          state: 'done',
          nextAttemptAtMs: undefined,
        },
        { notification: { transactionCode: Number(code) }, state: 'waiting-for-search' },
      ])
      expect(await test.gateway.notifications.resend('store-2', second, 1)).toBe(false)
      expect(await test.gateway.notifications.resend(STORE, second, 2)).toBe(false)
      expect(await test.gateway.notifications.resend(STORE, second, 1)).toBe(true)
      await work(async () => {
        const { items: again } = await test.gateway.notifications.list(STORE, FIRST_PAGE)
        return again[0]?.attempts.length === 2
      })
    })

    it('opens an inbox at an unguessable path', async () => {
      const { path, answer, items } = await openInbox(test.sandbox, STORE)
      expect([path, answer, items]).toEqual([
        expect.stringMatching(/^\/inbox\/[\w-]{24}$/),
        200,
        [],
      ])
      expect((await openInbox(test.sandbox, 'store-2')).path).not.toBe(path)
      expect((await openInbox(test.sandbox, STORE)).path).toBe(path)
      const headers = { 'content-type': 'text/plain' }
      const withCard = { headers: { 'x-card': '4111111111111111' }, body: 'one 4111111111111111' }
      expect(await receive(test.sandbox, path, withCard)).toEqual({ statusCode: 200 })
      await setInboxAnswer(test.sandbox, STORE, 500)
      expect(await receive(test.sandbox, path, { headers, body: 'two\0' })).toEqual({
        statusCode: 500,
      })
      expect((await openInbox(test.sandbox, STORE)).items).toMatchObject([
        { body: 'two\u{fffd}', statusCode: 500, headers },
        { body: 'one ************', statusCode: 200, headers: { 'x-card': '************' } },
      ])
      for (const wrong of ['/inbox/', '/inbox/x', path.slice(0, -1), `${path}/`, 'x', '/inbox/\0'])
        expect(await receive(test.sandbox, wrong, { headers, body: '' })).toBeUndefined()
      for (let i = 0; i < 205; i++) await receive(test.sandbox, path, { headers, body: String(i) })
      const kept = (await openInbox(test.sandbox, STORE)).items
      expect([kept.length, kept[0]?.body, kept.at(-1)?.body]).toEqual([200, '204', '5'])
      await test.sandbox.inboxes.empty(STORE)
      expect((await openInbox(test.sandbox, STORE)).items).toEqual([])
    })

    it('changes its version with everything that it shows', async () => {
      const versions = [await storeVersion(parts(), STORE)]
      const { paymentLinks: links } = withLinks(test).room
      const expectNew = async (): Promise<void> => {
        const version = await storeVersion(parts(), STORE)
        expect(versions).not.toContain(version)
        expect(await storeVersion(parts(), STORE)).toBe(version)
        versions.push(version)
      }
      const code = await pix('order-1')
      await expectNew()
      await office().changeStatus(STORE, code, 'COMPLETE')
      await expectNew()
      await work(async () => (await find(code)).notifications[0]?.attempts.length === 1)
      await expectNew()
      await test.send('GET', `/transactions/${code}`)
      await expectNew()
      await test.gateway.notifications.resend(STORE, code, 1)
      await expectNew()
      const { path } = await openInbox(test.sandbox, STORE)
      await receive(test.sandbox, path, { headers: {}, body: '' })
      await expectNew()
      await setInboxAnswer(test.sandbox, STORE, 404)
      await expectNew()
      await test.sandbox.modes.setMode(STORE, 'pix', { kind: 'after', seconds: 5 })
      await expectNew()
      await rotateSecret({ ...parts(), clock: test.machine }, STORE, TEST_MERCHANT.secret)
      await expectNew()
      await test.sandbox.clock.advance(1000)
      await expectNew()
      const methods = await links.methods(STORE)
      const notificationUrl = 'https://shop.example/notifications'
      const typed = emptyLink({
        nowMs: test.sandbox.clock.now(),
        methods,
        notificationUrl,
        language: 'pt-BR',
        installmentsMax: 12,
      })
      const body = linkBody({ ...typed, amount: '42,50', description: 'Two cups' })
      const made = await links.create(STORE, { body, actor: 'store' })
      await expectNew()
      await links.revoke(STORE, 'link' in made ? made.link.id : '', 'store')
      await expectNew()
      const before = await storeVersion(parts(), 'store-2')
      await pix('order-2')
      expect(await storeVersion(parts(), 'store-2')).toBe(before)
    })

    it('knows the steps that the sandbox has seen', async () => {
      const done = async (): Promise<string[]> => {
        const steps = await readProgress(parts(), STORE)
        return steps.filter(({ doneAtMs }) => doneAtMs !== undefined).map(({ step }) => step)
      }
      expect(await done()).toEqual([])
      const code = await card('order-1', '4111111111111111')
      await card('order-2', '4000000000000002')
      expect(await done()).toEqual(['card-paid', 'card-declined'])
      await test.send('POST', '/transactions', { body: {} })
      expect(await done()).not.toContain('error-handled')
      const saved = { token: undefined, code: 'SANDBOXSAVEDCARD0000000000000001' }
      await create(cardRequest('order-3', saved))
      await test.send('GET', '/card/installments?brand=visa&country=BR&amount=100&currency=BRL')
      for (const rail of ['boleto', 'pix', 'pagseguro'] as const) {
        const waiting = await create(railRequest(`order-${rail}`, rail))
        await office().changeStatus(STORE, waiting, 'COMPLETE')
      }
      await test.sandbox.modes.setMode(STORE, 'refund', { kind: 'by-hand' })
      await office().finishRefund(STORE, await refund(code), 'REJECTED')
      await office().finishRefund(STORE, await refund(code), 'PROCESSED')
      await work(async () => {
        const { items } = await test.gateway.notifications.list(STORE, FIRST_PAGE)
        return items.some(({ state }) => state === 'waiting-for-search')
      })
      const { items } = await test.gateway.notifications.list(STORE, FIRST_PAGE)
      const acknowledged = items.find(({ state }) => state === 'waiting-for-search')!
      await test.send('GET', `/transactions/${acknowledged.notification.transactionCode}`)
      const steps = await readProgress(parts(), STORE)
      expect(steps.filter(({ doneAtMs }) => doneAtMs === undefined)).toEqual([])
      const others = await readProgress(parts(), 'store-2')
      expect(others.map(({ doneAtMs }) => doneAtMs)).toEqual(steps.map(() => undefined))
    })

    it('deletes a store’s test data, and only that', async () => {
      const code = await card('order-1', '4111111111111111')
      await create(railRequest('order-1', 'pix'), OTHER)
      await refund(code)
      const { path } = await openInbox(test.sandbox, STORE)
      await receive(test.sandbox, path, { headers: {}, body: '' })
      await test.sandbox.modes.setMode(STORE, 'pix', { kind: 'at-once' })
      const worker = test.gateway.startWorker()
      await deleteTestData(parts(), STORE)
      await worker.stop()
      const { payments } = searchOf(test)
      expect((await payments.find(STORE, {})).items).toEqual([])
      expect((await test.gateway.notifications.list(STORE, FIRST_PAGE)).items).toEqual([])
      const allRequests = { filter: {}, limit: 20 }
      expect((await test.sandbox.requests.list(STORE, allRequests)).items).toEqual([])
      expect(await openInbox(test.sandbox, STORE)).toMatchObject({ path, items: [] })
      expect((await test.sandbox.modes.modesOf(STORE)).pix).toEqual({ kind: 'at-once' })
      expect((await payments.find('store-2', {})).items).toHaveLength(1)
      const attempts = await test.gatewayDatabase.reader
        .selectFrom('notification_attempts')
        .select('transaction_code')
        .where('transaction_code', '=', Number(code))
        .execute()
      expect(attempts).toEqual([])
      expect(await pix('order-1')).toBeTruthy()
    })
  })
}
