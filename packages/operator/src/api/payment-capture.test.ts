import { DAY_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AUTHORIZED, NOW_MS, cardRequest } from '../../../gateway/src/gateway.fixture.js'
import { type TestOperator, openTestOperator } from '../operator.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`a payment that is captured later, on ${engine.name}`, () => {
    let test: TestOperator
    beforeEach(async () => {
      test = await openTestOperator(engine)
      test.answerCards(() => Promise.resolve(AUTHORIZED))
    })
    afterEach(() => test.close())

    const authorize = async (reference = 'order-1') => {
      const body = cardRequest(reference, { capture: false })
      const { json, status } = await test.send('POST', '/transactions', { body })
      return { status, ...(json.transaction as { code: string }) }
    }
    const capture = (code: string, body: object = {}) =>
      test.send('POST', `/payments/${code}/capture`, { body })

    it('is AUTHORIZED until it is captured whole', async () => {
      const created = await authorize()
      expect(created).toMatchObject({ status: 'PENDING' })
      const { code } = created
      expect(await capture(code)).toMatchObject({ status: 200, json: { capture: 'captured' } })
    })
  })
}
