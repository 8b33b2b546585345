import type { AccountTestStep } from '@cofre/provider-kit/account'
import { createCallBudget, createOutboundClient } from '@cofre/provider-kit/outbound'
import {
  type AcquirerProvider,
  contractInstallments,
  credentialsAccepted,
  credentialsResult,
} from '@cofre/provider-kit/card'
import {
  ADYEN_QUESTIONS,
  type AdyenAccount,
  adyenAccount,
  readAdyenAccount,
} from './adyen-account.js'
import { createAdyenAcquirer } from './adyen-acquirer.js'
import { poster } from './adyen-calls.js'
import { adyenCaptureDays } from './adyen-capture-days.js'
import { createAdyenNotices } from './adyen-notice.js'
import { adyenError } from './adyen-refusal.js'
import { ADYEN_RULES } from './adyen-rules.js'
import { ADYEN_TERMS } from '../terms/index.js'

/** Adyen's limits are far higher; this prevents a flood by a fault here. */
const CALLS_PER_MINUTE = 600

/** Adyen Checkout v72. */
export const ADYEN: AcquirerProvider = {
  name: ADYEN_TERMS.name,
  methods: ['card'],
  profiles: [
    {
      name: 'checkout',
      company: ADYEN_TERMS.company,
      kinds: ['live', 'test', 'simulator'],
      unconfirmed: [
        'how long idempotency keys are kept (Cofre assumes seven days)',
        'the answer while a request with the same key is in progress (704)',
        'for how many days an authorization of each brand can be captured (Cofre assumes five of Visa, else seven)',
        'whether a cancel by our reference reverses a payment that is captured immediately',
      ],
    },
  ],
  rules: ADYEN_RULES,
  questions: () => ADYEN_QUESTIONS,
  readAccount: readAdyenAccount,
  installmentsOf: (_, settings) => contractInstallments(settings),
  captureDaysOf: adyenCaptureDays,
  connect(entered, { clock, log, simulator, limits = {} }) {
    const account = adyenAccount(entered, simulator)
    const client = createOutboundClient({
      account: account.id,
      budget: createCallBudget({ clock, callsPerMinute: CALLS_PER_MINUTE }),
      clock,
      log,
      limits,
      ...(simulator !== undefined && { simulatorCaPem: simulator.caPem }),
    })
    return {
      acquirer: createAdyenAcquirer(account, client, clock),
      notices: createAdyenNotices(account),
      steps: [credentialsStep(account, poster(account, client))],
    }
  },
}

function credentialsStep(
  { merchantAccount }: AdyenAccount,
  post: ReturnType<typeof poster>,
): AccountTestStep {
  return {
    text: 'Try the credentials at Adyen; nothing is charged',
    async run() {
      const body = { merchantAccount, countryCode: 'BR' }
      const answer = await post({ operation: 'paymentMethods', path: '/paymentMethods', body })
      // Adyen checks the key first: any other error shows that the key was accepted.
      const error = answer.kind === 'refused' ? adyenError(answer.body, []) : undefined
      return error?.answer.kind === 'refused'
        ? credentialsAccepted('Adyen')
        : credentialsResult('Adyen', answer)
    },
  }
}
