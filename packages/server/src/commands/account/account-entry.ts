// Reads an account with a provider from a person's answers or from a file.
import path from 'node:path'
import process from 'node:process'
import {
  type AccountAnswers,
  AccountError,
  type AccountKind,
  type AccountProfile,
  type AccountQuestion,
  type EnteredAccount,
  type ProviderAccount,
} from '@cofre/provider-kit/account'
import { Secret } from '@cofre/contracts'
import { z } from 'zod'
import { OperatorError } from '../../config/errors.js'
import { readSecretBytes, readSecretFile } from '../../config/secret-file.js'
import { type KnownProvider, knownProviders } from '../line/account-providers.js'
import { type CommandContext, type InEnvironment, UsageError } from '../line/command.js'

/** An account's provider, profile and kind. */
export interface Contract extends KnownProvider {
  readonly profile: AccountProfile
  readonly kind: AccountKind
}

export interface ContractNames {
  readonly provider: string
  /** Required if the provider has several. */
  readonly profile?: string | undefined
}

/** @throws UsageError that lists the known ones */
export async function contractNamed(
  context: CommandContext,
  names: ContractNames,
): Promise<Omit<Contract, 'kind'>> {
  const all = await knownProviders(context.providers)
  const known = all.find(({ provider }) => provider.name === names.provider)
  if (known === undefined) {
    const others = namesOf(all.map(({ provider }) => provider))
    throw new UsageError(`there is no provider ${names.provider}, but ${others}`)
  }
  const { name, profiles } = known.provider
  const [first, ...others] = profiles
  if (names.profile === undefined && first !== undefined && others.length === 0)
    return { ...known, profile: first }
  if (names.profile === undefined)
    throw new UsageError(`--profile is missing: it takes ${namesOf(profiles)}`)
  const profile = profiles.find((one) => one.name === names.profile)
  if (profile === undefined)
    throw new UsageError(`${name} has no profile ${names.profile}, but ${namesOf(profiles)}`)
  return { ...known, profile }
}

/** The kind of an environment's accounts. @throws UsageError */
export function kindOf(
  { company, kinds }: AccountProfile,
  { environment, kind }: InEnvironment & { readonly kind?: 'live' | 'test' | undefined },
): AccountKind {
  const fitting = environment === 'production' ? 'live' : 'test'
  if (kind !== undefined && kind !== fitting)
    throw new UsageError(
      kind === 'test'
        ? 'an account of kind test is only for the sandbox: add --sandbox'
        : 'an account of kind live is only for production: omit --sandbox',
    )
  if (!kinds.includes(fitting)) {
    const known = kinds.filter((one) => one !== 'simulator')
    throw new UsageError(
      `no account of kind ${fitting} is known at ${company}, but ${known.join(', ')}`,
    )
  }
  return fitting
}

function namesOf(named: readonly { readonly name: string }[]): string {
  return named.map(({ name }) => name).join(', ')
}

/** Source of the answers. */
export interface AnswerSource {
  /** A file, or `-` for the standard input; undefined to ask a person. */
  readonly from?: string | undefined
  /** Settings of an existing account, which needs only new credentials. */
  readonly settings?: ProviderAccount['settings']
}

/**
 * Asks the provider's questions, and lets the provider check the answers.
 * @throws OperatorError that names the question
 */
export async function enterAccount(
  context: CommandContext,
  { provider, profile, kind }: Contract,
  { from, settings }: AnswerSource,
): Promise<EnteredAccount> {
  const questions = provider.questions(profile.name)
  const known = Object.fromEntries(
    questions.flatMap(({ name, answerIn }) => {
      const answer = settings && answerIn?.(settings)
      return answer === undefined ? [] : [[name, answer]]
    }),
  )
  const open = questions.filter(({ answerIn }) => settings === undefined || answerIn === undefined)
  const given =
    from === undefined ? await promptAll(context, open) : await readAll(context, questions, from)
  const answers = { ...known, ...given }
  const missing = questions.filter(({ name, isOptional }) => !isOptional && !(name in answers))
  if (missing.length > 0)
    throw new OperatorError(
      `answers are missing, and nothing was stored: ${missing.map(({ name, text }) => `${name} (${text})`).join(', ')}`,
    )
  try {
    const nowMs = context.clock.now()
    return provider.readAccount({ profile: profile.name, kind, answers, nowMs })
  } catch (error) {
    if (!(error instanceof AccountError)) throw error
    throw refusedAnswer(error.question, error.message)
  }
}

