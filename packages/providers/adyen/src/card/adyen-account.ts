import {
  type AccountEntry,
  AccountError,
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

export const ADYEN_QUESTIONS: readonly AccountQuestion[] = [
  {
    name: 'merchantAccount',
    text: 'Merchant account',
    help: 'Its name in the Customer Area, such as LojaECOM; not the company account.',
    kind: 'text',
    isOptional: false,
    answerIn: (settings) => settingsSchema.safeParse(settings).data?.merchantAccount,
  },
  {
    name: 'livePrefix',
    text: 'Live prefix',
    help: 'Customer Area, Developers, API URLs: the part before -checkout-live. Live accounts only.',
    kind: 'text',
    isOptional: true,
    answerIn: (settings) => settingsSchema.safeParse(settings).data?.livePrefix,
  },
  {
    name: 'returnUrl',
    text: 'Return address',
    help: 'An HTTPS page of the shop. Adyen requires one, but does not use it.',
    kind: 'text',
    isOptional: false,
    answerIn: (settings) => settingsSchema.safeParse(settings).data?.returnUrl,
  },
  {
    name: 'softDescriptor',
    text: 'Text on the statement',
    help: "The shop's name on cardholders' statements: at most 22 letters without accents, digits, spaces and . , ' _ - ? + * /. Empty: the name that Adyen has.",
    kind: 'text',
    isOptional: true,
    answerIn: (settings) => settingsSchema.safeParse(settings).data?.softDescriptor,
  },
  INSTALLMENTS_QUESTION,
  CAPTURE_DAYS_QUESTION,
  {
    name: 'apiKey',
    text: 'API key',
    help: 'Of a web service user with the role Checkout and the right to send raw card data.',
    kind: 'secret',
    isOptional: false,
  },
  {
    name: 'hmacKey',
    text: 'HMAC key',
    help: 'Of the standard webhook: 64 hexadecimal digits. Without it, every notice is refused.',
    kind: 'secret',
    isOptional: false,
  },
  {
    name: 'nextHmacKey',
    text: 'Second HMAC key',
    help: 'While the key is being replaced, both are valid.',
    kind: 'secret',
    isOptional: true,
  },
]

const settingsSchema = z.strictObject({
  merchantAccount: z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/, 'is not a merchant account'),
  /** One label of a host name, never an address. */
  livePrefix: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/i, 'is letters, digits and hyphens')
    .optional(),
  returnUrl: z.url({ protocol: /^https$/, error: 'is not an HTTPS address' }).max(1024),
  softDescriptor: z
    .string()
    .regex(
      /^[A-Za-z0-9 .,'_\-?+*/]{1,22}$/,
      "must be at most 22 letters without accents, digits, spaces and . , ' _ - ? + * /",
    )
    .optional(),
  installmentsMax,
  captureDays,
})
const hmacKey = z.string().regex(/^[0-9A-Fa-f]{64}$/, 'is not 64 hexadecimal digits')
const credentialsSchema = z.strictObject({
  apiKey: z
    .string()
    .min(1)
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'is printable ASCII without spaces'),
  hmacKey,
  nextHmacKey: hmacKey.optional(),
})

export interface AdyenAccount extends z.output<typeof settingsSchema> {
  readonly id: string
  /** `https://checkout-test.adyen.com/v72` */
  readonly baseUrl: string
  readonly apiKey: Secret<string>
  /** Two while one replaces the other. */
  readonly hmacKeys: readonly Secret<string>[]
  /** The expected `live` of notices; undefined if both are accepted. */
  readonly isLive: boolean | undefined
}

/** @throws AccountError */
export function readAdyenAccount({ kind, answers }: AccountEntry): EnteredAccount {
  const texts = Object.entries(textsOf(answers))
  const isSetting = (name: string) => Object.hasOwn(settingsSchema.shape, name)
  const entered = Object.fromEntries(texts.filter(([name]) => isSetting(name)))
  const rest = Object.fromEntries(texts.filter(([name]) => !isSetting(name)))
  const settings = checkedAnswers(settingsSchema, entered, 'apiKey')
  const credentials = checkedAnswers(credentialsSchema, rest, 'apiKey')
  if ((kind === 'live') !== (settings.livePrefix !== undefined))
    throw new AccountError('livePrefix', 'is only for a live account')
  return {
    settings,
    credentials: new Secret(JSON.stringify(credentials)),
    certificateUntilMs: undefined,
  }
}

/** @throws Error when the account is not Adyen's */
export function adyenAccount(
  { id, kind, settings, secrets }: AcquirerAccount,
  simulator: AcquirerSimulator | undefined,
): AdyenAccount {
  const known = settingsSchema.parse(settings)
  const { apiKey, ...hmac } = credentialsSchema.parse(JSON.parse(secrets.credentials.reveal()))
  const hmacKeys = [hmac.hmacKey, hmac.nextHmacKey].filter((key) => key !== undefined)
  return {
    ...known,
    id,
    baseUrl: baseUrlOf(kind, known.livePrefix, simulator),
    apiKey: new Secret(apiKey),
    hmacKeys: hmacKeys.map((key) => new Secret(key)),
    isLive: kind === 'simulator' ? undefined : kind === 'live',
  }
}

function baseUrlOf(
  kind: AcquirerAccount['kind'],
  livePrefix: string | undefined,
  simulator: AcquirerSimulator | undefined,
): string {
  checkSimulator({ kind }, simulator)
  if (simulator !== undefined) return `${simulator.origin}/v72`
  if (kind === 'test') return 'https://checkout-test.adyen.com/v72'
  if (livePrefix === undefined) throw new Error('a live account of Adyen has a prefix')
  return `https://${livePrefix}-checkout-live.adyenpayments.com/checkout/v72`
}
