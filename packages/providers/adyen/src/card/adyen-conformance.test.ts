import { describeAcquirer } from '../../../../provider-kit/src/testing/acquirer.conformance.js'
import { testClock } from '../../../../provider-kit/test/payments.js'
import { MERCHANT, openTestAdyen } from '../../test/simulated-adyen.js'
import { ADYEN } from './adyen-provider.js'

const payer = { document: undefined, email: undefined, ip: undefined }

describeAcquirer({
  provider: ADYEN,
  async open() {
    const { adyen, apiPort, authority, close, credentials, notices, receiver } =
      await openTestAdyen()
    const returnUrl = 'https://loja.example/volta'
    return {
      clock: testClock(),
      place: {
        origin: `https://127.0.0.1:${apiPort}`,
        caPem: authority,
        answers: { merchantAccount: MERCHANT, returnUrl, ...credentials },
      },
      disturbances: adyen.disturbances,
      tallyOf: (reference) => adyen.tallyOf(reference),
      installmentsOf: (reference) =>
        [...adyen.book.payments.values()].find((payment) => payment.reference === reference)
          ?.installments,
      notices: async () => (await notices(), receiver.received),
      close,
    }
  },
  liveAnswers: { livePrefix: '1797a841fbb37ca7-AdyenDemo' },
  approved: {},
  declined: {
    order: { payer: { ...payer, name: 'NOT ENOUGH BALANCE' } },
    reason: 'insufficient_funds',
  },
  isCharge: ({ path }) => path.endsWith('/payments'),
  isCheck: ({ path }) => path.endsWith('/payments'),
  isCapture: ({ path }) => path.endsWith('/captures'),
  isRefund: ({ path }) => path.endsWith('/refunds'),
  refusal: (message) => ({
    status: 422,
    body: { status: 422, errorCode: '130', message, errorType: 'validation' },
  }),
  doubtful: {
    status: 422,
    body: { status: 422, errorCode: '704', message: 'in progress', errorType: 'validation' },
  },
  refundableAfterMs: 0,
  finds: false,
  // A payment that is captured at once is cancelled by Adyen's own id.
  cancelsUnnamed: false,
})
