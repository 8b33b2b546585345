import type { PixBank, PixTxid } from '@cofre/provider-kit/bank'
import type { Acquirer, AcquirerAnswer, ReturnDecision } from '@cofre/provider-kit/card'
import { expect, it } from 'vitest'
import { accountOf } from '../../../banks/src/payment/pix-bank.fixture.js'
import { createMetrics } from './metrics.js'
import { observedAcquirers, observedBanks } from './observed-ports.js'
import { NO_TRACING } from './tracing.js'

const AWAY = { kind: 'not-sent', cause: 'no-connection', detail: 'away' } as const

it('Calls to banks are counted by what became of them, and go through as they are', async () => {
  const metrics = createMetrics('0.0.0')
  const answer = { kind: 'refused', detail: 'no' } as const
  const receiver = { name: 'Loja', city: 'Recife' }
  const bank = {
    receiver,
    findCharge: () => Promise.resolve(answer),
    removeCharge: () => Promise.resolve(AWAY),
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
  expect(await observed?.removeCharge('a-txid' as PixTxid)).toBe(AWAY)
  await expect(observed?.listPayments({ fromMs: 0, toMs: 1 }, 0)).rejects.toThrow('gone')
  const text = await metrics.registry.metrics()
  const counted = text.split('\n').filter((line) => line.startsWith('cofre_bank_calls_total{'))
  const labels = 'environment="production",bank="fake"'
  expect(counted).toEqual([
    `cofre_bank_calls_total{${labels},call="find_charge",outcome="refused"} 1`,
    `cofre_bank_calls_total{${labels},call="remove_charge",outcome="unavailable"} 1`,
    `cofre_bank_calls_total{${labels},call="list_payments",outcome="lost"} 1`,
  ])
})

const returned = (value: ReturnDecision): AcquirerAnswer<ReturnDecision> => ({
  kind: 'done',
  value,
})
const REFUSED = { kind: 'refused', detail: 'a wrong request' } as const
const LOST = { kind: 'unknown', detail: 'cut' } as const

it.each<[keyof Acquirer, AcquirerAnswer<unknown> | Error, string]>([
  ['authorize', { kind: 'done', value: { outcome: 'declined' } }, 'declined'],
  ['authorize', AWAY, 'not_done'],
  ['authorize', REFUSED, 'not_done'],
  ['authorize', LOST, 'unknown'],
  ['authorize', new Error('a fault'), 'lost'],
  ['cancel', returned({ state: 'in_process', returnId: undefined }), 'in_process'],
  ['capture', returned({ state: 'done', returnId: undefined }), 'done'],
  ['refund', returned({ state: 'too_early', detail: '', retryAfterMs: 1 }), 'not_done'],
  ['find', { kind: 'done', value: { state: 'approved' } }, 'found'],
  ['find', { kind: 'absent' }, 'absent'],
  ['find', AWAY, 'not_done'],
])(
  'Calls to acquirers are counted by what became of them: %s, %j',
  async (call, answer, outcome) => {
    const metrics = createMetrics('0.0.0')
    const ask = () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer))
    const acquirer = { [call]: ask } as Partial<Acquirer> as Acquirer
    const connection = { acquirer, notices: { read: () => ({ kind: 'none' }) }, steps: [] }
    const connect = () => Promise.resolve(connection as never)
    const observers = { metrics, tracing: NO_TRACING }
    const observed = await observedAcquirers(connect, observers)(accountOf('one'))
    const key = { environment: 'production' }
    const asked = (observed.acquirer[call] as (request: object) => Promise<unknown>)({ key })
    if (answer instanceof Error) await expect(asked).rejects.toBe(answer)
    else expect(await asked).toBe(answer)
    const text = await metrics.registry.metrics()
    const counted = text
      .split('\n')
      .filter((line) => line.startsWith('cofre_acquirer_calls_total{'))
    const labels = `environment="production",acquirer="fake",call="${call}",outcome="${outcome}"`
    expect(counted).toEqual([`cofre_acquirer_calls_total{${labels}} 1`])
  },
)
