// A person's answers about an account, its stored settings, and the host of its calls.
import { Secret } from '@cofre/contracts'
import {
  type AccountEntry,
  type AccountQuestion,
  type EnteredAccount,
} from '@cofre/provider-kit/account'
import {
  type AcquirerAccount,
  type AcquirerSimulator,
  checkSimulator,
  checkedAnswers,
  textsOf,
} from '@cofre/provider-kit/card'
import { z } from 'zod'

const settingsSchema = z.strictObject({
  storeCode: z.string().regex(/^[A-Za-z0-9-]{1,60}$/, 'is letters, digits and hyphens'),
})
const credentialsSchema = z.strictObject({
  apiKey: z.string().regex(/^[\x21-\x7e]{16,256}$/, 'is 16 printable characters or more'),
})

export const TEMPLATE_QUESTIONS: readonly AccountQuestion[] = [
  {
    name: 'storeCode',
    text: 'Store code',
    help: 'Its name at Template.',
    kind: 'text',
    isOptional: false,
    answerIn: (settings) => settingsSchema.safeParse(settings).data?.storeCode,
  },
  {
    name: 'apiKey',
    text: 'API key',
    help: 'On the site of Template, under Developers.',
    kind: 'secret',
    isOptional: false,
  },
]

export interface TemplateAccount extends z.output<typeof settingsSchema> {
  readonly id: string
  readonly apiKey: Secret<string>
  readonly baseUrl: string
}

/** @throws AccountError that names the question, and never its answer */
export function readTemplateAccount({ answers }: AccountEntry): EnteredAccount {
  const { storeCode, ...rest } = textsOf(answers)
  const settings = checkedAnswers(settingsSchema, { storeCode }, 'apiKey')
  const credentials = checkedAnswers(credentialsSchema, rest, 'apiKey')
  return {
    settings,
    credentials: new Secret(JSON.stringify(credentials)),
    certificateUntilMs: undefined,
  }
}

/** @throws Error when the account is not Template's */
export function templateAccount(
  account: AcquirerAccount,
  simulator: AcquirerSimulator | undefined,
): TemplateAccount {
  checkSimulator(account, simulator)
  const { id, kind, settings, secrets } = account
  const { apiKey } = credentialsSchema.parse(JSON.parse(secrets.credentials.reveal()))
  const host = kind === 'live' ? 'api.template.example' : 'test.template.example'
  return {
    ...settingsSchema.parse(settings),
    id,
    apiKey: new Secret(apiKey),
    baseUrl: simulator?.origin ?? `https://${host}`,
  }
}
