import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { railRequest } from '../../../gateway/src/gateway.fixture.js'
import { askAfterOpenCharges } from '../../../gateway/src/payment/open-intent-service.js'
import { openPixGateway } from './pix-bank.fixture.js'

it.each([0, 90 * SECOND_MS])(
  'a PIX that its bank does not know is withdrawn at the first word, with the clock set back by %i ms',
  async (backMs) => {
    const [engine] = TEST_ENGINES
    const pix = await openPixGateway(engine!)
    onTestFinished(() => pix.close())
    const answering = { ...pix.bank.bank }
    const lost = () => Promise.resolve({ kind: 'unknown', detail: 'lost' } as const)
    Object.assign(pix.bank.bank, { openCharge: lost, findCharge: lost, removeCharge: lost })
    await pix.send('POST', '/transactions', { body: railRequest('order-1', 'pix') })
    pix.time.nowMs += 10 * MINUTE_MS
    await askAfterOpenCharges(pix.parts)
    expect(await pix.find('order-1')).toMatchObject({ open: true })
    Object.assign(pix.bank.bank, answering)
    pix.time.nowMs -= backMs
    await pix.database.transact((trx) =>
      trx
        .updateTable('transactions')
        .set({ next_ask_at: pix.time.nowMs - 1 })
        .execute(),
    )
    await askAfterOpenCharges(pix.parts)
    expect(await pix.find('order-1')).toBeUndefined()
  },
)
