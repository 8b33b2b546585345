import type { AccountTestStep } from '@cofre/provider-kit/account'
import {
  type OutboundClient,
  createCallBudget,
  createOutboundClient,
} from '@cofre/provider-kit/outbound'
import {
  type AcquirerProvider,
  contractCaptureDays,
  contractInstallments,
  credentialsAccepted,
  credentialsResult,
} from '@cofre/provider-kit/card'
import {
  type CieloAccount,
  CIELO_QUESTIONS,
  cieloAccount,
  readCieloAccount,
} from './cielo-account.js'
import { createCieloAcquirer } from './cielo-acquirer.js'
import { READ_MS, createCieloCaller } from './cielo-calls.js'
import { cieloNotices } from './cielo-notice.js'
import { CIELO_RULES } from './cielo-rules.js'
import { CIELO_TERMS } from '../terms/index.js'

/** Below Cielo's limit; prevents a flood by a fault here. */
const CALLS_PER_MINUTE = 600

/** By brand, if Cielo allows fewer than its contracts. 0: not charged. */
const CIELO_INSTALLMENTS: ReadonlyMap<string, number> = new Map([
  // Discontinued on 30 June 2025.
  ['hipercard', 0],
  // Its table of brands has no installments for Diners.
  ['diners', 1],
])

/** For every brand: docs.cielo.com.br, ecommerce-cielo/docs/captura. */
const CIELO_CAPTURE_DAYS = 7

/** Cielo E-commerce 3.0. */
export const CIELO: AcquirerProvider = {
  name: CIELO_TERMS.name,
  methods: ['card'],
  profiles: [
    {
      name: 'e-commerce',
      company: CIELO_TERMS.company,
      kinds: ['live', 'test', 'simulator'],
      unconfirmed: [
        'whether MerchantId and MerchantKey stay the same',
        'whether a captured sale can be cancelled on its own day',
        'the name of a reversed chargeback: Cofre assumes Reversed',
        'whether the days for refunds count from the payment, as Cofre assumes',
        'whether a void of a whole sale can be answered 100, as documented for partial voids',
        'whether VoidedAmount is the sum of all refunds as soon as each was accepted',
        'whether Amount and VoidedAmount stay as they are when a part is captured',
        'whether an authorization that expired is read as Voided (10)',
      ],
    },
  ],
  rules: CIELO_RULES,
  questions: () => CIELO_QUESTIONS,
  readAccount: readCieloAccount,
  installmentsOf: (brand, settings) =>
    CIELO_INSTALLMENTS.get(brand) ?? contractInstallments(settings),
  captureDaysOf: (_, settings) => contractCaptureDays(settings) ?? CIELO_CAPTURE_DAYS,
  connect(entered, { clock, log, simulator, limits = {} }) {
    const account = cieloAccount(entered, simulator)
    const options = {
      account: account.id,
      budget: createCallBudget({ clock, callsPerMinute: CALLS_PER_MINUTE }),
      clock,
      log,
      ...(simulator !== undefined && { simulatorCaPem: simulator.caPem }),
    }
    const writer = createOutboundClient({ ...options, limits })
    const reader = createOutboundClient({ ...options, limits: { totalMs: READ_MS, ...limits } })
    const call = createCieloCaller(account, { reader, writer })
    return {
      acquirer: createCieloAcquirer({
        account,
        call,
        clock,
        close: async () => {
          await Promise.all([reader.close(), writer.close()])
        },
      }),
      notices: cieloNotices,
      steps: [credentialsStep(account, reader)],
    }
  },
}

/** An order that no store makes: it is not found if the credentials are right. */
const NO_ORDER = 'cofrecredentialscheck'

function credentialsStep(
  { hosts, merchantId, merchantKey }: CieloAccount,
  reader: OutboundClient,
): AccountTestStep {
  return {
    text: 'Try the credentials at Cielo; nothing is charged',
    async run() {
      const answer = await reader.send({
        operation: 'credentials.check',
        method: 'GET',
        url: `${hosts.read}/1/sales?merchantOrderId=${NO_ORDER}`,
        headers: { merchantid: merchantId, merchantkey: merchantKey },
      })
      const isKnown = answer.kind === 'refused' && answer.status === 404
      return isKnown ? credentialsAccepted('Cielo') : credentialsResult('Cielo', answer)
    },
  }
}
