import { DAY_MS, MINUTE_MS } from '@cofre/contracts'
import { describeAcquirer } from '../../../../provider-kit/src/testing/acquirer.conformance.js'
import { APPROVED_CARD, sandboxCard } from '../../test/cielo-stage.js'
import { openTestCielo } from '../../test/simulated-cielo.js'
import { CIELO } from './cielo-provider.js'

describeAcquirer({
  provider: CIELO,
  async open() {
    const { apiPort, authority, cielo, clock, close, credentials, notices, queryPort } =
      await openTestCielo()
    return {
      clock,
      place: {
        origin: `https://127.0.0.1:${apiPort}`,
        queryOrigin: `https://127.0.0.1:${queryPort}`,
        caPem: authority,
        answers: { ...credentials },
      },
      disturbances: cielo.disturbances,
      tallyOf: (reference) => cielo.tallyOf(reference),
      installmentsOf: (reference) =>
        [...cielo.book.sales.values()].find((sale) => sale.merchantOrderId === reference)
          ?.installments,
      notices,
      close,
    }
  },
  liveAnswers: {},
  approved: { card: sandboxCard(APPROVED_CARD) },
  // The last digit chooses the sandbox's answer.
  declined: { order: { card: sandboxCard('4024007153763195') }, reason: 'card_not_unblocked' },
  isCharge: ({ method, path }) => method === 'POST' && path.endsWith('/sales'),
  isCheck: ({ path }) => path.endsWith('/zeroauth'),
  isCapture: ({ path }) => path.includes('/capture'),
  isRefund: ({ path }) => path.includes('/void'),
  refusal: (Message) => ({ status: 400, body: [{ Code: 105, Message }] }),
  doubtful: { status: 400, body: [{ Code: 302, Message: 'Duplicated' }] },
  // The next day in São Paulo, at any hour.
  refundableAfterMs: DAY_MS + 10 * MINUTE_MS,
  finds: true,
  cancelsUnnamed: true,
})
