import type { TestEngine } from '@cofre/sql/testing'
import { onTestFinished } from 'vitest'
import { cardRequest } from '../../../gateway/src/gateway.fixture.js'
import { describePaymentPart } from '../../../gateway/src/model/back-office/payment-part.conformance.js'
import type { TransactionCode } from '../../../gateway/src/model/transaction/transaction.js'
import { readCharges } from '../payment/charge-read-service.js'
import { openPixGateway } from '../payment/pix-bank.fixture.js'
import { bankChargePart, surplusPart } from './bank-parts.js'

/** Three payments: one with money beside its order, an unpaid one, and one by card. */
async function openPaidAtBank(engine: TestEngine) {
  const pix = await openPixGateway(engine)
  onTestFinished(() => pix.close())
  await pix.create('order-1')
  const having = (await pix.find('order-1'))!
  pix.bank.pay(700)
  await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
  await readCharges(pix.parts)
  const body = cardRequest('order-3')
  await pix.send('POST', '/transactions', { body })
  return { pix, having, foreign: (await pix.find('order-3'))! }
}

describePaymentPart('bankCharge', {
  value: {
    accountId: 'bank-1',
    accountLabel: 'Bank of the tests',
    payments: [{ amountMinor: 700, purpose: 'other-amount' }],
  },
  async open(engine) {
    const { pix, having, foreign } = await openPaidAtBank(engine)
    const lacking = { ...having, code: 1 as TransactionCode }
    return {
      part: bankChargePart(pix.parts.bankCharges),
      having,
      lacking,
      foreign,
    }
  },
})

describePaymentPart('hasSurplus', {
  value: true,
  async open(engine) {
    const { pix, having, foreign } = await openPaidAtBank(engine)
    await pix.create('order-2')
    const lacking = (await pix.find('order-2'))!
    return {
      part: surplusPart(pix.parts.surpluses),
      having,
      lacking,
      foreign,
    }
  },
})
