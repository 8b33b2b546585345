import {
  type AccountEntry,
  type AccountQuestion,
  type EnteredAccount,
} from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import { z } from 'zod'
import {
  checkSimulator,
  checkedAnswers,
  textsOf,
  type AcquirerAccount,
  type AcquirerSimulator,
  CAPTURE_DAYS_QUESTION,
  INSTALLMENTS_QUESTION,
  captureDays,
  installmentsMax,
} from '@cofre/provider-kit/card'

export const CIELO_QUESTIONS: readonly AccountQuestion[] = [
  {
    name: 'merchantId',
    text: 'MerchantId',
    help: 'Of the API E-commerce, on Cielo’s site: 32 hexadecimal digits in five groups.',
    kind: 'text',
    isOptional: false,
    answerIn: (settings) => settingsSchema.safeParse(settings).data?.merchantId,
  },
  {
    name: 'softDescriptor',
    text: 'Text on the statement',
    help: 'The shop’s name on cardholders’ statements: at most 13 letters without accents and digits, no spaces. Empty: the name that Cielo has.',
    kind: 'text',
    isOptional: true,
    answerIn: (settings) => settingsSchema.safeParse(settings).data?.softDescriptor,
  },
  INSTALLMENTS_QUESTION,
  CAPTURE_DAYS_QUESTION,
  {
    name: 'merchantKey',
    text: 'MerchantKey',
    help: 'Its 40 letters and digits.',
    kind: 'secret',
    isOptional: false,
  },
]

const merchantId = z
  .string()
  .regex(
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    'is not 32 hexadecimal digits in five groups',
  )
const merchantKey = z.string().regex(/^[A-Za-z0-9]{40}$/, 'is not 40 letters and digits')
const softDescriptor = z
  .string()
  .regex(
    /^[A-Za-z0-9]{1,13}$/,
    'must be at most 13 letters without accents and digits, without spaces',
  )
  .optional()
const settingsSchema = z.strictObject({ merchantId, softDescriptor, installmentsMax, captureDays })
const credentialsSchema = z.strictObject({ merchantKey })

const HOSTS = {
  live: {
    write: 'https://api.cieloecommerce.cielo.com.br',
    read: 'https://apiquery.cieloecommerce.cielo.com.br',
  },
  test: {
    write: 'https://apisandbox.cieloecommerce.cielo.com.br',
    read: 'https://apiquerysandbox.cieloecommerce.cielo.com.br',
  },
} as const

export interface CieloAccount extends z.output<typeof settingsSchema> {
  readonly id: string
  readonly merchantKey: Secret<string>
  readonly hosts: { readonly write: string; readonly read: string }
}

/** @throws AccountError */
export function readCieloAccount({ answers }: AccountEntry): EnteredAccount {
  const schema = settingsSchema.extend({ merchantKey })
  const { merchantKey: key, ...settings } = checkedAnswers(schema, textsOf(answers), 'merchantId')
  return {
    settings,
    credentials: new Secret(JSON.stringify({ merchantKey: key })),
    certificateUntilMs: undefined,
  }
}

/** @throws Error when the account is not Cielo's */
export function cieloAccount(
  account: AcquirerAccount,
  simulator: AcquirerSimulator | undefined,
): CieloAccount {
  checkSimulator(account, simulator)
  const { id, kind, settings, secrets } = account
  const origin = simulator?.origin
  const simulated =
    origin === undefined ? HOSTS.test : { write: origin, read: simulator?.queryOrigin ?? origin }
  return {
    id,
    ...settingsSchema.parse(settings),
    merchantKey: new Secret(
      credentialsSchema.parse(JSON.parse(secrets.credentials.reveal())).merchantKey,
    ),
    hosts: kind === 'live' ? HOSTS.live : simulated,
  }
}
