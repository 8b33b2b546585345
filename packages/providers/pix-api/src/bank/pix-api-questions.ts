import {
  type AccountAnswers,
  type AccountEntry,
  AccountError,
  type AccountQuestion,
  type EnteredAccount,
} from '@cofre/provider-kit/account'
import { Secret, formatAmount, parseAmount } from '@cofre/contracts'
import {
  CertificateError,
  type ClientCertificate,
  readClientCertificate,
} from '@cofre/provider-kit/outbound'
import { z } from 'zod'
import { documentAnswer, refusal, withAsciiLetter } from '@cofre/provider-kit/bank'
import {
  credentialSchema,
  type credentialsSchema,
  documentSchema,
  settingsSchema,
} from './pix-api-account.js'
import { PIX_API_PROFILES, type PixApiProfile, type PixApiProfileName } from './pix-api-profiles.js'
import { pixKeyAnswer } from './pix-key-answer.js'

/** A question with the schema of its answer. */
export interface BankQuestion extends AccountQuestion {
  /** For text and secrets; files are read together. */
  readonly schema?: z.ZodType<string | undefined>
}

const { pixKey, receiver, accountNumber } = settingsSchema.shape
const isOptional = false
const settingsIn = (settings: unknown) => settingsSchema.safeParse(settings).data

/** Banks' questions, in the order in which a person answers them. */
export const QUESTIONS: readonly BankQuestion[] = [
  {
    name: 'pixKey',
    text: 'PIX key',
    help: 'CPF or CNPJ without punctuation, +5511…, an e-mail address in small letters, or a random key.',
    kind: 'text',
    isOptional,
    schema: pixKeyAnswer(pixKey),
    answerIn: (settings) => settingsIn(settings)?.pixKey,
  },
  {
    name: 'receiverName',
    text: 'Name of the receiver',
    help: 'Payers see its first 25 letters.',
    kind: 'text',
    isOptional,
    schema: withAsciiLetter(receiver.shape.name),
    answerIn: (settings) => settingsIn(settings)?.receiver.name,
  },
  {
    name: 'receiverCity',
    text: 'City of the receiver',
    help: 'Payers see its first 15 letters.',
    kind: 'text',
    isOptional,
    schema: withAsciiLetter(receiver.shape.city),
    answerIn: (settings) => settingsIn(settings)?.receiver.city,
  },
  {
    name: 'clientId',
    text: 'Client id',
    help: 'The bank gives it when the application is registered.',
    kind: 'text',
    isOptional,
    schema: credentialSchema,
  },
  {
    name: 'clientSecret',
    text: 'Client secret',
    help: 'It comes with the client id.',
    kind: 'secret',
    isOptional,
    schema: credentialSchema,
  },
  {
    name: 'applicationKey',
    text: 'Application key',
    help: 'gw-dev-app-key of the application, from the developer portal.',
    kind: 'secret',
    isOptional,
    schema: credentialSchema,
  },
  {
    name: 'accountNumber',
    text: 'Account number',
    help: 'Digits only. Required if the client has several accounts.',
    kind: 'text',
    isOptional: true,
    schema: accountNumber,
    answerIn: (settings) => settingsIn(settings)?.accountNumber,
  },
  {
    name: 'callsPerMinute',
    text: 'Calls a minute',
    help: 'The bank’s limit for this account, from 1 to 9999. Default: 60. Each process counts separately: with two processes, enter half.',
    kind: 'text',
    isOptional: true,
    schema: z.string().regex(/^[1-9]\d{0,3}$/),
    answerIn: (settings) => settingsIn(settings)?.callsPerMinute?.toString(),
  },
  {
    name: 'certificate',
    text: 'Client certificate',
    help: 'PKCS#12 (.p12, .pfx) or PEM, with its issuers if the bank provided them.',
    kind: 'file',
    isOptional,
  },
  {
    name: 'certificateKey',
    text: 'Private key',
    help: 'PEM. Only if it is a separate file.',
    kind: 'file',
    isOptional: true,
  },
  {
    name: 'certificatePassword',
    text: 'Password of the certificate',
    help: 'Empty if the file has none.',
    kind: 'secret',
    isOptional: true,
  },
]
/** `2`, `2.5` or `2.50`; stored as `2.50`. */
const percent = z
  .string()
  .regex(/^\d{1,2}(?:\.\d{1,2})?$/)
  .transform((text) => {
    const hundredths = parseAmount(text)
    return hundredths === undefined ? text : formatAmount(hundredths)
  })

