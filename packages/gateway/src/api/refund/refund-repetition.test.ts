import { createHash } from 'node:crypto'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../gateway.fixture.js'
import { createRefund } from '../../payment/refund-service.js'
import { sendSigned, signedByLibrary } from '../request/message-signature.fixture.js'

const NOTIFY_URL = 'https://shop.example/refunds'
/** The number of the order, as plugins send it with each part. */
const REFERENCE = 'order-1'
const EQUAL = { status: 409, codes: [20607] }

/** The reference that an SDK derives from a key if the shop gives none. */
const referenceOfKey = (key: string): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 32)

for (const engine of TEST_ENGINES)
  describe(`POST /refunds again, on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs = NOW_MS
    let code = ''
    beforeEach(async () => {
      nowMs = NOW_MS
      test = await openTestGateway(engine, { clock: { now: () => nowMs } })
      const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
      code = (json.transaction as { code: string }).code
    })
    afterEach(() => test.close())

    const bodyOf = (body: object) => ({
      'transaction-id': code,
      'notify-url': NOTIFY_URL,
      amount: 10,
      reference: REFERENCE,
      ...body,
    })
    const refund = (body: object = {}, key?: string) =>
      test.send('POST', '/refunds', {
        body: bodyOf(body),
        headers: { 'idempotency-key': key, 'accept-language': 'en' },
      })
    const refunds = () =>
      test.database.reader.selectFrom('refunds').selectAll().orderBy('id').execute()
    /** Ends the refund in process, as the payment provider's answer does. */
    const finish = (status: 'PROCESSED' | 'REJECTED') =>
      test.database.transact((trx) =>
        trx.updateTable('refunds').set({ status }).where('status', '=', 'PROCESSING').execute(),
      )
    /** Makes the refund as release 0.2 inserted it. */
    const asBy02 = () =>
      test.database.transact((trx) => trx.updateTable('refunds').set({ identity: null }).execute())
    /** A day later, only a refund has data of its key. */
    const forgetKeys = () =>
      test.database.transact((trx) => trx.deleteFrom('idempotency_keys').execute())

    describe('without a key', () => {
      it.each([
        ['the same', {}, {}],
        ['the whole, then its amount', { amount: undefined }, { amount: '100.00' }],
        ['the amount, then the whole', { amount: 100 }, { amount: undefined }],
        ['no reference', { reference: undefined }, { reference: undefined }],
        ['no reference, then an empty one', { reference: undefined }, { reference: '' }],
        ['another address', {}, { 'notify-url': 'https://shop.example/other' }],
      ])('is refused while an equal one counts: %s', async (_, first, again) => {
        expect((await refund(first)).status).toBe(201)
        expect(await refund(again)).toMatchObject(EQUAL)
        await finish('PROCESSED')
        nowMs += DAY_MS - 1
        expect(await refund(again)).toMatchObject(EQUAL)
        expect(await refunds()).toHaveLength(1)
      })

      it('names the first one, and how to make a second', async () => {
        const { json } = await refund()
        await finish('PROCESSED')
        nowMs += MINUTE_MS
        const answer = await refund()
        const { message, property } = (
          answer.json.errors as { message: string; property: string }[]
        )[0]!
        expect(property).toBe('transaction-id')
        for (const part of [json['refund-id'], '10.00', '2026-11-21T09:00:00', 'PROCESSED'])
          expect(message).toContain(part)
        expect(message).toMatch(/Idempotency-Key.*console/)
      })

      it.each(['specification', 'rfc9421'] as const)(
        'is refused however it is signed: first with a key, now by %s',
        async (signature) => {
          await refund({}, 'key-1')
          await finish('PROCESSED')
          const body = JSON.stringify(bodyOf({}))
          const signed = () => signedByLibrary('POST', '/refunds', { body })
          const answer =
            signature === 'specification'
              ? await refund()
              : await sendSigned(test, ['POST', '/refunds'], { body, headers: await signed() })
          expect(answer).toMatchObject(EQUAL)
        },
      )

      it('is another refund once the first was rejected', async () => {
        const first = await refund()
        await finish('REJECTED')
        const second = await refund()
        expect([first.status, second.status]).toEqual([201, 201])
        expect(second.json).not.toEqual(first.json)
      })

      it('is another refund a day later, of another amount or another reference', async () => {
        const ids = new Set<unknown>()
        const asked = async (body: object): Promise<void> => {
          const { status, json } = await refund(body)
          expect(status).toBe(201)
          ids.add(json['refund-id'])
          await finish('PROCESSED')
        }
        await asked({})
        await asked({ amount: 10.01 })
        await asked({ reference: 'other' })
        nowMs += DAY_MS
        await asked({})
        expect(ids.size).toBe(4)
      })

      it('starts one refund of many requests of the same moment', async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => refund()))
        const statuses = answers.map(({ status }) => status).toSorted()
        expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
        expect(await refunds()).toHaveLength(1)
      })

      it('never exceeds what is left', async () => {
        await refund({ amount: 60 })
        await finish('PROCESSED')
        nowMs += DAY_MS
        expect(await refund({ amount: 60 })).toMatchObject({ status: 422, codes: [20608] })
      })
    })

    describe('with a key', () => {
      it.each([
        ['five minutes', 5 * MINUTE_MS],
        ['three days', 3 * DAY_MS],
      ])('pays two equal parts under two keys, %s apart', async (_, apartMs) => {
        const first = await refund({}, 'part-1')
        await finish('PROCESSED')
        nowMs += apartMs
        const second = await refund({}, 'part-2')
        expect([first.status, second.status]).toEqual([201, 201])
        expect(second.json).not.toEqual(first.json)
        await finish('PROCESSED')
        expect((await refunds()).map(({ amount }) => amount)).toEqual([1_000, 1_000])
      })

      it('is the first refund for as long as it is kept, also a rejected one', async () => {
        const first = await refund({}, 'key-1')
        await finish('REJECTED')
        nowMs += 300 * DAY_MS
        const again = await refund({}, 'key-1')
        expect([again.status, again.json]).toEqual([201, first.json])
        expect(again.headers.get('location')).toBe(`/transactions/${code}`)
        expect((await refund({}, 'key-2')).status).toBe(201)
      })

      it.each([
        ['amount', { amount: 10.01 }],
        ['reference', { reference: 'other' }],
        ['address', { 'notify-url': 'https://shop.example/other' }],
      ])('refuses the same key with another %s, late too', async (_, other) => {
        await refund({}, 'key-1')
        await finish('PROCESSED')
        await forgetKeys()
        expect(await refund(other, 'key-1')).toMatchObject({ status: 409, codes: [90012] })
        expect(await refunds()).toHaveLength(1)
      })

      it('stores no key on the refund', async () => {
        const key = 'maria@example.com'
        await refund({}, key)
        const { identity } = (await refunds())[0]!
        expect(identity).toMatch(/^[\w-]{44}$/)
        for (const form of ['hex', 'base64url'] as const)
          expect(identity).not.toContain(createHash('sha256').update(key).digest(form))
      })

      it('is the refund of a request that died before its answer was kept', async () => {
        const first = await refund({}, 'key-1')
        await test.database.transact((trx) =>
          trx.updateTable('idempotency_keys').set({ answer: null, claimed_at: 0 }).execute(),
        )
        expect((await refund({}, 'key-1')).json).toEqual(first.json)
      })
    })

    describe('with a key, of a refund that release 0.2 began', () => {
      const DRAWN = referenceOfKey('key-1')
      const by02 = async (body: object) => {
        const first = await refund(body)
        await finish('PROCESSED')
        await asBy02()
        nowMs += SECOND_MS
        return first
      }

      it('is that refund where the reference was drawn from the key', async () => {
        const first = await by02({ reference: DRAWN })
        expect((await refund({ reference: DRAWN }, 'key-1')).json).toEqual(first.json)
      })

      it.each([
        ['the reference is the shop’s own', {}, {}],
        ['the amount is another', { reference: DRAWN }, { reference: DRAWN, amount: 11 }],
        ['the key is another', { reference: DRAWN }, { reference: referenceOfKey('key-2') }],
      ])('is another refund where %s', async (_, before, now) => {
        const first = await by02(before)
        const second = await refund(now, 'key-1')
        expect(second.status).toBe(201)
        expect(second.json).not.toEqual(first.json)
      })

      it('is that refund where the very request is known to have died', async () => {
        const first = await by02({})
        const request = { 'transaction-id': code, 'notify-url': NOTIFY_URL, amount: 10_00 }
        const again = await createRefund(test.parts, MERCHANT, {
          request: { ...request, amount: 1000 as never, reference: REFERENCE },
          key: 'key-1',
          isRetry: true,
        })
        expect(String(again.id)).toBe(first.json['refund-id'])
      })
    })
  })
