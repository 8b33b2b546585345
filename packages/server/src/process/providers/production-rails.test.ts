import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { createProductionRails } from './production-rails.js'

const ORDER = {
  merchantId: 'loja',
  transactionCode: '1',
  publicId: 'x',
  amountMinor: minorUnits(100),
  payerName: 'Maria da Silva',
  payerDocument: '52998224725',
}

describe('Production’s payments without accounts', () => {
  it.each([
    ['dev', 'eft', false],
    ['dev', 'postpay', true],
    ['dev', 'e-wallet', true],
    ['serve', 'eft', false],
    ['serve', 'postpay', false],
    ['serve', 'e-wallet', false],
  ] as const)('with %s, %s: whether it can be refunded is %j', (mode, type, isRefundable) => {
    const rails = createProductionRails(mode, 'https://api.example')
    expect(rails.acceptsRefund(type, undefined)).toBe(isRefundable)
  })

  it('open no PIX and no boleto, and simulate wallets with npm start', async () => {
    const rails = createProductionRails('dev', 'https://api.example')
    expect([rails.opens('postpay'), rails.opens('e-wallet')]).toEqual([false, true])
    await expect(rails.openPixCharge(ORDER)).rejects.toThrow('without an account')
    await expect(rails.registerBoleto(ORDER, '2026-12-01')).rejects.toThrow('without an account')
  })

  it('open nothing in service, and end refunds that were requested before', async () => {
    const rails = createProductionRails('serve', 'https://api.example')
    expect([rails.opens('postpay'), rails.opens('e-wallet')]).toEqual([false, false])
    await expect(rails.registerBoleto(ORDER, '2026-12-01')).rejects.toThrow('without an account')
    const refund = { ...ORDER, refundId: '7', reference: undefined }
    expect(await rails.refund(refund)).toBe('PROCESSED')
  })
})