/** Questions only for boletos: an account for PIX leaves them empty. */
const BOLETO_QUESTIONS: readonly BankQuestion[] = [
  {
    name: 'fine',
    text: 'Fine after due, %',
    help: 'For boletos: the late payment fine in percent, such as 2. Empty: none.',
    kind: 'text',
    isOptional: true,
    schema: percent.pipe(settingsSchema.shape.fine.unwrap()),
    answerIn: (settings) => settingsIn(settings)?.fine,
  },
  {
    name: 'interest',
    text: 'Interest a month, %',
    help: 'For boletos: the monthly interest for late payment in percent, counted by days, such as 1. Empty: none.',
    kind: 'text',
    isOptional: true,
    schema: percent.pipe(settingsSchema.shape.interest.unwrap()),
    answerIn: (settings) => settingsIn(settings)?.interest,
  },
  {
    name: 'discount',
    text: 'Discount before due, %',
    help: 'For boletos: the discount for early payment in percent, such as 5. Empty: none.',
    kind: 'text',
    isOptional: true,
    schema: percent.pipe(settingsSchema.shape.discount.unwrap()),
    answerIn: (settings) => settingsIn(settings)?.discount,
  },
  {
    name: 'discountDays',
    text: 'Days before due',
    help: 'The last day of the discount: days before the due date, from 0 (the due date itself) to 99.',
    kind: 'text',
    isOptional: true,
    schema: z.string().regex(/^\d{1,2}$/),
    answerIn: (settings) => settingsIn(settings)?.discountDays?.toString(),
  },
  {
    name: 'testPayerDocument',
    text: 'Payer of test boletos',
    help: 'Your own CPF or CNPJ, without punctuation. `cofre account test` opens a boleto for it and removes it; without it, the test only reads.',
    kind: 'text',
    isOptional: true,
    schema: documentAnswer(documentSchema),
    answerIn: (settings) => settingsIn(settings)?.testPayerDocument,
  },
]
/** Not every bank issues these. */
const OWN: readonly string[] = ['clientSecret', 'applicationKey', 'accountNumber']

function questionsOf({ needs, takes }: PixApiProfile): readonly BankQuestion[] {
  const given: readonly string[] = [...needs, ...takes]
  const asked = QUESTIONS.filter(({ name }) => !OWN.includes(name) || given.includes(name))
  return [...asked, ...BOLETO_QUESTIONS]
}

/** @throws AccountError `profile` */
export function pixApiQuestions(name: string): readonly AccountQuestion[] {
  return questionsOf(profileOf(name).profile)
}

/** @throws AccountError that names the question */
export function readPixApiEntry({ answers, kind, nowMs, ...entry }: AccountEntry): EnteredAccount {
  const { name, profile } = profileOf(entry.profile)
  if (kind === 'test' && profile.test === undefined)
    throw new AccountError('kind', `No test environment of ${profile.bank} is known.`)
  const questions = questionsOf(profile)
  const texts = textsOf(questions, answers, profile)
  const text = (answer: string): string => texts.get(answer) ?? ''
  const number = texts.get('accountNumber')
  const calls = texts.get('callsPerMinute')
  const certificate = certificateOf(profile, answers, nowMs)
  const settings: z.input<typeof settingsSchema> = {
    profile: name,
    pixKey: text('pixKey'),
    receiver: { name: text('receiverName'), city: text('receiverCity') },
    ...(number !== undefined && { accountNumber: number }),
    ...(calls !== undefined && { callsPerMinute: Number(calls) }),
    ...boletoSettings(texts),
  }
  const credentials: z.input<typeof credentialsSchema> = {
    clientId: text('clientId'),
    clientSecret: texts.get('clientSecret'),
    applicationKey: texts.get('applicationKey'),
    certificatePem: certificate.certificatePem,
    keyPem: certificate.keyPem.reveal(),
  }
  return {
    settings,
    credentials: new Secret(JSON.stringify(credentials)),
    certificateUntilMs: certificate.expiresAtMs,
  }
}

