import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MERCHANT, railRequest } from '../../gateway/src/gateway.fixture.js'
import { openTestOperator } from './operator.fixture.js'

const OTHER = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }

describe.each(TEST_ENGINES)('what people see of a store on $name', (engine) => {
  it('a payment: shown to its own store alone', async () => {
    const test = await openTestOperator(engine)
    onTestFinished(() => test.close())
    await test.gateway.saveMerchant(OTHER)
    const { json } = await test.send('POST', '/transactions', {
      body: railRequest('boleto-1', 'boleto'),
    })
    const { code } = json.transaction as { code: string }
    const { backOffice } = test.gateway
    const details = await backOffice.findTransaction(MERCHANT.id, code)
    expect(details?.transaction.reference).toBe('boleto-1')
    expect(await backOffice.findTransaction(OTHER.id, code)).toBeUndefined()
  })
})
