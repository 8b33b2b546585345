// What a person is asked of an account, what is kept of it, and where its calls go.
import { Secret } from '@cofre/contracts'
import {
  type AccountEntry,
  AccountError,
  type AccountQuestion,
  type EnteredAccount,
} from '@cofre/provider-kit/account'
import { type AcquirerAccount, type AcquirerSimulator, textsOf } from '@cofre/provider-kit/card'
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
  const settings = checked(settingsSchema, { storeCode })
  const credentials = checked(credentialsSchema, rest)
  return {
    settings,
    credentials: new Secret(JSON.stringify(credentials)),
    certificateUntilMs: undefined,
  }
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AccountError(String(issue?.path[0] ?? 'apiKey'), issue?.message ?? 'is not valid')
}

/** @throws Error when it is not an account of Template */
export function templateAccount(
  { id, kind, settings, secrets }: AcquirerAccount,
  simulator: AcquirerSimulator | undefined,
): TemplateAccount {
  if ((kind === 'simulator') !== (simulator !== undefined))
    throw new Error('a simulator belongs to an account of kind simulator, and to no other')
  const { apiKey } = credentialsSchema.parse(JSON.parse(secrets.credentials.reveal()))
  const host = kind === 'live' ? 'api.template.example' : 'test.template.example'
  return {
    ...settingsSchema.parse(settings),
    id,
    apiKey: new Secret(apiKey),
    baseUrl: simulator?.origin ?? `https://${host}`,
  }
}