function refusedAnswer(question: string, why: string): OperatorError {
  return new OperatorError(`${question} is refused, and nothing was stored: ${why}`)
}

async function promptAll(
  context: CommandContext,
  questions: readonly AccountQuestion[],
): Promise<AccountAnswers> {
  const { terminal } = context
  if (terminal === undefined)
    throw new UsageError(
      `there is no terminal to ask questions: give --from FILE, or --from - for the standard input, with JSON of ${namesOf(questions)}`,
    )
  const answers: Record<string, AccountAnswers[string]> = {}
  for (const { name, text, kind, help, isOptional } of questions) {
    context.warn(`\n${help}\n`)
    const prompt = `${text}${kind === 'file' ? ', path of the file' : ''}${isOptional ? ' (may be left empty)' : ''}: `
    const answer =
      kind === 'secret' ? await terminal.promptSecret(prompt) : await terminal.prompt(prompt)
    if ((typeof answer === 'string' ? answer : answer.reveal()) === '') continue
    answers[name] = typeof answer === 'string' && kind === 'file' ? readFile(name, answer) : answer
  }
  return answers
}

const textsSchema = z.record(z.string(), z.string())

async function readAll(
  context: CommandContext,
  questions: readonly AccountQuestion[],
  from: string,
): Promise<AccountAnswers> {
  const texts = textsIn(from, await readSecret(context, from))
  const folder = from === '-' ? process.cwd() : path.dirname(path.resolve(from))
  const unknown = Object.keys(texts).find((name) => !questions.some((one) => one.name === name))
  if (unknown !== undefined)
    throw refusedAnswer(unknown, `there is no such question; there are ${namesOf(questions)}`)
  const answers: Record<string, AccountAnswers[string]> = {}
  for (const { name, kind } of questions) {
    const text = texts[name] ?? ''
    if (text === '') continue
    if (kind === 'file') answers[name] = readFile(name, text, folder)
    else answers[name] = kind === 'secret' ? new Secret(text) : text
  }
  return answers
}

/** Shows no part of invalid JSON: it holds secrets. */
function textsIn(from: string, text: string): Readonly<Record<string, string>> {
  try {
    return textsSchema.parse(JSON.parse(text))
  } catch {
    const source = from === '-' ? 'the standard input' : from
    throw new OperatorError(
      `${source} is not usable, and nothing was stored: it must contain a JSON object of texts, like {"clientId": "…"}`,
    )
  }
}

async function readSecret(context: CommandContext, from: string): Promise<string> {
  if (from === '-') return (await context.input?.()) ?? ''
  const read = readSecretFile(from)
  if ('text' in read) return read.text
  throw new OperatorError(`${from} is not usable, and nothing was stored: ${read.why}`)
}

function readFile(question: string, file: string, folder = process.cwd()): Uint8Array {
  const found = path.resolve(folder, file)
  const read = readSecretBytes(found, isCertificateAlone)
  if ('bytes' in read) return read.bytes
  throw refusedAnswer(question, `${found}: ${read.why}`)
}

/** True for a certificate without a private key: it is public. */
function isCertificateAlone(bytes: Buffer): boolean {
  const text = bytes.toString('latin1')
  return text.trimStart().startsWith('-----BEGIN CERTIFICATE-----') && !text.includes('PRIVATE KEY')
}
