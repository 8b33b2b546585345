import { minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { PROVIDER_TIMEOUT_MS, startDueWork } from '@cofre/work'
import { expect, it, onTestFinished } from 'vitest'
import type { Acquirer, RefundRequest } from '@cofre/provider-kit/card'
import { createVault } from '../create-vault.js'
import { testNotices } from '../notice/notices.fixture.js'
import { openTestVault } from '../vault.fixture.js'
import type { CardReturn } from './card-return.js'
import { CODE, TestBooks, addAccount, replayingAcquirer, storeCharge } from './charged.fixture.js'
import { insertReturnIfAbsent } from './return-sql.js'

/** A refund that is due, with a charge of its own. */
const refundOf = (name: string, nowMs: number): CardReturn => ({
  environment: 'production',
  name,
  transactionCode: String(Number(CODE) + Number(name)),
  origin: 'gateway',
  amountMinor: minorUnits(3000),
  reference: undefined,
  identity: undefined,
  state: 'wanted',
  attempts: 0,
  firstAttemptAtMs: undefined,
  absentSinceMs: undefined,
  returnedBeforeMinor: undefined,
  nextAskAtMs: nowMs,
  notBeforeMs: undefined,
  returnId: undefined,
  detail: undefined,
  createdAtMs: nowMs,
  endedAtMs: undefined,
})

it.each(TEST_ENGINES)(
  'a refund whose acquirer does not answer holds up no other of its account, on $name',
  async (engine) => {
    const test = await openTestVault(engine)
    const asked: string[] = []
    const hung = Promise.withResolvers<undefined>()
    const replaying = replayingAcquirer(new TestBooks())
    const acquirer: Acquirer = {
      ...replaying,
      async refund(request: RefundRequest) {
        asked.push(request.refundId)
        if (request.refundId === '1') await hung.promise
        return await replaying.refund(request)
      },
    }
    const vault = createVault({
      ...test.deps,
      connectionOf: () => Promise.resolve({ acquirer, notices: testNotices }),
    })
    await addAccount(test.deps)
    const requestRefund = async (name: string): Promise<void> => {
      const refund = refundOf(name, test.clock.nowMs)
      await storeCharge(test.database, { code: refund.transactionCode, paymentId: `P${name}` })
      await test.database.transact((trx) => insertReturnIfAbsent(trx, refund))
    }
    await requestRefund('1')
    const refunds = vault.followUp.filter(({ name }) => name === 'refunds')
    const work = startDueWork(
      refunds.map((row) => ({ ...row, everyMs: 10 })),
      { log: test.deps.log },
    )
    onTestFinished(async () => {
      hung.resolve(undefined)
      await work.stop()
      await test.database.close()
    })
    await expect.poll(() => asked).toEqual(['1'])
    await requestRefund('2')
    await expect.poll(() => asked, { timeout: PROVIDER_TIMEOUT_MS / 2 }).toEqual(['1', '2'])
  },
)
