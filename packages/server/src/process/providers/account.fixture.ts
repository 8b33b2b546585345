import type { ProviderAccount } from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import type { BankConnection, BankProvider, BankTools, PixBank } from '@cofre/provider-kit/bank'

export const BANK_TOOLS: BankTools = {
  clock: Date,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  randomBelow: () => 0,
}

export const NOTICE_SECRET = 'a-notice-secret-of-22c'

export function testAccount(over: Partial<ProviderAccount> = {}): ProviderAccount {
  return {
    id: 'account-1',
    merchantId: 'store-1',
    provider: 'made-up',
    kind: 'live',
    label: 'Bank of tests',
    settings: { profile: 'plain' },
    secrets: {
      credentials: new Secret('the credentials'),
      noticeSecret: new Secret(NOTICE_SECRET),
    },
    certificateUntilMs: undefined,
    lastTest: undefined,
    disabledAtMs: undefined,
    createdAtMs: 0,
    ...over,
  }
}

/** A provider without a bank; `opened` and `closed` list the credentials of its connections. */
export function madeUpProvider() {
  const opened: string[] = []
  const closed: string[] = []
  const connect = ({ secrets }: ProviderAccount): BankConnection => {
    const credentials = secrets.credentials.reveal()
    if (credentials === '') throw new Error('the account is not one of ours')
    opened.push(credentials)
    return {
      pix: { receiver: { name: credentials, city: 'Recife' } } as PixBank,
      notices: {
        namesIn: (body) => (Array.isArray(body) ? body.map(String) : undefined),
        register: () => Promise.resolve({ kind: 'done' }),
        remove: () => Promise.resolve({ kind: 'done' }),
      },
      steps: [],
      close() {
        closed.push(credentials)
        return Promise.resolve()
      },
    }
  }
  const provider: BankProvider = {
    name: 'made-up',
    methods: ['pix'],
    profiles: [],
    rules: [],
    questions: () => [],
    readAccount: () => ({
      settings: {},
      credentials: new Secret(''),
      certificateUntilMs: undefined,
    }),
    connect,
  }
  return { provider, opened, closed }
}
