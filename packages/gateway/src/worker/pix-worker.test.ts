import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPixGateway } from '../payment/pix-bank.fixture.js'

for (const engine of TEST_ENGINES) {
  describe(`a PIX that is paid at a bank, on ${engine.name}`, () => {
    it.each([
      ['a notice', true],
      ['no notice at all', false],
    ])('turns the order paid by itself, with %s, and its refund goes back', async (_, isTold) => {
      const pix = await openPixGateway(engine)
      const worker = pix.gateway.startWorker()
      onTestFinished(async () => {
        await worker.stop()
        await pix.close()
      })
      await pix.create('order-1')
      const { code } = (await pix.find('order-1'))!
      pix.bank.pay()
      pix.bank.pay(700)
      if (isTold) await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
      else pix.time.nowMs += 30_000
      const status = async () => (await pix.find('order-1'))?.status
      await expect.poll(status).toBe('COMPLETE')
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
      await pix.test.send('POST', '/refunds', { body })
      await expect.poll(status).toBe('REFUNDED')
      await expect.poll(() => pix.bank.refundedMinor()).toBe(10_700)
    })
  })
}

describe('the address of the notices of an account', () => {
  it.each([
    ['its own', 'bank-1', 'n'.repeat(32), true],
    ['one with another secret', 'bank-1', 'x'.repeat(32), false],
    ['one without a secret', 'bank-1', '', false],
    ['that of no account', 'bank-2', 'n'.repeat(32), false],
    ['that of no account, without a secret', 'bank-2', '', false],
    ['no name of an account', 'bank-1\0', 'n'.repeat(32), false],
  ])('is known: %s', async (_, account, secret, isExpected) => {
    const [engine] = TEST_ENGINES
    const pix = await openPixGateway(engine!)
    onTestFinished(() => pix.close())
    expect(await pix.gateway.expectsNotice(account, secret)).toBe(isExpected)
  })
})
