import type { AccountAnswers, ProviderAccount } from '@cofre/provider-kit/account'
import { type Log, Secret } from '@cofre/contracts'
import { type PixTxid, drawTxid } from '@cofre/provider-kit/bank'
import { createCallBudget } from '@cofre/provider-kit/outbound'
import { makeCertificate } from '../../../provider-kit/test/certificates.js'
import { type TestServer, authority } from '../../../provider-kit/test/https-server.js'
import { type PixApiConnection, connectPixApi, pixApi } from '../src/bank/pix-api-provider.js'
import { PIX_API, readPixApiAccount } from '../src/bank/pix-api-account.js'
import { PIX_API_PROFILES, type PixApiProfileName } from '../src/bank/pix-api-profiles.js'

export const PIX_KEY = 'pix@loja.example.com'
export const SECRETS = ['s3cr3t-of-the-client', 'k3y-of-the-application'] as const
export const clock = { now: () => Date.now() }

/** The same txid for the same digit. */
export const txidOf = (digit: number): PixTxid => drawTxid(() => digit)

const shop = makeCertificate({ name: 'Loja Exemplo', kind: 'client', issuer: authority })
/** Certificate, issuer and key, in a bank's format. */
export const certificateFile = Buffer.from(
  shop.certificatePem + authority.certificatePem + shop.keyPem,
)

/** A person's answers about an account of a profile. */
export function answersFor(profile: PixApiProfileName): AccountAnswers {
  const needs: readonly string[] = PIX_API_PROFILES[profile].needs
  const [clientSecret, applicationKey] = SECRETS
  return {
    pixKey: PIX_KEY,
    receiverName: 'Loja Exemplo',
    receiverCity: 'São Paulo',
    clientId: 'Client_Id_1',
    ...(needs.includes('clientSecret') && { clientSecret: new Secret(clientSecret) }),
    ...(needs.includes('applicationKey') && { applicationKey: new Secret(applicationKey) }),
    certificate: certificateFile,
  }
}

export interface AccountSetup {
  readonly kind?: ProviderAccount['kind']
  readonly answers?: AccountAnswers
}

/** An account as stored; by default a simulator's. */
export function storedAccount(
  profile: PixApiProfileName,
  { kind = 'simulator', answers }: AccountSetup = {},
): ProviderAccount {
  const { settings, credentials, certificateUntilMs } = pixApi.readAccount({
    profile,
    kind,
    answers: { ...answersFor(profile), ...answers },
    nowMs: clock.now(),
  })
  return {
    id: 'acc_1',
    merchantId: 'loja',
    provider: PIX_API,
    kind,
    label: 'Loja',
    settings,
    secrets: { credentials, noticeSecret: new Secret('n'.repeat(32)) },
    certificateUntilMs,
    lastTest: undefined,
    disabledAtMs: undefined,
    createdAtMs: 0,
  }
}

export interface TestConnection extends PixApiConnection {
  readonly logged: readonly string[]
}

type Options = Partial<Parameters<typeof connectPixApi>[1]>

/** Connects an account with a server that replaces its bank. */
export function connect(
  account: ProviderAccount,
  { origin }: Pick<TestServer, 'origin'>,
  { caPem = authority.certificatePem, ...options }: Options & { readonly caPem?: string } = {},
): TestConnection {
  const logged: string[] = []
  const write = (fields: Record<string, unknown>, message: string): void => {
    logged.push(JSON.stringify({ ...fields, message }))
  }
  const log: Log = { info: write, warn: write, error: write }
  const { clock: own = clock } = options
  const budget = createCallBudget({ clock: own, callsPerMinute: 1000 })
  const common = { budget, clock, log, randomBelow: () => 7 }
  const read = readPixApiAccount(account, { origin, caPem })
  return Object.assign(connectPixApi(read, { ...common, ...options }), { logged })
}
