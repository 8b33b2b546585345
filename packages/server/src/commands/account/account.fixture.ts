// An installation for tests of `cofre account`, with an invented bank.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  AccountError,
  type AccountQuestion,
  type ProviderAccount,
} from '@cofre/provider-kit/account'
import { loadAcquirers } from '@cofre/providers'
import {
  type AcquirerAccount,
  type AcquirerConnection,
  type AcquirerProvider,
} from '@cofre/provider-kit/card'
import type {
  BankProvider,
  NoticeAddress,
  NoticeRegistration,
  PixBank,
} from '@cofre/provider-kit/bank'
import { SECOND_MS, Secret } from '@cofre/contracts'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../config/config.js'
import { OperatorError } from '../../config/errors.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { runProgram } from '../../main.js'
import type { Providers } from '../line/account-providers.js'

const ACQUIRERS = await loadAcquirers()
const NOW_MS = Date.UTC(2026, 10, 22, 12)
export const NOTICES = 'https://pix.example.com'

/** Inputs of a person. */
export interface Person {
  /** In order; secrets too. */
  readonly answers?: readonly string[]
  /** Content of the standard input. */
  readonly input?: string
}

interface InstallationSetup {
  readonly startMs?: number
  /** Databases that are already migrated. */
  readonly has?: Parameters<typeof copyMigrated>[1]
}

/** An installation for one test. */
export function createInstallation(...given: Parameters<typeof openInstallation>) {
  const installation = openInstallation(...given)
  onTestFinished(installation.remove)
  return installation
}

/** An installation shared by several tests, none of which changes it. */
export function openInstallation(
  { banks = [], acquirers = ACQUIRERS }: Partial<Providers>,
  given: Readonly<Record<string, string>> = {},
  { startMs = NOW_MS, has = ['production'] }: InstallationSetup = {},
) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-account-'))
  copyMigrated(dataDir, has)
  const time = { nowMs: startMs }
  const environ: Record<string, string> = { COFRE_DATA_DIR: dataDir, ...given }
  const asked: string[] = []

  async function cofre(line: string | readonly string[], { answers, input = '' }: Person = {}) {
    const ran = { output: '', warnings: '', failed: false }
    const left = [...(answers ?? [])]
    time.nowMs += SECOND_MS
    const next = (question: string): string => {
      asked.push(question)
      return left.shift() ?? ''
    }
    await runProgram(typeof line === 'string' ? line.split(' ') : line, {
      clock: { now: () => time.nowMs },
      config: (mode) => readConfig(environ, mode),
      print: (text) => (ran.output += text),
      warn: (text) => (ran.warnings += text),
      fail: () => (ran.failed = true),
      input: () => Promise.resolve(input),
      providers: () => Promise.resolve({ banks, acquirers }),
      ...(answers !== undefined && {
        terminal: {
          async prompt(question) {
            const answer = next(question)
            if (answer === 'Ctrl-C') throw new OperatorError('stopped')
            return await Promise.resolve(answer)
          },
          promptSecret: (question) => Promise.resolve(new Secret(next(question))),
        },
      }),
    })
    return { ...ran, json: (): unknown => JSON.parse(ran.output) }
  }

  /** Writes a file into the installation's folder. */
  const write = (name: string, content: string | Uint8Array, mode = 0o600): string => {
    const file = path.join(dataDir, name)
    writeFileSync(file, content, { mode })
    return file
  }
  const remove = () => rm(dataDir, { recursive: true })
  return { cofre, write, dataDir, environ, time, asked, remove }
}

const QUESTIONS: readonly AccountQuestion[] = [
  {
    name: 'pixKey',
    text: 'PIX key',
    help: 'As the bank has it.',
    kind: 'text',
    isOptional: false,
    answerIn: ({ pixKey }) => (typeof pixKey === 'string' ? pixKey : undefined),
  },
  { name: 'token', text: 'Token', help: 'From the bank.', kind: 'secret', isOptional: false },
  { name: 'letter', text: 'Letter', help: 'A file.', kind: 'file', isOptional: true },
]

