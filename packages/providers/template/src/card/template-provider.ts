import { INSTALLMENTS_MAX, Secret } from '@cofre/contracts'
import type { AccountTestStep } from '@cofre/provider-kit/account'
import {
  type AcquirerProvider,
  credentialsAccepted,
  credentialsResult,
} from '@cofre/provider-kit/card'
import { createCallBudget, createOutboundClient } from '@cofre/provider-kit/outbound'
import { TEMPLATE_TERMS } from '../terms/index.js'
import { TEMPLATE_QUESTIONS, readTemplateAccount, templateAccount } from './template-account.js'
import { type Send, createTemplateAcquirer } from './template-acquirer.js'
import { templateNotices } from './template-notice.js'

/** Prevents a flood by a fault here. */
const CALLS_PER_MINUTE = 600

export const TEMPLATE: AcquirerProvider = {
  name: TEMPLATE_TERMS.name,
  methods: ['card'],
  profiles: [
    {
      name: 'cards',
      company: TEMPLATE_TERMS.company,
      kinds: ['live', 'test', 'simulator'],
      unconfirmed: [],
    },
  ],
  rules: [],
  questions: () => TEMPLATE_QUESTIONS,
  readAccount: readTemplateAccount,
  installmentsOf: () => INSTALLMENTS_MAX,
  connect(entered, { clock, log, simulator, limits = {} }) {
    const account = templateAccount(entered, simulator)
    const client = createOutboundClient({
      account: account.id,
      budget: createCallBudget({ clock, callsPerMinute: CALLS_PER_MINUTE }),
      clock,
      log,
      limits,
      ...(simulator !== undefined && { simulatorCaPem: simulator.caPem }),
    })
    const send: Send = ({ operation, path, body, secrets = [] }) =>
      client.send({
        operation,
        method: body === undefined ? 'GET' : 'POST',
        url: `${account.baseUrl}/${account.storeCode}${path}`,
        headers: { 'x-api-key': account.apiKey },
        ...(body !== undefined && {
          body: { contentType: 'application/json', text: new Secret(JSON.stringify(body)) },
        }),
        secrets,
      })
    return {
      acquirer: createTemplateAcquirer(send, () => client.close()),
      notices: templateNotices,
      steps: [credentialsStep(send)],
    }
  },
}

/** A charge that was never made: it is not found if the credentials are right. */
const NO_CHARGE = { operation: 'credentials.check', path: '/charges/cofrecredentialscheck' }

function credentialsStep(send: Send): AccountTestStep {
  return {
    text: `Show the credentials to ${TEMPLATE_TERMS.company}; nothing is charged`,
    async run() {
      const answer = await send(NO_CHARGE)
      return answer.kind === 'refused' && answer.status === 404
        ? credentialsAccepted(TEMPLATE_TERMS.company)
        : credentialsResult(TEMPLATE_TERMS.company, answer)
    },
  }
}
