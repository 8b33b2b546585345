import type { Clock, Environment } from '@cofre/contracts'
import type { AuditEvent } from '@cofre/vault'
import type { Config, Mode } from '../../config/config.js'
import type { Trial } from '../../config/trial.js'
import { userName } from '../../installation/files.js'
import { refuseVaultOnly } from '../../installation/roles.js'
import { SetupError } from '../../config/errors.js'
import { presentEnvironments } from '../../installation/databases.js'
import type { Providers } from './account-providers.js'
import type { Terminal } from './terminal.js'

/** A command's access to its process and the system. */
export interface CommandContext {
  readonly clock: Clock
  /** Reads the configuration. @throws ConfigError */
  readonly config: (mode: Mode, trial?: Trial) => Config
  /** Writes to the standard output. */
  print(text: string): void
  /** Writes to the standard error, separate from the printed data. */
  warn(text: string): void
  /** Makes the process end with exit code 1 although the command completed. */
  fail(): void
  /** The terminal for questions; absent without one. */
  readonly terminal?: Terminal
  /** Lines that the person types unasked, until the signal; absent without a terminal. */
  readonly lines?: (signal: AbortSignal) => AsyncIterable<string>
  /** Opens an address in a browser; absent without a terminal. False if none could be started. */
  readonly openBrowser?: (url: string) => boolean
  /** Reads the standard input to its end. */
  input?(): Promise<string>
  /** Ends a running command; absent if a signal ends the process. */
  readonly stopping?: AbortSignal
  /** Loads the providers of accounts; default: Cofre's own. */
  readonly providers?: () => Promise<Providers>
}

export { UsageError } from './usage-error.js'

/** Output of a command, as JSON or as text. */
export interface Shown {
  readonly data: unknown
  readonly text: string
  /** The command completed, but its result is bad. */
  readonly isFailure?: boolean
}

/** Successive outputs of a running command. */
export type Shows = AsyncIterable<Shown>

/**
 * Runs a command, with its arguments and options by name; `environment` comes from `--sandbox`. The
 * result is printed.
 */
export type Handler = (context: CommandContext, input: never) => Result
export type Result = Promise<Shown | undefined> | Shows

/** The same context, with warnings of unknown variables, which are probably misspelt. */
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

/** Environment of a command, from `--sandbox` or `--environment`. */
export interface InEnvironment {
  readonly environment: Environment
}

/** End of a suggested command line, so that it applies to the same environment. */
export function sandboxOption(environment: Environment): string {
  return environment === 'sandbox' ? ' --sandbox' : ''
}

/**
 * @param mayBeFirst - True if the command may create the gateway's databases.
 * @throws SetupError if there is no gateway, or none may be here
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
    'the tables of its stores do not exist',
  )
}

/** True if the person agrees; any other answer is a no. */
export function isYes(answer: string): boolean {
  return /^(?:y|yes|s|sim)$/i.test(answer.trim())
}

/** Name of the operating system's user who runs this command. */
export function operator(): `operator:${string}` {
  return `operator:${userName()}`
}

/** An entry of the audit log for an operator at the command line. */
export function operatorEvent(
  event: Pick<AuditEvent, 'action' | 'record' | 'outcome'>,
): AuditEvent {
  return { actor: operator(), ...event }
}

export function timeText(atMs: number): string {
  return new Date(atMs).toISOString()
}

export function timeOrNull(atMs: number | undefined): string | null {
  return atMs === undefined ? null : timeText(atMs)
}

/** A cell of a table; null leaves it empty. */
type Cell = string | number | null

/** A count with its noun, whose plural ends with s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Rows of text under headings, in columns as wide as their content. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const all = [headings, ...rows.map((row) => row.map((cell) => String(cell ?? '')))]
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}

/** A table without its empty columns. */
export function filledTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const isFilled = headings.map((_, i) => rows.some((row) => (row[i] ?? '') !== ''))
  const filled = <T>(row: readonly T[]): readonly T[] => row.filter((_, i) => isFilled[i] === true)
  return table(filled(headings), rows.map(filled))
}
