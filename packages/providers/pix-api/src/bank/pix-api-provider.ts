import type { AccountKind } from '@cofre/provider-kit/account'
import {
  type AuthorizedClient,
  type CallBudget,
  type OutboundLimits,
  createCallBudget,
} from '@cofre/provider-kit/outbound'
import type {
  BoletoBank,
  PixBank,
  BankConnection,
  BankProvider,
  BankTools,
} from '@cofre/provider-kit/bank'
import { PIX_API, type PixApiAccount, readPixApiAccount } from './pix-api-account.js'
import { type PixApiClientOptions, createPixApiBank, createPixApiClient } from './pix-api-bank.js'
import { createPixApiCaller } from './pix-api-calls.js'
import { createPixApiBoletos } from './pix-api-dated-charges.js'
import { createDatedSteps } from './pix-api-dated-steps.js'
import { DATED_SCOPES, PIX_API_PROFILES, type PixApiProfile } from './pix-api-profiles.js'
import { pixApiQuestions, readPixApiEntry } from './pix-api-questions.js'
import { PIX_API_RULES } from './pix-api-rules.js'
import { createPixApiSteps } from './pix-api-steps.js'
import { createPixApiWebhook } from './pix-api-webhook.js'

/** PIX, and PIX with a due date as boletos, through the central bank's API Pix 2.9.0. */
export const pixApi: BankProvider = {
  name: PIX_API,
  methods: ['pix', 'boleto'],
  profiles: Object.entries<PixApiProfile>(PIX_API_PROFILES).map(
    ([name, { bank, test, unconfirmed }]) => {
      const kinds: AccountKind[] =
        test === undefined ? ['live', 'simulator'] : ['live', 'test', 'simulator']
      return { name, company: bank, kinds, unconfirmed }
    },
  ),
  rules: PIX_API_RULES,
  questions: pixApiQuestions,
  readAccount: readPixApiEntry,
  connect: (account, { simulator, ...tools }) =>
    connectPixApi(readPixApiAccount(account, simulator), tools),
}

interface ConnectionOptions extends Omit<BankTools, 'simulator'> {
  /** Default: the account's calls per minute, or 60. */
  readonly budget?: CallBudget | undefined
  readonly limits?: Partial<OutboundLimits>
  readonly settleWithinMs?: number
}

export type PixApiConnection = BankConnection & {
  readonly pix: PixBank
  readonly boleto: BoletoBank
}

export function connectPixApi(
  account: PixApiAccount,
  options: ConnectionOptions,
): PixApiConnection {
  const { clock, randomBelow } = options
  const budget =
    options.budget ?? createCallBudget({ clock, callsPerMinute: account.callsPerMinute })
  const client = createPixApiClient(account, { ...options, budget })
  const dated = createDatedClient(account, client, { ...options, budget })
  const call = createPixApiCaller(account, client)
  const bank = createPixApiBank(account, call, options)
  const boletos = createPixApiBoletos(account, createPixApiCaller(account, dated), {
    ...options,
    refunds: bank,
  })
  return {
    pix: bank,
    boleto: boletos,
    notices: createPixApiWebhook(account, call),
    steps: [
      ...createPixApiSteps({ profile: account.profile, client, bank, randomBelow, clock }),
      ...createDatedSteps({ account, client: dated, boletos, randomBelow, clock }),
    ],
    async close() {
      await Promise.all([client.close(), dated.close()])
    },
  }
}

/**
 * At a bank with scopes, boletos have a token of their own: if the bank refuses it, PIX still
 * works.
 */
function createDatedClient(
  account: PixApiAccount,
  client: AuthorizedClient,
  options: PixApiClientOptions,
): AuthorizedClient {
  const { profile } = account
  if (profile.scope === undefined) return client
  return createPixApiClient({ ...account, profile: { ...profile, scope: DATED_SCOPES } }, options)
}
