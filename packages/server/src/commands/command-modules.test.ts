import {
  CARD_BRANDS,
  ENVIRONMENTS,
  REFUND_RIGHTS,
  REQUEST_RULES,
  STORE_SCOPES,
  TRANSACTION_STATUSES,
  isAccepted,
} from '@cofre/contracts'
import { readConfig, ROLES } from '../config/config.js'
import { runProgram } from '../main.js'
import { ACCOUNT_METHODS } from '@cofre/provider-kit/account'
import { OPERATOR_SCOPES } from '@cofre/operator'
import { ROLES as PERSON_ROLES } from '@cofre/people'
import { describe, expect, it } from 'vitest'
import { ALL_IN_ONE } from '../installation/roles.js'
import choices from './line/choices.json' with { type: 'json' }
import { loadHandler } from './command-modules.js'
import texts from './line/commands.json' with { type: 'json' }
import { TRIGGERS } from './sandbox/trigger.js'
import { PARSERS } from './line/values.js'

const PATHS = Object.keys(texts.commands)
const COMMANDS = PATHS.filter((path) => !PATHS.some((other) => other.startsWith(`${path} `)))

describe('Modules of commands', () => {
  it('carry out every command that the help names', async () => {
    for (const path of COMMANDS) expect(typeof (await loadHandler(path))).toBe('function')
  })

  it('read every kind of value that an option or argument names', () => {
    type Values = Readonly<Record<string, { readonly text: string; readonly parse?: string }>>
    interface Text {
      readonly description: string
      readonly options?: Values
      readonly arguments?: Values
    }
    const named = Object.values<Text>(texts.commands).flatMap(({ options, arguments: args }) =>
      [...Object.values(options ?? {}), ...Object.values(args ?? {})].flatMap(
        ({ parse }) => parse ?? [],
      ),
    )
    expect(named.filter((parse) => !Object.hasOwn(PARSERS, parse))).toEqual([])
  })
})

it('takes --sandbox wherever an environment is chosen', () => {
  interface Text {
    readonly description: string
    readonly options?: Readonly<Record<string, unknown>>
  }
  const without = Object.entries<Text>(texts.commands).filter(
    ([, { options = {} }]) => '--environment <environment>' in options && !('--sandbox' in options),
  )
  expect(without.map(([path]) => path)).toEqual([])
})

it('names every command of a group in the summaries that list them', () => {
  interface Text {
    readonly summary?: string
    readonly description: string
  }
  const paths = Object.keys(texts.commands)
  const missing = Object.entries<Text>(texts.commands).flatMap(([group, { summary = '' }]) => {
    const [, listed] = summary.split(': ')
    const words = listed?.split(/, | and /)
    return paths
      .filter((path) => path.startsWith(`${group} `))
      .filter((path) => words?.includes(path.slice(group.length + 1)) === false)
  })
  expect(missing).toEqual([])
})

it.each([
  'transactions list --sandbox --environment production',
  'transactions unlinked --environment production --sandbox',
])('refuses the contradiction of %s', async (line) => {
  const context = {
    clock: Date,
    config: () => readConfig({ COFRE_DATA_DIR: '/dev/null/x' }, 'dev'),
    print: () => undefined,
    warn: () => undefined,
    fail: () => undefined,
  }
  await expect(runProgram(line.split(' '), context)).rejects.toThrow(
    /--sandbox and --environment production contradict each other/,
  )
})

// The help loads none of the lists it names, so this test compares them.
it.each([
  ['environments', ENVIRONMENTS],
  ['person-roles', PERSON_ROLES],
  ['rules', REQUEST_RULES],
  ['refunds', REFUND_RIGHTS],
  ['store-scopes', STORE_SCOPES],
  ['operator-scopes', OPERATOR_SCOPES],
  ['account-methods', ACCOUNT_METHODS],
  ['card-brands', CARD_BRANDS.filter(isAccepted).map(({ name }) => name)],
  ['statuses', TRANSACTION_STATUSES],
  ['triggers', Object.keys(TRIGGERS)],
  // The demo shop is only for development.
  ['roles', ROLES.filter((role) => role !== 'demo')],
  ['all-in-one', [ALL_IN_ONE.join(',')]],
] as const)('offers as %s all that the product knows', (name, known) => {
  expect(choices[name]).toEqual(known)
})
