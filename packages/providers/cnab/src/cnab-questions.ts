import {
  type AccountEntry,
  AccountError,
  type AccountQuestion,
  type EnteredAccount,
} from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import { z } from 'zod'
import { refusal, withAsciiLetter } from '@cofre/provider-kit/bank'
import {
  CNAB_PROFILES,
  type CnabProfile,
  type CnabProfileName,
  settingsSchema,
} from './cnab-account.js'

type Settings = z.output<typeof settingsSchema>

interface Question extends AccountQuestion {
  readonly schema: z.ZodType<string>
  readonly answerIn: (settings: unknown) => string | undefined
}

const { account, accountDigit, agency, agencyDigit, receiver } = settingsSchema.shape
const DASH = '-'

/** A number and its check digit, with the dash that banks print between them. */
const withDigit = (number: z.ZodString, digit: z.ZodString) =>
  z.string().refine((text) => {
    const [before, after, ...others] = text.split(DASH)
    return others.length === 0 && number.safeParse(before).success && digit.safeParse(after).success
  })

function question(
  about: Pick<Question, 'name' | 'text' | 'help' | 'schema'>,
  answerOf: (settings: Settings) => string,
): Question {
  const answerIn = (settings: unknown): string | undefined => {
    const { data } = settingsSchema.safeParse(settings)
    return data && answerOf(data)
  }
  return { ...about, kind: 'text', isOptional: false, answerIn }
}

function questionsOf({ accountLengthMax, agreement, wallet }: CnabProfile): readonly Question[] {
  const { help, lengthMax, text } = agreement
  const ofWallet =
    typeof wallet === 'string'
      ? []
      : [
          question(
            {
              name: 'wallet',
              text: 'Wallet',
              help: wallet.help,
              schema: settingsSchema.shape.wallet.length(wallet.length),
            },
            (settings) => settings.wallet,
          ),
        ]
  return [
    question(
      {
        name: 'agency',
        text: 'Agency',
        help: 'With its check digit, such as 1172-0.',
        schema: withDigit(agency, agencyDigit),
      },
      (settings) => settings.agency + DASH + settings.agencyDigit,
    ),
    question(
      {
        name: 'accountNumber',
        text: 'Account number',
        help: 'With its check digit, such as 403005-2.',
        schema: withDigit(account.max(accountLengthMax), accountDigit),
      },
      (settings) => settings.account + DASH + settings.accountDigit,
    ),
    question(
      { name: 'agreement', text, help, schema: settingsSchema.shape.agreement.max(lengthMax) },
      (settings) => settings.agreement,
    ),
    ...ofWallet,
    question(
      {
        name: 'receiverName',
        text: 'Name of the receiver',
        help: 'As registered at the bank. Files have room for the first 30 letters.',
        schema: withAsciiLetter(receiver.shape.name),
      },
      (settings) => settings.receiver.name,
    ),
    question(
      {
        name: 'receiverDocument',
        text: 'CPF or CNPJ of the receiver',
        help: 'Without punctuation.',
        schema: receiver.shape.document,
      },
      (settings) => settings.receiver.document,
    ),
  ]
}

/** @throws AccountError `profile` */
export function cnabQuestions(name: string): readonly AccountQuestion[] {
  return questionsOf(profileOf(name).profile)
}

/** @throws AccountError that names the question */
export function readCnabEntry({ answers, profile: given }: AccountEntry): EnteredAccount {
  const { name, profile } = profileOf(given)
  const questions = questionsOf(profile)
  const stranger = Object.keys(answers).find(
    (one) => !questions.some((asked) => asked.name === one),
  )
  if (stranger !== undefined)
    throw new AccountError(stranger, `${profile.company} does not know it.`)
  const texts = new Map(questions.map((one) => [one.name, readAnswer(one, answers[one.name])]))
  const text = (answer: string): string => texts.get(answer) ?? ''
  const [agencyNumber = '', agencyCheck = ''] = text('agency').split(DASH)
  const [accountNumber = '', accountCheck = ''] = text('accountNumber').split(DASH)
  const settings: Settings = {
    profile: name,
    bank: profile.bank.code,
    agency: agencyNumber,
    agencyDigit: agencyCheck,
    account: accountNumber,
    accountDigit: accountCheck,
    agreement: text('agreement'),
    wallet: typeof profile.wallet === 'string' ? profile.wallet : text('wallet'),
    receiver: { name: text('receiverName'), document: text('receiverDocument') },
  }
  // People upload the files, with their own sign-in at the bank.
  return { settings, credentials: new Secret('{}'), certificateUntilMs: undefined }
}

function profileOf(given: string): {
  readonly name: CnabProfileName
  readonly profile: CnabProfile
} {
  const names = Object.keys(CNAB_PROFILES) as CnabProfileName[]
  const name = names.find((one) => one === given)
  if (name === undefined)
    throw new AccountError('profile', `There is no such profile. Known are ${names.join(', ')}.`)
  return { name, profile: CNAB_PROFILES[name] }
}

function readAnswer(
  { help, name, schema, text }: Question,
  given: AccountEntry['answers'][string] | undefined,
): string {
  const value = given instanceof Secret ? given.reveal() : given
  if (value === undefined || value.length === 0)
    throw new AccountError(name, `${text} is missing. ${help}`)
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new AccountError(name, refusal({ text, help }, parsed.error))
  return parsed.data
}
