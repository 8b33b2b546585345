import type { Clock, Environment } from '@cofre/contracts'
import type { AuditEvent } from '@cofre/vault'
import type { Config, Mode } from '../config/config.js'
import type { Trial } from '../config/trial.js'
import { userName } from '../installation/files.js'
import { refuseVaultOnly } from '../installation/roles.js'
import { SetupError } from '../config/errors.js'
import { presentEnvironments } from '../installation/databases.js'
import type { Providers } from './account-providers.js'
import type { Terminal } from './terminal.js'

/** What a command has of the world around it. */
export interface CommandContext {
  readonly clock: Clock
  /** Reads the configuration. @throws ConfigError */
  readonly config: (mode: Mode, trial?: Trial) => Config
  /** Writes to the standard output. */
  print(text: string): void
  /** Writes to the standard error, where it does not mix with what is printed. */
  warn(text: string): void
  /** Has the process end with exit code 1, although the command could do its work. */
  fail(): void
  /** Who can be asked; absent where nobody sits in front of the process. */
  readonly terminal?: Terminal
  /** Lines that the person types without being asked, until the signal; absent as `terminal` is. */
  readonly lines?: (signal: AbortSignal) => AsyncIterable<string>
  /** Asks a browser to show an address; absent as `terminal` is. False where none was asked. */
  readonly openBrowser?: (url: string) => boolean
  /** Reads the standard input to its end. */
  input?(): Promise<string>
  /** Ends a command that goes on; absent, a signal ends the process. */
  readonly stopping?: AbortSignal
  /** Loads whom accounts may be with; absent, Cofre's own. */
  readonly providers?: () => Promise<Providers>
}

export { UsageError } from './usage-error.js'

/** What a command prints, as JSON or as text. */
export interface Shown {
  readonly data: unknown
  readonly text: string
  /** It could do its work, and what it found is bad. */
  readonly isFailure?: boolean
}

/** What a command prints that goes on, one after the other. */
export type Shows = AsyncIterable<Shown>

/**
 * Does a command's work, given its arguments and options by name; `environment` is what `--sandbox`
 * says. The result is printed.
 */
export type Handler = (context: CommandContext, input: never) => Result
export type Result = Promise<Shown | undefined> | Shows

/** The same context, warning of variables that nothing reads: they were meant to matter. */
export function warningOfMisspelt(context: CommandContext): CommandContext {
  const warned = new Set<string>()
  return {
    ...context,
    config(mode, trial) {
      const config = context.config(mode, trial)
      for (const sentence of config.misspelt) {
        if (!warned.has(sentence)) context.warn(`cofre: warning: ${sentence}\n`)
        warned.add(sentence)
      }
      return config
    },
  }
}

/** Where a command works: `--sandbox` or `--environment` says it. */
export interface InEnvironment {
  readonly environment: Environment
}

/** What a command line that is advised ends with, so that it is of the same environment. */
export function sandboxOption(environment: Environment): string {
  return environment === 'sandbox' ? ' --sandbox' : ''
}

/**
 * @param mayBeFirst - Whether the command may make the gateway's databases.
 * @throws SetupError where no gateway is, or none may be
 */
export async function gatewayConfig(
  context: CommandContext,
  { mayBeFirst = false } = {},
): Promise<Config> {
  const config = context.config('dev')
  refuseVaultOnly(config)
  if (mayBeFirst || (await presentEnvironments(config)).length > 0) return config
  throw new SetupError(
    'There is no gateway here yet: check COFRE_DATA_DIR and COFRE_DATABASE_URL, or start Cofre once',
    'the tables of its stores are not there',
  )
}

/** Whether a person agrees; anything but a yes is a no. */
export function isYes(answer: string): boolean {
  return /^(?:y|yes|s|sim)$/i.test(answer.trim())
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

/** A moment, as commands show it. */
export function timeText(atMs: number): string {
  return new Date(atMs).toISOString()
}

export function timeOrNull(atMs: number | undefined): string | null {
  return atMs === undefined ? null : timeText(atMs)
}

/** A cell of a table; null leaves it empty. */
type Cell = string | number | null

/** A number with its noun, whose plural ends with s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Rows of text under their headings, in columns as wide as what they hold. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const all = [headings, ...rows.map((row) => row.map((cell) => String(cell ?? '')))]
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}

/** The same without columns in which nothing stands. */
export function filledTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const isFilled = headings.map((_, i) => rows.some((row) => (row[i] ?? '') !== ''))
  const filled = <T>(row: readonly T[]): readonly T[] => row.filter((_, i) => isFilled[i] === true)
  return table(filled(headings), rows.map(filled))
}
