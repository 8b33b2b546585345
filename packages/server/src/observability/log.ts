import { AsyncLocalStorage } from 'node:async_hooks'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { makeFolder } from '@cofre/sql'
import { type Logger, multistream, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'
import { bufferedLines } from './buffered-lines.js'
import { terminalLines } from './terminal-lines.js'

/** The current request, which each line of the log names. */
export const currentRequest = new AsyncLocalStorage<{ readonly requestId: string }>()
const NO_REQUEST = {}

/** Format of a process's log lines. */
export const LOG_OPTIONS = {
  base: null,
  // ISO 8601, for people.
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (level: string) => ({ level }) },
  serializers: { error: describeError },
  // Each line of a request has its id, and none has two.
  mixin: () => currentRequest.getStore() ?? NO_REQUEST,
  mixinMergeStrategy: (line: object, mixin: object) => ({ ...mixin, ...line }),
}

/** Output of warnings in `dev`. */
interface WarningOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * JSON lines. `serve` writes them to its output. `dev` writes them to a file, and warnings to the
 * standard error, as sentences on a terminal.
 */
export function openLog(
  { mode, dataDir }: Pick<Config, 'mode' | 'dataDir'>,
  output: WarningOutput = process.stderr,
): Logger {
  if (mode === 'serve') return pino(LOG_OPTIONS, bufferedLines(process.stdout.fd))
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.W_OK)
  } catch (cause) {
    throw new SetupError(`The folder COFRE_DATA_DIR=${dataDir} cannot be written`, cause)
  }
  const file = bufferedLines(path.join(dataDir, 'cofre.log'))
  const warnings = output.isTTY === true ? terminalLines(output) : output
  return pino(LOG_OPTIONS, multistream([{ stream: file }, { stream: warnings, level: 'warn' }]))
}

/** Name, message and stack of an error and its causes, without the error's other properties. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  return { name, message, stack, ...(cause !== undefined && { cause: describeError(cause) }) }
}
