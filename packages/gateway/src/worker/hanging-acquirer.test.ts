import { HOUR_MS, SECOND_MS, type SavedCardSummary } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { type Lanes, createLanes } from '@cofre/work'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { UseCaseParts } from '../composition/gateway-parts.js'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../gateway.fixture.js'
import type { Merchant } from '../model/merchant/merchant.js'
import { activateWaitingCards } from '../payment/card-activation-service.js'
import { askAfterOpenIntents } from '../payment/open-intent-service.js'
import { processRefunds } from '../payment/refund-service.js'
import { startWorker } from './worker-service.js'

const OTHER = { ...MERCHANT, id: 'store-2' }
/** Less than a call to an acquirer may take. */
const IN_TIME = { timeout: 15 * SECOND_MS }

const SAVED_CARD: SavedCardSummary = {
  code: 'c'.repeat(32),
  brand: 'visa',
  lastFour: '1111',
  expirationDate: '2030-12',
  createdAtMs: NOW_MS,
}

interface Kind {
  /** The vault's answer, after which one is due. */
  readonly answer: 'lost' | 'review' | 'approved'
  readonly round: (parts: UseCaseParts, lanes: Lanes) => Promise<unknown>
}

const KINDS: readonly (readonly [name: string, kind: Kind])[] = [
  ['open intents', { answer: 'lost', round: askAfterOpenIntents }],
  ['card activations', { answer: 'review', round: activateWaitingCards }],
  ['refunds', { answer: 'approved', round: processRefunds }],
]

for (const engine of TEST_ENGINES)
  describe.each(KINDS)(`%s at an acquirer that hangs, on ${engine.name}`, (_, kind) => {
    let test: TestGateway
    let nowMs: number
    /** Transactions for which the vault was called, in this order. */
    let asked: string[]
    let hangs: (code: string) => boolean

    beforeEach(async () => {
      nowMs = NOW_MS
      asked = []
      hangs = () => true
      const clock = { now: () => nowMs }
      test = await openTestGateway(engine, { clock, machineClock: clock })
      onTestFinished(() => test.close())
      await test.parts.merchants.save(OTHER, 'start')
      const { answer } = kind
      test.answerCards(() =>
        answer === 'lost'
          ? Promise.reject(new Error('connection reset'))
          : Promise.resolve({ ...APPROVED, outcome: answer, savedCard: SAVED_CARD }),
      )
      test.activateCards((code) => ask(code, undefined))
      test.refundCards(({ transactionCode }) => ask(transactionCode, { kind: 'done' }))
      vi.spyOn(test.parts.cards, 'recallAuthorization').mockImplementation((_, code) =>
        ask(code, { ...APPROVED, kind: 'answered' }),
      )
    })

    const ask = async <Answer>(code: string, answer: Answer): Promise<Answer> => {
      asked.push(code)
      return hangs(code) ? await new Promise<never>(() => undefined) : answer
    }

    /** A payment with work that is due in an hour. */
    const pay = async (reference: string, merchant: Merchant = MERCHANT): Promise<string> => {
      const { transactions } = test.parts
      await test.send('POST', '/transactions', { body: cardRequest(reference), merchant })
      const { code } = (await transactions.findByReference(merchant.id, reference))!
      nowMs += 1
      if (kind.answer === 'review')
        await transactions.changeStatus(code, { to: 'COMPLETE', atMs: nowMs, activateAtMs: nowMs })
      const body = { 'transaction-id': code, 'notify-url': 'https://shop.example/refunds' }
      if (kind.answer === 'approved') await test.send('POST', '/refunds', { body, merchant })
      return String(code)
    }

    it('delay none at another acquirer of the store', async () => {
      for (let i = 0; i < 90; i++) await pay(`order-${i}`)
      const other = await pay('order-other')
      nowMs += HOUR_MS
      hangs = (code) => code !== other
      const worker = startWorker(test.parts)
      onTestFinished(() => void worker.stop())
      await expect.poll(() => asked.includes(other), IN_TIME).toBe(true)
    })

    it('are left to other stores once a store waits for as many as it may', async () => {
      const lanes = createLanes()
      const first = await pay('order-1')
      nowMs += HOUR_MS
      void kind.round(test.parts, lanes)
      await expect.poll(() => asked.length).toBe(1)
      const second = await pay('order-2')
      const ofOther = await pay('order-3', OTHER)
      nowMs += HOUR_MS
      hangs = () => false
      await kind.round(test.parts, lanes)
      expect(new Set(asked)).toEqual(new Set([first, ofOther]))
      await kind.round(test.parts, createLanes())
      expect(asked).toContain(second)
    })
  })
