import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { createProductionRails } from './production-rails.js'

const rails = createProductionRails('https://api.example')

describe('What production asks no account for', () => {
  it.each([
    ['eft', 'pix', false],
    ['postpay', 'boleto', true],
    ['e-wallet', 'paypal', true],
    ['credit-card', 'visa', true],
  ] as const)('%s by %s: whether it can be refunded is %j', (type, subType, isRefundable) => {
    expect(rails.acceptsRefund(type, subType)).toBe(isRefundable)
  })

  it('opens no PIX that nobody can pay', async () => {
    const order = {
      merchantId: 'loja',
      transactionCode: '1',
      publicId: 'x',
      amountMinor: minorUnits(100),
      payerName: 'Maria da Silva',
      payerDocument: '52998224725',
    }
    await expect(rails.openPixCharge(order)).rejects.toThrow('without an account')
    await expect(rails.registerBoleto(order, '2026-12-01')).resolves.toMatchObject({ bank: '033' })
  })
})
