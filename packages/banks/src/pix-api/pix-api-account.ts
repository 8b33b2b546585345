import { Secret } from '@cofre/contracts'
import type { ClientCertificate } from '@cofre/outbound'
import { z } from 'zod'
import {
  PIX_API_PROFILES,
  type PixApiHosts,
  type PixApiProfileName,
  pixApiProfile,
} from './pix-api-profiles.js'

const profileNames = Object.keys(PIX_API_PROFILES) as [PixApiProfileName, ...PixApiProfileName[]]

/** Travels in a header: printable ASCII. */
const credential = z
  .string()
  .max(512)
  .regex(/^[\x21-\x7e]+$/)
const secret = credential.transform((text) => new Secret(text))
const pem = (type: string): z.ZodString =>
  z.string().max(100_000).includes(`-----BEGIN ${type}-----`)
const line = (lengthMax: number): z.ZodString =>
  z
    .string()
    .trim()
    .min(1)
    .max(lengthMax)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u)

/** CPF, CNPJ (letters since 2026), phone number, e-mail address or a random key. */
const pixKey = z
  .string()
  .max(77)
  .regex(
    /^(?:\d{11}|[0-9A-Z]{12}\d{2}|\+[1-9]\d{7,14}|[^\s@A-Z]{1,64}@[a-z0-9.-]{3,70}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  )

const certificate = z
  .strictObject({
    certificatePem: pem('CERTIFICATE'),
    keyPem: pem('PRIVATE KEY').transform((text) => new Secret(text)),
    subject: z.string(),
    issuer: z.string(),
    expiresAtMs: z.int(),
    thumbprint: z.string(),
  })
  .transform((parsed): ClientCertificate => parsed)

/** Where a simulator listens; only on this machine. */
const simulator = z.strictObject({
  origin: z.string().regex(/^https:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d{1,5}$/),
  caPem: pem('CERTIFICATE'),
})

/**
 * One store's contract with a bank, as it is sealed. Its parts that are secret come out as
 * `Secret`. Messages name the field and never its value.
 */
export const pixApiAccountSchema = z
  .strictObject({
    provider: z.literal('pix-api'),
    kind: z.enum(['live', 'test', 'simulator']),
    profile: z.enum(profileNames),
    label: line(60),
    pixKey,
    /** Shown to the payer by a PIX code that we compose; cut to 25 and 15 letters there. */
    receiver: z.strictObject({ name: line(100), city: line(60) }),
    credentials: z.strictObject({
      clientId: credential,
      clientSecret: secret.optional(),
      applicationKey: secret.optional(),
      accountNumber: z
        .string()
        .regex(/^\d{1,20}$/)
        .optional(),
      certificate,
    }),
    simulator: simulator.optional(),
  })
  .superRefine((account, context) => {
    for (const [path, message] of contradictions(account))
      context.addIssue({ code: 'custom', path: [...path], message })
  })

export type PixApiAccount = z.output<typeof pixApiAccountSchema>
/** What is sealed: the same as plain JSON. */
export type PixApiAccountInput = z.input<typeof pixApiAccountSchema>

type Contradiction = readonly [path: readonly string[], message: string]

function contradictions(account: {
  readonly kind: 'live' | 'test' | 'simulator'
  readonly profile: PixApiProfileName
  readonly credentials: Readonly<Record<string, unknown>>
  readonly simulator?: unknown
}): Contradiction[] {
  const profile = pixApiProfile(account.profile)
  const has = (field: string): boolean => account.credentials[field] !== undefined
  const found: Contradiction[] = []
  for (const field of ['clientSecret', 'applicationKey'] as const) {
    const isNeeded = profile.needs.includes(field)
    const message = isNeeded ? `${profile.bank} needs it` : `${profile.bank} does not know it`
    if (isNeeded !== has(field)) found.push([['credentials', field], message])
  }
  if (has('accountNumber') && !profile.takes.includes('accountNumber'))
    found.push([['credentials', 'accountNumber'], `${profile.bank} does not know it`])
  if (account.kind === 'test' && profile.test === undefined)
    found.push([['kind'], `no test environment of ${profile.bank} is known`])
  if ((account.kind === 'simulator') !== (account.simulator !== undefined))
    found.push([['simulator'], 'belongs to an account of kind simulator, and to no other'])
  return found
}

/** Where an account's calls go: its bank, or the simulator in its place under the same paths. */
export function hostsOf(
  account: Pick<PixApiAccount, 'kind' | 'profile' | 'simulator'>,
): PixApiHosts {
  const { production, test } = pixApiProfile(account.profile)
  switch (account.kind) {
    case 'live':
      return production
    case 'test':
      return test ?? unknownHosts()
    case 'simulator': {
      const origin = account.simulator?.origin ?? unknownHosts()
      const moved = (address: string): string => address.replace(new URL(address).origin, origin)
      return { api: moved(production.api), token: moved(production.token) }
    }
  }
}

function unknownHosts(): never {
  throw new RangeError('an account that its schema refuses')
}
