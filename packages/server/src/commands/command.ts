import { type Clock, ENVIRONMENTS, type Environment } from '@cofre/contracts'
import type { AuditEvent } from '@cofre/vault'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Config, type Mode, ROLES, type Role } from '../config/config.js'
import { readTimeSpan } from '../config/variables.js'
import { userName } from '../installation/files.js'
import { refuseVaultOnly } from '../installation/roles.js'
import { SetupError } from '../config/errors.js'
import { presentEnvironments } from '../installation/databases.js'

/** What a command has of the world around it. */
export interface CommandContext {
  readonly clock: Clock
  /** Reads the configuration. @throws ConfigError */
  config(mode: Mode): Config
  /** Writes to the standard output. */
  print(text: string): void
  /** Writes to the standard error, where it does not mix with what is printed. */
  warn(text: string): void
  /** Has the process end with exit code 1, although the command could do its work. */
  fail(): void
}

/** A command line that cannot be understood. */
export class UsageError extends Error {
  /** The command line that helps. */
  readonly help: string

  constructor(message: string, help = 'cofre --help') {
    super(message)
    this.name = 'UsageError'
    this.help = help
  }
}

/** What a command prints, as JSON or as text. */
export interface Shown {
  readonly data: unknown
  readonly text: string
  /** It could do its work, and what it found is bad. */
  readonly isFailure?: boolean
}

/** Has a command print what its work returns: as text, or with `--json` as a line of JSON. */
export function shows<Args extends readonly unknown[]>(
  command: Command,
  context: CommandContext,
  work: (...args: Args) => Promise<Shown>,
): void {
  command
    .option('--json', 'Print JSON instead of text')
    .action(async (...args: readonly unknown[]) => {
      const { data, text, isFailure } = await work(...(args as Args))
      const { json } = command.opts<{ readonly json?: true }>()
      context.print(json === true ? `${JSON.stringify(data)}\n` : text)
      if (isFailure === true) context.fail()
    })
}

/** The same context, warning of variables that nothing reads: a command would work on another database than was meant. */
export function warningOfMisspelt(context: CommandContext): CommandContext {
  const warned = new Set<string>()
  return {
    ...context,
    config(mode) {
      const config = context.config(mode)
      for (const sentence of config.misspelt) {
        if (!warned.has(sentence)) context.warn(`cofre: warning: ${sentence}\n`)
        warned.add(sentence)
      }
      return config
    },
  }
}

/** The configuration, for work on the gateway that is here. @throws SetupError where none is: a command would make one */
export async function gatewayConfig(context: CommandContext): Promise<Config> {
  const config = context.config('dev')
  refuseVaultOnly(config)
  const present = await presentEnvironments(config)
  if (present.length > 0) return config
  throw new SetupError(
    'There is no gateway here yet: check COFRE_DATA_DIR and COFRE_DATABASE_URL, or start Cofre once',
    'the tables of its stores are not there',
  )
}

/** Who runs this command, by the system's name. */
export function operator(): `operator:${string}` {
  return `operator:${userName()}`
}

/** What the audit log says of an operator at the command line. */
export function operatorEvent(
  event: Pick<AuditEvent, 'action' | 'record' | 'outcome'>,
): AuditEvent {
  return { actor: operator(), ...event }
}

/** Rows of text under their headings, in columns as wide as what they hold. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}

/** A parser for commander. @param accepts - What to say of a text of which `read` makes nothing. */
export function reads<T>(
  accepts: string,
  read: (text: string) => T | undefined,
): (text: string) => T {
  return (text) => {
    const value = read(text)
    if (value !== undefined) return value
    throw new InvalidArgumentError(accepts)
  }
}

/** Milliseconds of a time like `90`, `10m`, `24h` or `8d` that is not zero. */
export function readSpan(text: string): number | undefined {
  const spanMs = readTimeSpan(text)
  return spanMs === 0 ? undefined : spanMs
}

const LISTED_MAX = 10_000

/** How many entries of a log are listed. */
export function limitOption(): Option {
  const accepts = `It takes a whole number from 1 to ${LISTED_MAX}.`
  const read = (text: string): number | undefined =>
    /^[1-9]\d{0,4}$/.test(text) && Number(text) <= LISTED_MAX ? Number(text) : undefined
  return new Option('--limit <n>', `How many at most (to ${LISTED_MAX})`)
    .argParser(reads(accepts, read))
    .default(50)
}

/** How commands that change something take the environment. */
export const SANDBOX_OPTION = ['--sandbox', 'In the sandbox (production otherwise)'] as const

export interface SandboxOption {
  readonly sandbox?: true
}

export function environmentOf({ sandbox }: SandboxOption): Environment {
  return sandbox === true ? 'sandbox' : 'production'
}

/** How commands that look into a gateway take the environment. */
export function environmentOption(): Option {
  return new Option('--environment <environment>', 'Where')
    .choices(ENVIRONMENTS)
    .default('production')
}

/** What a process may be asked for: the demo shop is for development alone. */
const SERVED_ROLES = ROLES.filter((role) => role !== 'demo')

/** How commands take the roles of a process. @param otherwise - What they take when none are named. */
export function rolesOption(otherwise: string): Option {
  const described = `Roles, separated by commas: ${SERVED_ROLES.join(', ')}`
  return new Option('--roles <list>', `${described} (default: ${otherwise})`).argParser(readRoles)
}

function readRoles(list: string): readonly Role[] {
  return list.split(',').map((text) => {
    const role = SERVED_ROLES.find((known) => known === text.trim())
    if (role !== undefined) return role
    throw new InvalidArgumentError(
      `${text.trim() === '' ? 'A role is missing' : `There is no role ${text}`}: one or more of ${SERVED_ROLES.join(', ')}.`,
    )
  })
}
