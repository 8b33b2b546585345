import { setTimeout as wait } from 'node:timers/promises'
import {
  type CallBudget,
  type OutboundLimits,
  createCallBudget,
} from '@cofre/provider-kit/outbound'
import type { BoletoBank, BankConnection, BankProvider, BankTools } from '@cofre/provider-kit/bank'
import { createPixApiClient } from '@cofre/pix-api/bank'
import { INTER, INTER_PROFILE, type InterAccount, readInterAccount } from './inter-account.js'
import { createInterBank } from './inter-bank.js'
import { createInterCallers } from './inter-calls.js'
import { createInterHistory } from './inter-history.js'
import { interQuestions, readInterEntry } from './inter-questions.js'
import { createInterSteps } from './inter-steps.js'
import { createInterWebhook } from './inter-webhook.js'

/** Boletos with PIX through Inter's API Cobrança v3. */
export const inter: BankProvider = {
  name: INTER,
  methods: ['boleto'],
  profiles: [
    {
      name: INTER,
      company: INTER_PROFILE.bank,
      kinds: ['live', 'test', 'simulator'],
      unconfirmed: [
        'whether the list of PIX has that of a boleto, under the txid that the boleto names',
        'whether the list of boletos has one that is still being issued',
      ],
    },
  ],
  rules: [],
  questions: interQuestions,
  readAccount: readInterEntry,
  connect: (account, { simulator, ...tools }) =>
    connectInter(readInterAccount(account, simulator), tools),
}

interface ConnectionOptions extends Omit<BankTools, 'simulator'> {
  /** Default: the account's calls per minute. */
  readonly budget?: CallBudget | undefined
  readonly limits?: Partial<OutboundLimits>
  readonly settleWithinMs?: number
  readonly wait?: (ms: number) => Promise<unknown>
}

export type InterConnection = BankConnection & { readonly boleto: BoletoBank }

export function connectInter(account: InterAccount, options: ConnectionOptions): InterConnection {
  const { clock, log, randomBelow } = options
  const budget =
    options.budget ?? createCallBudget({ clock, callsPerMinute: account.callsPerMinute })
  const client = createPixApiClient(account, { ...options, budget })
  const calls = createInterCallers(account, client)
  const bank = createInterBank(account, calls, options)
  const tested = { account, client, calls, bank, randomBelow, clock }
  return {
    boleto: {
      ...bank,
      listNotices: createInterHistory(calls, { clock, log, account: account.id }),
    },
    notices: createInterWebhook(calls),
    steps: createInterSteps({ ...tested, wait: options.wait ?? ((ms) => wait(ms)) }),
    close: () => client.close(),
  }
}
