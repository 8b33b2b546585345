import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  cardRequest,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import { replaceBankParts } from '../banks.fixture.js'
import type { ProviderAccount } from '@cofre/provider-kit/account'
import { OPEN_INTENT_CHECK_AFTER_MS } from '../../../gateway/src/model/transaction/transaction.js'
import { accountOf, openPixGateway } from './pix-bank.fixture.js'

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

describe('a bank that does not answer', () => {
  it('holds up neither the worker nor the bank of another store', async () => {
    const [engine] = TEST_ENGINES
    const hanging = new Set<string>()
    const pix = await openPixGateway(engine!, { bankTimeoutMs: 60_000 })
    const { bankOf } = pix.parts
    replaceBankParts(pix.parts, {
      bankOf: (account: ProviderAccount) =>
        hanging.has(account.id)
          ? { pix: { ...pix.bank.bank, findCharge: () => new Promise(() => undefined) } }
          : bankOf!(account),
    })
    const other = { ...MERCHANT, id: 'store-2' }
    await pix.parts.merchants.save(other, 'start')
    await pix.parts.accounts.create(accountOf('bank-2', other.id), ['pix'], 'operator:ana')
    const body = railRequest('order-2', 'pix')
    await pix.test.send('POST', '/transactions', { body, merchant: other })
    hanging.add('bank-2')
    pix.time.nowMs += 5_000
    const worker = pix.gateway.startWorker()
    onTestFinished(() => pix.close())
    await expect.poll(() => pix.bank.calls.length).toBeGreaterThan(0)
    await pix.create('order-1')
    pix.bank.pay()
    await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
    await expect.poll(async () => (await pix.find('order-1'))?.status).toBe('COMPLETE')
    expect(worker.sinceLastRoundMs()).toBeLessThan(10_000)
    void worker.stop()
  })
})

describe('a bank that does not remove a charge', () => {
  it('holds up no other open intent', async () => {
    const [engine] = TEST_ENGINES
    let removals = 0
    const pix = await openPixGateway(engine!, { bankTimeoutMs: 60_000 })
    const real = { ...pix.bank.bank }
    pix.bank.bank.removeCharge = (txid) =>
      ++removals === 1 ? new Promise(() => undefined) : real.removeCharge(txid)
    const withdraw = async (reference: string): Promise<void> => {
      pix.bank.disturb('openCharge', 'cut-before')
      await pix.create(reference)
      pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS
    }
    await withdraw('order-1')
    const worker = pix.gateway.startWorker()
    onTestFinished(() => pix.close())
    await expect.poll(() => removals).toBe(1)
    await withdraw('order-2')
    await expect.poll(() => pix.find('order-2')).toBeUndefined()
    void worker.stop()
  })
})

describe('banks that do not answer', () => {
  it('hold up no card whose outcome is unknown, however many charges wait for them', async () => {
    const [engine] = TEST_ENGINES
    let removals = 0
    const pix = await openPixGateway(engine!, { bankTimeoutMs: 60_000 })
    pix.bank.bank.removeCharge = () => {
      removals += 1
      return new Promise(() => undefined)
    }
    const worker = pix.gateway.startWorker()
    onTestFinished(() => pix.close())
    // A worker's number of parallel rounds.
    for (let round = 1; round <= 4; round++) {
      pix.bank.disturb('openCharge', 'cut-before')
      await pix.create(`order-${round}`)
      pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS
      // Each round repeats the removals of the rounds before.
      await expect.poll(() => removals).toBe((round * (round + 1)) / 2)
    }
    pix.test.answerCards(() => Promise.reject(new Error('connection reset')))
    await pix.test.send('POST', '/transactions', { body: cardRequest('order-card') })
    pix.test.recallCards(() => APPROVED)
    pix.time.nowMs += OPEN_INTENT_CHECK_AFTER_MS
    await expect.poll(async () => (await pix.find('order-card'))?.status).toBe('COMPLETE')
    void worker.stop()
  })
})

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
