import { type CardAnswer, HOUR_MS, type SavedCardSummary, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  APPROVED,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../gateway.fixture.js'
import type { TransactionCode } from '../model/transaction/transaction.js'
import { openTestVault } from '../../../vault/src/vault.fixture.js'
import { startWorker } from '../worker/worker-service.js'
import { ACTIVATION_LEASE_MS, activateWaitingCards } from './card-activation-service.js'
import { recordStatus } from './status-report-service.js'

const SAVED_CARD: SavedCardSummary = {
  code: 'c'.repeat(32),
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2030-12',
  createdAtMs: NOW_MS,
}

const saving = (outcome: 'review' | 'approved') => (): Promise<CardAnswer> =>
  Promise.resolve({ ...APPROVED, outcome, savedCard: SAVED_CARD })
const vaultAnswers = () => Promise.resolve()
const vaultIsAway = () => Promise.reject(new Error('connection refused'))

for (const engine of TEST_ENGINES) {
  describe(`the activation of a saved card on ${engine.name}`, () => {
    let test: TestGateway
    let nowMs: number
    /** Codes of the transactions for which the vault was called. */
    let asked: string[]
    let activate: (code: string) => Promise<void>

    beforeEach(async () => {
      nowMs = NOW_MS
      asked = []
      activate = vaultAnswers
      const clock = { now: () => nowMs }
      test = await openTestGateway(engine, { clock, machineClock: clock })
      onTestFinished(() => test.close())
      test.answerCards(saving('review'))
      test.activateCards((code) => {
        asked.push(code)
        return activate(code)
      })
    })

    const buy = async (reference: string, body: object = cardRequest(reference)) => {
      const { json } = await test.send('POST', '/transactions', { body })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    }
    const complete = (code: TransactionCode) => recordStatus(test.parts, code, 'COMPLETE')
    const round = () => activateWaitingCards(test.parts)
    const store = () => test.parts.transactions

    it('comes with the report that completes its transaction, and once', async () => {
      const code = await buy('order-1')
      await complete(code)
      nowMs += HOUR_MS
      await round()
      expect(await complete(code)).toBeUndefined()
      expect(asked).toEqual([String(code)])
    })

    it('is made by a worker when the vault is down at the report, which succeeds', async () => {
      const code = await buy('order-1')
      activate = vaultIsAway
      const report = test.gateway.bankReports.report(String(code), 'COMPLETE')
      expect(await report).toBe('changed')
      expect((await store().findByCode(code))?.status).toBe('COMPLETE')
      expect(test.logged.join()).toContain('a saved card is not activated yet')
      activate = vaultAnswers
      nowMs += ACTIVATION_LEASE_MS
      await round()
      expect(asked).toHaveLength(2)
      nowMs += HOUR_MS
      await round()
      expect(asked).toHaveLength(2)
    })

    it('comes from a worker when the reporter dies after its commit', async () => {
      const code = await buy('order-1')
      const activateAtMs = nowMs + ACTIVATION_LEASE_MS
      await store().changeStatus(code, { to: 'COMPLETE', atMs: nowMs, activateAtMs })
      nowMs = activateAtMs - 1
      await round()
      expect(asked).toEqual([])
      nowMs = activateAtMs
      await round()
      expect(asked).toEqual([String(code)])
    })

    it('comes from another worker when the one that took it on dies', async () => {
      const code = await buy('order-1')
      await store().changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
      const claim = {
        machineNowMs: nowMs,
        leaseMs: ACTIVATION_LEASE_MS,
        limit: 10,
        unreadable: () => undefined,
      }
      expect(await store().claimActivations(claim)).toMatchObject([{ code }])
      await round()
      expect(asked).toEqual([])
      nowMs += ACTIVATION_LEASE_MS
      await round()
      expect(asked).toEqual([String(code)])
    })

    it('comes once more when it could not be recorded that the vault has answered', async () => {
      const code = await buy('order-1')
      vi.spyOn(store(), 'finishActivation').mockRejectedValueOnce(new Error('disk full'))
      expect(await complete(code)).toMatchObject({ status: 'COMPLETE' })
      expect(test.logged.join()).toContain(
        'a saved card is active, which could not be recorded yet',
      )
      for (let minutes = 0; minutes < 3; minutes++) {
        nowMs += ACTIVATION_LEASE_MS
        await round()
      }
      expect(asked).toEqual([String(code), String(code)])
    })

    it('is not kept waiting by another that fails, which is asked for again after a pause', async () => {
      const codes = [await buy('order-1'), await buy('order-2'), await buy('order-3')]
      const failing = String(codes[0])
      for (const code of codes) await store().changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
      activate = (code) => (code === failing ? vaultIsAway() : vaultAnswers())
      await round()
      expect(asked.toSorted()).toEqual(codes.map(String).toSorted())
      await round()
      expect(asked).toHaveLength(3)
      activate = vaultAnswers
      nowMs += ACTIVATION_LEASE_MS
      await round()
      expect(asked.slice(3)).toEqual([failing])
    })

    it('is one of a bounded number at a time, and each is given to one of two workers', async () => {
      const codes: string[] = []
      for (let i = 0; i < 23; i++) {
        const code = await buy(`order-${i}`)
        await store().changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
        codes.push(String(code))
      }
      await round()
      expect(asked).toHaveLength(20)
      await Promise.all([round(), round()])
      expect(asked.toSorted()).toEqual(codes.toSorted())
    })

    it('is asked for when the answer to the order was lost: the vault may have saved the card', async () => {
      test.answerCards(vaultIsAway)
      const code = await buy('order-1')
      await complete(code)
      expect(asked).toEqual([String(code)])
    })

    it('waits while the outcome is unknown: the vault has not saved the card yet', async () => {
      test.answerCards(vaultIsAway)
      const first = await buy('order-1')
      const codes = [first, await buy('order-2')]
      test.recallCards(() => ({ ...APPROVED, outcome: 'unknown' }))
      for (const code of codes) await complete(code)
      nowMs += ACTIVATION_LEASE_MS
      await expect(round()).rejects.toThrow('what became of the charge')
      test.recallCards(vaultIsAway)
      nowMs += ACTIVATION_LEASE_MS
      await expect(round()).rejects.toThrow('connection refused')
      expect(asked).toEqual([])
      test.recallCards(saving('approved'))
      nowMs += ACTIVATION_LEASE_MS
      await round()
      expect(asked.toSorted()).toEqual(codes.map(String).toSorted())
      expect(await store().findByCode(first)).toMatchObject({
        savedCard: SAVED_CARD,
        activateAtMs: undefined,
      })
    })

    it('fails as a round, logging none, when all fail; otherwise logs those that failed', async () => {
      const codes = [await buy('order-1'), await buy('order-2'), await buy('order-3')]
      const failing = codes.slice(0, 2).map(String)
      for (const code of codes) await store().changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
      activate = vaultIsAway
      await expect(round()).rejects.toThrow(/transaction \d+: connection refused/)
      expect(test.logged).toEqual([])
      activate = (code) => (failing.includes(code) ? vaultIsAway() : vaultAnswers())
      nowMs += ACTIVATION_LEASE_MS
      await round()
      expect(test.logged).toHaveLength(2)
      for (const code of failing)
        expect(test.logged.join()).toContain(`not activated yet {"transaction":${code}`)
    })

    it('fails as a round when the database goes down in it', async () => {
      for (const reference of ['order-1', 'order-2'])
        await store().changeStatus(await buy(reference), { to: 'COMPLETE', atMs: nowMs })
      const gone = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
      vi.spyOn(store(), 'finishActivation').mockRejectedValueOnce(gone)
      await expect(round()).rejects.toThrow('could not be recorded')
      expect(asked).toHaveLength(2)
      expect(test.logged).toEqual([])
    })

    it('is not asked for where no card waits', async () => {
      const pix = await buy('order-pix', railRequest('order-pix', 'pix'))
      test.answerCards(() => Promise.resolve({ ...APPROVED, outcome: 'review' }))
      const unsaved = await buy('order-unsaved')
      test.answerCards(saving('review'))
      const cancelled = await buy('order-cancelled')
      test.answerCards(saving('approved'))
      await buy('order-paid')
      for (const code of [pix, unsaved]) expect(await complete(code)).toBeDefined()
      expect(await recordStatus(test.parts, cancelled, 'CANCELLED')).toBeDefined()
      nowMs += HOUR_MS
      await round()
      expect(asked).toEqual([])
    })

    it('continues when the machine’s clock was set back', async () => {
      const code = await buy('order-1')
      activate = vaultIsAway
      await complete(code)
      activate = vaultAnswers
      nowMs -= HOUR_MS
      await round()
      expect(asked).toEqual([String(code), String(code)])
    })

    it('is done by a worker that was started', async () => {
      const code = await buy('order-1')
      await store().changeStatus(code, { to: 'COMPLETE', atMs: nowMs })
      const worker = startWorker(test.parts)
      await expect.poll(() => asked).toEqual([String(code)])
      await worker.stop()
    })
  })

  it(`a card whose acquirer timed out is saved and active once its transaction is COMPLETE, on ${engine.name}`, async () => {
    const testVault = await openTestVault(engine)
    const { vault, acquirer } = testVault
    let nowMs = NOW_MS
    const machineClock = { now: () => nowMs }
    const test = await openTestGateway(engine, { cards: vault, machineClock })
    onTestFinished(() => test.close())
    acquirer.answers = ['unknown']
    const paymentInfo = { token: await testVault.deposit(), save: true }
    const { json } = await test.send('POST', '/transactions', {
      body: cardRequest('order-1', paymentInfo),
    })
    const code = Number((json.transaction as { code: string }).code) as TransactionCode
    const { parts: deps } = test
    await recordStatus(deps, code, 'COMPLETE')
    const waiting = await deps.transactions.findByCode(code)
    expect(waiting).toMatchObject({ status: 'COMPLETE', savedCard: undefined })
    expect(waiting?.activateAtMs).toBeDefined()
    acquirer.answers = ['review']
    nowMs += ACTIVATION_LEASE_MS
    await activateWaitingCards(deps)
    const { savedCard, activateAtMs } = (await deps.transactions.findByCode(code)) ?? {}
    expect(savedCard).toMatchObject({ brand: 'visa', lastFour: '1111' })
    expect(activateAtMs).toBeUndefined()
    const payingAgain = await vault.authorize({
      environment: 'production',
      merchantId: 'store-1',
      transactionCode: '200000000000000',
      source: { kind: 'code', code: savedCard?.code ?? '' },
      payerEmail: 'maria@example.com',
      amountMinor: minorUnits(100),
      installments: 1,
      saveCard: false,
    })
    expect(payingAgain).toMatchObject({ kind: 'answered' })
  })
}
