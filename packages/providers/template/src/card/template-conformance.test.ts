import { minorUnits } from '@cofre/contracts'
import { describeAcquirer } from '../../../../provider-kit/src/testing/acquirer.conformance.js'
import { openReceiverOf, testPartsOf } from '../../../../provider-kit/test/card-acquirer.js'
import { startTemplate } from '../simulator/start-template.js'
import { TEMPLATE } from './template-provider.js'

describeAcquirer({
  provider: TEMPLATE,
  async open() {
    const parts = await testPartsOf('template')
    const running = await startTemplate(parts)
    const receiver = await openReceiverOf(running)
    const settings = { storeCode: 'loja' }
    const account = { id: 'acc_1', settings, noticeUrl: receiver.url }
    const { answers } = await running.openAccount(account)
    return {
      clock: { ...parts.clock, advance: (ms) => (parts.clock.advance(ms), undefined) },
      place: { origin: running.origin, caPem: running.authority, answers },
      disturbances: running.disturbances,
      tallyOf: (reference) => running.book.tallyOf(reference),
      installmentsOf: (reference) => running.book.find('loja', reference)?.installments,
      async notices() {
        await running.settled()
        return receiver.received
      },
      async close() {
        await running.stop()
        await receiver.close()
      },
    }
  },
  liveAnswers: {},
  approved: {},
  declined: { order: { amountMinor: minorUnits(12_951) }, reason: 'insufficient_funds' },
  isCharge: ({ path }) => path.endsWith('/charges'),
  isRefund: ({ path }) => path.endsWith('/refunds'),
  refusal: (error) => ({ status: 400, body: { error } }),
  doubtful: { status: 409, body: { error: 'another request has this reference' } },
  refundableAfterMs: 0,
  finds: true,
  cancelsUnnamed: true,
})