/** @throws AccountError `discountDays` */
function boletoSettings(
  texts: ReadonlyMap<string, string | undefined>,
): Partial<z.input<typeof settingsSchema>> {
  const days = texts.get('discountDays')
  if ((days === undefined) !== (texts.get('discount') === undefined))
    throw new AccountError('discountDays', 'A discount and its days are given together.')
  const names = ['fine', 'interest', 'discount', 'testPayerDocument'] as const
  const given = names.flatMap((name) => {
    const text = texts.get(name)
    return text === undefined ? [] : [[name, text] as const]
  })
  return {
    ...Object.fromEntries(given),
    ...(days !== undefined && { discountDays: Number(days) }),
  }
}

/**
 * The answers without files, by their questions' names.
 * @throws AccountError that names the question, also for an answer without one
 */
export function textsOf(
  questions: readonly BankQuestion[],
  answers: AccountAnswers,
  { bank }: Pick<PixApiProfile, 'bank'>,
): ReadonlyMap<string, string | undefined> {
  const asked = new Set(questions.map((one) => one.name))
  const stranger = Object.keys(answers).find((answer) => !asked.has(answer))
  if (stranger !== undefined) throw new AccountError(stranger, `${bank} does not know it.`)
  return new Map(questions.map((one) => [one.name, readAnswer(one, answers[one.name])]))
}

function profileOf(given: string): {
  readonly name: PixApiProfileName
  readonly profile: PixApiProfile
} {
  const names = Object.keys(PIX_API_PROFILES) as PixApiProfileName[]
  const name = names.find((one) => one === given)
  if (name === undefined)
    throw new AccountError('profile', `There is no such profile. Known are ${names.join(', ')}.`)
  return { name, profile: PIX_API_PROFILES[name] }
}

/** Undefined for an omitted optional answer, and for files. */
function readAnswer(
  { help, isOptional, kind, name, schema, text }: BankQuestion,
  given: AccountAnswers[string] | undefined,
): string | undefined {
  const value = given instanceof Secret ? given.reveal() : given
  if (value === undefined || value.length === 0) {
    if (isOptional) return undefined
    throw new AccountError(name, `${text} is missing. ${help}`)
  }
  const isFile = value instanceof Uint8Array
  if (isFile !== (kind === 'file'))
    throw new AccountError(name, `${text}: a ${kind} is wanted. ${help}`)
  if (isFile || schema === undefined) return undefined
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new AccountError(name, refusal({ text, help }, parsed.error))
  return parsed.data
}

/** @throws AccountError for the file, its key or its password */
export function certificateOf(
  { chain }: PixApiProfile,
  { certificate, certificateKey, certificatePassword }: AccountAnswers,
  nowMs: number,
): ClientCertificate {
  const password =
    typeof certificatePassword === 'string' ? new Secret(certificatePassword) : certificatePassword
  try {
    return readClientCertificate(
      {
        file: certificate instanceof Uint8Array ? certificate : new Uint8Array(),
        ...(certificateKey instanceof Uint8Array && { keyFile: certificateKey }),
        ...(password instanceof Secret && { password }),
      },
      { nowMs, ...(chain !== undefined && { chain }) },
    )
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    throw new AccountError(questionOf(error, certificateKey !== undefined), error.message)
  }
}

function questionOf({ problem }: CertificateError, hasKeyFile: boolean): string {
  if (problem === 'password_wrong') return 'certificatePassword'
  const isKey = problem === 'key_missing' || (problem === 'key_mismatch' && hasKeyFile)
  return isKey ? 'certificateKey' : 'certificate'
}
