import { type CardChange, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, vi } from 'vitest'
import { NOW_MS, cardRequest, openTestGateway } from '../gateway.fixture.js'

describe('the worker', () => {
  it('applies changes by itself, after a crash between commit and acknowledgement too', async () => {
    const [engine] = TEST_ENGINES
    const test = await openTestGateway(engine!)
    const { json } = await test.send('POST', '/transactions', { body: cardRequest('order-1') })
    const { code } = json.transaction as { code: string }
    const amountMinor = minorUnits(10_000)
    const change: CardChange = {
      id: 'change-1',
      transactionCode: code,
      atMs: NOW_MS,
      change: { kind: 'charged_back', amountMinor },
    }
    vi.spyOn(test.parts.cards, 'acknowledge').mockRejectedValueOnce(new Error('killed'))
    test.changes.push(change)
    const worker = test.gateway.startWorker()
    await expect.poll(() => test.changes, { timeout: 60_000 }).toEqual([])
    await worker.stop()
    await test.close()
    expect(test.logged.join()).toContain('a job failed')
  })
})
