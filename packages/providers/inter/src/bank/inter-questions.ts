import {
  type AccountEntry,
  AccountError,
  type AccountQuestion,
  type EnteredAccount,
} from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import type { z } from 'zod'
import { documentAnswer } from '@cofre/provider-kit/bank'
import {
  type credentialsSchema,
  documentSchema,
  type BankQuestion,
  QUESTIONS,
  certificateOf,
  textsOf,
} from '@cofre/pix-api/bank'
import { INTER, INTER_PROFILE, interSettingsSchema } from './inter-account.js'

const settingsIn = (settings: unknown) => interSettingsSchema.safeParse(settings).data
const { accountNumber } = interSettingsSchema.shape

/** The differences from the questions of other banks with the API Pix. */
const OWN: Readonly<Record<string, Partial<BankQuestion>>> = {
  receiverName: { answerIn: (settings) => settingsIn(settings)?.receiver.name },
  receiverCity: { answerIn: (settings) => settingsIn(settings)?.receiver.city },
  accountNumber: {
    help: 'Digits only, without leading zeros. Required if the client has several accounts.',
    schema: accountNumber,
    answerIn: (settings) => settingsIn(settings)?.accountNumber,
  },
  callsPerMinute: {
    help: 'The bank’s limit for this account, from 1 to 9999. Default: 120, or 10 in its test system. Each process counts separately: with two processes, enter half.',
    answerIn: (settings) => settingsIn(settings)?.callsPerMinute?.toString(),
  },
}
const OMITTED_QUESTIONS: readonly string[] = ['pixKey', 'applicationKey']

const QUESTIONS_OF_INTER: readonly BankQuestion[] = [
  ...QUESTIONS.filter(({ name }) => !OMITTED_QUESTIONS.includes(name)).map((question) => ({
    ...question,
    ...OWN[question.name],
  })),
  {
    name: 'testPayerDocument',
    text: 'Payer of test boletos',
    help: 'Your own CPF or CNPJ, without punctuation. `cofre account test` issues a boleto to it and cancels it; without it, the test only reads.',
    kind: 'text',
    isOptional: true,
    schema: documentAnswer(documentSchema),
    answerIn: (settings) => settingsIn(settings)?.testPayerDocument,
  },
]

/** @throws AccountError `profile` */
export function interQuestions(profile: string): readonly AccountQuestion[] {
  if (profile !== INTER)
    throw new AccountError('profile', `There is no such profile. Use ${INTER}.`)
  return QUESTIONS_OF_INTER
}

/** @throws AccountError that names the question */
export function readInterEntry({ answers, nowMs, profile }: AccountEntry): EnteredAccount {
  interQuestions(profile)
  const texts = textsOf(QUESTIONS_OF_INTER, answers, INTER_PROFILE)
  const text = (answer: string): string => texts.get(answer) ?? ''
  const number = texts.get('accountNumber')
  const calls = texts.get('callsPerMinute')
  const payer = texts.get('testPayerDocument')
  const certificate = certificateOf(INTER_PROFILE, answers, nowMs)
  const settings: z.input<typeof interSettingsSchema> = {
    profile: INTER,
    receiver: { name: text('receiverName'), city: text('receiverCity') },
    ...(number !== undefined && { accountNumber: number }),
    ...(calls !== undefined && { callsPerMinute: Number(calls) }),
    ...(payer !== undefined && { testPayerDocument: payer }),
  }
  const credentials: z.input<typeof credentialsSchema> = {
    clientId: text('clientId'),
    clientSecret: text('clientSecret'),
    certificatePem: certificate.certificatePem,
    keyPem: certificate.keyPem.reveal(),
  }
  return {
    settings,
    credentials: new Secret(JSON.stringify(credentials)),
    certificateUntilMs: certificate.expiresAtMs,
  }
}
