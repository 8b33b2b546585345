import type { PixBank, PixTxid } from '@cofre/gateway'
import { expect, it } from 'vitest'
import { accountOf } from '../../../gateway/src/payment/pix-bank.fixture.js'
import { createMetrics } from './metrics.js'
import { observedBanks } from './observed-ports.js'
import { NO_TRACING } from './tracing.js'

it('Calls to banks are counted by what became of them, and go through as they are', async () => {
  const metrics = createMetrics('0.0.0')
  const answer = { kind: 'refused', detail: 'no' } as const
  const receiver = { name: 'Loja', city: 'Recife' }
  const bank = {
    receiver,
    findCharge: () => Promise.resolve(answer),
    listPayments: () => Promise.reject(new Error('gone')),
  } as Partial<PixBank> as PixBank
  const observers = { metrics, tracing: NO_TRACING }
  const { pix: observed } = await observedBanks(
    () => ({ pix: bank }),
    'production',
    observers,
  )(accountOf('one'))
  expect(observed?.receiver).toBe(receiver)
  expect(await observed?.findCharge('a-txid' as PixTxid, 'background')).toBe(answer)
  await expect(observed?.listPayments({ fromMs: 0, toMs: 1 }, 0)).rejects.toThrow('gone')
  const text = await metrics.registry.metrics()
  const counted = text.split('\n').filter((line) => line.startsWith('cofre_bank_calls_total{'))
  const labels = 'environment="production",bank="fake"'
  expect(counted).toEqual([
    `cofre_bank_calls_total{${labels},call="find_charge",outcome="refused"} 1`,
    `cofre_bank_calls_total{${labels},call="list_payments",outcome="lost"} 1`,
  ])
})
