import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../../gateway/src/gateway.fixture.js'
import { type PayerBlocklist, createPayerBlocklist } from './payer-blocklist-sql.js'

for (const engine of TEST_ENGINES) {
  describe(`PayerBlocklist on ${engine.name}`, () => {
    let test: TestGateway
    let blocklist: PayerBlocklist
    beforeEach(async () => {
      test = await openTestGateway(engine)
      blocklist = createPayerBlocklist(test.database)
    })
    afterEach(() => test.close())

    const pay = (reference: string) =>
      test.send('POST', '/transactions', { body: cardRequest(reference) })

    it.each([
      ['a document with punctuation', '529.982.247-25'],
      ['an e-mail in upper case', ' MARIA@EXAMPLE.COM '],
    ])('keeps out %s until it is taken off', async (_, payer) => {
      await blocklist.block(payer, 'operator')
      expect(await pay('order-1')).toMatchObject({ status: 422, codes: [210603] })
      expect(await blocklist.list()).toMatchObject([{ by: 'operator' }])
      await blocklist.block(payer, 'provider')
      expect(await blocklist.list()).toEqual([
        { payer: payer.includes('@') ? 'maria@example.com' : '52998224725', by: 'provider' },
      ])
      expect(await pay('order-1')).toMatchObject({ status: 422, codes: [210604] })
      expect(await blocklist.unblock(payer)).toBe(true)
      expect(await blocklist.unblock(payer)).toBe(false)
      expect((await pay('order-1')).status).toBe(201)
    })
  })
}
