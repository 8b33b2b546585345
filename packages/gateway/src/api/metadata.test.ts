import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'
import { metadataOf } from '../model/transaction/stored-request.js'
import { recordStatus } from '../payment/status-report-service.js'
import type { TransactionCode } from '../model/transaction/transaction.js'

const PAN = '5555444433331111'

const withMetadata = <Request extends { transaction: object }>(
  request: Request,
  metadata: unknown,
) => ({ ...request, transaction: { ...request.transaction, metadata } })

for (const engine of TEST_ENGINES)
  describe(`metadata on ${engine.name}`, () => {
    let test: TestGateway
    beforeEach(async () => {
      test = await openTestGateway(engine)
    })
    afterEach(() => test.close())

    const pay = async (body: object, headers = {}) =>
      await test.send('POST', '/transactions', { body, headers })
    const stored = async (code: unknown) =>
      metadataOf((await test.parts.transactions.findByCode(Number(code) as TransactionCode))!)
    /** All stored rows of these tables. */
    const rows = async () => {
      const tables = ['transactions', 'refunds', 'idempotency_keys'] as const
      const all = tables.map((table) =>
        test.database.reader.selectFrom(table).selectAll().execute(),
      )
      return JSON.stringify(await Promise.all(all))
    }

    it.each(['specification', 'lenient'] as const)(
      'is kept by %s rules, and changes no answer of the specification',
      async (rules) => {
        await test.gateway.saveMerchant({ ...MERCHANT, rules })
        const metadata = { channel: 'app', 'seller.id': 'Loja do João' }
        const made = await pay(withMetadata(cardRequest('order-1'), metadata))
        const without = await pay(cardRequest('order-2'))
        const { code } = made.json.transaction as { code: string }
        expect(await stored(code)).toEqual(metadata)
        expect(await stored((without.json.transaction as { code: string }).code)).toEqual({})
        const found = await test.send('GET', `/transactions/${code}`)
        for (const { text } of [made, found]) {
          expect(text).not.toContain('channel')
          expect(text).not.toContain('João')
        }
        const names = ({ transaction }: Record<string, unknown>) =>
          Object.keys(transaction as object)
        expect(names(made.json)).toEqual(names(without.json))
      },
    )

    it('is refused with the field’s name, and neither its keys nor values', async () => {
      const bad = { 'secret key': PAN, ok: 'secret value' }
      const refused = await pay(withMetadata(cardRequest('order-1'), bad))
      expect(refused.status).toBe(400)
      expect(refused.text).toContain('"transaction.metadata"')
      expect(refused.text).not.toMatch(/secret|5555/)
    })

    it('holds no card number or security code, anywhere', async () => {
      const metadata = { note: `card ${PAN}`, cvv: '737' }
      const headers = { 'idempotency-key': 'key-1' }
      const made = await pay(withMetadata(railRequest('order-1', 'pix'), metadata), headers)
      const { code } = made.json.transaction as { code: string }
      expect(await stored(code)).toEqual({
        note: 'card ************',
        cvv: '***',
      })
      await recordStatus(test.parts, Number(code) as TransactionCode, 'COMPLETE')
      const body = {
        'transaction-id': code,
        'notify-url': 'https://shop.example/refunds',
        metadata,
      }
      expect((await test.send('POST', '/refunds', { body, digest: 'hex' })).status).toBe(201)
      for (const text of [await rows(), test.logged.join(' ')]) {
        expect(text).not.toMatch(/5555.?4444/)
        expect(text).not.toContain('"737"')
      }
    })

    it('lets no digest tell security codes apart', async () => {
      const fingerprintOf = async (cvv: string) => {
        const metadata = { 'card-cvv': cvv }
        const headers = { 'idempotency-key': `key-${cvv}` }
        await pay(withMetadata(railRequest('order-1', 'pix'), metadata), headers)
        const { reader } = test.database
        const found = await reader.selectFrom('idempotency_keys').select('fingerprint').execute()
        return found.at(-1)?.fingerprint
      }
      const first = await fingerprintOf('737')
      expect(first).toBeDefined()
      await test.database.transact(async (trx) => {
        for (const table of [
          'notifications',
          'transactions',
          'transaction_keys',
          'idempotency_keys',
        ] as const)
          await trx.deleteFrom(table).execute()
      })
      expect(await fingerprintOf('738')).toBe(first)
    })

    it('stays that of the first request for an order', async () => {
      const headers = { 'idempotency-key': 'key-1' }
      const first = await pay(withMetadata(cardRequest('order-1'), { attempt: '1' }), headers)
      const again = await pay(withMetadata(cardRequest('order-1'), { attempt: '2' }), headers)
      expect(again).toMatchObject({ status: 201, text: first.text })
      const { code } = first.json.transaction as { code: string }
      expect(await stored(code)).toEqual({ attempt: '1' })
      expect(test.orders).toHaveLength(1)
    })
  })
