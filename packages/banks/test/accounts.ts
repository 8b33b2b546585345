import type { Log } from '@cofre/contracts'
import { type CallBudget, createCallBudget, readClientCertificate } from '@cofre/outbound'
import { makeCertificate } from '../../outbound/test/certificates.js'
import { type TestServer, authority } from '../../outbound/test/https-server.js'
import {
  type PixApiAccount,
  type PixApiAccountInput,
  pixApiAccountSchema,
} from '../src/pix-api/pix-api-account.js'
import {
  type PixApiBank,
  type PixApiBankOptions,
  createPixApiBank,
} from '../src/pix-api/pix-api-bank.js'
import { type PixApiProfileName, pixApiProfile } from '../src/pix-api/pix-api-profiles.js'

export const PIX_KEY = 'pix@loja.example.com'
export const SECRETS = ['s3cr3t-of-the-client', 'k3y-of-the-application']
export const clock = { now: () => Date.now() }

const shop = makeCertificate({ name: 'Loja Exemplo', kind: 'client', issuer: authority })
const file = Buffer.from(shop.certificatePem + authority.certificatePem + shop.keyPem)
const read = readClientCertificate({ file }, { nowMs: clock.now(), chain: 'complete' })
export const certificate = { ...read, keyPem: read.keyPem.reveal() }

/** An account of a profile, as it is sealed: at the bank, or at a server in its place. */
export function accountInput(profile: PixApiProfileName, server?: TestServer): PixApiAccountInput {
  const { needs } = pixApiProfile(profile)
  const [clientSecret, applicationKey] = SECRETS
  const simulator = server && { origin: server.origin, caPem: authority.certificatePem }
  return {
    provider: 'pix-api',
    kind: server === undefined ? 'live' : 'simulator',
    profile,
    label: 'Loja',
    pixKey: PIX_KEY,
    receiver: { name: 'Loja Exemplo', city: 'São Paulo' },
    credentials: {
      clientId: 'Client_Id_1',
      ...(needs.includes('clientSecret') && { clientSecret }),
      ...(needs.includes('applicationKey') && { applicationKey }),
      certificate,
    },
    ...(simulator !== undefined && { simulator }),
  }
}

export function accountOf(profile: PixApiProfileName, server: TestServer): PixApiAccount {
  return pixApiAccountSchema.parse(accountInput(profile, server))
}

export interface TestBank {
  readonly bank: PixApiBank
  readonly logged: string[]
}

export function bankOf(account: PixApiAccount, options: Partial<PixApiBankOptions> = {}): TestBank {
  const logged: string[] = []
  const write = (fields: Record<string, unknown>, message: string): void => {
    logged.push(JSON.stringify({ ...fields, message }))
  }
  const log: Log = { info: write, warn: write, error: write }
  const budget: CallBudget = createCallBudget({ clock, callsPerMinute: 1000 })
  const common = { account, accountId: 'acc_1', budget, clock, log }
  return { bank: createPixApiBank({ ...common, ...options }), logged }
}
