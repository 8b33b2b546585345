import { isValidBoleto, isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import { minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type RailName,
  type TestGateway,
  openTestGateway,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import { createSandboxRails } from './sandbox-rails.js'

const [sqlite] = TEST_ENGINES

describe('the sandbox’s bank', () => {
  let test: TestGateway
  beforeEach(async () => {
    test = await openTestGateway(sqlite!, {
      environment: 'sandbox',
      rails: createSandboxRails({ publicUrl: 'https://sandbox.example.com' }),
    })
  })
  afterEach(() => test.close())

  const create = async (rail: RailName, reference = 'order-1') => {
    const { json } = await test.send('POST', '/transactions', {
      body: railRequest(reference, rail),
    })
    return json.transaction as Record<string, string>
  }

  it('registers boletos of a beneficiary that does not exist, each with its own number', async () => {
    const lines = [await create('boleto'), await create('boleto', 'order-2')].map(
      (boleto) => boleto['digitable-line']!,
    )
    for (const line of lines) {
      expect(isValidBoleto(line)).toBe(true)
      expect(line).toMatch(/^033990000/)
    }
    expect(new Set(lines).size).toBe(2)
  })

  it('opens PIX charges at a host that does not exist', async () => {
    const { 'payment-code': code = '' } = await create('pix')
    expect(isValidPixPayload(code)).toBe(true)
    expect(code).toContain('pix.sandbox.invalid/qr/v2/')
  })

  it('sends the payer to its own wallet page', async () => {
    expect((await create('paypal'))['payment-url']).toMatch(
      /^https:\/\/sandbox\.example\.com\/w\/\w{16}$/,
    )
  })

  it('answers the same order alike', async () => {
    const rails = createSandboxRails({ publicUrl: 'https://sandbox.example.com' })
    const order = {
      merchantId: 'store-1',
      transactionCode: '58000000000001',
      publicId: 'AAAAAAAAAAAAAAAA',
      amountMinor: minorUnits(100),
      payerName: 'Maria da Silva',
      payerDocument: '52998224725',
    }
    const ask = () => rails.registerBoleto(order, '2026-11-24')
    expect(await ask()).toEqual(await ask())
    expect((await ask()).freeField).toMatch(/^9\d{24}$/)
  })
})