const CARD_QUESTIONS: readonly AccountQuestion[] = [
  {
    name: 'merchant',
    text: 'Merchant',
    help: 'Its name there.',
    kind: 'text',
    isOptional: false,
    answerIn: ({ merchant }) => (typeof merchant === 'string' ? merchant : undefined),
  },
  { name: 'apiKey', text: 'API key', help: 'From its site.', kind: 'secret', isOptional: false },
]

/** A bank unknown to the commands' code. Records its calls. */
export function createMadeUpBank() {
  const calls: string[] = []
  const state = {
    /** Message with which its next sign-in, or the step below, is refused. */
    refusal: undefined as string | undefined,
    refused: 'Sign in',
    /** The step that throws. */
    fault: '',
    registration: { kind: 'done' } as NoticeRegistration,
    registered: [] as NoticeAddress[],
    accounts: [] as ProviderAccount[],
  }
  const step = (text: string, isCleanup = false) => ({
    text,
    isCleanup,
    run() {
      calls.push(text)
      if (state.fault === text) return Promise.reject(new Error('a fault'))
      const isDone = state.refusal === undefined || state.refused !== text
      return Promise.resolve({ isDone, detail: isDone ? `${text}: fine.` : (state.refusal ?? '') })
    },
  })
  const provider: BankProvider = {
    name: 'made-up',
    methods: ['pix'],
    profiles: [
      {
        name: 'north',
        company: 'Banco do Norte',
        kinds: ['live', 'test'],
        unconfirmed: ['its host'],
      },
      { name: 'south', company: 'Banco do Sul', kinds: ['live', 'simulator'], unconfirmed: [] },
    ],
    rules: [],
    questions: () => QUESTIONS,
    readAccount({ profile, answers }) {
      const { pixKey, token, letter } = answers
      if (!(token instanceof Secret) || token.reveal().length < 8)
        throw new AccountError('token', 'The token has at least 8 letters.')
      if (letter !== undefined && !(letter instanceof Uint8Array))
        throw new AccountError('letter', 'A file is wanted.')
      return {
        settings: { profile, pixKey },
        credentials: new Secret(JSON.stringify({ token: token.reveal() })),
        certificateUntilMs: Date.UTC(2027, 0, 31),
      }
    },
    connect(account) {
      state.accounts.push(account)
      return {
        pix: {} as PixBank,
        notices: {
          namesIn: () => undefined,
          register(address) {
            state.registered.push(address)
            return Promise.resolve(state.registration)
          },
          remove: () => Promise.resolve({ kind: 'done' }),
        },
        steps: [step('Sign in'), step('Open'), step('Read'), step('Remove', true)],
        close() {
          calls.push('close')
          return Promise.resolve()
        },
      }
    },
  }
  return { provider, state, calls }
}

/** An acquirer unknown to the commands' code. */
export function createMadeUpAcquirer() {
  const state = {
    /** Message with which its sign-in is refused. */
    refusal: undefined as string | undefined,
    accounts: [] as AcquirerAccount[],
    closed: 0,
  }
  const provider: AcquirerProvider = {
    name: 'made-up-cards',
    methods: ['card'],
    profiles: [{ name: 'cards', company: 'Adquirente', kinds: ['live', 'test'], unconfirmed: [] }],
    rules: [],
    installmentsOf: (brand) =>
      new Map([
        ['hipercard', 0],
        ['diners', 1],
      ]).get(brand),
    questions: () => CARD_QUESTIONS,
    readAccount: ({ answers: { merchant, apiKey } }) => ({
      settings: { merchant },
      credentials: new Secret(JSON.stringify({ apiKey: (apiKey as Secret<string>).reveal() })),
      certificateUntilMs: undefined,
    }),
    connect(account) {
      state.accounts.push(account)
      const acquirer = { close: () => Promise.resolve(void (state.closed += 1)) }
      const run = () => {
        const { refusal } = state
        return Promise.resolve({ isDone: refusal === undefined, detail: refusal ?? 'Accepted.' })
      }
      return {
        acquirer: acquirer as unknown as AcquirerConnection['acquirer'],
        notices: {} as AcquirerConnection['notices'],
        steps: [{ text: 'Show the credentials', run }],
      }
    },
  }
  return { provider, state }
}
