import type { ProviderAccount } from '@cofre/provider-kit/account'
import { Secret, isPlainText } from '@cofre/contracts'
import type { ClientCertificate } from '@cofre/provider-kit/outbound'
import { z } from 'zod'
import type { BankSimulator } from '@cofre/provider-kit/bank'
import {
  PIX_API_PROFILES,
  type PixApiCredentials,
  type PixApiHosts,
  type PixApiProfile,
  type PixApiProfileName,
} from './pix-api-profiles.js'

export const PIX_API = 'pix-api'

const profileNames = Object.keys(PIX_API_PROFILES) as [PixApiProfileName, ...PixApiProfileName[]]

const line = (lengthMax: number) => z.string().trim().min(1).max(lengthMax).refine(isPlainText)
const pem = (type: string): z.ZodString =>
  z.string().max(100_000).includes(`-----BEGIN ${type}-----`)

/** Sent in a header: printable ASCII. */
export const credentialSchema = z
  .string()
  .max(512)
  .regex(/^[\x21-\x7e]+$/)

/** CPF, or CNPJ (letters since 2026). */
export const documentSchema = z.string().regex(/^(?:\d{11}|[0-9A-Z]{12}\d{2})$/)

/** In the format of the API Pix, `2.00`: above 0 and below 100. */
const percent = z.string().regex(/^(?!0?0\.00)\d{1,2}\.\d{2}$/)

/** The stored settings of an account, without secrets. */
export const settingsSchema = z.strictObject({
  profile: z.enum(profileNames),
  /** CPF, CNPJ (letters since 2026), phone number, e-mail address or a random key. */
  pixKey: z
    .string()
    .max(77)
    .regex(
      /^(?:\d{11}|[0-9A-Z]{12}\d{2}|\+[1-9]\d{7,14}|[^\s@A-Z]{1,64}@[a-z0-9.-]{3,70}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
    ),
  /** Shown to the payer by a PIX code that Cofre composes, which cuts them to 25 and 15 letters. */
  receiver: z.strictObject({ name: line(100), city: line(60) }),
  accountNumber: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  /** The bank's limit for this account. */
  callsPerMinute: z.int().min(1).max(9999).optional(),
  /** For boletos: a single fine after the due date. */
  fine: percent.optional(),
  /** For boletos: interest per month, by days after the due date. */
  interest: percent.optional(),
  /** For boletos paid at least `discountDays` days before the due date. */
  discount: percent.optional(),
  discountDays: z.int().min(0).max(99).optional(),
  /** The payer of the test boletos of `cofre account test`. */
  testPayerDocument: documentSchema.optional(),
})

/** The sealed credentials. */
export const credentialsSchema = z.strictObject({
  clientId: credentialSchema,
  clientSecret: credentialSchema.optional(),
  applicationKey: credentialSchema.optional(),
  certificatePem: pem('CERTIFICATE'),
  keyPem: pem('PRIVATE KEY'),
})

/** A store's contract with a bank, ready for calls. */
export interface PixApiAccount extends Omit<z.output<typeof settingsSchema>, 'profile'> {
  /** The account's name in the log. */
  readonly id: string
  readonly profile: PixApiProfile
  readonly hosts: PixApiHosts
  readonly credentials: PixApiCredentials
  readonly certificate: Pick<ClientCertificate, 'certificatePem' | 'keyPem' | 'expiresAtMs'>
  readonly simulatorCaPem?: string
}

/**
 * Parses an account as stored.
 * @throws Error that names fields and no value, for an account that this provider has not made
 */
export function readPixApiAccount(
  account: ProviderAccount,
  simulator: BankSimulator | undefined,
): PixApiAccount {
  const { profile: name, ...rest } = readSettings(account, PIX_API, settingsSchema)
  return { ...rest, ...readConnection(account, simulator, PIX_API_PROFILES[name]) }
}

/**
 * The settings of a stored account.
 * @throws Error that names fields and no value, for an account that the provider has not made
 */
export function readSettings<T>(
  { id, provider, settings }: ProviderAccount,
  name: string,
  schema: z.ZodType<T>,
): T {
  if (provider !== name) throw unusable(id, `its provider is not ${name}`)
  const read = schema.safeParse(settings)
  if (!read.success) throw unusable(id, `settings: ${fieldsIn(read.error)}`)
  return read.data
}

/** The parts of an account that calls need. */
export type PixApiAccess = Pick<
  PixApiAccount,
  'id' | 'profile' | 'hosts' | 'credentials' | 'certificate' | 'simulatorCaPem'
>

/**
 * The parts of a stored account that calls to a profile's bank need.
 * @throws Error that names fields and no value
 */
export function readConnection(
  { id, kind, certificateUntilMs, secrets, settings }: ProviderAccount,
  simulator: BankSimulator | undefined,
  profile: PixApiProfile,
): PixApiAccess {
  const credentials = credentialsSchema.safeParse(jsonOf(secrets.credentials))
  if (!credentials.success) throw unusable(id, `credentials: ${fieldsIn(credentials.error)}`)
  if (certificateUntilMs === undefined) throw unusable(id, 'the end of its certificate is unknown')
  if (kind === 'simulator' && simulator === undefined)
    throw unusable(id, 'its bank is a simulator, and only `npm start` runs simulators')
  const hosts = hostsOf(profile, kind, simulator?.origin)
  if (hosts === undefined) throw unusable(id, `no test environment of ${profile.bank} is known`)
  const { clientId, clientSecret, applicationKey, certificatePem, keyPem } = credentials.data
  const { accountNumber } = settings
  return {
    id,
    profile,
    hosts,
    credentials: {
      clientId,
      clientSecret: clientSecret === undefined ? undefined : new Secret(clientSecret),
      applicationKey: applicationKey === undefined ? undefined : new Secret(applicationKey),
      accountNumber: typeof accountNumber === 'string' ? accountNumber : undefined,
    },
    certificate: { certificatePem, keyPem: new Secret(keyPem), expiresAtMs: certificateUntilMs },
    ...(kind === 'simulator' && simulator !== undefined && { simulatorCaPem: simulator.caPem }),
  }
}

function unusable(id: string, what: string): Error {
  return new Error(`account ${id} cannot be used: ${what}`)
}

/** Hides the parser's own message, which could contain part of the text. */
function jsonOf(text: Secret<string>): unknown {
  try {
    return JSON.parse(text.reveal()) as unknown
  } catch {
    return undefined
  }
}

function fieldsIn({ issues }: z.ZodError): string {
  return issues.map(({ path }) => path.join('.') || 'their names').join(', ')
}

const LOOPBACK = /^https:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d{1,5}$/

/**
 * The hosts of an account's calls: its bank, or the simulator under the same paths. Undefined if no
 * such host is known.
 */
export function hostsOf(
  { production, test }: PixApiProfile,
  kind: ProviderAccount['kind'],
  simulatorOrigin?: string,
): PixApiHosts | undefined {
  switch (kind) {
    case 'live':
      return production
    case 'test':
      return test
    case 'simulator': {
      const origin = simulatorOrigin ?? ''
      if (!LOOPBACK.test(origin)) throw new RangeError('a simulator listens on this machine')
      const moved = (address: string): string => address.replace(new URL(address).origin, origin)
      return { api: moved(production.api), token: moved(production.token) }
    }
  }
}
